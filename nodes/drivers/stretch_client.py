"""Hands commands to Hello Robot's driver: its goals, its modes, its stop."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from control_msgs.action import FollowJointTrajectory
from dadu_nodes.support import qos
from dadu_nodes.support.clock import duration
from dadu_nodes.support.incoming.twists import TwistPublisher
from rcl_interfaces.msg import Parameter, ParameterType, ParameterValue
from rcl_interfaces.srv import SetParameters
from rclpy.action import ActionClient
from rclpy.action.client import ClientGoalHandle
from rclpy.client import Client
from rclpy.node import Node
from rclpy.task import Future
from std_msgs.msg import Bool, String
from std_srvs.srv import Trigger
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

from dadu.core.robot import Twist
from dadu.robots.drivers.stretch_commands import Mode, Point, StretchCommands
from dadu.robots.drivers.stretch_dialects import Dialect
from dadu.robots.drivers.stretch_link import DriverLink, LinkSettings, LinkStep
from dadu.robots.set_points import APERTURE

_ANSWER = 1.0
"""[s] in which the driver must take a goal or refuse it"""
_INVALID = (FollowJointTrajectory.Result.INVALID_GOAL, FollowJointTrajectory.Result.INVALID_JOINTS)
_FREEZE = 0.5
"""[s] in which an emergency stop must have reached a hand that holds something; then holding matters less"""


class StretchClient:
    """One `tick` takes what `commands` ask for and hands it to the driver, switching its mode where needed."""

    def __init__(self, node: Node, commands: StretchCommands, settings: LinkSettings, dialect: Dialect) -> None:
        self._node, self._commands, self._dialect = node, commands, dialect
        self.link = DriverLink(settings, dialect.latched)
        self.stopped = False
        self._positions: Mapping[str, float] = {}
        self._freeze: float | None = None
        """since when an emergency stop waits to reach the arm [s]"""
        self._switching: tuple[Client, Future] | None = None
        self._sending: tuple[Future, float] | None = None
        self._goal: ClientGoalHandle | None = None
        self._base = TwistPublisher(node, dialect.velocities)
        self._driver = ActionClient(node, FollowJointTrajectory, dialect.goals)
        self._switches = _switches(node, dialect)
        self._stop = node.create_client(Trigger, "stop_the_robot")
        told = qos.LATCHED if dialect.latched else qos.STATE
        node.create_subscription(String, "mode", self._on_mode, told)
        node.create_subscription(Bool, "is_homed", self._on_homed, told)

    def now(self) -> float:
        """[s]"""
        return self._node.get_clock().now().nanoseconds * 1e-9

    def problem(self) -> str:
        """Why no goal is taken now, in a sentence; empty: it is."""
        return "the emergency stop is pressed" if self.stopped else self.link.problem(self.now())

    def measured(self, positions: Mapping[str, float]) -> None:
        """The driver has reported its joints [m or rad]."""
        self._positions = positions
        self.link.joints_heard(self.now())

    def halt(self) -> None:
        """The base stands, where the driver would let it go on as it was told last."""
        if self._dialect.beside and self.link.mode == Mode.NAVIGATION.value:
            self._base.publish(Twist())

    def stop(self, stopped: bool) -> None:
        """The emergency stop. What the hand holds it goes on holding: /stop_the_robot would take the force from it."""
        if stopped == self.stopped:
            return
        self.stopped, now = stopped, self.now()
        if not stopped:
            self._freeze = None
            return
        moving = self._goal is not None or self._sending is not None
        self._commands.stop(now, self._positions)
        self._cancel()
        if not self._commands.grips:
            self._stop_all()
        elif moving:
            self._freeze = now
        self.tick()

    def _stop_all(self) -> None:
        self._freeze = None
        if self._stop.service_is_ready():
            self._stop.call_async(Trigger.Request())

    def tick(self) -> None:
        """Ask, bring the driver into the mode that it takes, hand over."""
        now = self.now()
        self._watch(now)
        request = self._commands.next(now, self._positions)
        step = self.link.next(request.mode, now)
        if step is LinkStep.CANCEL:
            self._cancel()
        elif step is LinkStep.SWITCH and request.mode is not None:
            self._switch(request.mode)
        elif step is LinkStep.GO:
            if request.twist is not None and self.link.mode == Mode.NAVIGATION.value:
                self._base.publish(request.twist)
            if request.point is not None and self._sending is None and not (self.stopped and self._goal is not None):
                self._send(request.point, now)

    def _on_mode(self, message: String) -> None:
        self.link.mode_heard(message.data, self.now())

    def _on_homed(self, message: Bool) -> None:
        self.link.homed_heard(message.data)

    def _watch(self, now: float) -> None:
        """What is given up, and what is said of it."""
        problem = self.link.problem(now)
        if problem:
            self._node.get_logger().warning(problem, throttle_duration_sec=5.0)
            self._commands.forget()
            self.halt()
        if self._sending is not None and now - self._sending[1] > _ANSWER:
            self._sending = None
        if self._freeze is not None and now - self._freeze > _FREEZE:
            self._node.get_logger().error("the arm did not take the stop in time: all is stopped, the grip, too")
            self._stop_all()

    def _switch(self, mode: Mode) -> None:
        """Asks for a mode; an older request that was never answered is dropped."""
        client = self._switches[mode]
        if self._switching is not None:
            self._switching[0].remove_pending_request(self._switching[1])
        future = client.call_async(_mode_request(mode) if self._dialect.mode_parameter else Trigger.Request())
        self._switching = client, future
        future.add_done_callback(lambda future: self._switched(mode, future))

    def _switched(self, mode: Mode, future: Future) -> None:
        answer = future.result()
        if isinstance(answer, SetParameters.Response):
            self.link.answered(mode, answer.results[0].successful, answer.results[0].reason, self.now())
        elif answer is not None:
            self.link.answered(mode, answer.success, answer.message, self.now())

    def _send(self, point: Point, now: float) -> None:
        told = [self._dialect.goal(name, position) for name, position in point.positions.items()]
        # The driver goes by the place in the list: the gripper is last and has no speed in it, so it keeps its own.
        message = JointTrajectoryPoint(positions=[float(position) for _, position in told],
                                       velocities=[float(point.speeds[name]) for name in point.positions
                                                   if name in point.speeds],
                                       time_from_start=duration(0.0))
        names = [name for name, _ in told]
        goal = FollowJointTrajectory.Goal(trajectory=JointTrajectory(joint_names=names, points=[message]))
        future = self._driver.send_goal_async(goal)
        self._commands.handed(now)
        self._sending = future, now
        stopped_then = self.stopped
        future.add_done_callback(lambda future: self._accepted(future, point, self.stopped and not stopped_then))

    def _accepted(self, future: Future, point: Point, outdated: bool) -> None:
        """The driver's answer to a goal; `outdated`: the robot was stopped meanwhile."""
        if self._sending is not None and self._sending[0] is future:
            self._sending = None
        self._commands.answered(self.now())
        handle = None if future.cancelled() else future.result()
        if handle is None or not handle.accepted:
            self._node.get_logger().warning("Stretch's driver refused a goal", throttle_duration_sec=2.0)
            return
        self._commands.taken(point)
        grips = self._dialect.beside and APERTURE in point.positions
        if not grips:  # to cancel that would take the force from what is held; the next goal replaces it
            self._goal = handle
            self.link.goal_began()
        if outdated:
            self._cancel()
        elif self.stopped and not grips:
            self._freeze = None
        handle.get_result_async().add_done_callback(lambda future: self._ended(handle, point, future))

    def _ended(self, handle: ClientGoalHandle, point: Point, future: Future) -> None:
        answer = None if future.cancelled() else future.result()
        if answer is not None and answer.result.error_code in _INVALID:
            self._node.get_logger().warning(f"Stretch's driver did not take a goal: {answer.result.error_string}",
                                            throttle_duration_sec=2.0)
            self._commands.refused(point)
        if self._goal is handle:  # else a newer one has taken its place
            self._goal = None
            self.link.goal_ended()
            self.tick()  # a stop or a change of mode may have waited for this

    def _cancel(self) -> None:
        if self._goal is not None:
            self._goal.cancel_goal_async()


def _switches(node: Node, dialect: Dialect) -> dict[Mode, Client]:
    """Who is asked for each mode."""
    if dialect.mode_parameter:
        client = node.create_client(SetParameters, f"{dialect.mode_parameter}/set_parameters")
        return dict.fromkeys(Mode, client)
    return {mode: node.create_client(Trigger, f"switch_to_{mode.value}_mode") for mode in Mode}


def _mode_request(mode: Mode) -> Any:
    value = ParameterValue(type=ParameterType.PARAMETER_STRING, string_value=mode.value)
    return SetParameters.Request(parameters=[Parameter(name="mode", value=value)])
