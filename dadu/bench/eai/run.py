"""One run: their prompts, DaDu's answers, their evaluator's number."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from dadu.bench.eai.interpretation import interpret
from dadu.bench.eai.judge import Judged, judged, prompts
from dadu.bench.eai.prompt import read_prompt
from dadu.bench.eai.sequence import as_answer, plan
from dadu.bench.eai.subgoals import subgoals
from dadu.bench.eai.transition import operators
from dadu.core.errors import ConfigError, choices
from dadu.eval.metrics.statistics import estimate

TOLD = "told: the prompt, but for goal interpretation also a table of what each action needs and does; no privilege"


def sequence(prompt: str) -> str:
    """The answer to a prompt for action sequencing."""
    scene = read_prompt(prompt)
    return as_answer(plan(scene), scene)


MODULES: Mapping[str, Callable[[str], str]] = {
    "goal_interpretation": interpret, "action_sequencing": sequence, "subgoal_decomposition": subgoals,
    "transition_modeling": operators}
"""their module to what answers one of its prompts"""


def run(python: Path, module: str, out: Path) -> dict[str, Any]:
    """What goes into ``summary.json``; answers and all that their evaluator writes lie in `out` besides.

    `python`: the interpreter of an environment with their package. Errors: ConfigError, EvaluatorError, PromptError.
    """
    if module not in MODULES:
        raise ConfigError(f"unknown module {module!r}; valid: {choices(MODULES)}")
    out.mkdir(parents=True, exist_ok=True)
    asked = prompts(python, module, out)
    began = time.monotonic()
    answers = {name: MODULES[module](prompt) for name, prompt in asked.items()}
    seconds = time.monotonic() - began
    parts = judged(python, module, answers, out)
    summary = {"bench": "eai", "module": module, "planner": "symbolic", "knows": TOLD, "tasks": len(asked),
               "planning_seconds": seconds, **{part: _figures(verdict) for part, verdict in parts.items()}}
    (out / "summary.json").write_text(json.dumps(summary, indent=2) + "\n")
    return summary


def _figures(verdict: Judged) -> dict[str, Any]:
    """Their success rate with its interval, and their other figures."""
    won = verdict.successes
    found = estimate([1.0] * won + [0.0] * (verdict.count - won)) if won is not None else None
    return {"counted": verdict.count, "success": found.as_dict() if found is not None else None,
            "same_as_gold": verdict.same_as_gold, **verdict.summary}
