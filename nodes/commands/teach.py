"""``dadu teach``: asks the running graph's memory what it holds, or to take in what a thing is or how it looks."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Literal

import rclpy
from dadu_interfaces.msg import DetectionArray
from dadu_interfaces.msg import WorldGraph as WorldGraphMsg
from dadu_interfaces.srv import EditMemory
from dadu_nodes.commands.joining import join
from dadu_nodes.support import qos
from dadu_nodes.support.wall import ANSWER
from rclpy.node import Node
from rich.console import Console
from rich.table import Table

from dadu.core.errors import DaduError
from dadu.replay import messages
from dadu.world.detection import Exemplar
from dadu.world.graph import Entity, Kind, WorldGraph

_CONSOLE = Console(highlight=False, soft_wrap=True)


def edit(change: Mapping[str, Any], namespace: str = "") -> None:
    """Has memory make that change, see `dadu.memory.edit`, and prints what became of it. Errors: DaduError."""
    with _joined(namespace) as node:
        _CONSOLE.print(_told(node, json.dumps(change)), markup=False)


def tell(what: Literal["things", "examples"], namespace: str = "") -> None:
    """Prints what memory holds. Errors: DaduError."""
    with _joined(namespace) as node:
        if what == "things":
            _CONSOLE.print(_things(messages.graph(_latched(node, WorldGraphMsg, "world_graph"))))
        else:
            _CONSOLE.print(_examples(messages.examples(_latched(node, DetectionArray, "memory/examples"))))


@contextmanager
def _joined(namespace: str) -> Iterator[Node]:
    join(namespace)
    node = rclpy.create_node("dadu_teach")
    try:
        yield node
    finally:
        node.destroy_node()
        rclpy.try_shutdown()


def _told(node: Node, edit: str) -> str:
    client = node.create_client(EditMemory, "memory/edit")
    _wait_until(node, client.service_is_ready)
    future = client.call_async(EditMemory.Request(edit=edit))
    _wait_until(node, future.done)
    answer = future.result()
    if not answer.accepted:
        raise DaduError(answer.message)
    return str(answer.message)


def _latched(node: Node, message: type, topic: str) -> Any:
    """The newest of a topic that is told again to who comes late."""
    heard: list[Any] = []
    node.create_subscription(message, topic, heard.append, qos.LATCHED)
    _wait_until(node, lambda: bool(heard))
    return heard[-1]


def _examples(shown: Sequence[Exemplar]) -> Table:
    table = Table("shown", "looks", box=None)
    for category, count in sorted(Counter(example.category for example in shown).items()):
        table.add_row(category.replace("_", " "), str(count))
    return table


def _things(known: WorldGraph) -> Table:
    table = Table("thing", "taken for", "or for", "where", box=None)
    for thing in known.of(Kind.OBJECT):
        table.add_row(thing.id, thing.called, _others(thing), _where(known, thing))
    return table


def _others(thing: Entity) -> str:
    return ", ".join(f"{category.replace('_', ' ')} {share:.0%}" for category, share in thing.may_be.items())


def _where(known: WorldGraph, thing: Entity) -> str:
    edge = known.support(thing.id)
    return f"{edge.relation.value.replace('_', ' ')} {edge.object}" if edge is not None else ""


def _wait_until(node: Node, condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + ANSWER
    while not condition():
        if time.monotonic() > deadline:
            raise DaduError("memory does not answer; is the graph running? dadu up starts it")
        rclpy.spin_once(node, timeout_sec=0.1)
