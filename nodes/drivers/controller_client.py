"""Finds the controllers of arm and gripper among those that a robot's driver may have, and hands goals to them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from control_msgs.action import FollowJointTrajectory, GripperCommand, ParallelGripperCommand
from rclpy.action import ActionClient
from rclpy.action.client import ClientGoalHandle
from rclpy.node import Node
from rclpy.task import Future
from sensor_msgs.msg import JointState

_ANSWER = 2.0
"""[s] in which a controller must take a goal or refuse it"""


class SentGoal:
    """A goal on its way to a controller: whether it was taken, and how it ended."""

    def __init__(self, accepted: Future, now: float) -> None:
        self._accepted, self._sent = accepted, now
        self._result: Future | None = None
        self._cancelled = False
        accepted.add_done_callback(self._answered)

    @property
    def taken(self) -> bool:
        """True if the controller has accepted it."""
        return self._handle() is not None

    def problem(self, now: float) -> str:
        """Why it will not be carried out; empty where it may still be."""
        if self._accepted.done():
            return "" if self.taken else "the controller refused the goal; its log says why"
        return "the controller does not answer" if now - self._sent > _ANSWER else ""

    def outcome(self) -> Any | None:
        """The controller's response with `status` and `result`, once there is one. The status tells of success: the
        code of a result that nobody filled in, as of a goal that was cancelled, is that of success."""
        return self._result.result() if self._result is not None and self._result.done() else None

    def cancel(self) -> None:
        """At once, or as soon as it is accepted."""
        self._cancelled = True
        handle = self._handle()
        if handle is not None:
            handle.cancel_goal_async()

    def _handle(self) -> ClientGoalHandle | None:
        handle = self._accepted.result() if self._accepted.done() else None
        return handle if handle is not None and handle.accepted else None

    def _answered(self, _: Future) -> None:
        handle = self._handle()
        if handle is not None:
            self._result = handle.get_result_async()
            if self._cancelled:
                handle.cancel_goal_async()


class ArmController:
    """The first of some trajectory controllers that is there."""

    def __init__(self, node: Node, names: Sequence[str]) -> None:
        self._node, self._names = node, names
        actions = [f"{name}/follow_joint_trajectory" for name in names]
        self._clients = [ActionClient(node, FollowJointTrajectory, action) for action in actions]

    def problem(self) -> str:
        """Empty where one is there."""
        if any(client.server_is_ready() for client in self._clients):
            return ""
        return f"none of the arm's controllers is there ({', '.join(self._names)}); is the robot's driver running?"

    def send(self, goal: FollowJointTrajectory.Goal, now: float) -> SentGoal | None:
        """None: nobody is there."""
        client = next((client for client in self._clients if client.server_is_ready()), None)
        return None if client is None else SentGoal(client.send_goal_async(goal), now)


class GripperController:
    """The first of some gripper controllers that is there, whichever of the two actions it serves."""

    def __init__(self, node: Node, names: Sequence[str], joint: str) -> None:
        """`joint`: as the driver calls it."""
        self._node, self._names, self._joint = node, names, joint
        self._clients: dict[tuple[str, str], ActionClient] = {}

    def problem(self) -> str:
        """Empty where one is there."""
        if self._find() is not None:
            return ""
        return f"none of the gripper's controllers is there ({', '.join(self._names)}); is its driver running?"

    def send(self, position: float, now: float) -> SentGoal | None:
        """Sends the joint to `position` [rad or m]; None: nobody is there."""
        found = self._find()
        if found is None:
            return None
        kind, client = found
        if kind is ParallelGripperCommand:
            goal = ParallelGripperCommand.Goal(command=JointState(name=[self._joint], position=[position]))
        else:
            goal = GripperCommand.Goal()
            goal.command.position = position
        return SentGoal(client.send_goal_async(goal), now)

    def _find(self) -> tuple[Any, ActionClient] | None:
        serving = dict(self._node.get_service_names_and_types()) if not self._ready() else {}
        for name in self._names:
            for kind in (ParallelGripperCommand, GripperCommand):
                action = f"{name}/gripper_cmd"
                if f"control_msgs/action/{kind.__name__}_SendGoal" in serving.get(
                        self._node.resolve_service_name(f"{action}/_action/send_goal"), ()):
                    self._clients.setdefault((name, kind.__name__), ActionClient(self._node, kind, action))
        return self._ready()

    def _ready(self) -> tuple[Any, ActionClient] | None:
        kinds = {kind.__name__: kind for kind in (ParallelGripperCommand, GripperCommand)}
        return next(((kinds[kind], client) for (_, kind), client in self._clients.items() if client.server_is_ready()),
                    None)
