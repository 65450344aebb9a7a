"""Messages on their way from one node to another that may be lost or come twice: they pass through relays."""

from __future__ import annotations

from typing import NamedTuple


class Relayed(NamedTuple):
    """What `node` hears on `topic`."""

    topic: str
    node: str

    @property
    def relayed(self) -> str:
        """The topic on which it hears that instead."""
        return f"/chaos/{self.node}{self.topic}"


LINKS = (
    Relayed("/perception/detections", "memory"), Relayed("/perception/detections", "grasp"),
    Relayed("/perception/detections", "place"), Relayed("/skill_results", "memory"),
    Relayed("/world_graph", "planner"), Relayed("/world_graph", "navigation"), Relayed("/world_graph", "grasp"),
    Relayed("/world_graph", "place"), Relayed("/cmd_vel_nav", "override"),
)
"""what sensors say is not among them: too much for a relay; the simulator itself keeps it back or says it twice"""
