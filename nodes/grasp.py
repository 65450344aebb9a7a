"""Node ``grasp``: /world_graph, /perception/detections, /scan, /joint_states, tf -> arm, gripper and base commands;
actions /pick and /articulate (open and close, switch on and off).
"""

from __future__ import annotations

from dadu_interfaces.action import Articulate, Pick
from dadu_nodes.support.convert.skills import SWITCH
from dadu_nodes.support.manipulator_node import ManipulatorNode, ManipulatorSettings
from dadu_nodes.support.node import run
from dadu_nodes.support.skill_server import Begun

from dadu.manipulation.articulate import ArticulateResult
from dadu.planner.loop.skill_context import SkillContext
from dadu.skills.call import SkillCall
from dadu.stacks.binding import begin


class GraspSettings(ManipulatorSettings):
    """Parameters of the node."""


class GraspNode(ManipulatorNode):
    """Takes objects, opens and closes doors and drawers, presses switches."""

    def __init__(self) -> None:
        super().__init__("grasp", GraspSettings)
        self._serve(Pick, "pick", lambda goal: begin(
            self._use, SkillCall("pick", (goal.object,)), SkillContext(by=goal.by)))
        self._serve(Articulate, "articulate", self._articulate,
                    lambda ended: {"value": ended.value if isinstance(ended, ArticulateResult) else 0.0})

    def _articulate(self, goal: Articulate.Goal) -> Begun:
        if goal.part == SWITCH:
            return begin(self._use, SkillCall("power_on" if goal.open else "power_off", (goal.receptacle,)))
        skill = "open" if goal.open else "close"
        return begin(self._use, SkillCall(skill, (goal.receptacle,)), SkillContext(part=goal.part))


def main() -> None:
    run(GraspNode)
