"""What each part is worth: the same episodes with one part taken away at a time.

The tables have the shape of DaDu-E's tables 13 to 15 (level by level, with and without) and PARTNR's table 2.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from functools import reduce
from typing import Any

from dadu.core.errors import ConfigError, choices
from dadu.core.privilege_report import Privilege, as_names
from dadu.eval.compare.compare import compare
from dadu.eval.options import EvalOptions
from dadu.eval.results import EpisodeResult
from dadu.eval.run import Run
from dadu.eval.summary import summarise
from dadu.eval.turns import MODEL_COLUMNS, model_cells
from dadu.perception.detectors import GROUND_TRUTH, LEARNED

BASE = "base"
FILE = "ablation.json"

_OVERALL = ("sim_seconds", "success", "percent_complete", "planning_cycles", "spl", "tp")


def _sensors_like(options: EvalOptions, **changed: str) -> EvalOptions:
    """With other skills or eyes, and the privileges that go with them."""
    kept = options.granted - {Privilege.INSTANCES} if options.skills == "physical" else ()
    return EvalOptions.model_validate({**dict(options), "perception": "", "privilege": as_names(kept), **changed})


def _without_semantic_map(options: EvalOptions) -> EvalOptions:
    loop = options.planner.loop.model_copy(update={"semantic_map": False})
    return options.model_copy(update={"planner": options.planner.model_copy(update={"loop": loop})})


PARTS: Mapping[str, Callable[[EvalOptions], EvalOptions]] = {
    "feedback": lambda options: options.model_copy(update={"feedback": False}),
    "memory": lambda options: options.model_copy(update={"memory": False}),
    "semantic_map": _without_semantic_map,
    "replan": lambda options: options.model_copy(update={"replan": False}),
    "perception": lambda options: _sensors_like(
        options, perception=LEARNED if options.perception == GROUND_TRUTH else GROUND_TRUTH),
    "skills": lambda options: _sensors_like(options, skills="physical" if options.skills == "oracle" else "oracle"),
}
"""What a name takes away, or, for perception and skills, exchanges: learned for privileged, or the other way round"""


def parse_parts(text: str) -> list[str]:
    """``feedback,memory`` to names; ``memory+semantic_map``: both at once. Errors: ConfigError naming what is valid."""
    names = [name.strip() for name in text.split(",") if name.strip()]
    unknown = [part for name in names for part in name.split("+") if part not in PARTS]
    if unknown or not names:
        raise ConfigError(f"nothing called {choices(unknown)} can be taken away; valid: {choices(PARTS)}")
    return names


def ablate(run: Run, parts: Sequence[str]) -> dict[str, list[EpisodeResult]]:
    """Runs everything once as it is and once without each part, in folders of their own under `run.out`, and writes
    ``ablation.json`` and ``ablation.md``. Errors: ConfigError."""
    results = {name: variant.execute() for name, variant in variants(run, parts).items()}
    found = tables(results)
    (run.out / FILE).write_text(json.dumps(found, indent=2) + "\n")
    (run.out / "ablation.md").write_text(markdown(found))
    return results


def variants(run: Run, parts: Sequence[str]) -> dict[str, Run]:
    """`run` as it is and without each part, in folders of their own."""
    options = {BASE: run.options, **{f"no_{name}": reduce(lambda changed, part: PARTS[part](changed), name.split("+"),
                                                         run.options) for name in parts}}
    return {name: replace(run, options=changed, out=run.out / name) for name, changed in options.items()}


def tables(results: Mapping[str, Sequence[EpisodeResult]]) -> dict[str, Any]:
    """By variant: the figures of its summary, overall and by level, and how it differs from the base."""
    return {name: {"summary": summarise(rows),
                   "against_base": [asdict(c) for c in compare(results[BASE], rows)] if name != BASE else []}
            for name, rows in results.items()}


def markdown(tables: Mapping[str, Mapping[str, Any]]) -> str:
    """`tables` as `dadu.eval.compare.ablate.tables` makes them: the first variant is the base."""
    summaries = {name: table["summary"] for name, table in tables.items()}
    base = next(iter(summaries))
    parts = [_overall(tables)]
    for title, measure, digits in (("Success by level", "success", 2), ("SPL by level", "spl", 3)):
        means = {(level, name): round(summary["levels"][level][measure]["mean"], digits)
                 for level in summaries[base]["levels"] for name, summary in summaries.items()}
        rows = [[level, name, f"{mean:.{digits}f}", "" if name == base else f"{mean - means[level, base]:+.2f}",
                 *model_cells(summaries[name]["levels"][level])] for (level, name), mean in means.items()]
        parts.append(_table(title, ["level", "variant", "mean", "against base", *MODEL_COLUMNS], rows))
    parts.append(_latency(summaries))
    return "\n".join(parts)


def _overall(tables: Mapping[str, Mapping[str, Any]]) -> str:
    rows = []
    for name, table in tables.items():
        p = next((c["test"]["p"] for c in table["against_base"] if c["measure"] == "success"), None)
        rows.append([name, *(_mean(table["summary"], key) for key in _OVERALL), "" if p is None else f"{p:.3g}",
                     *model_cells(table["summary"])])
    return _table("All episodes, mean ± half of the 95 % interval",
                  ["variant", *_OVERALL, "p of success", *MODEL_COLUMNS], rows)


def _latency(summaries: Mapping[str, Mapping[str, Any]]) -> str:
    parts = list(next(iter(summaries.values()))["latency"])
    rows = [[level, name, *(f"{figures['latency'].get(part, 0.0):.2f}" for part in parts)]
            for level in next(iter(summaries.values()))["levels"]
            for name, summary in summaries.items() for figures in (summary["levels"][level],)]
    return _table("Latency by level [s]: plan in wall time, the others simulated", ["level", "variant", *parts], rows)


def _table(title: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [f"## {title}", "", "| " + " | ".join(head).replace("_", " ") + " |", "|" + " --- |" * len(head)]
    return "\n".join([*lines, *("| " + " | ".join(row) + " |" for row in rows), ""])


def _mean(figures: Mapping[str, Any], name: str) -> str:
    e = figures[name]
    return f"{e['mean']:.2f} ± {(e['high'] - e['low']) / 2:.2f}"
