"""Follows what the camera is shown while an episode runs, and compares the maps at its end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from dadu.core.geometry import Pose2, vector3
from dadu.eval.mapped.compare import Real, by_name, compare
from dadu.eval.mapped.record import MapFigures, MapRecord, TrueThing
from dadu.memory.association.visibility import Visibility, look_at
from dadu.memory.settings import ForgettingSettings
from dadu.operator.run.identity import frame_of
from dadu.world.boxes import OrientedBox
from dadu.world.detection import DetectionFrame
from dadu.world.graph import ROBOT, Kind, WorldGraph
from dadu.world.occupancy import OccupancyMap
from dadu.world.state import TrueWorld

NEAR = 2.5
"""[m] from the camera, within which a thing counts as shown"""
LOOKS = 2
"""pictures, half a second apart, in which it has to be in view"""
_LOOK = ForgettingSettings(range=NEAR)


@dataclass(frozen=True)
class RobotMap:
    """What a robot believes at one moment."""

    graph: WorldGraph
    picture: DetectionFrame | None
    """the newest that it has taken in"""
    chart: OccupancyMap | None = None
    """of obstacles, where it makes one itself"""


class MapWatch:
    """One episode's."""

    def __init__(self, furniture_told: bool) -> None:
        self._told = furniture_told
        self._shown = Shown()

    def look(self, belief: RobotMap, pose: Pose2, world: TrueWorld) -> None:
        """`pose`: where the robot takes itself to be."""
        if belief.picture is not None:
            things = by_name([*_objects(world), *([] if self._told else _furniture(world))])
            self._shown.take(belief.picture, frame_of(world.state.robot, pose), things)

    def finish(self, belief: RobotMap, pose: Pose2, world: TrueWorld) -> tuple[MapFigures, MapRecord]:
        """The two maps as they are now."""
        graph, frame, shown = belief.graph, frame_of(world.state.robot, pose), self._shown.names()
        held = graph.held(ROBOT)
        objects = compare(graph.of(Kind.OBJECT), held.id if held is not None else "", frame, _objects(world), shown,
                          Kind.OBJECT)
        pieces = compare(graph.of(Kind.FURNITURE), "", frame, _furniture(world), shown, Kind.FURNITURE)
        figures = MapFigures(objects=objects.errors, furniture=None if self._told else pieces.errors)
        record = MapRecord(
            belief=[e for e in graph if e.kind in (Kind.ROOM, Kind.FURNITURE, Kind.OBJECT)], frame=frame,
            truth=[TrueThing(name=b.name, category=b.category, position=vector3(b.box.centre.round(4)))
                   for b in world.state.bodies.values()],
            believed_marks=objects.believed | pieces.believed, true_marks=objects.true | pieces.true,
            means=objects.means | pieces.means)
        return figures, record


def _objects(world: TrueWorld) -> list[Real]:
    return [Real(b.name, b.category, b.box, b.held) for b in world.state.bodies.values()]


def _furniture(world: TrueWorld) -> list[Real]:
    return [Real(e.id, e.category, e.box) for e in world.layout.of(Kind.FURNITURE)]


class Shown:
    """Collects them over an episode, by name."""

    def __init__(self) -> None:
        self._views: Counter[str] = Counter()
        self._newest = -np.inf

    def take(self, picture: DetectionFrame, frame: Pose2, things: Mapping[str, OrientedBox]) -> None:
        """One picture, as the robot took it in; `frame`: the robot's map in the true one, `things`: true boxes then. In
        view is what the picture's depth ends at, rather than before it or beyond."""
        if picture.stamp <= self._newest:
            return
        self._newest = picture.stamp
        eye, here = picture.T_map_camera[:3, 3], frame.inverse()
        for name, box in things.items():
            corners = np.column_stack([here.apply(box.corners[:, :2]), box.corners[:, 2]])
            low, high = corners.min(axis=0), corners.max(axis=0)
            if np.linalg.norm((low + high) / 2 - eye) > NEAR:
                continue
            self._views[name] += look_at(picture, low, high, _LOOK) is Visibility.OCCUPIED

    def names(self) -> set[str]:
        return {name for name, views in self._views.items() if views >= LOOKS}
