"""Who chose the skills of a run: the planner that was asked for, or another one in its place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from dadu.eval.results import EpisodeResult

STAND_IN = "symbolic"
"""takes a model's turns where that is allowed"""


def turn_figures(results: Sequence[EpisodeResult]) -> dict[str, Any]:
    """What a summary begins with: turns by who chose them, those of the fallback, and how many records do not say."""
    turns: Counter[str] = Counter()
    for result in results:
        turns.update(result.turns or {})
    return {"turns": dict(turns), "fallback_turns": sum(r.fallback_turns for r in results),
            "episodes_without_turns": sum(r.turns is None for r in results)}


MODEL_COLUMNS = ("calls", "tokens", "s a call", "chosen by")
"""of a table whose rows are summaries: of an episode what a model was asked, tokens in + out; of a call its latency"""


def model_cells(figures: Mapping[str, Any]) -> tuple[str, ...]:
    """The cells of such a row. In runs of before a figure may be missing."""
    calls, tokens_in, tokens_out, seconds = (
        (figures.get(key) or {}).get("mean") for key in ("llm_calls", "tokens_in", "tokens_out", "seconds_per_call"))
    chosen = ", ".join(f"{name} {count}" for name, count in figures["turns"].items() if count)
    if not calls:
        return ("–", "–", "–", chosen)
    return (f"{calls:.1f}", f"{tokens_in:.0f}+{tokens_out:.0f}", "–" if seconds is None else f"{seconds:.2f}", chosen)


def turns_line(figures: Mapping[str, Any]) -> str:
    """A summary's figures in a line: ``turns chosen by: vllm 12, symbolic 3 (as fallback), closing_up 2``."""
    turns, fallback, unknown = (figures[key] for key in ("turns", "fallback_turns", "episodes_without_turns"))
    counts = [f"{name} {count}{' (as fallback)' * (name == STAND_IN and fallback > 0)}"
              for name, count in turns.items()]
    records = f"not recorded in {unknown} episode{'s' * (unknown != 1)}" if unknown else ""
    return f"turns chosen by: {', '.join(filter(None, [*counts, records])) or 'nobody'}"
