"""Node ``console``: the operator's web page on http://127.0.0.1:8080.

Camera and transforms are subscribed only while somebody looks, that is, while the page asks.
"""

from __future__ import annotations

import logging
import queue
import socket
import threading
import time
from collections.abc import Callable

import uvicorn
from action_msgs.srv import CancelGoal
from dadu_interfaces import msg
from dadu_interfaces.action import ExecuteTask
from dadu_nodes.support import qos
from dadu_nodes.support.convert import graph as graphs
from dadu_nodes.support.convert import images
from dadu_nodes.support.e_stop import EmergencyStop
from dadu_nodes.support.listening.offered import SensorSubscription
from dadu_nodes.support.node import DaduNode, run
from dadu_nodes.support.transforms import TransformListener
from rclpy.action import ActionClient
from rclpy.clock import Clock, ClockType
from rclpy.task import Future
from sensor_msgs.msg import Image

from dadu.core.config import Settings
from dadu.core.geometry import Pose2
from dadu.core.transforms import TransformError
from dadu.operator.console import LOOPBACK, ConsoleState, make_app
from dadu.operator.console_view import LivePlan, object_views, step_view
from dadu.operator.run.pictures import encode_jpeg
from dadu.perception.upright import quarter_turns, turned
from dadu.world.graph import WorldGraph

_LOOKING = 5.0
"""[s] that the last request counts as somebody looking"""
_POSE_PERIOD = 0.2
_STATES = {msg.OperatorState.AUTONOMY: "autonomy", msg.OperatorState.TELEOP: "teleop",
           msg.OperatorState.STOPPED: "stopped"}


class ConsoleSettings(Settings):
    """Parameters of the node."""

    host: str = "127.0.0.1"
    """address to serve on; another one opens the robot to the network, without any password"""
    port: int = 8080


class ConsoleNode(DaduNode[ConsoleSettings]):
    """Implements `dadu.operator.console.Operations`: those methods run in the web server's threads and only read
    references or put work on a queue; ROS is touched by the node's own thread alone."""

    def __init__(self) -> None:
        super().__init__("console", ConsoleSettings)
        self._asked = -_LOOKING
        self._watching: _Watch | None = None
        self._graph, self._plan = WorldGraph(), LivePlan()
        self._steps: list[msg.PlanStep] = []
        self._task = _Task(self)
        self._work: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._wake = self.create_guard_condition(self._do_work)
        self._stop = EmergencyStop(self)
        self.create_subscription(msg.WorldGraph, "/world_graph", self._on_graph, qos.LATCHED)
        self.create_subscription(msg.PlanStep, "/plan_trace", self._on_step, qos.STATE)
        self.create_timer(1.0, self._watch, clock=Clock(clock_type=ClockType.STEADY_TIME))
        self._server = _serve(self)

    def close(self) -> None:
        self._server.should_exit = True

    # dadu.operator.console.Operations

    def view(self) -> ConsoleState:
        self._look()
        watching = self._watching
        pose = watching.pose if watching is not None else None
        operator = self._stop.state
        return ConsoleState(
            stamp=self.now(), operator=_STATES[operator.state] if operator else "no answer",
            reason=operator.reason if operator else "the override node has not been heard",
            pose=self._plan.pose(pose) if pose is not None else None, path=self._plan.path(),
            instruction=self._steps[-1].instruction if self._steps else "", status=self._task.status,
            running=self._task.running or self._step_runs(), steps=[step_view(m) for m in self._steps],
            objects=object_views(self._graph), revision=self._plan.revision)

    def plan(self) -> str:
        return self._plan.svg()

    def picture(self) -> bytes | None:
        self._look()
        watching = self._watching
        return watching.picture() if watching is not None else None

    def instruct(self, text: str) -> None:
        self._soon(lambda: self._task.send(text))

    def cancel(self) -> None:
        self._soon(self._task.cancel)

    def e_stop(self, pressed: bool) -> None:
        self._soon(lambda: self._stop.press(pressed))

    # the node's own thread

    def _soon(self, work: Callable[[], None]) -> None:
        self._work.put(work)
        self._wake.trigger()

    def _do_work(self) -> None:
        while not self._work.empty():
            self._work.get()()

    def _look(self) -> None:
        fresh = time.monotonic() - self._asked > _LOOKING
        self._asked = time.monotonic()
        if fresh:
            self._soon(self._watch)

    def _watch(self) -> None:
        """Subscribes what is costly when somebody starts to look, and lets go of it afterwards."""
        looking = time.monotonic() - self._asked < _LOOKING
        if looking and self._watching is None:
            self._watching = _Watch(self, self._plan)
        elif not looking and self._watching is not None:
            self._watching.end()
            self._watching = None

    def _step_runs(self) -> bool:
        return bool(self._steps) and not self._steps[-1].finished

    def _on_graph(self, message: msg.WorldGraph) -> None:
        graph = graphs.graph(message)
        self._plan.update(graph)
        self._graph = graph

    def _on_step(self, message: msg.PlanStep) -> None:
        """Of the newest task only; the message of a finished step replaces that of its start."""
        message.prompt = message.reply = ""
        same = [m for m in self._steps if m.task_id == message.task_id and m.step != message.step]
        self._steps = [*same, message]


class _Task:
    """The instruction given on the page."""

    def __init__(self, node: ConsoleNode) -> None:
        self._node = node
        self._client = ActionClient(node, ExecuteTask, "/execute_task")
        self._cancel_all = node.create_client(CancelGoal, "/execute_task/_action/cancel_goal")
        self.running = False
        self.status = ""

    def send(self, text: str) -> None:
        if not self._client.server_is_ready():
            self.status = "the planner does not answer"
            return
        self.running, self.status = True, "sent"
        self._client.send_goal_async(ExecuteTask.Goal(instruction=text)).add_done_callback(self._answered)

    def cancel(self) -> None:
        """Ends the task in progress, whoever gave it."""
        if self._cancel_all.service_is_ready():
            self._cancel_all.call_async(CancelGoal.Request())  # zero id and stamp: all goals
            self.status = "cancelling"

    def _answered(self, future: Future) -> None:
        handle = future.result()
        if handle.accepted:
            self.status = "running"
            handle.get_result_async().add_done_callback(self._ended)
        else:
            self.running, self.status = False, "refused: another task is running"

    def _ended(self, future: Future) -> None:
        result = future.result().result
        self.running, self.status = False, result.summary


class _Watch:
    """Camera and transforms, for as long as somebody looks."""

    def __init__(self, node: ConsoleNode, plan: LivePlan) -> None:
        self._node, self._plan = node, plan
        self._image: Image | None = None
        self._turns = 0
        self._transforms = TransformListener(node)
        self._camera = SensorSubscription(node, Image, "/camera/color/image_raw", self._on_image, qos.CAMERA)
        self._timer = node.create_timer(_POSE_PERIOD, self._locate, clock=Clock(clock_type=ClockType.STEADY_TIME))
        self.pose: Pose2 | None = None

    def end(self) -> None:
        self._transforms.close()
        self._camera.close()
        self._node.destroy_timer(self._timer)

    def picture(self) -> bytes | None:
        message = self._image
        return encode_jpeg(turned(images.rgb(message), self._turns, width=560), quality=80) if message else None

    def _locate(self) -> None:
        try:
            self.pose = Pose2.of(self._transforms.tree.lookup("map", "base_link"))
            self._plan.at(self.pose)
            if self._image is not None:
                T_map_camera = self._transforms.tree.lookup("map", self._image.header.frame_id)
                self._turns = quarter_turns(T_map_camera[:3, :3])
        except TransformError:
            return  # not localised yet

    def _on_image(self, message: Image) -> None:
        self._image = message


def _serve(node: ConsoleNode) -> uvicorn.Server:
    """Starts the web server in a thread that ends with the process. A port that is taken is replaced by a free one."""
    host, port = node.settings.host, node.settings.port
    try:
        listener = socket.create_server((host, port))
    except OSError as error:
        listener = socket.create_server((host, 0))
        node.get_logger().warning(f"port {port} cannot be had ({error.strerror}); set the parameter `port` for another")
    hosts = LOOPBACK if host in LOOPBACK else ("*",)
    server = uvicorn.Server(uvicorn.Config(make_app(node, hosts), log_level=logging.WARNING, access_log=False))
    threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True, name="web").start()
    node.get_logger().info(f"console on http://{host}:{listener.getsockname()[1]}")
    return server


def main() -> None:
    """Entry point."""
    run(ConsoleNode)


if __name__ == "__main__":
    main()
