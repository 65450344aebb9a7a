"""Messages on their way from one node to another that may be lost or come twice: they pass through relays."""

from __future__ import annotations

from typing import NamedTuple


class RelayLink(NamedTuple):
    """What `node` hears on `topic`."""

    topic: str
    node: str

    @property
    def relayed(self) -> str:
        """The topic on which it hears that instead."""
        return f"/chaos/{self.node}{self.topic}"


LINKS = (
    RelayLink("/perception/detections", "memory"), RelayLink("/perception/detections", "grasp"),
    RelayLink("/perception/detections", "place"), RelayLink("/skill_results", "memory"),
    RelayLink("/world_graph", "planner"), RelayLink("/world_graph", "navigation"), RelayLink("/world_graph", "grasp"),
    RelayLink("/world_graph", "place"), RelayLink("/cmd_vel_nav", "override"),
)
"""what sensors say is not among them: too much for a relay; the simulator itself keeps it back or says it twice"""
