"""A robot's map over a recording: what memory published and what its eyes gave it, as they were at any moment."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from dadu.eval.mapped.watch import RobotMap
from dadu.operator.bags.bag_reader import NoBag, Recorded, recorded
from dadu.operator.bags.sizes import BrokenBag
from dadu.replay import messages
from dadu.world.detection import DetectionFrame
from dadu.world.graph import WorldGraph

GRAPH, SEEN = "/world_graph", "/perception/detections"
APART = 0.5
"""[s] between pictures that are looked at: as in process"""


class RecordedMap:
    """Read once, along with the time of the episode. A graph stays the same until memory publishes another one."""

    def __init__(self, run_dir: Path) -> None:
        self._items = _stamped(run_dir)
        self._next = next(self._items, None)
        self._graph: Any = None
        self._read: tuple[Any, WorldGraph] | None = None
        """the message read last, and what it says"""
        self._picture: DetectionFrame | None = None

    def at(self, stamp: float) -> RobotMap | None:
        """What the robot believed at `stamp` [s], not before the one that was asked for last; None where memory had
        published nothing yet."""
        while self._next is not None and self._next[0] <= stamp:
            when, item = self._next
            if item.topic == GRAPH:
                self._graph = item.message
            elif self._picture is None or when >= self._picture.stamp + APART:
                self._picture = messages.detections(item.message)
            self._next = next(self._items, None)
        if self._graph is None:
            return None
        if self._read is None or self._read[0] is not self._graph:
            self._read = self._graph, messages.graph(self._graph)
        return RobotMap(self._read[1], self._picture)


def _stamped(run_dir: Path) -> Iterator[tuple[float, Recorded]]:
    """With their times on the clock in use [s]; none where there is no bag, up to the damage where it is broken."""
    with suppress(NoBag, BrokenBag):
        for item in recorded(run_dir, (GRAPH, SEEN)):
            yield messages.seconds(item.message.header.stamp), item
