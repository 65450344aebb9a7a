"""The task in progress, whoever gave it: sent, followed, cancelled."""

from __future__ import annotations

from collections.abc import Callable
from uuid import uuid4

from action_msgs.msg import GoalStatus, GoalStatusArray
from dadu_interfaces.action import ExecuteTask
from dadu_interfaces.msg import PlanStep
from dadu_nodes.support import qos
from dadu_nodes.support.actions.action_caller import Serving
from dadu_nodes.support.actions.action_client import ActionClient
from dadu_nodes.support.actions.halt import Halt
from rclpy.node import Node
from rclpy.qos import qos_profile_action_status_default
from rclpy.task import Future
from std_msgs.msg import String
from unique_identifier_msgs.msg import UUID

from dadu.bringup.naming import relative
from dadu.language.stopping import means_stop
from dadu.operator.console.state import TaskView
from dadu.operator.console.views import coming, ended, question, step_view
from dadu.planner.asking.question import TOPIC
from dadu.replay import messages
from dadu.skills.outcome import Code

_ACTION = "execute_task"
_ACTIVE = {GoalStatus.STATUS_ACCEPTED: "running", GoalStatus.STATUS_EXECUTING: "running",
           GoalStatus.STATUS_CANCELING: "cancelling"}


class FollowedTask:
    """`view` is the newest task. Any client may ask an action server how a goal ends: so this one follows those of
    others, too."""

    def __init__(self, node: Node, tell: Callable[[str, bool], None]) -> None:
        """`tell` gets what the operator should hear of at once, and whether it is good."""
        self._node, self._tell = node, tell
        self._results = node.create_client(ExecuteTask.Impl.GetResultService, f"{_ACTION}/_action/get_result")
        self._client = ActionClient(node, ExecuteTask, _ACTION)  # which is ready once its elders are, too
        self._halt = Halt(node)
        self._goal, self._task_id = b"", ""
        self._sent: dict[bytes, str] = {}
        """instructions given here, by the goals that they are"""
        self._followed = b""
        """the goal whose result was asked for"""
        self._serving: Serving | None = None
        self.view = TaskView()
        self._answers = node.create_publisher(String, relative(TOPIC), qos.STATE)
        node.create_subscription(GoalStatusArray, f"{_ACTION}/_action/status", self._on_status,
                                 qos_profile_action_status_default)
        node.create_subscription(PlanStep, "plan_trace", self._on_step, qos.STATE)

    @property
    def active(self) -> bool:
        """True if the task goes on."""
        return self.view.status in _ACTIVE.values()

    def send(self, text: str) -> None:
        """Gives a task, or stops what runs where the words mean that."""
        if means_stop(text):
            self.cancel()
            return
        if not self._client.server_is_ready():
            self._tell("The planner does not answer; the instruction was not sent.", False)
            return
        goal = UUID(uuid=list(uuid4().bytes))
        self._sent[bytes(goal.uuid)] = text
        self._client.send_goal_async(ExecuteTask.Goal(instruction=text), goal_uuid=goal).add_done_callback(
            lambda future: self._answered(bytes(goal.uuid), future))

    def answer(self, text: str) -> None:
        """Says it to the robot that waits for an answer."""
        if means_stop(text):
            self.cancel()
        elif self.active and self.view.question:
            self._answers.publish(String(data=text))
        else:
            self._tell(f"The robot does not wait for an answer any more: “{text}”", False)

    def cancel(self) -> None:
        """Ends the task in progress and whatever skills others have begun."""
        if not self._halt.order():
            self._tell("Nothing answers; press the emergency stop.", False)

    def check(self) -> None:
        """To be called now and then: a planner that died ends the task, and one that has come is greeted."""
        self._client.server_is_ready()
        self._follow()
        if self.active and self._serving is not None and self._serving.gone():
            self.view = self.view.model_copy(update={
                "status": "lost", "outcome": Code.UNREACHABLE_BACKEND.name, "coming": [], "question": "",
                "message": "the planner died in the middle of the task; say it again"})

    def _answered(self, goal: bytes, future: Future) -> None:
        if not future.result().accepted:
            text = self._sent.pop(goal)
            self._tell(f"Not taken, another task is running; “stop” ends that: “{text}”", False)

    def _on_status(self, message: GoalStatusArray) -> None:
        """The newest goal is the task."""
        if not message.status_list:
            return
        newest = max(message.status_list,
                     key=lambda s: (s.status in _ACTIVE, s.goal_info.stamp.sec, s.goal_info.stamp.nanosec))
        goal = bytes(newest.goal_info.goal_id.uuid)
        if goal != self._goal:
            self._begin(goal)
        if newest.status in _ACTIVE and self.view.status in ("", "waiting", *_ACTIVE.values()):
            self.view = self.view.model_copy(update={"status": _ACTIVE[newest.status]})

    def _begin(self, goal: bytes) -> None:
        self._goal, self._serving = goal, Serving(self._node, _ACTION)
        self.view = TaskView(instruction=self._sent.pop(goal, ""), status="waiting")
        self._task_id = ""
        self._follow()

    def _follow(self) -> None:
        """Asks how the goal ends, once whoever knows can be asked."""
        goal = self._goal
        if goal == self._followed or not (self._client.server_is_ready() and self._results.service_is_ready()):
            return
        self._followed = goal
        request = ExecuteTask.Impl.GetResultService.Request(goal_id=UUID(uuid=list(goal)))
        self._results.call_async(request).add_done_callback(lambda future: self._ended(goal, future))

    def _ended(self, goal: bytes, future: Future) -> None:
        answer = future.result()
        if goal != self._goal:
            return
        if answer.status == GoalStatus.STATUS_UNKNOWN:  # over for so long that its result was thrown away
            self.view = TaskView()
            return
        outcome = messages.result(answer.result.outcome)
        self.view = ended(self.view, outcome.code, outcome.detail, answer.result.summary or outcome.message)

    def _on_step(self, message: PlanStep) -> None:
        """The message of a finished step replaces that of its start."""
        same = message.task_id == self._task_id
        view, self._task_id = self.view, message.task_id
        if not same and not self.active:
            view = TaskView(status="running")  # heard of before its goal is
        steps = [s for s in view.steps if same and s.number != message.step]
        expected = coming(message) if view.status in _ACTIVE.values() else []  # its last words may come after its end
        self.view = view.model_copy(update={
            "instruction": message.instruction, "steps": [*steps, step_view(message)], "coming": expected,
            "taken": list(message.substitutions),
            "question": question(message) if self.active or not same else view.question})
