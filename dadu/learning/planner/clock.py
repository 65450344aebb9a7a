"""When a training run reports, keeps a checkpoint, and ends."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from transformers import TrainerCallback, TrainerControl, TrainerState, TrainingArguments

from dadu.learning.budget import Budget
from dadu.learning.stopping import Stop, Stopped

MARK = "clock.json"
"""written last: a checkpoint without it was cut off"""
PROGRESS = "progress.jsonl"


class RunClock(TrainerCallback):
    """Counts the seconds spent on steps, over all parts of a run."""

    def __init__(self, folder: Path, budget: Budget, minutes: float, tell: Callable[[str], None],
                 seconds: float = 0.0) -> None:
        """`minutes` between checkpoints; `seconds` spent before."""
        self.seconds, self._stop = seconds, Stop()
        self._folder, self._budget, self._minutes, self._tell = folder, budget, minutes, tell
        self._began = self._saved = time.monotonic()
        self._step = 0

    def share(self, step: int) -> float:
        """Of the budget that is spent after `step` steps, 0 to 1."""
        return self._budget.spent(self.seconds, step)

    @contextmanager
    def stoppable(self) -> Iterator[None]:
        """Within, the first SIGINT or SIGTERM lets the step in progress end and keeps a checkpoint; the second one does
        not. Errors: Stopped at the end where it was told to."""
        with self._stop.heeded():
            yield
        if self._stop.number:
            raise Stopped(self._stop.number, self._step)

    def on_step_begin(self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **_: Any) -> None:
        self._began = time.monotonic()

    def on_step_end(self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **_: Any) -> None:
        now = time.monotonic()
        self.seconds += now - self._began
        self._step = state.global_step
        ends = self._stop.number > 0 or self.share(state.global_step) >= 1
        control.should_training_stop = ends
        control.should_log = control.should_log or ends
        control.should_save = ends or now - self._saved > 60 * self._minutes

    def on_save(self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **_: Any) -> None:
        place = Path(str(args.output_dir)) / f"checkpoint-{state.global_step}"
        (place / MARK).write_text(json.dumps({"seconds": round(self.seconds, 1), "step": state.global_step}))
        self._saved = time.monotonic()

    def on_log(self, args: TrainingArguments, state: TrainerState, control: TrainerControl,
               logs: dict[str, float] | None = None, **_: Any) -> None:
        if not logs or "loss" not in logs:
            return
        figures = {_SHORT.get(name, name): logs[name] for name in _TOLD if name in logs}
        with (self._folder / PROGRESS).open("a") as file:
            file.write(json.dumps({"step": state.global_step, "seconds": round(self.seconds, 1), **figures}) + "\n")
        parts = ", ".join(f"{name} {value:.3g}" for name, value in figures.items())
        self._tell(f"{100 * self.share(state.global_step):5.1f} %  step {state.global_step}, "
                   f"{self.seconds / max(state.global_step, 1):.2f} s a step, {parts}")


_SHORT = {"mean_token_accuracy": "tokens right", "rewards/accuracies": "pairs right", "rewards/margins": "margin",
          "learning_rate": "rate", "grad_norm": "gradient"}
_TOLD = ("loss", "mean_token_accuracy", "rewards/accuracies", "rewards/margins", "grad_norm", "learning_rate")


def last_checkpoint(folder: Path) -> tuple[Path, float] | None:
    """The newest checkpoint that is whole, and the seconds of training until then."""
    whole = sorted(folder.glob(f"checkpoint-*/{MARK}"), key=lambda mark: int(mark.parent.name.rpartition("-")[2]))
    if not whole:
        return None
    return whole[-1].parent, float(json.loads(whole[-1].read_text())["seconds"])
