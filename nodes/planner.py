"""Node ``planner``: action /execute_task; publishes /plan_trace, /skill_results and /ledger; executes skills by their
actions. Where it may ask, it hears answers on /task_answer.

One task at a time: a second goal is refused while one runs, since two people who send the robot to and fro help
neither; cancel the first. Choosing a step, which may wait for a model, runs in a thread; the node never blocks.
"""

from __future__ import annotations

import time
import uuid
from dataclasses import dataclass, field
from functools import partial

import numpy as np
from dadu_interfaces import msg
from dadu_interfaces.action import ExecuteTask
from dadu_nodes.support import qos
from dadu_nodes.support.convert.outcome import outcome
from dadu_nodes.support.convert.plan import record_message, step_message
from dadu_nodes.support.listening.answers import AnswerListener
from dadu_nodes.support.listening.camera import CameraListener
from dadu_nodes.support.listening.model_server import ModelServer
from dadu_nodes.support.listening.operator import OperatorMonitor
from dadu_nodes.support.listening.surroundings import Surroundings
from dadu_nodes.support.node import DaduNode, run
from dadu_nodes.support.skill_executor import SkillExecutor
from dadu_nodes.support.waiting import run_in_thread, sleep
from dadu_nodes.support.work import WorkReporter
from diagnostic_msgs.msg import KeyValue
from rclpy.action import ActionServer, CancelResponse, GoalResponse
from rclpy.action.server import ServerGoalHandle
from rclpy.clock import Clock, ClockType
from std_msgs.msg import String

from dadu.bringup.naming import relative
from dadu.core.privilege_report import PRIVILEGE_TOPIC
from dadu.planner.asking.question import is_question
from dadu.planner.asking.question import outcome as answered
from dadu.planner.loop.carried import is_load_of_drive
from dadu.planner.loop.loop import ClosedLoop
from dadu.planner.loop.odometer import Odometer
from dadu.planner.loop.sighting import SURE
from dadu.planner.loop.skill_context import SkillContexts
from dadu.planner.policies.make import make_planner
from dadu.planner.policies.policy import TaskPlanner
from dadu.planner.presets import OWN_STORE
from dadu.planner.report import TaskReport
from dadu.planner.settings import ExampleSettings, LoopSettings, ModelSettings, PlannerSettings
from dadu.planner.step import Decision, Step
from dadu.robots import load_robot
from dadu.sim.time_sync import Work
from dadu.skills.call import SkillCall
from dadu.skills.outcome import Code, Detail, SkillResult
from dadu.stacks.priors import vocabulary_of
from dadu.world.graph import WorldGraph

_SETTLE = 0.4
"""seconds after a skill in which memory takes in what was seen last, by the robot's clock or the wall's, whichever runs
faster"""
_SOON = 0.05
"""wall seconds between two looks at the clock"""
_PERIOD = 0.2
"""wall seconds between two looks at where the robot is"""
_IDLE = 1.0
"""wall seconds between two looks at the hand while there is no task"""
_DRIVER = 60.0
"""wall seconds that a silent driver, or camera, is waited for before a skill is begun all the same, and fails"""
_BLIND = 2.0
"""wall seconds of exploring in which a picture comes where there is a camera"""
_MAP = 10.0
"""wall seconds after its start in which a node hears of a map that there is"""
_LONGEST_PAUSE = 3.0
"""wall seconds between two looks whether it is back"""
_LIVE_OF_MODEL = ("timeout", "retries", "repairs", "max_tokens", "temperature", "history", "world_tokens",
                  "turn_tokens", "context_tokens")
"""settings of the model that hold from the next task on; others choose files and servers, which are tried at the
start"""
_CAMERA = 3.0
"""wall seconds that a picture taken after a skill's end is waited for"""


class PlannerNodeSettings(PlannerSettings):
    """Parameters of the node."""

    robot: str = "stretch"
    """a name in config/robots/, or a file like those"""
    llm: ModelSettings = ModelSettings(examples=ExampleSettings(path=OWN_STORE))
    """in the user's own store are the tasks that this robot was confirmed to have done"""
    house: str = ""
    """whose own things are known by name before they are seen, as a detector was taught them: a name in maps/ or a
    ``*.house.yaml`` file; empty: what is in the catalogue"""
    ledger: str = ""
    """what the robot was told and is privileged to, for all who report on it:
    `dadu.core.privilege_report.PrivilegeReport.line`"""


@dataclass
class _Task:
    handle: ServerGoalHandle
    loop: ClosedLoop
    id: str = field(default_factory=lambda: uuid.uuid4().hex[:8])
    skill_contexts: SkillContexts = field(default_factory=SkillContexts)
    odometer: Odometer = field(default_factory=Odometer)
    step: Step | None = None
    over: bool = False
    blind: bool = False
    """whether no picture came for the last skill"""

    @property
    def decision(self) -> Decision:
        """What was chosen last. Errors: RuntimeError before the first choice."""
        if self.step is None:
            raise RuntimeError("nothing has been chosen in this task yet")
        return self.step.decision

    def cancelled(self) -> bool:
        return not self.handle.is_active or self.handle.is_cancel_requested


class PlannerNode(DaduNode[PlannerNodeSettings]):
    """The closed loop of `dadu.planner` over ROS."""

    live = ("loop", "ask_seconds", "fallback", *(f"llm.{name}" for name in _LIVE_OF_MODEL))

    def __init__(self) -> None:
        super().__init__("planner", PlannerNodeSettings)
        self._around = Surroundings(self, load_robot(self.settings.robot))
        self._camera = CameraListener(self) if self.settings.pictures else None
        self._operator = OperatorMonitor(self)
        self._answers = AnswerListener(self) if self.settings.ask else None
        self._skills = SkillExecutor(self, self._around.description, self._around.listener)
        self._trace = self.create_publisher(msg.PlanStep, "plan_trace", qos.STATE)
        self._sought = self.create_publisher(KeyValue, "perception/look_for", qos.STATE)
        self._records = self.create_publisher(msg.SkillRecord, "skill_results", qos.STATE)
        self._vocabulary = vocabulary_of(self.settings.house)
        self.create_publisher(String, relative(PRIVILEGE_TOPIC), qos.LATCHED).publish(String(data=self.settings.ledger))
        self._model = ModelServer(self.settings)
        self.health.check(self._model.problem, error=not self.settings.fallback)
        self._busy = False
        self._started = time.monotonic()
        self._task: _Task | None = None
        self._work = WorkReporter(self, Work.TASK)
        self.sim_clock.at_work(False)
        self._planner()  # settings that cannot be used end the node here, not its first task
        self._server: ActionServer | None = None
        self._timer = self.create_timer(_SOON, self._watch, clock=Clock(clock_type=ClockType.STEADY_TIME))

    # A dadu.planner.loop.world.TaskWorld that is Seeing and Searching, for the loop; its thread reads what `look` left.

    def graph(self) -> WorldGraph:
        return self._around.graph()

    def holding(self) -> bool | None:
        return self._around.holding()

    def picture(self) -> np.ndarray | None:
        return self._camera.picture if self._camera is not None else None

    def look_for(self, id: str, description: str) -> None:
        """Tells perception what a thing looks like."""
        if id in self.graph():
            self._sought.publish(KeyValue(key=self.graph()[id].category, value=description))

    def forget_looks(self) -> None:
        """An empty message ends what was told for a task."""
        self._sought.publish(KeyValue())

    def _may_start(self, goal: ExecuteTask.Goal) -> GoalResponse:
        if self._busy:
            self.get_logger().warning(f"refused, a task is running: {goal.instruction!r}")
            return GoalResponse.REJECT
        self._busy = True
        return GoalResponse.ACCEPT

    def _cancel(self, handle: ServerGoalHandle) -> CancelResponse:
        if self._task is not None and self._task.handle.goal_id == handle.goal_id:
            self._task.loop.cancel()
        return CancelResponse.ACCEPT

    async def _execute(self, handle: ServerGoalHandle) -> ExecuteTask.Result:
        """One task: the loop chooses, the skills are carried out, until the loop reports."""
        goal = handle.request
        while not self._knows_enough() and not handle.is_cancel_requested:
            await sleep(self, _PERIOD)
        self._around.look()
        loop = ClosedLoop(goal.instruction, self._planner(), self, self._limits(goal),
                          trace=lambda step: self._on_step(task, step), vocabulary=self._vocabulary,
                          asks=self.settings.ask)
        task = self._task = _Task(handle, loop)
        self._at_work(True)
        self._work.until(self.now())
        try:
            report = await self._run(task)
        finally:
            if self.context.ok():  # else the node is being taken apart in the middle of the task
                self._at_work(False)
                self._work.rest()
            task.over, self._task, self._busy = True, None, False
        return self._finish(task, report)

    def _knows_enough(self) -> bool:
        """True if a task can begin, with what memory and the map tell. A map that nobody gives is waited for only so
        long after the node's start: to go somewhere fails without it, and says so."""
        return self._around.ready() and (self._around.mapped() or time.monotonic() > self._started + _MAP)

    def _at_work(self, works: bool) -> None:
        self.sim_clock.at_work(works)
        self._timer.timer_period_ns = int((_PERIOD if works else _IDLE) * 1e9)
        self._timer.reset()

    async def _run(self, task: _Task) -> TaskReport:
        turn, result = task.loop.turns(), None
        while True:
            chosen = await run_in_thread(self, partial(turn, result), task.cancelled)
            if chosen is None:
                return task.loop.abandon()
            if isinstance(chosen, TaskReport):
                return chosen
            if is_question(chosen):
                result = await self._wait_for_answer(task)
                continue
            result = await self._carry_out(task, chosen)
            task.blind = result.detail == Detail.NOT_SEEN
            await self._settle(task)

    async def _wait_for_answer(self, task: _Task) -> SkillResult:
        """The question went out with the step that asks it."""
        if self._answers is None:
            return answered(None)
        return answered(await self._answers.wait(self.settings.ask_seconds, task.cancelled))

    async def _carry_out(self, task: _Task, call: SkillCall) -> SkillResult:
        """Executes one skill once autonomy has the robot."""
        await self._driver_back(task)
        if task.blind:
            await self._pictures_back(task)
        while self._operator.interruption is not None:
            if task.cancelled():
                return SkillResult(Code.CANCELLED, "cancelled while a person had the robot")
            await sleep(self, _PERIOD)
        skill_context = task.skill_contexts.of(task.decision, self.graph(), self._around.feel())
        carries = is_load_of_drive(call, self.graph(), self.holding())

        seen: SkillResult | None = None

        def give_up() -> bool:  # the loop makes OBJECT_LOST of a load that fell
            nonlocal seen
            seen = seen or task.loop.found(SURE)
            return task.cancelled() or seen is not None or bool(carries and not self.holding())
        self._around.pictured()
        begun = time.monotonic()
        with self.health.timed(call.skill):
            result = await self._skills.execute(call, skill_context, give_up)
        if call.skill == "explore" and result.ok and time.monotonic() > begun + _BLIND and not self._around.pictured():
            return SkillResult(Code.EXECUTION_FAILED, "no picture came from the camera while looking round; try again",
                               Detail.NOT_SEEN)
        return seen if seen is not None and result.code is Code.CANCELLED and not task.cancelled() else result

    async def _driver_back(self, task: _Task) -> None:
        """A silent driver costs waiting, longer each time, and no steps; for ever only where there is nobody who
        restarts it, so in the end the skill says what it misses."""
        pause, deadline = _PERIOD, time.monotonic() + _DRIVER
        while self._around.driver_silent() and time.monotonic() < deadline and not task.cancelled():
            self.get_logger().warning("the robot's driver is silent: waiting for it", throttle_duration_sec=10.0)
            await sleep(self, pause)
            pause = min(2 * pause, _LONGEST_PAUSE)

    async def _pictures_back(self, task: _Task) -> None:
        """A skill that no picture came for would fail again, step by step, where it was begun before there is one."""
        pause, deadline = _PERIOD, time.monotonic() + _DRIVER
        while not self._around.pictured() and time.monotonic() < deadline and not task.cancelled():
            self.get_logger().warning("no pictures come: waiting for one", throttle_duration_sec=10.0)
            await sleep(self, pause)
            pause = min(2 * pause, _LONGEST_PAUSE)

    async def _settle(self, task: _Task) -> None:
        """Lets memory take in what was seen last, and a policy that sees get a picture from where the robot is now."""
        ended, begun = self.now(), time.monotonic()
        deadline = begun + _CAMERA
        while self.now() < ended + _SETTLE and time.monotonic() < begun + _SETTLE:
            await sleep(self, _SOON)
        self._around.look()
        if self._camera is None:
            return
        self._camera.look()
        while self._camera.stamp < ended and time.monotonic() < deadline and not task.cancelled():
            await sleep(self, _PERIOD)
            self._camera.look()

    def _on_step(self, task: _Task, step: Step) -> None:
        """Called in the loop's thread, when a step is chosen and when it has ended."""
        if task.over:
            return
        task.step = step
        if step.result is None and self.settings.asks_model:
            self._model.heard(step.decision.instead_of)
        if self._answers is not None and is_question(step.call) and step.result is None:
            self._answers.open()
        goal = task.loop.progress.goal if task.loop.progress is not None else None
        message = self.frames.sent(step_message(step, task.id, task.loop.instruction, goal))
        self._trace.publish(message)
        task.handle.publish_feedback(ExecuteTask.Feedback(step=message))
        if step.result is not None and not is_question(step.call):
            task.skill_contexts.learn(step)
            self._records.publish(record_message(step, task.id))
        self.get_logger().info(f"{step.index} {step.call} " + (
            f"{step.result.code.name} {step.result.message}" if step.result else step.decision.told))

    def _finish(self, task: _Task, report: TaskReport) -> ExecuteTask.Result:
        if report.outcome.code is Code.CANCELLED and task.handle.is_cancel_requested:
            task.handle.canceled()
        elif report.success:
            task.handle.succeed()
        else:
            task.handle.abort()
        self.health.set("task.outcome", int(report.outcome.code))
        return ExecuteTask.Result(
            success=report.success, outcome=outcome(report.outcome), steps=len(report.steps), replans=report.replans,
            tokens_in=report.tokens_in, tokens_out=report.tokens_out, model_calls=report.cost.calls,
            flops=report.cost.flops, planning_seconds=report.planning_seconds, elapsed=report.elapsed,
            path_length=task.odometer.length, summary=report.summary)

    def _planner(self) -> TaskPlanner:
        return make_planner(self.settings, self._around.description.capabilities)

    def _limits(self, goal: ExecuteTask.Goal) -> LoopSettings:
        own = self.settings.loop
        return own.model_copy(update={"max_steps": goal.max_steps or own.max_steps,
                                      "max_seconds": goal.max_seconds or own.max_seconds})

    def _offer(self) -> None:
        """Takes tasks from now on, since the time is known. What the robot does already is of whoever was here before;
        who has found this server, and sends the robot somewhere, is not meant by that."""
        self._server = ActionServer(self, ExecuteTask, "execute_task", self._execute, goal_callback=self._may_start,
                                    cancel_callback=self._cancel)
        self._at_work(False)

    def _watch(self) -> None:
        if self._task is None:
            timed = self.now() > 0.0  # before: who is offered something means nobody's goals that come after that
            self._skills.cancel_orphans()
            if self._server is None and timed:
                self._offer()
            self._model.look()
            self._around.touch()
            return
        step = self._task.step
        seeks = step is not None and step.decision.seeks is not None
        pose = self._around.look() if seeks else self._around.feel()
        if pose is not None:
            self._task.odometer.at(pose)


def main() -> None:
    """Entry point."""
    run(PlannerNode)


if __name__ == "__main__":
    main()
