"""Their evaluator, untouched, in an environment of its own."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dadu.bench.halves import halves
from dadu.core.errors import DaduError

_WHERE = "import pathlib, virtualhome_eval as v; print(pathlib.Path(v.__file__).parent)"
_JUDGE = ("import sys; from virtualhome_eval.agent_eval import agent_evaluation as judge; "
          "judge(mode='evaluate_results', eval_type=sys.argv[1], llm_response_path=sys.argv[2], "
          "output_dir=sys.argv[3])")
_SCENE = re.compile(r"^scene_\d+_")
"""before a task's name in one module"""
_HASH_SEED = "0"
"""They judge the order of actions that are asked for by the order of a set of texts, which this alone makes the same
each time."""
_COUNT = re.compile(r"Program number: (\d+)")


class EvaluatorError(DaduError):
    """Their evaluator is not there, or does not end as it should."""


@dataclass(frozen=True)
class Judged:
    """What they say of the answers to some tasks."""

    count: int
    """tasks that they count; of action sequencing those of which their own plan reaches the goal"""
    summary: Mapping[str, Any]
    """as they wrote it, shares in percent"""
    same_as_gold: int
    """plans equal to theirs, which they take for executable and never for a success"""

    @property
    def successes(self) -> int:
        return round(self.summary["goal_evaluation"]["task_success_rate"] * self.count / 100)


def evaluator_folder(python: Path) -> Path:
    """Where their package is, as that interpreter finds it. Errors: EvaluatorError naming what to install."""
    found = subprocess.run([python, "-c", _WHERE], capture_output=True, text=True, check=False)
    if found.returncode:
        raise EvaluatorError(f"{python} has no virtualhome_eval: make an environment for it and pip install "
                             "eai-eval==1.0.5 there; --python is its interpreter")
    return Path(found.stdout.split("\n")[-2])


def prompts(folder: Path, module: str) -> dict[str, str]:
    """Their prompts by the task's name. Errors: EvaluatorError where that module has none."""
    file = folder / "evaluation" / module / "prompts" / "helm_prompts.json"
    if not file.is_file():
        raise EvaluatorError(f"{folder} has no prompts for {module}")
    return {entry["identifier"]: entry["llm_prompt"] for entry in json.loads(file.read_text())}


def judged(python: Path, module: str, answers: Mapping[str, str], out: Path) -> dict[str, Judged]:
    """Their verdict on `answers` by the task's name, on either half of `dadu.bench.halves`; all they write is under
    `out`. It takes minutes. Errors: EvaluatorError with their last words."""
    given = out / "answers" / "virtualhome" / module
    given.mkdir(parents=True, exist_ok=True)
    named = {_SCENE.sub("", name): name for name in answers}
    parts = {part: [named[task] for task in tasks] for part, tasks in halves(named).items() if tasks}
    for part, names in parts.items():
        texts = [{"identifier": name, "llm_output": answers[name]} for name in names]
        (given / f"{part}_outputs.json").write_text(json.dumps(texts, indent=1))
    logs = set(out.rglob("*.log"))
    ran = subprocess.run([python.absolute(), "-c", _JUDGE, module, str((out / "answers").absolute()), "."], cwd=out,
                         env={**os.environ, "PYTHONHASHSEED": _HASH_SEED}, capture_output=True, text=True, check=False)
    if ran.returncode:
        raise EvaluatorError(f"their evaluator ended with {ran.returncode}: {ran.stderr.strip()[-500:]}")
    written = out / "virtualhome" / "evaluate_results" / module
    if module == "subgoal_decomposition":
        return {part: Judged(len(names), _in_percent(json.loads((written / part / "summary.json").read_text())), 0)
                for part, names in parts.items()}
    counts = [int(n) for log in sorted(set(out.rglob("*.log")) - logs) for n in _COUNT.findall(log.read_text())]
    return _read(written, parts, counts)


def _in_percent(value: Any) -> Any:
    """Subgoals are judged in shares of one."""
    return {key: _in_percent(of) for key, of in value.items()} if isinstance(value, dict) else 100 * value


def _read(folder: Path, parts: Mapping[str, Sequence[str]], counts: Sequence[int]) -> dict[str, Judged]:
    """What they wrote, a folder a part. They say how many they counted in their log alone, in the order in which they
    took the parts, which is that of the folders that they made."""
    made = sorted(parts, key=lambda part: (folder / part / "summary.json").stat().st_mtime_ns)
    if len(counts) != len(made):
        raise EvaluatorError(f"their log has {len(counts)} counts of tasks, {len(made)} were expected")
    found = {}
    for part, count in zip(made, counts):
        told = json.loads((folder / part / "error_info.json").read_text())
        found[part] = Judged(count, json.loads((folder / part / "summary.json").read_text()), count - len(told))
    return found
