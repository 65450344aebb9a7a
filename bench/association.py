"""What association makes of what the eyes said: streams of detections, recorded once, through memory again and again.

``python -m bench.association record SUITE EPISODE ... --out DIR`` runs episodes with learned eyes in one process and keeps
what memory was given (detections, not pictures), with the true states. ``python -m bench.association replay DIR`` gives all that
to the memory as it is now, and says how its map differs from the true one at the end. What skills named is looked up in the
new memory by place and category. Replay follows the recorded way: what the robot would have done otherwise is not seen.
"""

from __future__ import annotations

import argparse
import gzip
import pickle
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from dadu.eval.episode.trial import run_episode
from dadu.eval.mapped.record import MapErrors
from dadu.eval.mapped.watch import MapWatch, RobotMap
from dadu.eval.options import EvalOptions
from dadu.memory.memory import Memory
from dadu.skills.call import SkillCall
from dadu.tasks.prepare import prepare_all
from dadu.tasks.suite import load_suite
from dadu.world.graph import Entity, Kind, WorldGraph
from dadu.world.state import TrueWorld

SAME = 0.3
"""[m]: a thing of a recorded graph is the like of the new one within this"""


class Recorder:
    """Writes what goes into memory, and what the judge is shown, while an episode runs in this process."""

    def __init__(self, path: Path) -> None:
        self._file = gzip.open(path, "wb", compresslevel=1)
        self._memory: Memory | None = None
        self._newest = None

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
        sys.stdout.write(f"{prepared.episode.id}: {result.ended}, success {result.success}, {result.sim_seconds:.0f} s simulated, "
                         f"{time.monotonic() - began:.0f} s, {file.stat().st_size / 1e6:.0f} MB, map {result.map}, "
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
        Memory.__init__, Memory.see, Memory.feel, Memory.learn = begin, see, feel, learn  # type: ignore[method-assign]
        MapWatch.look, MapWatch.finish = look, finish  # type: ignore[method-assign]

    Memory.__init__, Memory.see, Memory.feel, Memory.learn = new_begin, new_see, new_feel, new_learn  # type: ignore
    MapWatch.look, MapWatch.finish = new_look, new_finish  # type: ignore[method-assign]
    return restore


def replay(path: Path) -> tuple[MapErrors, MapErrors | None, float]:
    """Errors of objects and, where it was not told, furniture; processor time of a picture [ms]."""
    events = read(path)
    known, layout = next(e[1:3] for e in events if e[0] == "about")
    watch, memory, frame, times = MapWatch(known != "nothing"), None, None, []
    figures = None
    for kind, *what in events:
        if kind == "prior":
            memory = Memory(WorldGraph([_renewed(e) for e in what[0]], what[0].edges))
        elif kind == "see":
            frame, began = what[0], time.process_time()
            memory.see(*what)
            times.append(time.process_time() - began)
        elif kind == "feel":
            stamp, felt, body = what
            memory.feel(stamp, felt, lambda _, body=body: body)
        elif kind == "learn":
            call, result, stamp, known_then = what
            memory.learn(_translated(call, known_then, memory), result, stamp)
        elif kind == "look":
            watch.look(RobotMap(memory.graph, frame), what[0], TrueWorld(layout, what[1]))
        elif kind == "finish":
            figures, found = watch.finish(RobotMap(memory.graph, frame), what[0], TrueWorld(layout, what[1]))
    return figures.objects, figures.furniture, 1e3 * float(np.mean(times))


def read(path: Path) -> list[tuple[Any, ...]]:
    """All that was recorded of one episode, in order."""
    events = []
    with gzip.open(path, "rb") as file:
        try:
            while True:
                events.append(pickle.load(file))
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
        near = [(float(np.linalg.norm(np.subtract(e.position, meant.position))), e.category != meant.category, e.id)
                for e in memory.graph.of(Kind.OBJECT)]
        near = [(away + 0.1 * other, id) for away, other, id in near if away < SAME]
        return min(near)[1] if near else argument
    return SkillCall(call.skill, tuple(name(a) for a in call.arguments))


def replay_all(folder: Path) -> None:
    rows = []
    for path in sorted(folder.glob("*.gz")):
        objects, furniture, milliseconds = replay(path)
        rows.append(objects)
        sys.stdout.write(f"{path.stem:20s} {_line(objects)}  {milliseconds:.2f} ms"
                         f"{'   furniture ' + _line(furniture) if furniture is not None else ''}\n")
    total = {name: sum(getattr(r, name) for r in rows) for name in _SHOWN}
    sys.stdout.write(f"{'all':20s} " + "  ".join(f"{n} {v}" for n, v in total.items()) + "\n")


_SHOWN = ("shown", "found", "missed", "misnamed", "duplicates", "false", "doubted")


def _line(errors: MapErrors) -> str:
    return "  ".join(f"{name} {getattr(errors, name)}" for name in _SHOWN) + f"  place {errors.place_error}"


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
    given = parser.parse_args()
    if given.verb == "record":
        record(given.suite, given.episodes, given.out)
    else:
        replay_all(given.folder)


if __name__ == "__main__":
    main()
