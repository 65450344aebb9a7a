"""Their evaluator, untouched, in an environment of its own."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dadu.bench.halves import halves
from dadu.core.errors import DaduError

_WHERE = "import pathlib, virtualhome_eval as v; print(pathlib.Path(v.__file__).parent)"
_JUDGE = ("import sys; from virtualhome_eval.agent_eval import agent_evaluation as judge; "
          "judge(mode=sys.argv[1], eval_type=sys.argv[2], llm_response_path=sys.argv[3], output_dir='.')")
_SCENE = re.compile(r"^scene_\d+_")
"""before a task's name in one module"""
_HASH_SEED = "0"
"""They judge the order of actions that are asked for by the order of a set of texts, which this alone makes the same
each time."""
_COUNT = re.compile(r"Program number: (\d+)")
_SOLVED = re.compile(r"Holistic test: task (\S+) succeeded")


class EvaluatorError(DaduError):
    """Their evaluator is not there, or does not end as it should."""


@dataclass(frozen=True)
class Judged:
    """What they say of the answers to some tasks."""

    count: int
    """tasks that they count; of action sequencing those of which their own plan reaches the goal"""
    summary: Mapping[str, Any]
    """as they wrote it, shares in percent"""
    successes: int | None
    """None: of goal interpretation they say how many goals were found, not of how many tasks all were"""
    same_as_gold: int = 0
    """plans equal to theirs, which they take for executable and never for a success"""


def evaluator_folder(python: Path) -> Path:
    """Where their package is, as that interpreter finds it. Errors: EvaluatorError naming what to install."""
    found = subprocess.run([python, "-c", _WHERE], capture_output=True, text=True, check=False)
    if found.returncode:
        raise EvaluatorError(f"{python} has no virtualhome_eval: make an environment for it and pip install "
                             "eai-eval==1.0.5 there; --python is its interpreter")
    return Path(found.stdout.split("\n")[-2])


def prompts(python: Path, module: str, out: Path) -> dict[str, str]:
    """Their prompts by the task's name: those that come with their package, else as it writes them under `out`.
    Errors: EvaluatorError."""
    file = evaluator_folder(python) / "evaluation" / module / "prompts" / "helm_prompts.json"
    if not file.is_file():
        _ask(python, "generate_prompts", module, out, out)
        file = out / "virtualhome" / "generate_prompts" / module / "helm_prompt.json"
    return {entry["identifier"]: entry["llm_prompt"] for entry in json.loads(file.read_text())}


def _ask(python: Path, mode: str, module: str, answers: Path, out: Path) -> None:
    ran = subprocess.run([python.absolute(), "-c", _JUDGE, mode, module, str(answers.absolute())], cwd=out,
                         env={**os.environ, "PYTHONHASHSEED": _HASH_SEED}, capture_output=True, text=True, check=False)
    if ran.returncode:
        raise EvaluatorError(f"their evaluator ended with {ran.returncode}: {ran.stderr.strip()[-500:]}")


def judged(python: Path, module: str, answers: Mapping[str, str], out: Path) -> dict[str, Judged]:
    """Their verdict on `answers` by the task's name: on ``all``, and on either half of `dadu.bench.halves` by itself;
    what they write is under `out`. It takes minutes. Errors: EvaluatorError with their last words."""
    given = out / "answers" / "virtualhome" / module
    given.mkdir(parents=True, exist_ok=True)
    named = {_SCENE.sub("", name): name for name in answers}
    parts = {part: [named[task] for task in tasks] for part, tasks in {"all": named, **halves(named)}.items() if tasks}
    for part, names in parts.items():
        texts = [{"identifier": name, "llm_output": answers[name]} for name in names]
        (given / f"{part}_outputs.json").write_text(json.dumps(texts, indent=1))
    logs = set(out.rglob("*.log"))
    _ask(python, "evaluate_results", module, out / "answers", out)
    written = out / "virtualhome" / "evaluate_results" / module
    log = "".join(file.read_text() for file in sorted(set(out.rglob("*.log")) - logs))
    counts, solved = _counts(written, parts, log), set(_SOLVED.findall(log))
    found = {}
    for part, names in parts.items():
        summary, same = json.loads((written / part / "summary.json").read_text()), 0
        won: int | None = None
        if module == "goal_interpretation":
            summary = {"goals": summary}
        elif module == "transition_modeling":
            won = len(solved.intersection(names))
        else:
            summary = _in_percent(summary) if module == "subgoal_decomposition" else summary
            won = round(summary["goal_evaluation"]["task_success_rate"] * counts.get(part, len(names)) / 100)
        if part in counts:
            same = counts[part] - len(json.loads((written / part / "error_info.json").read_text()))
        found[part] = Judged(counts.get(part, len(names)), summary, won, same)
    return found


def _in_percent(value: Any) -> Any:
    """Subgoals are judged in shares of one."""
    return {key: _in_percent(of) for key, of in value.items()} if isinstance(value, dict) else 100 * value


def _counts(folder: Path, parts: Iterable[str], log: str) -> dict[str, int]:
    """Of action sequencing they say how many they counted in their log alone, in the order in which they took the
    parts, which is that of the folders that they made. Of other modules, that count all: none."""
    made = sorted(parts, key=lambda part: (folder / part / "summary.json").stat().st_mtime_ns)
    counts = [int(n) for n in _COUNT.findall(log)]
    if counts and len(counts) != len(made):
        raise EvaluatorError(f"their log has {len(counts)} counts of tasks, {len(made)} were expected")
    return dict(zip(made, counts))
