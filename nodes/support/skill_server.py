"""Serves a skill generator as a ROS action: ticks it, reports its phase, obeys cancel, operator and deadline."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Collection, Coroutine
from dataclasses import dataclass
from typing import Any

from dadu_nodes.support.body_claim import BodyClaim
from dadu_nodes.support.listening.operator import OperatorMonitor
from dadu_nodes.support.listening.scene import SceneListener
from dadu_nodes.support.node import DaduNode
from dadu_nodes.support.ros_robot import RosRobot
from dadu_nodes.support.waiting import wait_until
from dadu_nodes.support.wall import ANSWER, LOOK, SILENCE, STEADY
from dadu_nodes.support.work import WorkReporter
from rclpy.action import ActionServer, CancelResponse, GoalResponse
from rclpy.action.server import ServerGoalHandle
from rclpy.task import Future
from rclpy.timer import Timer

from dadu.core.geometry import Pose2
from dadu.core.robot import Observation
from dadu.operator.body_lease import BodyPart
from dadu.sim.time_sync import Work
from dadu.skills.generator import TICK, Skill, SkillRunner
from dadu.skills.outcome import Code, Detail, SkillResult

Begun = Skill | SkillResult
"""a skill, or why it is not begun"""
PATIENCE = 3.0
"""wall seconds that a goal waits for driver, localisation, memory or map where they were never heard yet"""
_BACK = 1.0
"""[s] by which a clock that went back has been set anew"""
FEEDBACK_PERIOD = 1.0
"""[s] on the clock in use, between reports of one phase"""


@dataclass
class _Active:
    handle: ServerGoalHandle
    runner: SkillRunner
    done: Future
    feedback: Callable[[str], Any] | None
    phase: str = ""
    reported: float = -math.inf


class SkillServer:
    """Serves skills of one body as actions; one runs at a time, whatever the action."""

    def __init__(self, node: DaduNode[Any], robot: RosRobot, listener: SceneListener,
                 lacks: Callable[[], str] = lambda: "") -> None:
        """`lacks`: what has to be heard before a skill can begin, in a sentence; empty: nothing."""
        self._lacks = lacks
        self.node, self.robot, self.scene = node, robot, listener.scene
        self._listener = listener
        self.operator = OperatorMonitor(node)
        self._claim = BodyClaim(node)
        node.health.check(self._silent, error=True)
        node.health.check(robot.undriven, error=True, patience=SILENCE)
        self._count = self._newest = 0
        """number of the goal that came last, and of the newest that was begun"""
        self._clocked = self._seen = self._stood = 0.0
        """the clock at the last tick and at the last look at it [s], and since when it stands still [s, monotonic]"""
        self._resumed = -math.inf
        """until when the simulation was paused [s, monotonic]"""
        self._active: _Active | None = None
        self._suspended = ""
        self._work = WorkReporter(node, Work.TICK)
        # There only while a skill runs: on a simulated clock a timer that is cancelled wakes the node all the same.
        self._timer: Timer | None = None
        self._watching: Timer | None = None
        node.sim_clock.at_work(False)

    def serve(self, action: type, name: str, make: Callable[[Any], Begun | Coroutine[Any, Any, Begun]],
              result: Callable[[SkillResult], Any], *,
              feedback: Callable[[str], Any] | None = None, deadline: Callable[[], float] = lambda: 120.0,
              parts: Collection[BodyPart] = tuple(BodyPart)) -> None:
        """Serves `make` (goal -> skill, or why it is not begun; a coroutine where it has to wait) as action `name`.

        `result` and `feedback` (of a phase's name) make the messages; `deadline` [s], asked as a skill begins, ends it
        with TIMED_OUT.
        A new goal ends the one in progress with CANCELLED once it is found possible: nothing is wrong with it, and its
        skill has looked and would move. It moves `parts` of the body: where another node has one of them, it is not
        begun (OPERATOR_OVERRIDE, body_in_use).
        """
        async def execute(handle: ServerGoalHandle) -> Any:
            ended = await self._run(handle, make, feedback, deadline(), parts, name)
            if ended.code is Code.CANCELLED and handle.is_cancel_requested:
                handle.canceled()
            elif ended.ok:
                handle.succeed()
            else:
                handle.abort()
            return result(ended)

        ActionServer(self.node, action, name, execute, goal_callback=self._accept, cancel_callback=self._cancel)

    def suspend(self, why: str) -> None:
        """Refuses goals with this sentence, and ends the one in progress; empty: takes goals again."""
        self._suspended = why
        if why:
            self._interrupt(Code.UNREACHABLE_BACKEND, why)

    async def _run(self, handle: ServerGoalHandle, make: Callable[[Any], Begun | Coroutine[Any, Any, Begun]],
                   feedback: Callable[[str], Any] | None, deadline: float,
                   parts: Collection[BodyPart], name: str) -> SkillResult:
        self._count = mine = self._count + 1
        if stopped := self.operator.interruption or self._unwanted(handle, mine):
            return stopped
        heard = await self._hears(handle)
        if unwanted := self._unwanted(handle, mine):
            return unwanted
        if not heard:
            return SkillResult(Code.UNREACHABLE_BACKEND, f"{self._unheard()}; try again soon")
        if missing := self._lacks():
            return SkillResult(Code.UNREACHABLE_BACKEND, missing)
        made = make(handle.request)
        skill = await made if isinstance(made, Coroutine) else made
        if isinstance(skill, SkillResult):
            return skill
        runner, phase = SkillRunner(skill), self.scene.phase
        self._look(runner)
        phase, self.scene.phase = self.scene.phase, phase
        if runner.result is not None and not runner.result.ok:
            return runner.result
        if unwanted := self._unwanted(handle, mine):
            return unwanted
        self._newest = mine
        self._interrupt(Code.CANCELLED, "a newer goal replaced this one")
        self.scene.phase = phase
        taken = await self._claim.take(parts, name.removeprefix("/"))
        if taken:
            return SkillResult(Code.OPERATOR_OVERRIDE, taken, Detail.BODY_IN_USE)
        if unwanted := self._unwanted(handle, mine):  # since, while the answer was on its way
            if self._newest == mine:  # else the newer goal has the claim
                self._claim.give_back()
            return unwanted
        start = self._clocked = self.robot.observe().stamp
        self._stood = time.monotonic()
        runner.deadline = start + deadline
        self._active = _Active(handle, runner, Future(executor=self.node.executor), feedback)
        self.node.sim_clock.at_work(True)
        self.node.sim_clock.refresh()
        self._work.until(self.node.now())
        self._timer = self.node.create_timer(TICK, self._tick)
        # A simulated clock stands still when the simulator is gone: this one does not.
        self._watching = self.node.create_timer(1.0, self._watch, clock=STEADY)
        return await self._active.done

    def _unwanted(self, handle: ServerGoalHandle, number: int) -> SkillResult | None:
        """Why a goal, of this number, is not to be begun any more; None: it is. A newer one that was refused changes
        nothing."""
        if self._newest > number:
            return SkillResult(Code.CANCELLED, "a newer goal replaced this one")
        if handle.is_cancel_requested:
            return SkillResult(Code.CANCELLED, "cancelled before it began")
        return SkillResult(Code.UNREACHABLE_BACKEND, self._suspended) if self._suspended else None

    async def _hears(self, handle: ServerGoalHandle) -> bool:
        """True if driver and localisation are heard; what never was yet, as just after the start, gets a while, and so
        does what else is needed."""
        patience = time.monotonic() + PATIENCE

        def heard() -> bool:
            self._listener.refresh()
            return self.robot.ready() and not self._lacks()
        await wait_until(self.node, lambda: heard() or handle.is_cancel_requested or time.monotonic() > patience, LOOK)
        return self.robot.ready() and self.robot.silence() <= SILENCE

    def _tick(self) -> None:
        active = self._active
        if active is None:
            return
        began, stopped = self.node.now(), self.operator.interruption
        self.scene.driven = stopped is not None and stopped.code is Code.OPERATOR_OVERRIDE
        if stopped is not None and not (self.scene.driven and self.scene.by_person):
            active.runner.interrupt(stopped.code, stopped.message)
        with self.node.health.timed("tick"):
            self._advance(active)
        self._work.until(began)
        self._report(active)
        self._answer(active)

    def _look(self, runner: SkillRunner) -> None:
        """True if the skill is possible, before it replaces another."""
        try:
            runner.look(self.robot.observe())
        except Exception as error:  # noqa: BLE001 - the skill cannot be begun, the node can go on
            self.node.intake.own_error("a skill", error)
            runner.result = _broken(error)

    def _advance(self, active: _Active) -> None:
        """One step of the skill. An error of ours in it is the end of it: what is begun ends, whatever happens."""
        try:
            self._listener.refresh()
            observation = self.robot.observe()
            if observation.stamp < self._clocked - _BACK:
                active.runner.interrupt(Code.UNREACHABLE_BACKEND, f"the clock went back by "
                                        f"{self._clocked - observation.stamp:.0f} s meanwhile; try again")
            self._clocked = observation.stamp
            command = active.runner.tick(observation)
        except Exception as error:  # noqa: BLE001 - the skill cannot go on, the node can
            self.node.intake.own_error("a skill", error)
            active.runner.end(_broken(error))
            command = active.runner.tick(Observation(self._clocked, Pose2(0.0, 0.0, 0.0)))
        if command is not None:
            self.robot.act(command)

    def _report(self, active: _Active) -> None:
        now = self.node.now()
        due = self.scene.phase != active.phase or now > active.reported + FEEDBACK_PERIOD
        if active.feedback is not None and due:
            active.phase, active.reported = self.scene.phase, now
            active.handle.publish_feedback(active.feedback(active.phase))

    def _silent(self) -> str:
        return self.robot.silent() if self.robot.silence() > SILENCE else ""

    def _unheard(self) -> str:
        """What is missing before a skill can begin, in a sentence."""
        return self._silent() or f"the robot's joints or its place in map are not known yet{self.robot.doubts()}"

    def _watch(self) -> None:
        if self._active is None:
            return
        if lost := self._claim.renew():
            self._interrupt(Code.OPERATOR_OVERRIDE, lost)
        elif self._paused():
            return
        elif self.robot.silence() > SILENCE:
            self._interrupt(Code.UNREACHABLE_BACKEND, f"{self.robot.silent()}; try again when it is back")
        elif self._stands():
            self._interrupt(Code.UNREACHABLE_BACKEND, "the clock stands still; is what publishes /clock running?")

    def _paused(self) -> bool:
        """True while a simulation is paused, and until its sensors have been heard again: nobody is to blame then."""
        now = time.monotonic()
        if self.node.sim_clock.paused:
            self._resumed, self._stood = now, now
        return now - self._resumed < SILENCE

    def _stands(self) -> bool:
        """True if the clock by which the skill would run out of time does not go on."""
        self.node.sim_clock.refresh()
        now = self.node.now()
        if now != self._seen:
            self._seen, self._stood = now, time.monotonic()
        return time.monotonic() - self._stood > ANSWER

    def _accept(self, goal: Any) -> GoalResponse:
        """The goal is stamped next, and by that stamp others know whether they mean it when they cancel what was there
        before: it must not be the trailing clock's of an idle node."""
        self.node.sim_clock.refresh()
        return GoalResponse.ACCEPT

    def _cancel(self, handle: ServerGoalHandle) -> CancelResponse:
        if self._active is not None and self._active.handle.goal_id == handle.goal_id:
            self._active.runner.interrupt(Code.CANCELLED, "cancelled on request; the robot stands still")
        return CancelResponse.ACCEPT

    def _interrupt(self, code: Code, message: str) -> None:
        """Ends the skill in progress at once, without waiting for a tick."""
        active = self._active
        if active is None:
            return
        active.runner.interrupt(code, message)
        self._advance(active)
        self._answer(active)

    def _answer(self, active: _Active) -> None:
        """Ends the goal if its skill has ended."""
        result = active.runner.result
        if result is None:
            return
        self.node.get_logger().info(f"{result.code.name} {result.detail} {result.message}")
        self._active = None
        for timer in (self._timer, self._watching):
            if timer is not None:
                self.node.destroy_timer(timer)
        self._timer = self._watching = None
        self.node.sim_clock.at_work(False)
        self._work.rest()
        self.scene.phase = ""
        self._claim.give_back()
        active.done.set_result(result)


def _broken(error: Exception) -> SkillResult:
    return SkillResult(Code.EXECUTION_FAILED, f"an error of DaDu's own ended it, see the log: {error!r}")
