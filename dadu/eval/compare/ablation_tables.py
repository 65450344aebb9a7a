"""An ablation as tables in Markdown: DaDu-E's tables 13 to 15 by level, and PARTNR's table 2 over all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dadu.eval.turns import MODEL_COLUMNS, model_cells

_OVERALL = ("sim_seconds", "success", "percent_complete", "planning_cycles", "spl", "tp")


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
