"""Follows what the camera is shown while an episode runs, and compares the maps at its end."""

from __future__ import annotations

from dataclasses import dataclass

from dadu.core.geometry import Pose2, vector3
from dadu.eval.mapped.compare import Real, by_name, compare
from dadu.eval.mapped.record import MapFigures, MapRecord, TrueThing
from dadu.eval.mapped.shown import Shown
from dadu.operator.run.identity import frame_of
from dadu.world.detection import DetectionFrame
from dadu.world.graph import ROBOT, Kind, WorldGraph
from dadu.world.occupancy import OccupancyMap
from dadu.world.state import TrueWorld


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
