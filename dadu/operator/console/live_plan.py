"""The floor plan of the newest world graph, and where on it is what moves."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import Any

import numpy as np

from dadu.core.geometry import Pose2
from dadu.house.format import Door
from dadu.operator.console.state import PlanPoint
from dadu.operator.floor_plan import FloorPlan
from dadu.world.graph import Kind, WorldGraph
from dadu.world.occupancy import OccupancyMap

_STEP = 0.05
"""[m] between two points of the trail"""
_TRAIL = 600
"""points that are kept of it"""


class LivePlan:
    """Draws again only what has changed. Pixels are those of the plan at `revision`."""

    def __init__(self, doors: Iterable[Door] = ()) -> None:
        """`doors` are drawn as far as the rooms on both sides are known."""
        self.revision = 0
        self._doors = tuple(doors)
        self._graph = WorldGraph()
        self._chart: OccupancyMap | None = None
        self._layout: list[Any] = []
        self._plan = FloorPlan(self._graph)
        self._trail: deque[tuple[float, float]] = deque(maxlen=_TRAIL)

    def update(self, graph: WorldGraph) -> None:
        """Takes in what memory holds."""
        layout = [(e.id, e.polygon, e.position, e.yaw, e.size) for e in graph
                  if e.kind in (Kind.ROOM, Kind.FURNITURE)]
        if layout != self._layout:
            self._layout, self._graph = layout, graph
            self._draw()

    def chart(self, map: OccupancyMap) -> None:
        """Takes in the map of obstacles: it is drawn where no rooms are known."""
        self._chart = map
        if not self._graph.of(Kind.ROOM):
            self._draw()

    def at(self, pose: Pose2) -> None:
        """Adds to the trail."""
        if not self._trail or np.hypot(pose.x - self._trail[-1][0], pose.y - self._trail[-1][1]) >= _STEP:
            self._trail.append((pose.x, pose.y))

    def trail(self) -> list[PlanPoint]:
        return [self.point(x, y) for x, y in tuple(self._trail)]

    def pose(self, pose: Pose2) -> tuple[float, float, float]:
        """x, y [px] and heading [deg, clockwise]."""
        return (*self.point(pose.x, pose.y), round(-float(np.degrees(pose.yaw)), 1))

    def point(self, x: float, y: float) -> PlanPoint:
        """Of a place in map [m]."""
        px, py = self._plan.xy(x, y)
        return round(float(px), 1), round(float(py), 1)

    def svg(self) -> str:
        """With places for the page's script to put in what moves."""
        return self._plan.svg(extra='<polyline id="trail" class="fp-path" points=""/>'
                              '<polyline id="route" class="fp-route" points=""/><g id="goal" class="fp-goal"></g>'
                              + self._plan.robot_symbol(Pose2(0, 0, 0), "robot") + '<g id="marks"></g>')

    def _draw(self) -> None:
        rooms = {e.id for e in self._graph.of(Kind.ROOM)}
        doors = [door for door in self._doors if rooms.issuperset(door.between)]
        self._plan = FloorPlan(self._graph, doors, None if rooms else self._chart)
        self.revision += 1
