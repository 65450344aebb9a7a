"""``dadu teach``: asks the running graph's memory what it holds, or to take in what a thing is."""

from __future__ import annotations

import json
import time
from collections.abc import Callable

import rclpy
from dadu_interfaces.msg import WorldGraph as WorldGraphMsg
from dadu_interfaces.srv import EditMemory
from dadu_nodes.commands.joining import join
from dadu_nodes.support import qos
from rclpy.node import Node
from rich.console import Console
from rich.table import Table

from dadu.core.errors import DaduError
from dadu.replay import messages
from dadu.world.graph import Entity, Kind, WorldGraph

_WAIT = 10.0
"""wall seconds"""


def teach(thing: str, name: str, namespace: str = "") -> None:
    """Says what became of it; of an empty `thing`, prints what there is. Errors: DaduError."""
    join(namespace)
    node = rclpy.create_node("dadu_teach")
    console = Console(highlight=False, soft_wrap=True)
    try:
        if thing:
            console.print(_told(node, json.dumps({"teach": {"thing": thing, "is": name}})), markup=False)
        else:
            console.print(_things(_known(node)))
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


def _known(node: Node) -> WorldGraph:
    graphs: list[WorldGraphMsg] = []
    node.create_subscription(WorldGraphMsg, "world_graph", graphs.append, qos.LATCHED)
    _wait_until(node, lambda: bool(graphs))
    return messages.graph(graphs[-1])  # or says why that cannot be read


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
    deadline = time.monotonic() + _WAIT
    while not condition():
        if time.monotonic() > deadline:
            raise DaduError("memory does not answer; is the graph running? dadu up starts it")
        rclpy.spin_once(node, timeout_sec=0.1)
