"""What the nodes that move arm and hand have in common."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dadu_nodes.support.convert.encode import encode
from dadu_nodes.support.listening.scene import SceneListener
from dadu_nodes.support.node import DaduNode
from dadu_nodes.support.ros_robot import RosRobot
from dadu_nodes.support.skill_server import Begun, SkillServer
from pydantic import PositiveFloat

from dadu.core.config import Settings
from dadu.robots import load_robot
from dadu.robots.manipulator_settings import ManipulationSettings
from dadu.skills.outcome import SkillResult
from dadu.stacks.binding import Equipment
from dadu.stacks.ways import SkillWays


class ManipulatorSettings(Settings):
    """Parameters of such a node."""

    robot: str = "stretch"
    """a name in config/robots/, or a file like those"""
    deadline: PositiveFloat = 150.0
    """[s] for one skill"""
    manipulation: ManipulationSettings = ManipulationSettings()
    skills: SkillWays = SkillWays()
    """in which way each is carried out"""


class ManipulatorNode(DaduNode[ManipulatorSettings]):
    """Serves skills of arm and hand."""

    live = ("deadline", "manipulation")

    def __init__(self, name: str, settings: type[ManipulatorSettings]) -> None:
        super().__init__(name, settings)
        robot = RosRobot(self, load_robot(self.settings.robot), scan=True)
        listener = SceneListener(self, detections=True)
        self._use = Equipment(robot.description, listener.scene, manipulation=self.settings.manipulation,
                              ways=self.settings.skills)
        self._skills = SkillServer(self, robot, listener, listener.lacks_graph)

    def _serve(self, action: Any, name: str, make: Callable[[Any], Begun],
               fields: Callable[[SkillResult], dict[str, Any]] = lambda ended: {}) -> None:
        """Serves `make` as action `name`; `fields`: what its result has beside the outcome."""
        self._skills.serve(action, name, make,
                           lambda ended: action.Result(outcome=encode.result(ended), **fields(ended)),
                           feedback=lambda phase: action.Feedback(phase=phase), deadline=lambda: self.settings.deadline)

    def _take_settings(self, settings: ManipulatorSettings) -> None:
        super()._take_settings(settings)
        self._use.manipulation = settings.manipulation  # the skill under way keeps what it began with
