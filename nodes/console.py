"""Node ``console``: the operator's web page on http://127.0.0.1:8080.

What is costly is subscribed only while somebody looks, that is, while the page asks.
"""

from __future__ import annotations

import queue
import time
from collections.abc import Callable
from functools import partial

from dadu_interfaces import msg
from dadu_interfaces.srv import EditMemory
from dadu_nodes.operating.on_demand import OnDemandSubscriptions, OutsidePicture
from dadu_nodes.operating.task import FollowedTask
from dadu_nodes.support import qos
from dadu_nodes.support.e_stop import EmergencyStop
from dadu_nodes.support.incoming.twists import TwistPublisher
from dadu_nodes.support.node import DaduNode, run
from dadu_nodes.support.wall import SILENCE, STEADY
from pydantic import Field, PositiveFloat
from rclpy.node import Node
from rclpy.task import Future
from std_msgs.msg import Empty, String

from dadu.bringup.arguments import CONSOLE_PORT
from dadu.bringup.naming import CONSOLE, relative
from dadu.core.config import Port, Settings
from dadu.core.privilege_report import PRIVILEGE_TOPIC
from dadu.core.robot import Twist
from dadu.house.files import load_house
from dadu.memory.pictures import MEMORY, folder_beside, picture_of
from dadu.operator.console.app import make_app
from dadu.operator.console.live_plan import LivePlan
from dadu.operator.console.orders import Correction, DriveRequest
from dadu.operator.console.serving import Served, serve
from dadu.operator.console.state import ConsoleState, Notice, SightView, ThingView
from dadu.operator.console.views import thing_views
from dadu.replay import messages
from dadu.world.graph import WorldGraph

_STATES = {msg.OperatorState.AUTONOMY: "autonomy", msg.OperatorState.TELEOP: "teleop",
           msg.OperatorState.STOPPED: "stopped"}


class ConsoleSettings(Settings):
    host: str = "127.0.0.1"
    """address to serve on; with another than this the robot is opened to the network, and asks for a token"""
    token: str = Field("", pattern=r"^[A-Za-z0-9_~.-]*$")
    """that is asked for; empty: on this machine none, else a new one each time, which is in the address that is said"""
    names: str = ""
    """with commas: by what other names than this machine's own, such as a proxy's, the page is asked for"""
    port: Port = CONSOLE_PORT
    """of the server; 0: any that is free"""
    house: str = ""
    """whose doors are drawn where memory knows the rooms: a name in maps/ or a ``*.house.yaml`` file; empty: none"""
    speed: PositiveFloat = 0.2
    """that the page drives at [m/s]"""
    turn: PositiveFloat = 0.6
    """[rad/s]"""

    @property
    def top(self) -> Twist:
        """The page's speeds as one."""
        return Twist(vx=self.speed, wz=self.turn)


class ConsoleNode(DaduNode[ConsoleSettings]):
    """Implements `dadu.operator.console.app.Operations`: those methods run in the web server's threads and only
    read references or put work on a queue; ROS is touched by the node's own thread alone."""

    live = ("speed", "turn")

    def __init__(self) -> None:
        super().__init__("console", ConsoleSettings)
        settings = self.settings
        self._pictures = folder_beside(self.run_dir / MEMORY)
        self._asked = -SILENCE
        self._watching: OnDemandSubscriptions | None = None
        self._graph = WorldGraph()
        self._plan = LivePlan(load_house(settings.house).doors if settings.house else ())
        self._things: tuple[WorldGraph, int, list[ThingView]] = self._graph, 0, []
        """what was made of which graph, at which revision of the plan"""
        self._privileges, self._notice = "", Notice()
        self._task, self._outside = FollowedTask(self, self._tell), OutsidePicture(self)
        self._hands = OperatorActions(self, settings.top, self._tell)
        self._work: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._wake = self.create_guard_condition(self._do_work)
        self._stop = EmergencyStop(self)
        self.create_subscription(msg.WorldGraph, "world_graph", self._on_graph, qos.LATCHED)
        self.create_subscription(String, relative(PRIVILEGE_TOPIC), self._on_privileges, qos.LATCHED)
        self.create_timer(1.0, self._watch, clock=STEADY)
        self.sim_clock.at_work(False)  # pages ask for the time now and then
        self._server = _serve(self)

    def _take_settings(self, settings: ConsoleSettings) -> None:
        super()._take_settings(settings)
        self._hands.speed = settings.top

    def close(self) -> None:
        self._server.end()

    # dadu.operator.console.app.Operations

    def view(self) -> ConsoleState:
        self._look()
        self.sim_clock.refresh()
        watching, operator, task, graph = self._watching, self._stop.state, self._task.view, self._graph
        pose = watching.pose if watching is not None else None
        if watching is not None and self._task.active:
            task = task.model_copy(update={"activity": watching.activity.words()})
        held = graph.held()
        return ConsoleState(
            stamp=self.now(), operator=_STATES[operator.state] if operator else "no answer",
            reason=operator.reason if operator else "the override node has not been heard",
            pose=self._plan.pose(pose) if pose is not None else None, trail=self._plan.trail(),
            route=[self._plan.point(x, y) for x, y in watching.route] if watching is not None else [],
            task=task, things=self._known(graph), held=held.id if held is not None else "", ledger=self._privileges,
            troubles=watching.troubles.sentences() if watching is not None else [], notice=self._notice,
            outside=self._outside.there, revision=self._plan.revision)

    def plan(self) -> str:
        return self._plan.svg()

    def sight(self, after: float) -> SightView | None:
        self._look()
        watching = self._watching
        return watching.eyes.sight(after, self._graph) if watching is not None else None

    def outside(self, after: float) -> SightView | None:
        self._look()
        return self._outside.sight(after)

    def picture(self, id: str) -> bytes:
        return picture_of(self._pictures, id)

    def instruct(self, text: str) -> None:
        self._soon(lambda: self._task.send(text))

    def answer(self, text: str) -> None:
        self._soon(lambda: self._task.answer(text))

    def cancel(self) -> None:
        self._soon(self._task.cancel)

    def e_stop(self, pressed: bool) -> None:
        self._soon(lambda: self._stop.press(pressed))

    def drive(self, wanted: DriveRequest) -> None:
        asked = time.monotonic()
        self._soon(lambda: self._hands.drive(wanted, asked))

    def release(self) -> None:
        self._soon(self._hands.release)

    def correct(self, correction: Correction) -> None:
        self._soon(lambda: self._hands.correct(correction, self._graph))

    # the node's own thread

    def _soon(self, work: Callable[[], None]) -> None:
        self._work.put(work)
        self._wake.trigger()

    def _do_work(self) -> None:
        while not self._work.empty():
            self._work.get()()

    def _look(self) -> None:
        fresh = time.monotonic() - self._asked > SILENCE
        self._asked = time.monotonic()
        if fresh:
            self._soon(self._watch)

    def _watch(self) -> None:
        """Subscribes what is costly when somebody starts to look, and lets go of it afterwards."""
        self._task.check()
        self._outside.check()
        looking = time.monotonic() - self._asked < SILENCE
        if looking and self._watching is None:
            self._watching = OnDemandSubscriptions(self, self._plan)
        elif not looking and self._watching is not None:
            self._watching.end()
            self._watching = None

    def _known(self, graph: WorldGraph) -> list[ThingView]:
        of, revision, things = self._things
        if of is not graph or revision != self._plan.revision:
            things = thing_views(graph, self._plan)
            self._things = graph, self._plan.revision, things
        return things

    def _tell(self, text: str, ok: bool) -> None:
        self._notice = Notice(number=self._notice.number + 1, text=text, ok=ok)

    def _on_graph(self, message: msg.WorldGraph) -> None:
        graph = messages.graph(message)
        self._plan.update(graph)
        self._graph = graph

    def _on_privileges(self, message: String) -> None:
        self._privileges = message.data


def _serve(node: ConsoleNode) -> Served:
    """Starts the web server, and says where."""
    settings = node.settings
    served = serve(partial(make_app, node), settings.host, settings.port, settings.names, settings.token,
                   node.get_logger().warning)
    note = node.run_dir / CONSOLE
    note.touch(mode=0o600)
    note.write_text(f"{served.address}\n")
    node.get_logger().info(f"console on {served.url}")
    return served


_FRESH = 0.4
"""[s, wall] in which a wish to drive must reach the node's thread: an old one is not carried out late"""


class OperatorActions:
    """Used by the node's own thread."""

    def __init__(self, node: Node, speed: Twist, tell: Callable[[str, bool], None]) -> None:
        """`speed`: vx [m/s] and wz [rad/s] of a whole share. `tell` gets what became of a correction."""
        self.speed, self._tell = speed, tell
        self._base = TwistPublisher(node, "cmd_vel_teleop")
        self._released = node.create_publisher(Empty, "operator/release", qos.STATE)
        self._edit = node.create_client(EditMemory, "memory/edit")

    def drive(self, wanted: DriveRequest, asked: float) -> None:
        """`asked`: when [s, monotonic]. The override node stops the base where no more comes."""
        if time.monotonic() - asked < _FRESH:
            self._base.publish(Twist(vx=self.speed.vx * wanted.forward, wz=self.speed.wz * wanted.turn))

    def release(self) -> None:
        """Gives the base back to autonomy."""
        self._released.publish(Empty())

    def correct(self, correction: Correction, graph: WorldGraph) -> None:
        """Asks memory to take it in."""
        if not self._edit.service_is_ready():
            self._tell("Memory does not answer; nothing was changed.", False)
            return
        request = EditMemory.Request(edit=correction.edit(graph))
        self._edit.call_async(request).add_done_callback(self._corrected)

    def _corrected(self, future: Future) -> None:
        answer = future.result()
        self._tell(f"Memory {answer.message}." if answer.accepted else f"Memory refuses: {answer.message}",
                   answer.accepted)


def main() -> None:
    run(ConsoleNode)
