"""Node ``place``: /world_graph, /perception/detections, /scan, /joint_states, tf -> arm, gripper and base commands;
action /place.
"""

from __future__ import annotations

from dadu_interfaces.action import Place
from dadu_nodes.support.manipulator_node import ManipulatorNode, ManipulatorSettings
from dadu_nodes.support.node import run
from dadu_nodes.support.skill_server import Begun

from dadu.planner.loop.skill_context import SkillContext
from dadu.skills.call import SkillCall
from dadu.stacks.binding import begin


class PlacementSettings(ManipulatorSettings):
    """Parameters of the node."""


class PlaceNode(ManipulatorNode):
    """Puts down what is held, or hands it over."""

    def __init__(self) -> None:
        super().__init__("place", PlacementSettings)
        self._serve(Place, "place", self._place)

    def _place(self, goal: Place.Goal) -> Begun:
        beside = ("next_to", goal.next_to) if goal.next_to else ()
        call = (SkillCall("handover", (goal.receptacle,)) if goal.relation == "to"
                else SkillCall("place", (goal.relation, goal.receptacle, *beside)))
        return begin(self._use, call, SkillContext(by=goal.by))


def main() -> None:
    run(PlaceNode)
