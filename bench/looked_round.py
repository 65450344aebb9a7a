"""Furniture that memory finds in the homes of `rearrange`, nothing told, with learned eyes, without a drive.

Run: ``python -m bench.looked_round record DIR`` (some four minutes of one core), then ``python -m bench.looked_round
score DIR`` for the memory as it is now. The robot is put where an exploring one would look from next (`next_unseen`,
on the true map) and turns its head as such a one does; a picture a direction, at the true pose. A piece is found where
some entry covers a fifth of what both cover, or lies by half on it; measured well, from 0.6 on. Only score what you
have recorded: the files are pickles.
"""

from __future__ import annotations

import argparse
import gzip
import pickle
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import mujoco
import numpy as np

from dadu.core.geometry import Pose2
from dadu.house.layout import build_graph
from dadu.knowledge.house_words import DetectorVocabulary
from dadu.memory.memory import Memory
from dadu.navigation.costmap import Costmap
from dadu.navigation.frontier import next_unseen
from dadu.navigation.head_motion import ALL_ROUND, look_all_round
from dadu.navigation.survey import NEAR, Survey
from dadu.perception.detectors import LEARNED, make_detector
from dadu.perception.pipeline import perceive
from dadu.robots.gaze import look_joints
from dadu.robots.kinematics import Kinematics
from dadu.robots.loader import load_robot
from dadu.sim.mujoco.simulation import Simulation
from dadu.stacks.site import drawn_site
from dadu.tasks.prepare import Prepared, prepare_all
from dadu.tasks.suite import load_suite
from dadu.world.graph import Entity, Kind

PLACES = 22
"""that one home is looked at from, at most"""
FOUND, WELL = 0.2, 0.6


def record(folder: Path) -> None:
    """Detections, home by home."""
    suite, path = load_suite("rearrange")
    homes = {p.house.house: p for p in prepare_all(suite, path)}
    folder.mkdir(parents=True, exist_ok=True)
    for name, prepared in homes.items():
        with gzip.open(folder / f"{name}.gz", "wb", compresslevel=1) as file:
            pickle.dump((prepared.layout, build_graph(prepared.house, "nothing", False)), file, protocol=5)
            for seen in _pictures(prepared):
                pickle.dump(seen, file, protocol=5)


def _pictures(prepared: Prepared) -> Iterator[Any]:
    """What is detected, and where the base stands."""
    robot = load_robot("stretch")
    kinematics, sim = Kinematics(robot), Simulation(prepared.house, robot, -1)
    costmap, detector = Costmap(drawn_site(prepared.house, robot).map, robot), make_detector(LEARNED, "", ())
    survey, stamp = Survey(), 0.0
    here, least = Pose2(*prepared.house.robot.pose), 0.0
    for _ in range(PLACES):
        turns = survey.directions(costmap.map, here, ALL_ROUND, least) if least else ALL_ROUND
        for point in look_all_round(turns):
            sim.body.place(sim.data, here, {**robot.home, **look_joints(kinematics, robot.home, point)})
            mujoco.mj_forward(sim.model, sim.data)
            stamp += 0.6
            yield perceive(replace(sim.render(), stamp=stamp), detector), here
        survey.looked(stamp, (here.x, here.y), least)
        places = ((pose, near) for near in NEAR if (pose := next_unseen(costmap, here, survey, near)) is not None)
        following = next(places, None)
        if following is None:
            break
        here, least = following
    sim.close()


def score(path: Path) -> np.ndarray:
    """Of one home: true pieces, found, called right, by the very same name, measured well; entries that are nothing, or
    are second ones."""
    with gzip.open(path, "rb") as file:
        layout, prior = pickle.load(file)  # noqa: S301  written by `record`
        memory = Memory(prior)
        try:
            while True:
                memory.see(*pickle.load(file))  # noqa: S301
        except EOFError:
            pass
    pieces, entries, words = layout.of(Kind.FURNITURE), memory.graph.of(Kind.FURNITURE), DetectorVocabulary()
    mine: dict[str, list[tuple[float, Entity]]] = {}
    for entry in entries:
        share, id = max((_overlap(entry, piece), piece.id) for piece in pieces)
        if max(share) >= FOUND and (share[0] >= FOUND or share[1] >= 0.5):
            mine.setdefault(id, []).append((share[0], entry))
    best = {id: max(found, key=lambda pair: pair[0]) for id, found in mine.items()}
    right = sum(layout[id].category in (e.category, *(a.replace(" ", "_") for a in words.aliases(e.category)))
                for id, (_, e) in best.items())
    same = sum(layout[id].category == e.category for id, (_, e) in best.items())
    well = sum(share > WELL for share, _ in best.values())
    matched = sum(map(len, mine.values()))
    return np.array([len(pieces), len(best), right, same, well, len(entries) - matched, matched - len(best)])


def _overlap(a: Entity, b: Entity) -> tuple[float, float]:
    """Of the floor: the share of what both cover, and of the smaller one's."""
    (low_a, high_a), (low_b, high_b) = ([corner[:2] for corner in e.bounds()] for e in (a, b))
    both = float(np.maximum(np.minimum(high_a, high_b) - np.maximum(low_a, low_b), 0).prod())
    one, other = float((high_a - low_a).prod()), float((high_b - low_b).prod())
    return both / max(one + other - both, 1e-9), both / max(min(one, other), 1e-9)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("verb", choices=("record", "score"))
    parser.add_argument("folder", type=Path)
    given = parser.parse_args()
    if given.verb == "record":
        record(given.folder)
        return
    rows = {path.stem: score(path) for path in sorted(given.folder.glob("*.gz"))}
    for name, row in {**rows, "all": np.sum(list(rows.values()), axis=0)}.items():
        sys.stdout.write("{:12s} pieces {:3d}  found {:3d}  called right {:3d}, by the same name {:3d}  "
                         "measured well {:3d}  nothing {:2d}  second {:2d}\n".format(name, *map(int, row)))


if __name__ == "__main__":
    main()
