"""Node ``place``: /world_graph, /perception/detections, /scan, /joint_states, tf -> arm, gripper and base commands;
action /place.
"""

from __future__ import annotations

from dadu_interfaces.action import Place
from dadu_nodes.support.convert.outcome import outcome
from dadu_nodes.support.listening.scene import SceneListener
from dadu_nodes.support.node import DaduNode, run
from dadu_nodes.support.ros_robot import RosRobot
from dadu_nodes.support.skill_server import SkillServer
from pydantic import PositiveFloat

from dadu.core.config import Settings
from dadu.robots import load_robot
from dadu.robots.manipulator_settings import ManipulationSettings
from dadu.skills.call import SkillCall
from dadu.skills.generator import Skill
from dadu.skills.outcome import SkillResult
from dadu.stacks.binding import Equipment, begin
from dadu.stacks.ways import SkillWays, WayChoice


class PlacementSettings(Settings):
    """Parameters of the node."""

    robot: str = "stretch"
    """a name in config/robots/, or a file like those"""
    deadline: PositiveFloat = 150.0
    """[s] for one skill"""
    manipulation: ManipulationSettings = ManipulationSettings()
    skills: SkillWays = SkillWays()
    """in which way each is carried out"""


class PlaceNode(DaduNode[PlacementSettings]):
    """Puts down what is held."""

    live = ("deadline", "manipulation")

    def __init__(self) -> None:
        super().__init__("place", PlacementSettings)
        self._robot = RosRobot(self, load_robot(self.settings.robot), scan=True)
        listener = SceneListener(self, detections=True)
        self._use = Equipment(self._robot.description, listener.scene, manipulation=self.settings.manipulation,
                              ways=WayChoice(self.settings.skills))
        server = SkillServer(self, self._robot, listener, listener.lacks_graph)
        server.serve(Place, "place", self._place, lambda ended: Place.Result(outcome=outcome(ended)),
                     feedback=lambda phase: Place.Feedback(phase=phase), deadline=lambda: self.settings.deadline)

    def _take_settings(self, settings: PlacementSettings) -> None:
        super()._take_settings(settings)
        self._use.manipulation = settings.manipulation  # the skill under way keeps what it began with

    def _place(self, goal: Place.Goal) -> Skill | SkillResult:
        beside = ("next_to", goal.next_to) if goal.next_to else ()
        return begin(self._use, SkillCall("place", (goal.relation, goal.receptacle, *beside)))


def main() -> None:
    run(PlaceNode)
