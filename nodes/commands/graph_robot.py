"""The running graph's robot, for whoever commands it skill by skill or task by task from outside."""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Callable, Coroutine
from dataclasses import replace
from functools import partial
from typing import Any

import rclpy
from action_msgs.msg import GoalStatus
from dadu_interfaces.action import ExecuteTask
from dadu_interfaces.msg import PlanStep
from dadu_nodes.commands.joining import join
from dadu_nodes.support import qos
from dadu_nodes.support.actions.action_caller import ActionCaller
from dadu_nodes.support.actions.graph_body import GraphBody
from dadu_nodes.support.actions.halt import Halt
from dadu_nodes.support.incoming.intake import ListeningNode
from dadu_nodes.support.listening.task_monitor import TaskMonitor
from dadu_nodes.support.waiting import sleep
from dadu_nodes.support.wall import ANSWER, DISCOVERY, PERIOD, RESTART, STEADY
from rclpy.executors import SingleThreadedExecutor
from rclpy.node import Node
from rclpy.parameter import Parameter
from rclpy.signals import SignalHandlerOptions
from std_msgs.msg import String

from dadu.bringup.domain import ros_domain
from dadu.bringup.naming import relative
from dadu.core.errors import DaduError
from dadu.core.robot import RobotDescription
from dadu.mcp.robot import Cancelled, Trace
from dadu.planner.asking.question import TOPIC, Answer, is_question
from dadu.planner.loop.belief import Belief
from dadu.planner.loop.carried import apply_gripper_feedback
from dadu.planner.loop.runner import carry_out
from dadu.planner.loop.skill_context import SkillContexts
from dadu.planner.report import TaskReport
from dadu.planner.step import Decision, Step
from dadu.replay import messages
from dadu.skills.call import SkillCall
from dadu.skills.outcome import Code, SkillResult
from dadu.world.graph import WorldGraph

_BUSY = SkillResult(Code.OPERATOR_OVERRIDE, "somebody else's task is running; wait until it has ended, or end it by "
                    "the tool `stop`")


class _Body(GraphBody):
    """What memory has not heard of yet is believed: one skill may follow another at once."""

    def __init__(self, node: Node, robot: RobotDescription, now: Callable[[], float]) -> None:
        super().__init__(node, robot, now)
        self.belief = Belief()

    def graph(self) -> WorldGraph:
        return self.belief.graph(super().graph().copy())


class GraphRobot:
    """A node spun in a thread of its own; everything that is public may be called from any other.

    A `dadu.mcp.robot.CommandedRobot`. Skills go to their servers as the planner's do, memory learns of them as of the
    planner's; tasks go to the planner. Neither is begun while the other runs.
    """

    looks_any_time = True

    def __init__(self, description: RobotDescription, wait: float, namespace: str = "", frame_prefix: str = "") -> None:
        """`wait` [s, wall]: for the graph; the others as given to ``dadu up``. Errors: DaduError where none answers."""
        # Ctrl-C ends the server first, then this.
        join(namespace, frame_prefix, signal_handler_options=SignalHandlerOptions.NO)
        self._node = ListeningNode("dadu_mcp")
        self._executor = SingleThreadedExecutor()
        self._executor.add_node(self._node)
        self._body, self._tasks = _Body(self._node, description, self._now), TaskMonitor(self._node)
        self._halt = Halt(self._node)
        self._planner = ActionCaller(self._node, ExecuteTask, "execute_task")
        self._answers = self._node.create_publisher(String, relative(TOPIC), qos.STATE)
        self._node.create_timer(PERIOD, self._body.pose, clock=STEADY)
        self._body.task, self._count = uuid.uuid4().hex[:8], 0
        self._skill_contexts = SkillContexts()
        self._spinning = threading.Thread(target=self._executor.spin, name="ros", daemon=True)
        self._spinning.start()
        try:
            self._wait_for_graph(wait)
        except DaduError:
            self.close()
            raise

    def graph(self) -> WorldGraph:
        return self._wait(self._look)

    def interruption(self) -> SkillResult | None:
        return self._body.interruption() or (_BUSY if self._tasks.busy else None)

    def execute(self, call: SkillCall, purpose: str, cancelled: Cancelled) -> SkillResult:
        return self._wait(partial(self._execute, call, purpose, cancelled))

    def do(self, instruction: str, trace: Trace, cancelled: Cancelled, answer: Answer | None = None) -> TaskReport:
        return self._wait(partial(self._do, instruction, trace, cancelled, answer))

    def stop(self) -> bool:
        return self._wait(self._stop)

    def close(self) -> None:
        self._executor.shutdown(timeout_sec=2.0)
        self._spinning.join()
        self._node.destroy_node()
        rclpy.try_shutdown()

    # In the node's thread.

    async def _look(self) -> WorldGraph:
        self._body.look()
        return self._body.graph()

    async def _stop(self) -> bool:
        self._halt.order()
        deadline = time.monotonic() + ANSWER
        while self._tasks.busy and time.monotonic() < deadline:
            await sleep(self._node, PERIOD)
        return not self._tasks.busy

    async def _execute(self, call: SkillCall, purpose: str, cancelled: Cancelled) -> SkillResult:
        """One skill as the planner's node carries it out."""
        graph, start, self._count = await self._look(), self._now(), self._count + 1
        decision = Decision(call, "", "mcp", purpose)
        result = await carry_out(decision, self._body, self._skill_contexts, cancelled)
        result = apply_gripper_feedback(call, result, graph, self._body.holding())
        step = Step(self._count, decision, start, result=result, end=self._now())
        self._skill_contexts.learn(step)
        self._body.belief.learn(call, result, step.end)
        self._body.learn(step)
        await self._body.settle(cancelled)
        return result

    async def _do(self, instruction: str, trace: Trace, cancelled: Cancelled, answer: Answer | None) -> TaskReport:
        """One instruction by the planner's node; whether that asks anything is the graph's own setting."""
        steps: list[Step] = []

        def pass_on(question: str) -> None:  # in a thread: a person takes their time
            said = answer(question) if answer is not None else None
            if said:
                self._answers.publish(String(data=said))

        def hear(message: Any) -> None:
            step = _step(message.feedback.step)
            steps.extend([step] if step.result is not None else [])
            trace(step)
            if is_question(step.call) and step.result is None:
                threading.Thread(target=pass_on, args=step.call.arguments[:1], daemon=True).start()
        response = await self._planner.call(ExecuteTask.Goal(instruction=instruction), cancelled, RESTART, hear)
        if response is None:
            gone = "the planner's node is gone, or refused the task; see its log"
            return TaskReport(False, SkillResult(Code.UNREACHABLE_BACKEND, gone), tuple(steps))
        deadline = time.monotonic() + 1.0
        while self._tasks.busy and time.monotonic() < deadline:
            await sleep(self._node, PERIOD)  # its status may come later than its result
        task, outcome = response.result, messages.result(response.result.outcome)
        if response.status == GoalStatus.STATUS_ABORTED and outcome.ok and not task.summary:
            outcome = SkillResult(Code.EXECUTION_FAILED, "the planner broke off; see its log")
        return TaskReport(task.success, outcome, tuple(steps), task.planning_seconds, task.elapsed)

    async def _ready(self) -> bool:
        return self._body.ready()

    async def _follow_clock(self) -> None:
        """Stamps of skills are on the clock in use: memory compares them with those of what it saw."""
        if self._node.count_publishers("clock"):
            self._node.set_parameters([Parameter("use_sim_time", value=True)])

    def _now(self) -> float:
        return self._node.get_clock().now().nanoseconds * 1e-9

    # In the thread of whoever asks.

    def _wait_for_graph(self, wait: float) -> None:
        deadline = time.monotonic() + wait
        while not self._wait(self._ready):
            if time.monotonic() > deadline:
                raise DaduError(f"no world graph is published in ROS domain {ros_domain()}; start the graph first: "
                                "dadu up; or set ROS_DOMAIN_ID to its domain where this is started: an MCP client "
                                "hands on little but what its configuration has under env")
            time.sleep(PERIOD)
        self._wait(self._follow_clock)
        time.sleep(DISCOVERY)

    def _wait(self, work: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
        """What `work` returns once the node's thread has done it. Errors: DaduError where that thread has ended."""
        done = threading.Event()
        task = self._executor.create_task(work)
        task.add_done_callback(lambda _: done.set())
        while not done.wait(PERIOD):
            if not self._spinning.is_alive():
                raise DaduError("the connection to the ROS graph has ended; see the log")
        return task.result()


def _step(message: PlanStep) -> Step:
    """As far as the message has it: purpose and cost of the decision stay with the planner."""
    then = messages.seconds(message.header.stamp)
    decision = Decision(messages.call(message.call), message.reasoning, message.policy,
                        plan=tuple(map(messages.call, message.plan)))
    chosen = Step(message.step, decision, then, messages.seconds(message.planning_time),
                  substitutions=tuple(message.substitutions))
    if not message.finished:
        return chosen
    return replace(chosen, start=then - messages.seconds(message.elapsed), result=messages.result(message.outcome),
                   end=then)
