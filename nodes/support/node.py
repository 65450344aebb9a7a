"""The base of every node of the graph, and the one way to run it."""

from __future__ import annotations

import atexit
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar, Generic

import rclpy
from dadu_nodes.support.frames import FrameNames
from dadu_nodes.support.health import Health
from dadu_nodes.support.incoming.intake import Intake, ListeningNode, NodeMustEnd
from dadu_nodes.support.listening.events import keep_quiet
from dadu_nodes.support.listening.peer_monitor import PeerDiscoveryError
from dadu_nodes.support.parameters import RUN_FOLDER, S, declare, follow
from dadu_nodes.support.sim_clock import SimClock
from rclpy._rclpy_pybind11 import InvalidHandle, RCLError
from rclpy.action import ActionClient, ActionServer
from rclpy.exceptions import NotInitializedException
from rclpy.executors import ExternalShutdownException, SingleThreadedExecutor
from rclpy.node import Node
from rclpy.waitable import Waitable

from dadu.bringup import dds_ports
from dadu.bringup.peer_liveness import PEERS_LOST
from dadu.bringup.process import CONFIG_ERROR
from dadu.core.errors import DaduError

_CLOSING = 5
"""[s] within which a deaf node ends"""


class DaduNode(ListeningNode, Generic[S]):
    """A ROS node with typed settings, health reports on ``/diagnostics`` and the run's directory."""

    live: ClassVar[tuple[str, ...]] = ()
    """fields and groups of the settings that may change while the node runs: it reads them anew each time"""

    def __init__(self, name: str, settings: type[S]) -> None:
        super().__init__(name)
        self.settings: S = declare(self, settings, self.live)
        self.frames = FrameNames.from_node(self)
        follow(self, settings, self.live, self._take_settings)
        folder = self.declare_parameter(RUN_FOLDER, "").value
        self.run_dir = Path(os.environ.get("DADU_RUN_DIR", "runs/default")) / str(folder)
        self.run_dir.mkdir(parents=True, exist_ok=True)
        self.companions: list[Node] = []
        """other nodes of this process, which are spun and go with this one"""
        self.sim_clock = SimClock(self)
        self.health = Health(self, self.sim_clock)
        if robot := getattr(self.settings, "robot", ""):
            self.health.hardware_id = f"{Path(robot).stem}@{self.health.hardware_id}"

    def add_waitable(self, waitable: Waitable) -> None:
        keep_quiet(waitable)
        super().add_waitable(waitable)

    def now(self) -> float:
        """[s] on the clock in use; 0 before the first ``/clock``."""
        if self.sim_clock.trails:
            self.sim_clock.refresh()
        return self.get_clock().now().nanoseconds * 1e-9

    def _take_settings(self, settings: S) -> None:
        self.settings = settings

    def close(self) -> None:
        """Called once before the node goes; files and threads end here."""

    def destroy_node(self) -> None:
        self.sim_clock.close()
        for actions in [w for w in self.waitables if isinstance(w, (ActionClient, ActionServer))]:
            actions.destroy()  # rclpy leaves them, and with them the middleware with its shared memory
        for node in self.companions:
            node.destroy_node()
        super().destroy_node()


CUT_SHORT = (RCLError, InvalidHandle, NotInitializedException, ValueError)
"""what is raised where a signal came in the middle of something, and what came next found the context gone"""


def run(make: Callable[[], DaduNode[Any]]) -> None:
    """Runs one node until SIGINT or SIGTERM, whatever its callbacks raise: that is a health state. A DaduError at the
    start is one line and exit status 2; a node that hears nobody any more, one line and 3; one that ends itself, one
    line and 1. Does not return: the process ends with it."""
    # The process's arguments (--ros-args ...) are read by init; both signals end spin().
    os.environ.update(dds_ports.variables(dds_ports.fresh_slot()))
    rclpy.init()
    node, status = None, 0
    try:
        node = _made(make)
        executor = SingleThreadedExecutor()
        for each in (node, *node.companions):
            executor.add_node(each)
        while rclpy.ok():
            _spin(executor, Intake.of(node))
    except (KeyboardInterrupt, ExternalShutdownException):
        pass  # the ordinary end
    except PeerDiscoveryError as error:
        print(error, file=sys.stderr, flush=True)
        status = PEERS_LOST
        signal.alarm(_CLOSING)  # with nobody there, closing may wait for ever
    except NodeMustEnd as error:
        print(error, file=sys.stderr, flush=True)
        status = 1
    except CUT_SHORT:
        if rclpy.ok():
            raise
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # a second Ctrl-C must not cut the closing short
        if node is not None:
            node.close()
            node.destroy_node()
        rclpy.try_shutdown()
    _leave(status)


def _spin(executor: SingleThreadedExecutor, intake: Intake) -> None:
    """Until ROS is shut down, or a callback of any kind has raised something. Errors: NodeMustEnd, SystemExit..."""
    try:
        executor.spin()
    except (ExternalShutdownException, NodeMustEnd):
        raise
    except Exception as error:  # noqa: BLE001 - said on /diagnostics, and where ROS has been shut down, raised
        intake.own_error("a callback", error)


def _leave(status: int) -> None:
    """Ends the process without taking apart what it has imported: done by ten nodes at once it took two cores a second,
    of the three in which a graph is to end."""
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(status)


def _made(make: Callable[[], DaduNode[Any]]) -> DaduNode[Any]:
    """The node; a DaduError ends the process. At once, since a node that is half made cannot be taken apart: with a
    simulated clock the process would abort, and nobody could tell that starting it again is of no use."""
    try:
        return make()
    except DaduError as error:
        print(error, file=sys.stderr, flush=True)
        os._exit(CONFIG_ERROR)
