"""From messages and memory to what the console shows."""

from __future__ import annotations

from typing import Any

import numpy as np

from dadu.core.geometry import Pose2
from dadu.operator.console import ObjectView, StepView
from dadu.operator.floor_plan import FloorPlan
from dadu.skills.outcome import Code
from dadu.world.graph import Kind, WorldGraph

_PATH_STEP = 0.05
"""[m]"""
_PATH_LIMIT = 4000


class LivePlan:
    """The floor plan of the newest world graph, with places for the page's script to move robot and path."""

    def __init__(self) -> None:
        self.revision = 0
        self._layout: list[Any] = []
        self._plan = FloorPlan(WorldGraph())
        self._path: list[tuple[float, float]] = []
        self._last = np.full(2, np.inf)

    def update(self, graph: WorldGraph) -> None:
        """Draws again only when rooms or furniture have changed."""
        layout = [(e.id, e.polygon, e.position, e.yaw, e.size) for e in graph
                  if e.kind in (Kind.ROOM, Kind.FURNITURE)]
        if layout != self._layout:
            self._layout, self._plan = layout, FloorPlan(graph)
            self._path.clear()
            self.revision += 1

    def at(self, pose: Pose2) -> None:
        """Adds to the path."""
        here = np.array(pose[:2])
        if not np.linalg.norm(here - self._last) < _PATH_STEP and len(self._path) < _PATH_LIMIT:
            self._last = here
            self._path.append(self._rounded(pose.x, pose.y))

    def path(self) -> list[tuple[float, float]]:
        """[px]"""
        return list(self._path)

    def pose(self, pose: Pose2) -> tuple[float, float, float]:
        """x, y [px] and heading [deg, clockwise]."""
        return (*self._rounded(pose.x, pose.y), round(-float(np.degrees(pose.yaw)), 1))

    def svg(self) -> str:
        return self._plan.svg(extra='<polyline id="path" class="fp-path" points=""/>'
                              + self._plan.robot_symbol(Pose2(0, 0, 0), "robot"))

    def _rounded(self, x: float, y: float) -> tuple[float, float]:
        px, py = self._plan.xy(x, y)
        return round(px, 1), round(py, 1)


def step_view(message: Any) -> StepView:
    """From a PlanStep."""
    call = f"{message.call.skill}({', '.join(message.call.arguments)})"
    view = StepView(number=message.step, call=call, reasoning=message.reasoning)
    if message.finished:
        code = Code(message.outcome.code)
        view.outcome, view.ok, view.message = code.name.lower().replace("_", " "), code.ok, message.outcome.message
    return view


def object_views(graph: WorldGraph) -> list[ObjectView]:
    """Every object and where memory has it."""
    views = []
    for entity in sorted(graph.of(Kind.OBJECT), key=lambda e: e.id):
        support, room = graph.support(entity.id), graph.room_of(entity.id)
        where = f"{support.relation.value.replace('_', ' ')} {support.object}" if support else "somewhere"
        views.append(ObjectView(id=entity.id, where=f"{where}, {room.id}" if room else where,
                                confidence=round(entity.confidence, 2)))
    return views
