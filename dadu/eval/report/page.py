"""One self-contained page on a run: how good, how sure, what went wrong where, and how to see it again."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined

from dadu.core.config import load
from dadu.eval.mapped.watch import NEAR
from dadu.eval.metrics.stages import STAGES
from dadu.eval.report.cards import card
from dadu.eval.results import EpisodeResult, read_results
from dadu.eval.run import CONFIG, RunConfig, read_trace
from dadu.eval.turns import MODEL_COLUMNS, model_cells, turns_line
from dadu.operator.tables import labelled
from dadu.skills.outcome import Code
from dadu.tasks.prepare import Prepared

FILE = "report.html"
PLANS = 150
"""floor plans on a page, failed episodes first: a browser has to carry them"""
_STAGE_NAMES = dict(zip(STAGES, ("object found", "picked", "receptacle found", "placed")))


def write_report(folder: Path, episodes: Sequence[Prepared]) -> Path:
    """Reads a run's folder and writes ``report.html`` in it. Errors: ConfigError."""
    results, config = read_results(folder), load(RunConfig, folder / CONFIG)
    summary = json.loads((folder / "summary.json").read_text())
    path = folder / FILE
    path.write_text(render(results, config, summary, episodes, folder))
    return path


def render(results: Sequence[EpisodeResult], config: RunConfig, summary: dict[str, Any],
           episodes: Sequence[Prepared], folder: Path) -> str:
    """The page."""
    prepared = {(p.episode.id, p.seed): p for p in episodes}
    ordered = sorted(results, key=lambda r: r.success)
    cards = [card(r, prepared.get(r.key), read_trace(folder, r), config, plan=n < PLANS)
             for n, r in enumerate(ordered)]
    loader = ChoiceLoader([PackageLoader("dadu.eval.report"), PackageLoader("dadu.operator")])
    environment = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True,
                              lstrip_blocks=True)
    environment.filters.update(percent=lambda share: f"{100 * share:.0f} %", words=lambda text: text.replace("_", " "),
                               big=_big, labelled=labelled)
    return environment.get_template("evaluation.html").render(
        config=config, summary=summary, results=results, facts=_facts(summary), levels=_levels(summary),
        stages=[(_STAGE_NAMES[name], summary["stages"][name]) for name in STAGES if name in summary["stages"]],
        outcomes=_outcomes(summary), ended=summary["ended"], latency=_latency(summary["latency"]),
        failed=[c for c in cards if not c.result.success], passed=[c for c in cards if c.result.success],
        options=_options(config), together=_together(summary), turns=turns_line(summary),
        model_columns=MODEL_COLUMNS, near=f"{NEAR:g}")


def _facts(summary: dict[str, Any]) -> list[tuple[str, str, str, str]]:
    """Value, unit, name, meaning."""
    def mean(name: str, form: str = "{:.2f}") -> str:
        return form.format(summary[name]["mean"]) if summary[name] else "–"

    def share(name: str) -> str:
        return "–" if summary[name] is None else f"{summary[name]:.2f}"
    return [
        (mean("percent_complete"), "", "complete", "share of the goal's propositions satisfied (PARTNR)"),
        (mean("gc"), "", "GC", "goal conditions that hold in the end (ALFRED, RoboGPT)"),
        (mean("tp"), "", "TP", "task progress along the best keypath (EMMOE)"),
        (mean("spl"), "", "SPL", "success weighted by path length (DaDu-E)"),
        (mean("plwsr"), "", "PLWSR", "success weighted by the expert's number of steps (EMMOE)"),
        (share("ser"), "", "SER", "successes among episodes that the planner ended (EMMOE)"),
        (share("srr"), "", "SRR", "replans that belong to successes (EMMOE)"),
        (mean("planning_cycles", "{:.1f}"), "", "planning cycles", "decisions an episode"),
        (mean("sim_seconds", "{:.0f}"), "s", "simulated", "an episode, mean"),
        (mean("wall_seconds", "{:.1f}"), "s", "of wall time", "an episode, mean"),
        *_lost(summary),
        *_mapped(summary),
    ]


def _lost(summary: dict[str, Any]) -> list[tuple[str, str, str, str]]:
    """How far the robot took itself to be from where it was, where it estimated that."""
    mean, most = summary["pose_error"], summary["pose_error_max"]
    if mean is None:
        return []
    return [(f"{1e3 * mean['mean']:.0f} / {1e3 * most['mean']:.0f}", "mm", "pose error",
             "mean and greatest distance from where it was to where it took itself to be, an episode")]


def _mapped(summary: dict[str, Any]) -> list[tuple[str, str, str, str]]:
    """How the robots' maps differ from the true ones at the end."""
    return [(f"{e['missed']} / {e['duplicates']} / {e['false']}", "", f"{kind} missed, twice, false",
             f"in the robot's map at the end, over {e['episodes']} episodes: {e['missed']} of {e['shown']} that the "
             f"camera had in view within {NEAR:g} m are not in it, {e['duplicates']} are in it a second time, "
             f"{e['false']} entries are nothing that is there ({e['doubted']} of these two it doubts itself); "
             f"{e['misnamed']} are called otherwise")
            for kind, e in summary["map"].items()]


def _levels(summary: dict[str, Any]) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = [{"name": f"level {name}" if name.isdigit() else name or "all", **figures}
            for name, figures in summary["levels"].items()]
    if len(rows) > 1:
        rows.append({"name": "all", **{k: v for k, v in summary.items() if k != "levels"}})
    return [{**row, "model": model_cells(row)} for row in rows]


def _outcomes(summary: dict[str, Any]) -> list[dict[str, Any]]:
    """One row a code: how often in successful and in failed episodes, and bars to the same scale."""
    good, bad = summary["outcomes"]["successful"], summary["outcomes"]["failed"]
    most = max([1, *good.values(), *bad.values()])
    return [{"code": code.value, "name": code.name.lower(), "good": good.get(code.name, 0),
             "bad": bad.get(code.name, 0), "ok": code.ok, "good_share": 100 * good.get(code.name, 0) / most,
             "bad_share": 100 * bad.get(code.name, 0) / most} for code in Code if code.name in good or code.name in bad]


def _latency(parts: dict[str, float]) -> list[tuple[str, float, float]]:
    """Part, seconds, share of the simulated time in percent; planning is wall time and stands apart."""
    total = sum(seconds for part, seconds in parts.items() if part != "plan")
    return [(part, seconds, 100 * seconds / total if total and part != "plan" else 0.0)
            for part, seconds in parts.items() if seconds > 0]


def _together(summary: dict[str, Any]) -> list[tuple[str, str]]:
    """Of episodes with two agents."""
    rows = [("task offloading", summary["task_offloading"], "{:.2f}"),
            ("messages", summary.get("messages"), "{:.1f}"),
            ("share of time spent waiting", summary.get("idle_share"), "{:.2f}"),
            ("collisions", summary.get("collisions"), "{:.2f}")]
    if not any(value is not None for _, value, _ in rows):
        return []
    rows += [("extraneous effort", summary["extraneous_effort"], "{:.2f}"),
             ("steps before the first pick", summary["exploration_efficiency"], "{:.0f}")]
    return [(name, form.format(value["mean"])) for name, value, form in rows if value is not None]


def _options(config: RunConfig) -> list[tuple[str, str]]:
    options = config.options
    llm = options.planner.llm
    of_model = [("model", llm.model or "the first served"), ("protocol", llm.protocol),
                *([("prompt", llm.prompt)] if llm.prompt else []),
                *([("examples", str(llm.examples.shown))] if llm.examples.shown else []),
                *([("adds to", str(llm.examples.added_to))] if llm.examples.added_to else []),
                ("temperature", str(llm.temperature)), ("max tokens", str(llm.max_tokens)),
                ("fallback", "on" if options.fallback else "off"), ("check of done", options.planner.verify)
                ] if options.planner.asks_model else []
    return [("planner", options.planner.policy), *of_model, ("skills", options.skills),
            ("perception", options.perception), ("feedback", "on" if options.feedback else "off"),
            ("memory", "on" if options.memory else "off"),
            ("replanning", "on" if options.replan else "off"), *([("slips", f"{options.slips:.2f}")]
                                                                 if options.slips else [])]


def _big(number: float) -> str:
    """``1.2 k``, ``3.4 T``"""
    for unit in ("", "k", "M", "G", "T", "P"):
        if abs(number) < 1000:
            return f"{number:.1f} {unit}" if unit else f"{number:.0f}"
        number /= 1000
    return f"{number:.1f} E"
