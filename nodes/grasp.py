"""Node ``grasp``: /world_graph, /perception/detections, /scan, /joint_states, tf -> arm, gripper and base commands;
actions /pick and /articulate (open and close).
"""

from __future__ import annotations

from dadu_interfaces.action import Articulate, Pick
from dadu_nodes.support.convert.outcome import outcome
from dadu_nodes.support.listening.scene import SceneListener
from dadu_nodes.support.node import DaduNode, run
from dadu_nodes.support.ros_robot import RosRobot
from dadu_nodes.support.skill_server import SkillServer
from pydantic import PositiveFloat

from dadu.core.config import Settings
from dadu.manipulation.articulate import ArticulateResult
from dadu.planner.loop.skill_context import SkillContext
from dadu.robots import load_robot
from dadu.robots.manipulator_settings import ManipulationSettings
from dadu.skills.call import SkillCall
from dadu.skills.generator import Skill
from dadu.skills.outcome import SkillResult
from dadu.stacks.binding import Equipment, begin
from dadu.stacks.ways import SkillWays, WayChoice


class GraspSettings(Settings):
    """Parameters of the node."""

    robot: str = "stretch"
    """a name in config/robots/, or a file like those"""
    deadline: PositiveFloat = 150.0
    """[s] for one skill"""
    manipulation: ManipulationSettings = ManipulationSettings()
    skills: SkillWays = SkillWays()
    """in which way each is carried out"""


class GraspNode(DaduNode[GraspSettings]):
    """Takes objects, opens and closes doors and drawers."""

    live = ("deadline", "manipulation")

    def __init__(self) -> None:
        super().__init__("grasp", GraspSettings)
        self._robot = RosRobot(self, load_robot(self.settings.robot), scan=True)
        listener = SceneListener(self, detections=True)
        self._use = Equipment(self._robot.description, listener.scene, manipulation=self.settings.manipulation,
                              ways=WayChoice(self.settings.skills))
        server = SkillServer(self, self._robot, listener, listener.lacks_graph)
        server.serve(Pick, "pick", self._pick, lambda ended: Pick.Result(outcome=outcome(ended)),
                     feedback=lambda phase: Pick.Feedback(phase=phase), deadline=lambda: self.settings.deadline)
        server.serve(Articulate, "articulate", self._articulate, _articulated,
                     feedback=lambda phase: Articulate.Feedback(phase=phase), deadline=lambda: self.settings.deadline)

    def _take_settings(self, settings: GraspSettings) -> None:
        super()._take_settings(settings)
        self._use.manipulation = settings.manipulation  # the skill under way keeps what it began with

    def _pick(self, goal: Pick.Goal) -> Skill | SkillResult:
        return begin(self._use, SkillCall("pick", (goal.object,)))

    def _articulate(self, goal: Articulate.Goal) -> Skill | SkillResult:
        skill = "open" if goal.open else "close"
        return begin(self._use, SkillCall(skill, (goal.receptacle,)), SkillContext(part=goal.part))


def _articulated(ended: SkillResult) -> Articulate.Result:
    value = ended.value if isinstance(ended, ArticulateResult) else 0.0
    return Articulate.Result(outcome=outcome(ended), value=value)


def main() -> None:
    run(GraspNode)
