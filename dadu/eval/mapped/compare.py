"""The robot's map laid over the true one: each true thing has at most one entry that is it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy.optimize import linear_sum_assignment

from dadu.core.geometry import Pose2
from dadu.eval.mapped.record import MapErrors, Mark
from dadu.memory.describe import DOUBTFUL
from dadu.world.boxes import OrientedBox
from dadu.world.graph import Entity, Kind

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
