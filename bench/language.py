"""How much of what people say an interpreter understands: suites of ``python -m bench.corpora`` in the oracle.

``python -m bench.language --suites DIR/*-dev.suite.yaml --interpreter grammar --out RESULTS [--against EARLIER]``

``--llm-url URL`` measures a served model in place of an interpreter, ``--planner small`` the one in this process: by
protocol ``goal`` it writes frames, and nobody takes over where it fails (``--model``, ``--protocol``, ``--prompt`` as
for ``dadu eval``). With ``--grammar-first`` it reads only what the interpreter does not understand.

Every instruction is carried out as ``dadu eval run --skills oracle`` does it, by a robot that has all skills. It is

- right: the corpus's goal was reached, or one of its other meanings (``NAME.or.suite.yaml``), and the last words are
  as expected (``NAME.said.json``);
- refused: nothing was done, and the user was told why or asked back;
- wrong: the robot reported success, and the goal was not reached;
- failed: the rest: given up, and said so.

Of a model calls, tokens and latency stand below each suite; where it says how certain it is, also what would be left
if it had asked below some certainty (`llm.certain`).

``--against`` compares with the results of an earlier run, episode by episode: exact McNemar tests. With ``--differing``
only what this interpreter reads otherwise than that run's is carried out, the rest came out as it did.

``--examples FILE`` writes sentences and readings by outcome, for development samples only: what is to be a test must
stay unread.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from dadu.core.config import parse
from dadu.core.errors import ConfigError
from dadu.eval.metrics.statistics import estimate, paired
from dadu.eval.options import EvalOptions
from dadu.eval.results import EpisodeResult
from dadu.eval.run import Run
from dadu.goals.goal import Goal
from dadu.goals.interpreter import Context, Interpretation, Interpreter
from dadu.house.layout import build_graph
from dadu.imports.instructed.suites import OTHER
from dadu.planner.interpreters import make_interpreter
from dadu.planner.presets import PRESETS
from dadu.planner.settings import GOAL, PlannerSettings
from dadu.stacks.offline import plan_offline
from dadu.stacks.priors import vocabulary_of_house
from dadu.tasks.prepare import Prepared, prepare, prepare_all
from dadu.tasks.suite import load_suite

OUTCOMES = ("right", "refused", "wrong", "failed")
FILE = "outcomes.jsonl"
THRESHOLDS = (0.0, 0.9, 0.92, 0.94, 0.95, 0.96, 0.97, 0.98, 0.99)
READABLE = "-dev"
"""how the names of samples end that may be read"""


@dataclass(frozen=True)
class Outcome:
    """What came of one instruction."""

    suite: str
    id: str
    level: str
    outcome: str
    """one of `OUTCOMES`"""
    said: str
    """the robot, at the end"""
    seconds: float
    """of wall time"""
    calls: int = 0
    """of a served model; and what it was told and wrote, and how long that took it"""
    tokens_in: int = 0
    tokens_out: int = 0
    model_seconds: float = 0.0
    certainty: float | None = None
    """of the model's last answer, where that is known"""
    interpreter: str = ""
    """who read it; empty: a served model"""


def main() -> None:
    """Errors: ConfigError for a suite that cannot be read, or examples of a sample that is a test."""
    parser = argparse.ArgumentParser(prog="python -m bench.language", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--suites", nargs="+", type=Path, required=True)
    parser.add_argument("--interpreter", default="grammar", help="a name, package.module:Class or FILE.py:Class")
    parser.add_argument("--out", type=Path, required=True, help="folder; a run that was stopped goes on in it")
    parser.add_argument("--against", type=Path, help="folder of an earlier run")
    parser.add_argument("--differing", action="store_true", help="carry out only what is read otherwise than there")
    parser.add_argument("--examples", type=Path, help="file for sentences and readings; development samples only")
    parser.add_argument("--llm-url", default="", help="a served model reads, not --interpreter")
    parser.add_argument("--planner", choices=(*PRESETS,), help="a model reads, not --interpreter; with --llm-url: vllm")
    parser.add_argument("--grammar-first", action="store_true", help="two readers: the interpreter, then the model")
    parser.add_argument("--model", default="", help="its name; by default the first that is served")
    parser.add_argument("--protocol", default=GOAL, help="in which it is asked")
    parser.add_argument("--prompt", default="", help="the protocol's words, a YAML file")
    given = parser.parse_args()
    given.planner = given.planner or ("vllm" if given.llm_url else None)
    if given.examples and given.planner:
        parser.error("--examples shows an interpreter's readings; of a model, look at the traces in --out")
    if given.differing and (given.planner or not given.against):
        parser.error("--differing sets an interpreter against the one of --against")
    earlier = read_outcomes(given.against) if given.against else []
    suites = [path for path in given.suites if not path.name.removesuffix(".suite.yaml").endswith(OTHER)]
    if given.examples:
        refuse_unread(suites)
    known = {(one.suite, one.id): one for one in earlier} if given.differing else {}
    outcomes = [one for path in suites for one in measure(path, planner_of(given), given.out, known)]
    (given.out / FILE).write_text("".join(json.dumps(asdict(one)) + "\n" for one in outcomes))
    sys.stdout.write(table(outcomes))
    if given.against:
        sys.stdout.write(comparison(earlier, outcomes))
    if given.examples:
        given.examples.write_text("\n".join(examples(suites, outcomes, given.interpreter)))


def planner_of(given: argparse.Namespace) -> PlannerSettings:
    """Who reads."""
    if not given.planner:
        return PlannerSettings(interpreter=given.interpreter)
    told = {"model": given.model, "protocol": given.protocol, "prompt": given.prompt}
    asked: dict[str, Any] = {key: value for key, value in told.items() if value}
    asked |= {"grammar_first": given.grammar_first, "certain": 0.0}
    return parse(PlannerSettings, {"policy": given.planner, "llm_url": given.llm_url, "llm": asked,
                                   "interpreter": given.interpreter, "fallback": False}, "bench.language")


def measure(path: Path, planner: PlannerSettings, out: Path,
            known: Mapping[tuple[str, str], Outcome] = MappingProxyType({})) -> list[Outcome]:
    """Carries out a suite; then, with the other goals, what was not right. What is read as in `known`, by suite and
    episode, came out as there."""
    suite, _ = load_suite(path)
    prepared = prepare_all(suite, path)
    settled = _settled(suite.suite, prepared, planner, known)
    carried = [one for one in prepared if one.episode.id not in settled]
    first = _run(suite.suite, path, carried, planner, out / suite.suite) if carried else []
    said = path.with_name(path.name.replace(".suite.yaml", ".said.json"))
    expected = json.loads(said.read_text()) if said.exists() else {}
    outcomes = {r.id: outcome_of(r, **expected.get(r.id, {})) for r in first}
    beside = path.with_name(path.name.replace(".suite.yaml", f"{OTHER}.suite.yaml"))
    if beside.exists():
        others, _ = load_suite(beside)
        left = [prepare(e, beside) for e in others.episodes
                if outcomes.get(e.id.partition(OTHER)[0]) in ("wrong", "failed")]
        for result in _run(others.suite, beside, left, planner, out / others.suite) if left else ():
            if result.success:
                outcomes[result.id.partition(OTHER)[0]] = "right"
    reader = planner.interpreter if planner.policy == "symbolic" else ""
    found = settled | {
        r.id: Outcome(suite.suite, r.id, str(r.level), outcomes[r.id], r.verdict or r.error or "", r.wall_seconds,
                      r.llm_calls, r.tokens_in, r.tokens_out, r.llm_seconds, r.certainty, reader) for r in first}
    return [found[one.episode.id] for one in prepared]


def _settled(suite: str, prepared: Iterable[Prepared], planner: PlannerSettings,
             known: Mapping[tuple[str, str], Outcome]) -> dict[str, Outcome]:
    """By episode: the outcomes of `known` whose instruction means the same to this interpreter."""
    if not known:
        return {}
    mine = make_interpreter(planner.interpreter)
    theirs: dict[str, Interpreter] = {}
    found: dict[str, Outcome] = {}
    for one in prepared:
        before = known.get((suite, one.episode.id))
        if before is None:
            continue
        other = theirs.setdefault(before.interpreter, make_interpreter(before.interpreter))
        if read_alike(mine, other, one):
            found[one.episode.id] = replace(before, interpreter=planner.interpreter)
    return found


def read_alike(one: Interpreter, other: Interpreter, prepared: Prepared) -> bool:
    """True if an instruction means the same to both, where the robot begins (rooms and furniture are known) and once
    it has seen all that there is."""
    house, words = prepared.house, vocabulary_of_house(prepared.house)
    contexts = (Context(build_graph(house, "layout"), words), Context(build_graph(house, "all"), words, complete=True))
    said = prepared.episode.instruction
    return all(_alike(one.read(said, context), other.read(said, context)) for context in contexts)


def _alike(one: Interpretation, other: Interpretation) -> bool:
    """Wherever a goal's words and notes differ, what is to be done may still be the same."""
    if isinstance(one, Goal) and isinstance(other, Goal):
        return one.to_suite() == other.to_suite() and len(one.branches) == len(other.branches)
    return one == other


def outcome_of(result: EpisodeResult, says: str = "", cannot: bool = False) -> str:
    """One of `OUTCOMES`. `says`: a pattern that has to stand in the robot's last words; `cannot`: right is who reports
    no success and lets things be."""
    if cannot:
        return "wrong" if result.claimed else "right" if result.goal_reached else "failed"
    if result.ended == "refused" and not result.plan:  # though it was so already
        return "refused"
    if says and result.goal_reached:
        return "right" if re.search(says, result.verdict, re.IGNORECASE | re.DOTALL) else "wrong"
    if result.success:
        return "right"
    if result.ended == "refused":
        return "refused"
    return "wrong" if result.claimed else "failed"


def _run(name: str, path: Path, episodes: Sequence[Prepared], planner: PlannerSettings, out: Path
         ) -> list[EpisodeResult]:
    options = EvalOptions(skills="oracle", planner=planner, pictures=False)
    return Run(name, str(path), episodes, options, out).execute()


def table(outcomes: Sequence[Outcome]) -> str:
    """By suite and kind of task; shares with 95 % intervals for whole suites."""
    lines = [f"{'':<60}{'n':>5}" + "".join(f"{o:>18}" for o in OUTCOMES)]
    for suite, of in _by(outcomes, lambda one: one.suite):
        lines.append(f"{suite:<60}{len(of):>5}" + "".join(f"{_share(of, o):>18}" for o in OUTCOMES))
        lines += _cost(of)
        for level, some in sorted(_by(of, lambda one: one.level)):
            counts = Counter(one.outcome for one in some)
            lines.append(f"  {level:<58}{len(some):>5}" + "".join(f"{counts[o]:>18}" for o in OUTCOMES))
    return "\n".join((*lines, *_certain(outcomes))) + "\n"


def _certain(outcomes: Sequence[Outcome]) -> Iterator[str]:
    """What is left where the model's goal is carried out only from some certainty on."""
    known = [one for one in outcomes if one.certainty is not None]
    for least in THRESHOLDS if known else ():
        acted = Counter(one.outcome for one in outcomes if one.certainty is None or one.certainty >= least)
        yield f"{f'all, from a certainty of {least:.2f} on':<60}{acted.total():>5}" + "".join(
            f"{acted[o] / len(outcomes):>18.0%}" for o in OUTCOMES)


def _cost(of: Sequence[Outcome]) -> Iterator[str]:
    """What a served model was asked and took, on the first run of each instruction; nothing where none was asked."""
    calls = sum(one.calls for one in of)
    if calls:
        told, wrote = sum(one.tokens_in for one in of), sum(one.tokens_out for one in of)
        yield (f"  a model: {calls / len(of):.1f} calls an instruction, {told / len(of):.0f} + {wrote / len(of):.0f} "
               f"tokens in + out, {sum(one.model_seconds for one in of) / calls:.2f} s a call")


def _share(of: Sequence[Outcome], outcome: str) -> str:
    found = estimate([float(one.outcome == outcome) for one in of])
    return "" if found is None else f"{found.mean:.0%} ({found.low:.0%}-{found.high:.0%})"


def comparison(first: Sequence[Outcome], second: Sequence[Outcome]) -> str:
    """Of two runs of the same episodes, what has become of what; whether right and wrong differ."""
    before = {(one.suite, one.id): one.outcome for one in first}
    lines = []
    for suite, of in _by([one for one in second if (one.suite, one.id) in before], lambda one: one.suite):
        pairs = [(before[one.suite, one.id], one.outcome) for one in of]
        lines.append(f"\n{suite}, {len(pairs)} of both runs")
        for outcome in ("right", "wrong"):
            a, b = ([float(pair[i] == outcome) for pair in pairs] for i in (0, 1))
            test = paired(a, b)
            lines.append(f"  {outcome}: {sum(a) / len(a):.1%} -> {sum(b) / len(b):.1%}, difference "
                         f"{test.difference:+.1%} ({test.low:+.1%} to {test.high:+.1%}), McNemar p = {test.p:.2g}")
        moves = Counter(pair for pair in pairs if pair[0] != pair[1])
        lines += [f"  {a} -> {b}: {count}" for (a, b), count in moves.most_common()]
    return "\n".join(lines) + "\n"


def read_outcomes(folder: Path) -> list[Outcome]:
    """Of an earlier run. Errors: ConfigError where there was none."""
    path = folder / FILE
    if not path.exists():
        raise ConfigError(f"{path}: no results of bench.language")
    return [Outcome(**json.loads(line)) for line in path.read_text().splitlines()]


def refuse_unread(suites: Iterable[Path]) -> None:
    """Errors: ConfigError naming a suite whose sentences must not be read."""
    for path in suites:
        if not load_suite(path)[0].suite.endswith(READABLE):
            raise ConfigError(f"{path}: --examples is for samples called NAME{READABLE}; this one must stay unread")


def examples(suites: Iterable[Path], outcomes: Sequence[Outcome], interpreter: str) -> Iterator[str]:
    """Sentences with what was wanted and what was read, grouped by outcome."""
    found = {(one.suite, one.id): one for one in outcomes}
    reader = make_interpreter(interpreter)
    groups: dict[str, list[str]] = defaultdict(list)
    for path in suites:
        suite, _ = load_suite(path)
        for prepared in prepare_all(suite, path):
            one = found[suite.suite, prepared.episode.id]
            lines = [f'"{prepared.episode.instruction}"', f"    {one.id} {one.level}; {one.said}"]
            if one.outcome != "right":
                read = plan_offline(prepared.episode.instruction, prepared.house, "layout", reader)
                lines.append(f"    wanted: {_goal(prepared.episode.goal.model_dump())}")
                lines.append(f"    read:   {read['refused'] if read['goal'] is None else _goal(read['goal'])}")
                lines += [f"    {note}" for note in (*read["substitutions"], *read["notes"])]
            groups[one.outcome].append("\n".join(lines))
    for outcome in reversed(OUTCOMES):
        yield f"\n{'=' * 20} {outcome}: {len(groups[outcome])}\n"
        yield from groups[outcome]


def _goal(goal: dict[str, Any]) -> str:
    """Propositions on one line."""
    parts = []
    for p in goal["propositions"]:
        if "predicate" in p:
            p = {p["predicate"]: p["arguments"], "number": p["number"]}
        name = next(key for key in p if key not in ("number", "same_target"))
        arguments = ", ".join("|".join(a) if not isinstance(a, str) else a for a in p[name])
        parts.append(f"{name}({arguments})" + (f" x{p['number']}" if p.get("number", 1) != 1 else ""))
    return "; ".join(parts)


def _by(outcomes: Iterable[Outcome], key: Any) -> list[tuple[str, list[Outcome]]]:
    """In the order in which the keys come."""
    found: dict[str, list[Outcome]] = defaultdict(list)
    for one in outcomes:
        found[key(one)].append(one)
    return list(found.items())


if __name__ == "__main__":
    main()
