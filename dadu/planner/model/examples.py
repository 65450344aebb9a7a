"""Successful tasks as examples for new ones: stored as they come, the most similar ones shown.

Source: PARTNR, appendix A.8.3 (retrieval-augmented ReAct): similarity of instructions' sentence embeddings.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import BaseModel, ConfigDict, ValidationError

from dadu.core.errors import ConfigError
from dadu.knowledge.embedding import Embedder, default_embedder
from dadu.planner.model.tokens import clip, estimate
from dadu.planner.settings import ExampleSettings
from dadu.skills.call import SkillCall, UnknownSkill

_log = logging.getLogger(__name__)


class Example(BaseModel):
    """One line of the file."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    instruction: str
    plan: list[list[str]]
    """steps that worked, as ``[skill, argument, ...]``"""
    frames: list[Any] = []
    """what a model wrote down as wanted (protocol `goal`); empty: nobody did"""

    @property
    def written(self) -> str:
        """In the form in which protocol `goal` replies."""
        return f"Example: {self.instruction}: {json.dumps({'frames': self.frames})}"

    def __str__(self) -> str:
        steps = "; ".join(" ".join(step) for step in self.plan)
        return f"Example: {self.instruction}: {steps}; done"


class ExampleStore:
    """One example an instruction, the shortest; in memory alone where there is no file."""

    def __init__(self, path: str | Path | None = None, embedder: Embedder | None = None, *,
                 keep: str | Path | None = "") -> None:
        """`path`: file of those that are shown; `keep`: the file that more are added to, empty: `path`, None: to none,
        not even in memory. Errors: ConfigError for a file that holds something else."""
        shown = Path(path) if path else None
        self._frozen = keep is None
        self._keep = Path(keep) if keep else None if self._frozen else shown
        self._embedder = embedder
        self._examples = read_examples(shown)
        self._kept = self._examples if self._keep == shown else read_examples(self._keep)
        self._vectors: dict[str, np.ndarray] = {}

    def __len__(self) -> int:
        return len(self._examples)

    def add(self, instruction: str, calls: Sequence[SkillCall], frames: Sequence[Any] = ()) -> None:
        """One more task that succeeded, with the `frames` that a model wrote for it, as JSON; nothing new where it was
        done in no more steps before, and its frames are known as far as these are."""
        known = self._kept.get(instruction)
        news = known is None or len(calls) < len(known.plan) or (bool(frames) and not known.frames)
        if self._frozen or not calls or not news:
            return
        kept = list(frames) or (known.frames if known is not None else [])
        plan = [c.as_list() for c in calls]
        if known is not None and len(known.plan) <= len(plan):
            plan = known.plan
        example = self._kept[instruction] = Example(instruction=instruction, plan=plan, frames=kept)
        if self._keep is not None:
            _append(self._keep, example)

    def similar(self, instruction: str, limit: int, threshold: float, written: bool = False) -> list[Example]:
        """The `limit` examples nearest in meaning, best first, none below the cosine `threshold`; `written`: of those
        that hold frames."""
        if not self._examples or limit <= 0:
            return []
        self._embed([*self._examples, instruction])
        target = self._vectors[instruction]
        scores = {text: float(self._vectors[text] @ target) for text, example in self._examples.items()
                  if example.frames or not written}
        best = sorted(scores, key=lambda text: (-scores[text], text))[:limit]
        return [self._examples[text] for text in best if scores[text] >= threshold]

    def text(self, instruction: str, limit: int, tokens: int, threshold: float, written: bool = False) -> str:
        """The most similar ones in words, in at most `tokens` together; `written`: their frames, each whole or not at
        all, in place of their steps."""
        lines: list[str] = []
        for example in self.similar(instruction, limit, threshold, written):
            left = tokens - sum(map(estimate, lines)) - len(lines)
            line = clip(str(example), left) if not written else example.written * (estimate(example.written) <= left)
            if not line:
                break
            lines.append(line)
        return "\n".join(lines)

    def _embed(self, texts: Sequence[str]) -> None:
        new = [text for text in texts if text not in self._vectors]
        if new:
            self._embedder = self._embedder or default_embedder()
            self._vectors.update(zip(new, self._embedder.embed(new), strict=True))


def _append(path: Path, example: Example) -> None:
    """Where it cannot be written (the disk is full) the log says so: the task that it is of has succeeded."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a") as file:
            file.write(example.model_dump_json() + "\n")
    except OSError as error:
        _log.warning("%s: an example is not kept: %s", path, error)


def open_examples(settings: ExampleSettings) -> ExampleStore | None:
    """The store that `settings` name, if they name one. Errors: ConfigError for a file that holds something else."""
    shown, added_to = settings.shown, settings.added_to
    return ExampleStore(shown, keep=added_to) if shown or added_to else None


def counted(number: int) -> str:
    """``1 example``, ``3 examples``"""
    return f"{number} example{'s' * (number != 1)}"


def read_examples(path: Path | None) -> dict[str, Example]:
    """By instruction, the newest line counting; none where there is no file. A last line that was cut short (the power
    went) is left out. Errors: ConfigError for a file that holds something else."""
    if path is None or not path.exists():
        return {}
    *lines, _ = path.read_text().split("\n")
    found: dict[str, Example] = {}
    for number, text in enumerate(lines, 1):
        try:
            example = Example.model_validate(json.loads(text))
            for step in example.plan:
                SkillCall.from_list(step)
        except (json.JSONDecodeError, ValidationError, UnknownSkill) as error:
            raise ConfigError(f"{path}, line {number}: not an example: {str(error).splitlines()[0]}") from None
        found[example.instruction] = example
    return found
