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


def turns_line(figures: Mapping[str, Any]) -> str:
    """A summary's figures in a line: ``turns chosen by: vllm 12, symbolic 3 (as fallback), closing_up 2``."""
    turns, fallback, unknown = (figures[key] for key in ("turns", "fallback_turns", "episodes_without_turns"))
    counts = [f"{name} {count}{' (as fallback)' * (name == STAND_IN and fallback > 0)}"
              for name, count in turns.items()]
    records = f"not recorded in {unknown} episode{'s' * (unknown != 1)}" if unknown else ""
    return f"turns chosen by: {', '.join(filter(None, [*counts, records])) or 'nobody'}"
