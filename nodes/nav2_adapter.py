"""Node ``nav2_adapter``: in navigation's place where a Nav2 that runs already drives (``navigation:=nav2``).

Takes Nav2's /navigate_to_pose and /map. Gives the actions to which the planner's drives go: /drive_to_pose and
/explore. It does what a drive of ours does beside driving: claims the body, folds the
arm, looks on arrival, and says what became of it in our outcomes; emergency stop, teleop and cancel end Nav2's goal.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from action_msgs.msg import GoalStatus
from dadu_interfaces import action
from dadu_interfaces.action import Explore
from dadu_nodes.support.actions.action_caller import ActionCaller
from dadu_nodes.support.convert.encode import encode
from dadu_nodes.support.convert.geometry import planar_pose
from dadu_nodes.support.convert.skills import drive_context
from dadu_nodes.support.listening.scene import SceneListener
from dadu_nodes.support.node import DaduNode, run
from dadu_nodes.support.ros_robot import RosRobot
from dadu_nodes.support.skill_server import SkillServer
from dadu_nodes.support.transforms import map_pose_soon
from dadu_nodes.support.wall import DISCOVERY, RESTART, STEADY
from geometry_msgs.msg import PoseStamped
from nav2_msgs.action import NavigateToPose
from pydantic import PositiveFloat
from rclpy.task import Future
from std_msgs.msg import Header
from std_srvs.srv import Trigger

from dadu.core.config import Settings
from dadu.core.errors import NotUsable
from dadu.core.geometry import Pose2
from dadu.core.received_pose import PoseRefused
from dadu.navigation.costmap import Costmap
from dadu.navigation.external_navigator import failure_of
from dadu.navigation.go_to import Drive
from dadu.operator.body_lease import BodyPart
from dadu.planner.loop.skill_context import SkillContext
from dadu.robots import load_robot
from dadu.skills.call import SkillCall
from dadu.skills.generator import Skill
from dadu.skills.outcome import Code, SkillResult
from dadu.stacks.binding import Equipment, begin

_MOVES = (BodyPart.BASE, BodyPart.ARM, BodyPart.HEAD)


class Nav2AdapterSettings(Settings):
    robot: str = "stretch"
    """a name in config/robots/, or a file like those"""
    deadline: PositiveFloat = 240.0
    """[s] for one drive"""
    lifecycle_manager: str = "lifecycle_manager_navigation"
    """node that says whether Nav2 is active; empty: none does"""


class Nav2Adapter(DaduNode[Nav2AdapterSettings]):
    """Drives and explores by Nav2."""

    live = ("deadline",)

    def __init__(self) -> None:
        super().__init__("nav2_adapter", Nav2AdapterSettings)
        self._robot = RosRobot(self, load_robot(self.settings.robot), scan=True, newest=False)
        listener = SceneListener(self, map=True)
        self._scene = listener.scene
        self._nav2 = Nav2Client(self, self.settings.lifecycle_manager)
        self._use = Equipment(self._robot.description, self._scene)
        self.health.check(self._nav2.problem, error=True)
        server = SkillServer(self, self._robot, listener, listener.lacks_map)
        server.serve(action.Drive, "drive_to_pose", self._go_to,
                     lambda ended: action.Drive.Result(outcome=encode.result(ended)), feedback=self._progress,
                     deadline=lambda: self.settings.deadline, parts=_MOVES)
        server.serve(Explore, "explore", self._explore,
                     lambda ended: Explore.Result(outcome=encode.result(ended), viewpoints=self._seen_from()),
                     feedback=lambda phase: Explore.Feedback(phase=phase, viewpoints=self._seen_from()),
                     deadline=lambda: self.settings.deadline, parts=_MOVES)

    def _progress(self, phase: str) -> action.Drive.Feedback:
        told = self._nav2.feedback
        return action.Drive.Feedback(phase=phase, distance_remaining=told.distance_remaining,
                                     number_of_recoveries=told.number_of_recoveries)

    async def _go_to(self, goal: action.Drive.Goal) -> Skill | SkillResult:
        try:
            pose = await map_pose_soon(self, self._robot.transforms, goal.pose.header, goal.pose.pose)
            return self._begin(SkillCall("go_to"), drive_context(goal, pose))
        except (PoseRefused, NotUsable) as refused:
            return SkillResult(Code.UNKNOWN_TARGET, f"this goal is not driven to: {refused}")

    def _explore(self, goal: Explore.Goal) -> Skill | SkillResult:
        return self._begin(SkillCall("explore", (goal.room,)), SkillContext())

    def _begin(self, call: SkillCall, skill_context: SkillContext) -> Skill | SkillResult:
        assert self._scene.map is not None  # else no goal is begun
        self._use.drive = Drive(Costmap(self._scene.map, self._robot.description), navigator=self._nav2)
        return begin(self._use, call, skill_context)

    def _seen_from(self) -> int:
        return self._use.drive.viewpoints if self._use.drive is not None else 0


@dataclass
class _Sent:
    """One goal."""

    answer: Future | None = None
    cancelled: bool = False


class Nav2Client:
    """A `dadu.navigation.external_navigator.Navigator`."""

    def __init__(self, node: DaduNode[Any], lifecycle_manager: str) -> None:
        """`lifecycle_manager` is the name of the node that brings Nav2 up; empty: there is none, nobody is asked."""
        self.feedback = NavigateToPose.Feedback()
        """Nav2's last, about the newest goal"""
        self._node = node
        self._caller = ActionCaller(node, NavigateToPose, "navigate_to_pose")
        self._sent = _Sent()
        self._active = ""
        if lifecycle_manager:
            self._manager = node.create_client(Trigger, f"{lifecycle_manager}/is_active")
            node.create_timer(DISCOVERY, self._ask, clock=STEADY)

    def problem(self) -> str:
        """Why it would not drive now, in a sentence; empty: as far as is known, it would."""
        return self._active

    def send(self, pose: Pose2) -> None:
        self.cancel()
        header = Header(frame_id=self._node.frames.outside("map"))
        goal = NavigateToPose.Goal(pose=PoseStamped(header=header, pose=planar_pose(pose)))
        sent = self._sent = _Sent()
        self.feedback = NavigateToPose.Feedback()
        executor = self._node.executor
        if executor is None:
            raise RuntimeError("nobody spins the node, so no answer would ever be heard")
        sent.answer = executor.create_task(self._caller.call, goal, lambda: sent.cancelled, RESTART, self._hear)

    def result(self) -> SkillResult | None:
        answer = self._sent.answer
        if answer is None or not answer.done():
            return None
        response = answer.result()
        if response is None:
            why = self._active or "Nav2 is gone, or refused the goal"
            return SkillResult(Code.UNREACHABLE_BACKEND, f"{why}; try again when it is back")
        if response.status == GoalStatus.STATUS_SUCCEEDED:
            return SkillResult(Code.SUCCEEDED, "Nav2 has arrived")
        if response.status == GoalStatus.STATUS_CANCELED:
            return SkillResult(Code.CANCELLED, "somebody cancelled Nav2's drive; the robot stands still")
        return failure_of(response.result.error_code, response.result.error_msg)

    def cancel(self) -> None:
        self._sent.cancelled = True

    def _hear(self, message: Any) -> None:
        self.feedback = message.feedback

    def _ask(self) -> None:
        if not self._manager.service_is_ready():
            self._active = f"Nav2's {self._manager.srv_name} does not answer"
            return
        self._manager.call_async(Trigger.Request()).add_done_callback(self._told)

    def _told(self, answer: Future) -> None:
        response = answer.result()
        self._active = "" if response is not None and response.success else "Nav2's nodes are not active"


def main() -> None:
    run(Nav2Adapter)
