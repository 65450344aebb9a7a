"""Follows what the camera is shown while an episode runs, and lays the robot's map over the true one at its end: each
true thing has at most one entry that is it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy.optimize import linear_sum_assignment

from dadu.core.geometry import Pose2, vector3
from dadu.eval.mapped.record import MapErrors, MapFigures, MapRecord, Mark, TrueThing
from dadu.memory.association.visibility import Visibility, look_at
from dadu.memory.describe import DOUBTFUL
from dadu.memory.settings import ForgettingSettings
from dadu.operator.run.identity import frame_of
from dadu.world.boxes import OrientedBox
from dadu.world.detection import DetectionFrame
from dadu.world.graph import ROBOT, Entity, Kind, WorldGraph
from dadu.world.occupancy import OccupancyMap
from dadu.world.state import TrueWorld

GATE = {Kind.OBJECT: 0.15, Kind.FURNITURE: 0.3}
"""how far an entry may be from what it is, beyond half of its longest side [m]"""
_OTHER_NAME = 0.3
"""an entry of the right category may be so much farther away to be preferred [m]"""
_FAR = 1e3


@dataclass(frozen=True)
class Real:
    """A true object or piece of furniture."""

    name: str
    category: str
    box: OrientedBox
    held: bool = False


@dataclass
class Overlay:
    """Of one kind of entry."""

    believed: dict[str, Mark] = field(default_factory=dict)
    true: dict[str, Mark] = field(default_factory=dict)
    means: dict[str, str] = field(default_factory=dict)
    errors: MapErrors = MapErrors()


def compare(entries: Sequence[Entity], held: str, frame: Pose2, real: Sequence[Real], shown: Collection[str],
            kind: Kind) -> Overlay:
    """`entries`: of the robot's map, all of one `kind`; `held`: the id of what it takes to be in its hand; `frame`: the
    robot's map in the true one; `shown`: names of what the camera had in view."""
    away = _distances(entries, frame, real, kind)  # (entries, real) [m]
    by_hand = [(i, j) for i, e in enumerate(entries) for j, r in enumerate(real) if e.id == held and r.held]
    for i, j in by_hand:
        away[i, j] = 0.0
    near = away <= np.array([GATE[kind] + float(np.max(r.box.size)) / 2 for r in real])
    # Entry and true thing, one to one: as many as are near, at the least distance, other names counting as more.
    other = np.array([[e.category != r.category for r in real] for e in entries], float).reshape(away.shape)
    rows, columns = linear_sum_assignment(np.where(near, away + _OTHER_NAME * other, _FAR))
    pairs = [(int(i), int(j)) for i, j in zip(rows, columns) if near[i, j]]
    found = _marked(entries, real, pairs, np.where(near, away, np.inf))
    for thing in real:
        found.true.setdefault(thing.name, Mark.MISSED if thing.name in shown else Mark.NOT_SHOWN)
    gaps = [float(away[pair]) for pair in pairs if pair not in by_hand]
    doubted = {e.id for e in entries if e.confidence < DOUBTFUL}
    found.errors = _count(found, set(shown) & {r.name for r in real}, gaps, doubted)
    return found


def _marked(entries: Sequence[Entity], real: Sequence[Real], pairs: Sequence[tuple[int, int]], away: np.ndarray
            ) -> Overlay:
    """`away`: (entries, real) [m], infinite where too far."""
    found = Overlay()
    for i, j in pairs:
        entry, thing = entries[i], real[j]
        mark = Mark.FOUND if entry.category == thing.category else Mark.MISNAMED
        found.believed[entry.id] = found.true[thing.name] = mark
        found.means[entry.id] = thing.name
    for i in set(range(len(entries))) - {i for i, _ in pairs}:
        twice = bool(np.isfinite(away[i]).any())
        found.believed[entries[i].id] = Mark.DUPLICATE if twice else Mark.FALSE
        if twice:
            found.means[entries[i].id] = real[int(away[i].argmin())].name
    return found


def _count(found: Overlay, shown: Collection[str], gaps: Sequence[float], doubted: Collection[str]) -> MapErrors:
    marks = list(found.believed.values())
    missed = sum(found.true[name] is Mark.MISSED for name in shown)
    wrong = [id for id, mark in found.believed.items() if mark in (Mark.DUPLICATE, Mark.FALSE)]
    return MapErrors(shown=len(shown), found=len(shown) - missed, missed=missed, misnamed=marks.count(Mark.MISNAMED),
                     duplicates=marks.count(Mark.DUPLICATE), false=marks.count(Mark.FALSE),
                     doubted=sum(id in doubted for id in wrong),
                     place_error=round(float(np.mean(gaps)), 4) if gaps else None)


def _distances(entries: Sequence[Entity], frame: Pose2, real: Sequence[Real], kind: Kind) -> np.ndarray:
    """Between centres, (entries, real) [m]; of furniture seen from above."""
    axes = 3 if kind is Kind.OBJECT else 2
    here = np.array([(*frame.apply(e.position[:2]), e.position[2]) for e in entries]).reshape(-1, 3)[:, :axes]
    there = np.array([r.box.centre for r in real]).reshape(-1, 3)[:, :axes]
    distances: np.ndarray = np.linalg.norm(here[:, None] - there[None], axis=2)
    return distances


def by_name(real: Sequence[Real]) -> Mapping[str, OrientedBox]:
    return {thing.name: thing.box for thing in real}


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
