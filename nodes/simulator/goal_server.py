"""One driver action: at most one goal at a time, a newer one replaces it, its end is looked for in wall time."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from dadu_nodes.support.wall import PERIOD, POLL, STEADY
from rclpy.action import ActionServer, CancelResponse, GoalResponse
from rclpy.action.server import ServerGoalHandle
from rclpy.node import Node
from rclpy.task import Future

from dadu.sim.mujoco.robot.driver_goals import Ended, GoalVerdict


@dataclass(frozen=True)
class Driver:
    """What an action does, without ROS."""

    start: Callable[[Any], Any]
    """goal message to a goal under way. Errors: DaduError refuses it"""
    verdict: Callable[[Any], GoalVerdict | None]
    """of a goal under way; None: not ended"""
    hold: Callable[[], None]
    """after a cancel or a violated tolerance"""
    result: Callable[[GoalVerdict | None], Any]
    """result message; None: cancelled or replaced"""
    feedback: Callable[[Any], Any]
    """feedback message of a goal under way"""


@dataclass
class _Active:
    handle: ServerGoalHandle
    goal: Any
    done: Future
    told: float = -math.inf
    """when feedback was given last [s, monotonic]"""


class GoalServer:
    """Serves `driver` as `action` called `name`."""

    def __init__(self, node: Node, action: type, name: str, driver: Driver, check: Callable[[Any], str]) -> None:
        """`check`: a sentence for a goal that is refused, else empty."""
        self._node, self._driver, self._check = node, driver, check
        self._active: _Active | None = None
        self._timer = node.create_timer(POLL, self._poll, clock=STEADY)
        self._timer.cancel()
        self._server = ActionServer(node, action, name, self._execute, goal_callback=self._accept,
                                    cancel_callback=lambda handle: CancelResponse.ACCEPT)

    def _accept(self, request: Any) -> GoalResponse:
        reason = self._check(request)
        if not reason:
            return GoalResponse.ACCEPT
        self._node.get_logger().warning(f"goal refused: {reason}")
        return GoalResponse.REJECT

    async def _execute(self, handle: ServerGoalHandle) -> Any:
        self._finish(None)
        active = _Active(handle, self._driver.start(handle.request), Future(executor=self._node.executor))
        self._active = active
        self._timer.reset()
        verdict = await active.done
        if handle.is_cancel_requested:
            handle.canceled()
        elif verdict is not None and verdict.ended in (Ended.REACHED, Ended.STALLED):
            handle.succeed()
        else:
            handle.abort()
        return self._driver.result(verdict)

    def _poll(self) -> None:
        active = self._active
        if active is None:
            self._timer.cancel()
            return
        if active.handle.is_cancel_requested:
            self._driver.hold()
            self._finish(None)
            return
        verdict = self._driver.verdict(active.goal)
        if verdict is None:
            if time.monotonic() < active.told + PERIOD:
                return
            active.told = time.monotonic()
            active.handle.publish_feedback(self._driver.feedback(active.goal))
            return
        if verdict.ended in (Ended.PATH_TOLERANCE, Ended.GOAL_TOLERANCE):
            self._driver.hold()
        self._finish(verdict)

    def _finish(self, verdict: GoalVerdict | None) -> None:
        """Ends the goal under way, if any; None: it was cancelled or replaced."""
        active, self._active = self._active, None
        if active is not None:
            active.done.set_result(verdict)
