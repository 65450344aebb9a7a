"""``dadu do``: sends an instruction to the running graph, shows every step, and cancels on Ctrl-C or SIGTERM."""

from __future__ import annotations

import select
import sys
import time
from collections.abc import Callable
from typing import Any

import rclpy
from action_msgs.msg import GoalStatus
from dadu_interfaces.action import ExecuteTask
from dadu_interfaces.msg import PlanStep
from dadu_nodes.commands.cancel import cancel
from dadu_nodes.commands.joining import interruptible, join
from dadu_nodes.support import qos
from dadu_nodes.support.actions.action_caller import Serving
from dadu_nodes.support.actions.action_client import ActionClient
from dadu_nodes.support.clock import seconds
from dadu_nodes.support.wall import ANSWER
from rclpy.executors import SingleThreadedExecutor
from rclpy.signals import SignalHandlerOptions
from rclpy.task import Future
from rich.console import Console
from rich.markup import escape
from std_msgs.msg import String

from dadu.bringup.naming import relative
from dadu.core.errors import DaduError
from dadu.core.privilege_report import PRIVILEGE_TOPIC
from dadu.language.stopping import means_stop
from dadu.planner.asking.question import TOPIC, is_question
from dadu.replay import messages
from dadu.skills.outcome import Code

_ACTION = "execute_task"
_RESENDS = 3
"""how often the instruction is sent again after the planner died"""
_UNCONFIRMED = 3
_CANCELLED = 130


def do(instruction: str, *, max_steps: int = 0, max_seconds: float = 0.0, wait: float = 30.0, namespace: str = "",
       team: str = "") -> int:
    """Exit status: 0 when the goal was reached, 1 when not, 3 when that is not certain, 130 when cancelled. Words that
    mean to stop end what runs, as ``dadu cancel`` does.

    `wait` [s, wall] is how long the planner may be away, at the start or on the way; `namespace` is the robot's;
    `team`: the id of a task that others of its team are given, too. Errors: DaduError.
    """
    if means_stop(instruction):
        return cancel(wait=wait, namespace=namespace)
    join(namespace, signal_handler_options=SignalHandlerOptions.NO)  # Ctrl-C cancels the task first
    sender = _Sender(wait)
    goal = ExecuteTask.Goal(instruction=instruction, max_steps=max_steps, max_seconds=max_seconds, team=team)
    try:
        for _ in range(_RESENDS + 1):
            status = sender.send(goal)
            if status is not None:
                return status
            sender.say("[yellow]the planner is gone; sent again when it is back (the memory is kept)[/]")
        sender.say(f"[red bold]{Code.UNREACHABLE_BACKEND.name}[/]: the planner died {_RESENDS + 1} times; see its log")
        return 1
    except KeyboardInterrupt:
        return _CANCELLED
    finally:
        sender.close()
        rclpy.try_shutdown()


class _Sender:
    """One client of the action, spun here."""

    def __init__(self, wait: float) -> None:
        self._wait = wait
        self._node = rclpy.create_node("dadu_do")
        self._executor = SingleThreadedExecutor()
        self._executor.add_node(self._node)
        self._client = ActionClient(self._node, ExecuteTask, _ACTION)
        self._console = Console(highlight=False, soft_wrap=True)
        self._start: float | None = None
        self._privileges = ""
        self._node.create_subscription(String, relative(PRIVILEGE_TOPIC), self._on_privileges, qos.LATCHED)
        self._told: set[str] = set()
        """what nouns stand for, as far as it was shown"""
        self._answers = self._node.create_publisher(String, relative(TOPIC), qos.STATE)
        self._asked, self._reads = False, sys.stdin is not None and sys.stdin.isatty()
        """whether the robot waits for an answer"""

    def send(self, goal: ExecuteTask.Goal) -> int | None:
        """The exit status, or None when the planner died."""
        with interruptible():
            self._wait_until(self._client.server_is_ready, self._wait,
                        "no planner answers; start the graph first: dadu up")
        serving = Serving(self._node, _ACTION)
        accepted = self._client.send_goal_async(goal, feedback_callback=lambda m: self._show(m.feedback.step))
        try:
            with interruptible():
                return self._follow(accepted, serving)
        except KeyboardInterrupt:
            return self._cancel(accepted, serving)

    def _follow(self, accepted: Future, serving: Serving) -> int | None:
        """As `send`, from when the goal is on its way."""
        self._wait_until(lambda: accepted.done() or serving.gone(), self._wait, "the planner does not answer")
        if not accepted.done():
            return None
        if not accepted.result().accepted:
            raise DaduError("the robot is at another task; `dadu cancel` stops that one, whoever gave it")
        ended = accepted.result().get_result_async()
        while not ended.done():
            self._executor.spin_once(timeout_sec=0.1)
            self._hear()
            if serving.gone():
                return None
        return self._summary(ended.result())

    def say(self, text: str) -> None:
        self._console.print(text)

    def close(self) -> None:
        self._executor.shutdown()
        self._node.destroy_node()

    def _wait_until(self, condition: Callable[[], bool], timeout: float, otherwise: str) -> None:
        deadline = time.monotonic() + timeout
        while not condition():
            if time.monotonic() > deadline:
                raise DaduError(otherwise)
            self._executor.spin_once(timeout_sec=0.1)

    def _cancel(self, accepted: Future, serving: Serving) -> int:
        self.say("[yellow]cancelling; the robot comes to rest[/]")
        self._wait_until(lambda: accepted.done() or serving.gone(), ANSWER, "the planner does not answer")
        if accepted.done() and accepted.result().accepted:
            handle = accepted.result()
            handle.cancel_goal_async()
            ended = handle.get_result_async()
            self._wait_until(lambda: ended.done() or serving.gone(), ANSWER,
                        "the planner does not end the task; press the emergency stop")
            if ended.done():
                self._summary(ended.result())
        return _CANCELLED

    def _show(self, step: PlanStep) -> None:
        stamp = seconds(step.header.stamp)
        self._start = stamp if self._start is None else self._start
        clock = f"[dim]{stamp - self._start:7.1f} s[/]"
        for name in [name for name in step.substitutions if name not in self._told]:
            self._told.add(name)
            self.say(f"{clock}      [dim]taken instead: {escape(name)}[/]")
        if is_question(messages.call(step.call)):
            self._show_question(step, clock)
            return
        if not step.finished:
            action, why = escape(str(messages.call(step.call))), escape(step.reasoning)
            self.say(f"{clock}  {step.step:2}  [bold]{action}[/]  [dim]{why}[/]")
            return
        outcome = messages.result(step.outcome)
        color = "green" if outcome.code is Code.SUCCEEDED else "yellow" if outcome.ok else "red"
        why = "" if outcome.code is Code.SUCCEEDED else f" {outcome.detail} {outcome.message}"
        self.say(f"{clock}      [{color}]{outcome.code.name}[/]{escape(why)} [dim]in {seconds(step.elapsed):.1f} s[/]")

    def _show_question(self, step: PlanStep, clock: str) -> None:
        """Somebody else may answer, too: on the operator's page, or with a message on the topic."""
        self._asked = not step.finished
        if step.finished:
            self.say(f"{clock}      [dim]{escape(messages.result(step.outcome).message)}[/]")
            return
        where = "answer here" if sys.stdin.isatty() else f"answer on the operator's page, or on the topic {TOPIC}"
        self.say(f"{clock}  {step.step:2}  [bold yellow]the robot asks:[/] {escape(step.call.arguments[0])} "
                 f"[dim]({where})[/]")

    def _hear(self) -> None:
        """Takes a line typed on the terminal: an answer where the robot waits for one, or an order to stop. Errors:
        KeyboardInterrupt for that."""
        if not (self._reads and select.select([sys.stdin], [], [], 0.0)[0]):
            return
        line = sys.stdin.readline()
        self._reads = bool(line)  # else the terminal is closed
        if means_stop(line):
            raise KeyboardInterrupt
        if line.strip() and self._asked:
            self._answers.publish(String(data=line.strip()))
        elif line.strip():
            self.say("[yellow]the robot is at work and asks nothing; `stop` stops it[/]")

    def _on_privileges(self, message: String) -> None:
        self._privileges = message.data

    def _summary(self, reply: Any) -> int:
        task = reply.result
        if reply.status == GoalStatus.STATUS_ABORTED and task.outcome.code == 0:
            raise DaduError("the planner broke off; see its log")
        code = messages.result(task.outcome).code
        color, head = ("green", "done") if task.success else ("yellow" if code.ok else "red", code.name)
        self.say(f"[{color} bold]{head}[/]: {escape(task.summary)}")
        self.say(f"[dim]{task.steps} steps, {task.replans} replans, {task.elapsed:.1f} s, {task.path_length:.1f} m "
                 f"driven, {task.planning_seconds:.2f} s of planning{_model(task)}[/]")
        if self._privileges:
            self.say(f"[dim]{escape(self._privileges)}[/]")
        if code is Code.CANCELLED:
            return _CANCELLED
        if task.success:
            return 0
        return _UNCONFIRMED if code is Code.UNCERTAIN else 1


def _model(task: ExecuteTask.Result) -> str:
    """What a model cost, where one was asked."""
    if not task.model_calls:
        return ""
    return (f", {task.model_calls} calls of the model, {task.tokens_in} + {task.tokens_out} tokens, "
            f"{task.flops * 1e-12:.1f} TFLOP")
