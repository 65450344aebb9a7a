"""Node ``planner``: action /execute_task; publishes /plan_trace, /skill_results and /ledger; executes skills by their
actions. Where it may ask, it hears answers on /task_answer. In a team it shares out common tasks on /team/messages.

One task at a time: a second goal is refused while one runs, since two people who send the robot to and fro help
neither; "stop" ends the first, whoever says it. Choosing a step, which may wait for a model, runs in a thread; the node
never blocks.
"""

from __future__ import annotations

import math
import time
import uuid
from threading import Thread

from dadu_interfaces import msg
from dadu_interfaces.action import ExecuteTask
from dadu_nodes.support import qos
from dadu_nodes.support.actions.graph_body import GraphBody
from dadu_nodes.support.actions.halt import SKILLS, TASK, Halt
from dadu_nodes.support.actions.unended import UnendedGoal
from dadu_nodes.support.convert.encode import encode
from dadu_nodes.support.listening.answers import AnswerListener
from dadu_nodes.support.listening.team import TeamMessages
from dadu_nodes.support.node import CUT_SHORT, DaduNode, run
from dadu_nodes.support.waiting import sleep
from dadu_nodes.support.wall import ANSWER, DISCOVERY, LOOK, PERIOD, STEADY
from dadu_nodes.support.work import WorkReporter
from rclpy.action import ActionServer, CancelResponse, GoalResponse
from rclpy.action.server import ServerGoalHandle
from std_msgs.msg import String

from dadu.bringup.naming import relative
from dadu.core.errors import ConfigError
from dadu.core.privilege_report import PRIVILEGE_TOPIC
from dadu.language.stopping import means_stop
from dadu.planner.asking.question import is_question
from dadu.planner.loop.loop import ClosedLoop
from dadu.planner.loop.odometer import Odometer
from dadu.planner.loop.runner import TaskRunner
from dadu.planner.model.small.weights import base_file
from dadu.planner.policies.make import make_planner
from dadu.planner.policies.policy import PolicyUnavailable, TaskPlanner
from dadu.planner.presets import OWN_STORE
from dadu.planner.report import TaskReport
from dadu.planner.settings import ExampleSettings, LoopSettings, ModelSettings, PlannerSettings
from dadu.planner.step import Step
from dadu.robots import load_robot
from dadu.sim.time_sync import Work
from dadu.skills.outcome import Code, SkillResult
from dadu.stacks.priors import vocabulary_of
from dadu.stacks.ways import SkillWays
from dadu.team.member import in_team
from dadu.team.settings import patient

_LIVE_OF_MODEL = ("timeout", "retries", "repairs", "max_tokens", "temperature", "history", "world_tokens",
                  "turn_tokens", "context_tokens")
"""settings of the model that hold from the next task on; others choose files and servers, which are tried at the
start"""
_GOAL = "task.goal"
"""file of a run: the goal in progress"""
_DIED = SkillResult(Code.UNREACHABLE_BACKEND, "the planner died in the middle of the task and was started again; what "
                    "was seen is remembered: say it again")


class PlannerNodeSettings(PlannerSettings):
    robot: str = "stretch"
    """a name in config/robots/, or a file like those"""
    llm: ModelSettings = ModelSettings(examples=ExampleSettings(path=OWN_STORE))
    """in the user's own store are the tasks that this robot was confirmed to have done"""
    skills: SkillWays = SkillWays()
    """as those who carry them out have them: of several ways one is chosen at every step"""
    house: str = ""
    """whose own things are known by name before they are seen, as a detector was taught them: a name in maps/ or a
    ``*.house.yaml`` file; empty: what is in the catalogue"""
    team: tuple[str, ...] = ()
    """``NAMESPACE=ROBOT`` of all robots that share out common tasks, in one order for all; empty: it has none"""
    ledger: str = ""
    """what the robot was told and is privileged to, for all who report on it:
    `dadu.core.privilege_report.PrivilegeReport.line`"""


class PlannerNode(DaduNode[PlannerNodeSettings]):
    """The closed loop of `dadu.planner` over ROS."""

    live = ("loop", "ask_seconds", "fallback", *(f"llm.{name}" for name in _LIVE_OF_MODEL))

    def __init__(self) -> None:
        super().__init__("planner", PlannerNodeSettings)
        if self.settings.llm.in_process:
            base_file()  # said now, and not by a first task
        robot = load_robot(self.settings.robot)
        self._body = GraphBody(self, robot, self.now, self.settings.pictures, self.health.timed)
        self._body.ways = self.settings.skills.choices
        self._answers = AnswerListener(self) if self.settings.ask else None
        self._team = TeamMessages(self, self.settings.team, self._body.held_up) if self.settings.team else None
        self._trace = self.create_publisher(msg.PlanStep, "plan_trace", qos.STATE)
        self._vocabulary = vocabulary_of(self.settings.house)
        self.create_publisher(String, relative(PRIVILEGE_TOPIC), qos.LATCHED).publish(String(data=self.settings.ledger))
        self._model = ModelServer(self.settings)
        self.health.check(self._model.problem, error=not self.settings.fallback)
        self._busy = False
        self._halt = Halt(self)
        self._unended = UnendedGoal(self, ExecuteTask, TASK, self.run_dir / _GOAL)
        self._handle: ServerGoalHandle | None = None
        """of the task in progress"""
        self._started = time.monotonic()
        self._runner: TaskRunner | None = None
        """of the task under way"""
        self._odometer = Odometer()
        self._work = WorkReporter(self, Work.TASK)
        self.sim_clock.at_work(False)
        self._planner()  # settings that cannot be used end the node here, not its first task
        self._server: ActionServer | None = None
        self._timer = self.create_timer(LOOK, self._watch, clock=STEADY)

    def _may_start(self, goal: ExecuteTask.Goal) -> GoalResponse:
        if means_stop(goal.instruction) or self._unended.is_meant(goal):
            return GoalResponse.ACCEPT
        if self._busy:
            self.get_logger().warning(f"refused, a task is running: {goal.instruction!r}")
            return GoalResponse.REJECT
        if not 0 <= goal.max_seconds < math.inf:
            self.get_logger().warning(f"refused, a task has no {goal.max_seconds} seconds: {goal.instruction!r}")
            return GoalResponse.REJECT
        if goal.team and self._team is None:
            self.get_logger().warning(f"refused, this robot is in no team (dadu up team:=...): {goal.instruction!r}")
            return GoalResponse.REJECT
        self._busy = True
        return GoalResponse.ACCEPT

    def _cancel(self, handle: ServerGoalHandle) -> CancelResponse:
        if self._runner is not None:
            self._runner.loop.cancel()
        return CancelResponse.ACCEPT

    async def _execute(self, handle: ServerGoalHandle) -> ExecuteTask.Result:
        """One task: the loop chooses, the skills are carried out, until the loop reports."""
        goal = handle.request
        if means_stop(goal.instruction):
            return await self._stop(handle)
        if self._unended.is_meant(goal):
            handle.abort()
            return ExecuteTask.Result(outcome=encode.result(_DIED), summary=_DIED.message)
        self._handle = handle
        self._unended.begun(handle)

        def cancelled() -> bool:
            return not handle.is_active or handle.is_cancel_requested

        async def ask(question: str) -> str | None:  # it went out with the step that asks it
            return await self._answers.wait(self.settings.ask_seconds, cancelled) if self._answers is not None else None
        while not self._knows_enough() and not cancelled():
            await sleep(self, PERIOD)
        self._body.look()
        self._body.task, self._odometer = uuid.uuid4().hex[:8], Odometer()
        planner, limits = self._planner(), self._limits(goal)
        self._body.member = self._team.join(goal.team) if self._team is not None and goal.team else None
        if self._body.member is not None:
            planner = in_team(planner, self._body.member, self._body.description.capabilities)
            limits = patient(limits)
        runner = self._runner = TaskRunner(
            goal.instruction, planner, self._body, limits, vocabulary=self._vocabulary,
            trace=lambda step: self._tell(handle, runner.loop, step), answer=ask if self.settings.ask else None,
            cancelled=cancelled)
        self._at_work(True)
        self._work.until(self.now())
        success = False
        try:
            report = await runner.run()
            success = report.success
        except CUT_SHORT:
            if self.context.ok():
                raise
            return ExecuteTask.Result()  # the node is being taken apart in the middle of the task
        finally:
            if self.context.ok():
                if self._body.member is not None and self._team is not None:
                    self._team.leave(success)
                self._at_work(False)
                self._work.rest()
                self._unended.over()
            self._runner, self._handle, self._busy = None, None, False
        return self._finish(handle, report)

    async def _stop(self, handle: ServerGoalHandle) -> ExecuteTask.Result:
        """Ends the task in progress and whatever skills others have begun. Succeeds once there is no task."""
        meant, deadline = self._handle, time.monotonic() + ANSWER
        if meant is not None:
            self._halt.cancel(TASK, meant.goal_id)
        for skill in SKILLS:
            self._halt.cancel(skill)
        while meant is not None and self._handle is meant and time.monotonic() < deadline:
            await sleep(self, LOOK)
        ended = meant is None or self._handle is not meant
        words = f"stopped: {meant.request.instruction}" if meant is not None else "there was no task to stop"
        said = SkillResult(Code.SUCCEEDED, words) if ended else SkillResult(
            Code.TIMED_OUT, "the task does not end; press the emergency stop")
        if ended:
            handle.succeed()
        else:
            handle.abort()
        return ExecuteTask.Result(success=ended, outcome=encode.result(said), summary=said.message)

    def _knows_enough(self) -> bool:
        """True if a task can begin, with what memory and the map tell. A map that nobody gives is waited for only so
        long after the node's start: to go somewhere fails without it, and says so."""
        return self._body.ready() and (self._body.mapped() or time.monotonic() > self._started + ANSWER)

    def _at_work(self, works: bool) -> None:
        self.sim_clock.at_work(works)
        self._timer.timer_period_ns = int((PERIOD if works else DISCOVERY) * 1e9)
        self._timer.reset()

    def _tell(self, handle: ServerGoalHandle, loop: ClosedLoop, step: Step) -> None:
        """Called in the loop's thread, when a step is chosen and when it has ended."""
        if step.result is None and self.settings.asks_model:
            self._model.heard(step.decision.instead_of)
        if self._answers is not None and is_question(step.call) and step.result is None:
            self._answers.open()
        goal = loop.progress.goal if loop.progress is not None else None
        message = self.frames.sent(encode.step(step, self._body.task, loop.instruction, goal))
        self._trace.publish(message)
        handle.publish_feedback(ExecuteTask.Feedback(step=message))
        self.get_logger().info(f"{step.index} {step.call} " + (
            f"{step.result.code.name} {step.result.message}" if step.result else step.decision.told))

    def _finish(self, handle: ServerGoalHandle, report: TaskReport) -> ExecuteTask.Result:
        if report.outcome.code is Code.CANCELLED and handle.is_cancel_requested:
            handle.canceled()
        elif report.success:
            handle.succeed()
        else:
            handle.abort()
        self.health.set("task.outcome", int(report.outcome.code))
        return ExecuteTask.Result(
            success=report.success, outcome=encode.result(report.outcome), steps=len(report.steps),
            replans=report.replans, tokens_in=report.tokens_in, tokens_out=report.tokens_out,
            model_calls=report.cost.calls, flops=report.cost.flops, planning_seconds=report.planning_seconds,
            elapsed=report.elapsed, path_length=self._odometer.length, summary=report.summary)

    def _planner(self) -> TaskPlanner:
        return make_planner(self.settings, self._body.description.capabilities)

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
        if self._runner is None:
            timed = self.now() > 0.0  # before: who is offered something means nobody's goals that come after that
            self._body.skills.cancel_orphans()
            if self._server is None and timed:
                self._offer()
            self._model.look()
            self._body.touch()
            if self._server is not None:
                self._unended.take_again()
            return
        step = self._runner.step
        seeks = step is not None and step.decision.seeks is not None
        pose = self._body.look() if seeks else self._body.pose()
        if pose is not None:
            self._odometer.at(pose)


_ASKING = 30.0
"""wall seconds between two questions"""


class ModelServer:
    """`problem` says what is wrong with it; `look`, called often, asks in a thread of its own."""

    def __init__(self, settings: PlannerSettings) -> None:
        self._settings = settings
        self._problem = ""
        self._due = 0.0
        self._asking: Thread | None = None

    def problem(self) -> str:
        """What is wrong, in a sentence; empty: nothing, or no model is to be asked."""
        if self._problem and self._settings.fallback:
            return f"{self._problem}; the symbolic planner takes over"
        return self._problem

    def look(self) -> None:
        """Asks where the answer to the last question is old; without waiting."""
        due = time.monotonic() >= self._due and (self._asking is None or not self._asking.is_alive())
        if due and self._settings.asks_model:
            self._due = time.monotonic() + _ASKING
            self._asking = Thread(target=self._ask, daemon=True)
            self._asking.start()

    def heard(self, problem: str) -> None:
        """A task has asked it: what went wrong, empty where nothing did. Any thread may say so."""
        self._problem, self._due = problem, time.monotonic() + _ASKING

    def _ask(self) -> None:
        from dadu.planner.model.make import make_model  # openai takes a second, and most planners ask no model

        try:
            make_model(self._settings.model_settings).check()
            self._problem = ""
        except (PolicyUnavailable, ConfigError) as error:
            self._problem = str(error)


def main() -> None:
    run(PlannerNode)
