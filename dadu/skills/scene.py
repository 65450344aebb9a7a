"""What a skill knows of the world beside its own observations: memory, the newest detections and the map."""

from __future__ import annotations

from dataclasses import dataclass, field

from dadu.world.detection import DetectionFrame
from dadu.world.graph import WorldGraph
from dadu.world.occupancy import OccupancyMap


@dataclass
class Scene:
    """Kept up to date by whoever ticks the skill (a ROS node, or the in-process stack) and read by the skill."""

    graph: WorldGraph = field(default_factory=WorldGraph)
    frame: DetectionFrame | None = None
    """newest detections; compare its stamp with the observation's before trusting it"""
    map: OccupancyMap | None = None
    """the static map, as loaded or built so far"""
    phase: str = ""
    """what the running skill is doing, in a word, for feedback: set by the skill"""
    by_person: bool = False
    """who takes the controls carries out the running skill, and does not end it: set by the skill"""
    driven: bool = False
    """a person has the controls"""
