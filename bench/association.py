"""What association makes of what the eyes said: streams of detections, recorded once, through memory again and again.

``python -m bench.association record SUITE EPISODE ... --out DIR`` runs episodes with learned eyes in one process and
keeps what memory was given (detections, not pictures), with the true states. ``python -m bench.association replay DIR``
gives all that to the memory as it is now, and says how its map differs from the true one at the end. What skills named
is looked up in the new memory by place and category. Replay follows the recorded way: what the robot would have done
otherwise is not seen. ``python -m bench.association pairs DIR`` fits the weights of
`dadu.memory.association.likelihood` to pairs of sightings of one true thing, and of neighbours. Only replay what you
have recorded: the files are pickles.
"""

from __future__ import annotations

import argparse
import gzip
import pickle
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from dadu.eval.episode.trial import run_episode
from dadu.eval.mapped.record import MapErrors, MapFigures
from dadu.eval.mapped.watch import MapWatch, RobotMap
from dadu.eval.options import EvalOptions
from dadu.memory.association.likelihood import (
    EVEN,
    LOOK,
    SIGMA,
    Features,
    gap,
    in_one_room,
    name_ratio,
    seen,
    size_ratio,
)
from dadu.memory.memory import Memory
from dadu.operator.run.identity import frame_of
from dadu.skills.call import SkillCall
from dadu.tasks.prepare import prepare_all
from dadu.tasks.suite import load_suite
from dadu.world.detection import Detection
from dadu.world.graph import Entity, Kind, WorldGraph
from dadu.world.state import TrueWorld

SAME = 0.3
"""[m]: a thing of a recorded graph is the like of the new one within this"""


_OTHER_NAME = 0.1
"""[m]: of another category it has to be so much nearer"""


class Recorder:
    """Writes what goes into memory, and what the judge is shown, while an episode runs in this process."""

    def __init__(self, path: Path) -> None:
        self._file = gzip.open(path, "wb", compresslevel=1)
        self._memory: Memory | None = None

    def note(self, kind: str, *what: Any) -> None:
        pickle.dump((kind, *what), self._file, protocol=5)

    def close(self) -> None:
        self._file.close()

    def begin(self, memory: Memory) -> None:
        self._memory = memory
        self.note("prior", memory.graph.copy())

    def known(self, call: SkillCall) -> dict[str, Entity]:
        """What the call names, as memory has it now."""
        assert self._memory is not None
        return {a: self._memory.graph[a] for a in call.arguments if a in self._memory.graph}


def record(suite_name: str, ids: list[str], out: Path) -> None:
    """Errors: ConfigError."""
    suite, path = load_suite(suite_name)
    suite = suite.model_copy(update={"episodes": [e for e in suite.episodes if e.id in ids]})
    out.mkdir(parents=True, exist_ok=True)
    for prepared in prepare_all(suite, path):
        file = out / f"{prepared.episode.id}.gz"
        if file.exists():
            continue
        part, began = file.with_suffix(".part"), time.monotonic()
        recorder = Recorder(part)
        restore = _listen(recorder)
        recorder.note("about", prepared.episode.known, prepared.layout, prepared.episode.id)
        try:
            result = run_episode(prepared, EvalOptions(perception="learned", pictures=False)).result
        finally:
            restore()
            recorder.close()
        part.rename(file)
        sys.stdout.write(f"{prepared.episode.id}: {result.ended}, success {result.success}, "
                         f"{result.sim_seconds:.0f} s simulated, {time.monotonic() - began:.0f} s, map {result.map}, "
                         f"{result.explanation} {result.error}\n")
        sys.stdout.flush()


def _listen(recorder: Recorder) -> Any:
    """Puts the recorder between stack and memory, and between observer and judge; what undoes that."""
    begin, see, feel, learn = Memory.__init__, Memory.see, Memory.feel, Memory.learn
    look, finish = MapWatch.look, MapWatch.finish
    seen: list[Any] = [None]

    def new_begin(self: Memory, *a: Any, **k: Any) -> None:
        begin(self, *a, **k)
        recorder.begin(self)

    def new_see(self: Memory, frame: Any, *rest: Any) -> None:
        seen[0] = frame
        recorder.note("see", frame, *rest)
        see(self, frame, *rest)

    def new_feel(self: Memory, stamp: float, felt: bool, body_at: Any) -> None:
        body = body_at(stamp)
        recorder.note("feel", stamp, felt, body)
        feel(self, stamp, felt, lambda _: body)

    def new_learn(self: Memory, call: SkillCall, result: Any, stamp: float) -> None:
        recorder.note("learn", call, result, stamp, recorder.known(call))
        learn(self, call, result, stamp)

    def new_look(self: MapWatch, belief: RobotMap, pose: Any, world: TrueWorld) -> None:
        recorder.note("look", pose, world.state)
        look(self, belief, pose, world)

    def new_finish(self: MapWatch, belief: RobotMap, pose: Any, world: TrueWorld) -> Any:
        recorder.note("finish", pose, world.state)
        return finish(self, belief, pose, world)

    def restore() -> None:
        Memory.__init__, Memory.see = begin, see  # type: ignore[method-assign]
        Memory.feel, Memory.learn = feel, learn  # type: ignore[method-assign]
        MapWatch.look, MapWatch.finish = look, finish  # type: ignore[method-assign]

    Memory.__init__, Memory.see = new_begin, new_see  # type: ignore[method-assign, assignment]
    Memory.feel, Memory.learn = new_feel, new_learn  # type: ignore[method-assign]
    MapWatch.look, MapWatch.finish = new_look, new_finish  # type: ignore[method-assign]
    return restore


def replay(path: Path) -> tuple[MapFigures, float]:
    """How the maps differ at the end; processor time of a picture [ms]."""
    events = read(path)
    known, layout = next(e[1:3] for e in events if e[0] == "about")
    prior = next(e[1] for e in events if e[0] == "prior")
    memory = Memory(WorldGraph([_renewed(e) for e in prior], prior.edges))
    watch, times, frame = MapWatch(known != "nothing"), [], None
    for kind, *what in events:
        if kind == "see":
            frame, began = what[0], time.process_time()
            memory.see(*what)
            times.append(time.process_time() - began)
        elif kind == "feel":
            memory.feel(what[0], what[1], partial(_known_already, what[2]))
        elif kind == "learn":
            memory.learn(_translated(what[0], what[3], memory), *what[1:3])
        elif kind == "look":
            watch.look(RobotMap(memory.graph, frame), what[0], TrueWorld(layout, what[1]))
    pose, state = next(e[1:] for e in events if e[0] == "finish")
    return watch.finish(RobotMap(memory.graph, frame), pose, TrueWorld(layout, state))[0], 1e3 * float(np.mean(times))


def _known_already(body: Any, stamp: float) -> Any:
    return body


def read(path: Path) -> list[tuple[Any, ...]]:
    """All that was recorded of one episode, in order."""
    events = []
    with gzip.open(path, "rb") as file:
        try:
            while True:
                events.append(pickle.load(file))  # noqa: S301  written by `record`
        except EOFError:
            return events


def _renewed(entity: Entity) -> Entity:
    """With the fields that it has had since it was recorded, too."""
    return Entity(**{name: value for name, value in vars(entity).items() if name in Entity.__dataclass_fields__})


def _translated(call: SkillCall, then: dict[str, Entity], memory: Memory) -> SkillCall:
    """The call with the names that the new memory has for what the recorded one meant."""
    def name(argument: str) -> str:
        meant = then.get(argument)
        if meant is None or meant.kind is not Kind.OBJECT:
            return argument
        away = {e.id: float(np.linalg.norm(np.subtract(e.position, meant.position)))
                for e in memory.graph.of(Kind.OBJECT)}
        near = [(gap + _OTHER_NAME * (memory.graph[id].category != meant.category), id)
                for id, gap in away.items() if gap < SAME]
        return min(near)[1] if near else argument
    return SkillCall(call.skill, tuple(name(a) for a in call.arguments))


def replay_all(folder: Path) -> str:
    """A line an episode, and their sum."""
    lines, rows = [], []
    for path in sorted(folder.glob("*.gz")):
        figures, milliseconds = replay(path)
        rows.append(figures.objects)
        told = "" if figures.furniture is None else f"   furniture: {_line(figures.furniture)}"
        lines.append(f"{path.stem:20s} {_line(figures.objects)}  {milliseconds:.2f} ms{told}")
    total = "  ".join(f"{name} {sum(getattr(row, name) for row in rows)}" for name in _SHOWN)
    return "\n".join([*lines, f"{'all':20s} {total}", ""])


_SHOWN = ("shown", "found", "missed", "misnamed", "duplicates", "false", "doubted")


def _line(errors: MapErrors) -> str:
    return "  ".join(f"{name} {getattr(errors, name)}" for name in _SHOWN) + f"  place {errors.place_error}"


def fit_pairs(folder: Path) -> str:
    """What a logistic regression on pairs makes of each term of the likelihood ratio: 1 where it counts as it is."""
    rng, rows = np.random.default_rng(0), []
    for path in sorted(folder.glob("*.gz")):
        sightings = _sightings(read(path))
        for i, j in rng.integers(len(sightings), size=(40_000 if sightings else 0, 2)):
            (before, a, eye_a), (after, b, eye_b) = sightings[i], sightings[j]
            elsewhere = np.linalg.norm(np.subtract(eye_a, eye_b)) > _STEP_ASIDE
            if i < j and elsewhere and np.linalg.norm(a.centroid - b.centroid) < _NEIGHBOURS:
                rows.append((before == after, *_terms(seen(b), seen(a))))
    table = np.array(rows, float)
    same, terms = table[:, 0] > 0, np.column_stack([np.ones(len(table)), table[:, 1:]])
    share, weights = np.where(same, 0.5 / same.mean(), 0.5 / (~same).mean()), np.zeros(terms.shape[1])
    for _ in range(50):  # Newton's steps
        chance = 1 / (1 + np.exp(-terms @ weights))
        slope = terms.T @ (share * (same - chance)) - 0.01 * weights
        curve = (terms * (share * chance * (1 - chance))[:, None]).T @ terms + 0.01 * np.eye(len(weights))
        weights += np.linalg.solve(curve, slope)
    right = (terms @ weights > 0) == same
    said = "  ".join(f"{name} {weight:.2f}" for name, weight in zip(_TERMS, weights, strict=True))
    return f"{same.sum()} pairs of one thing, {(~same).sum()} of two; right {right[same].mean():.3f}, " \
           f"{right[~same].mean():.3f}\n{said}\n"


_STEP_ASIDE, _NEIGHBOURS = 0.15, 0.5
"""[m]: pictures are taken from different places, and things are neighbours up to here"""
_TERMS = ("constant", "place", "room", "names", "look", "size")


def _terms(a: Features, b: Features) -> tuple[float, ...]:
    boxes = a.centre, a.size, b.centre, b.size
    look = 0.0 if a.look is None or b.look is None else LOOK * (float(a.look @ b.look) - EVEN)
    return (max(-0.5 * float(gap(*boxes) / SIGMA) ** 2, -6.0), float(in_one_room(*boxes)), name_ratio(a.names, b.names),
            look, size_ratio(a, b))


def _sightings(events: list[tuple[Any, ...]]) -> list[tuple[str, Detection, np.ndarray]]:
    """Of things that stand where they are: which true thing and its place, what was seen of it, and from where."""
    out, frame = [], None
    for kind, *what in events:
        if kind == "see":
            frame = what[0]
        elif kind == "look" and frame is not None:
            (pose, state), eye = what, frame.T_map_camera[:3, 3]
            true = frame_of(state.robot, pose)
            for detection in frame.detections:
                point = np.array([*true.apply(detection.centroid[:2]), detection.centroid[2]])
                near = [(float(np.linalg.norm(np.maximum(np.abs(b.box.local(point)) - b.box.size / 2, 0))), name, b)
                        for name, b in state.bodies.items() if not b.held]
                away, name, body = min(near, key=lambda row: row[0], default=(np.inf, "", None))
                if away < _ON_IT and max(detection.size) < _LARGE:
                    out.append((f"{name} {body.box.centre.round(1)}", detection, eye))
            frame = None
    return out


_ON_IT, _LARGE = 0.03, 0.8
"""[m]: from a true thing's box to the middle of what is seen of it; and what is no thing but furniture"""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.association", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(dest="verb", required=True)
    first = verbs.add_parser("record")
    first.add_argument("suite")
    first.add_argument("episodes", nargs="+")
    first.add_argument("--out", type=Path, required=True)
    second = verbs.add_parser("replay")
    second.add_argument("folder", type=Path)
    verbs.add_parser("pairs").add_argument("folder", type=Path)
    given = parser.parse_args()
    if given.verb == "record":
        record(given.suite, given.episodes, given.out)
    elif given.verb == "pairs":
        sys.stdout.write(fit_pairs(given.folder))
    else:
        sys.stdout.write(replay_all(given.folder))


if __name__ == "__main__":
    main()
