"""One run: their prompts, DaDu's answers, their evaluator's number."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from dadu.bench.eai.judge import Judged, evaluator_folder, judged, prompts
from dadu.bench.eai.prompt import read_prompt
from dadu.bench.eai.sequence import as_answer, plan
from dadu.bench.eai.subgoals import subgoals
from dadu.core.errors import ConfigError, choices
from dadu.eval.metrics.statistics import estimate

TOLD = "told: the prompt's things, states and goal, a table of what each action needs and does; no privilege"


def sequence(prompt: str) -> str:
    """The answer to a prompt for action sequencing."""
    scene = read_prompt(prompt)
    return as_answer(plan(scene), scene)


MODULES: Mapping[str, Callable[[str], str]] = {"action_sequencing": sequence, "subgoal_decomposition": subgoals}
"""their module to what answers one of its prompts"""


def run(python: Path, module: str, out: Path) -> dict[str, Any]:
    """What goes into ``summary.json``; answers and all that their evaluator writes lie in `out` besides.

    `python`: the interpreter of an environment with their package. Errors: ConfigError, EvaluatorError, PromptError.
    """
    if module not in MODULES:
        raise ConfigError(f"unknown module {module!r}; valid: {choices(MODULES)}")
    asked = prompts(evaluator_folder(python), module)
    began = time.monotonic()
    answers = {name: MODULES[module](prompt) for name, prompt in asked.items()}
    seconds = time.monotonic() - began
    out.mkdir(parents=True, exist_ok=True)
    parts = judged(python, module, answers, out)
    summary = {"bench": "eai", "module": module, "planner": "symbolic", "knows": TOLD, "tasks": len(asked),
               "planning_seconds": seconds, "all": _figures(list(parts.values())),
               **{part: _figures([verdict]) for part, verdict in parts.items()}}
    (out / "summary.json").write_text(json.dumps(summary, indent=2) + "\n")
    return summary


def _figures(parts: list[Judged]) -> dict[str, Any]:
    """Their success rate with its interval, and their other figures weighted by how many tasks each part counts."""
    count, won = sum(part.count for part in parts), sum(part.successes for part in parts)
    found = estimate([1.0] * won + [0.0] * (count - won))
    groups = {group: {name: sum(part.summary[group][name] * part.count for part in parts) / count
                      for name, value in parts[0].summary[group].items() if isinstance(value, (int, float))}
              for group in parts[0].summary}
    return {"counted": count, "success": found.as_dict() if found is not None else None,
            "same_as_gold": sum(part.same_as_gold for part in parts), **groups}
