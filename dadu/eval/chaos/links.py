"""Messages on their way from one node to another that may be lost or come twice: they pass through relays."""

from __future__ import annotations

from typing import NamedTuple


class Link(NamedTuple):
    """What `node` hears on `topic`."""

    topic: str
    node: str

    @property
    def relayed(self) -> str:
        """The topic on which it hears that instead."""
        return f"/chaos/{self.node}{self.topic}"


LINKS = (
    Link("/perception/detections", "memory"), Link("/perception/detections", "grasp"),
    Link("/perception/detections", "place"), Link("/skill_results", "memory"),
    Link("/world_graph", "planner"), Link("/world_graph", "navigation"), Link("/world_graph", "grasp"),
    Link("/world_graph", "place"), Link("/cmd_vel_nav", "override"),
)
"""what sensors say is not among them: too much for a relay; the simulator itself keeps it back or says it twice"""
