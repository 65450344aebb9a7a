"""What benchmarks of others share that carry out a suite's tasks: which ones, in what file, with what intervals."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Any

from dadu.eval.metrics.statistics import estimate
from dadu.tasks.suite import load_suite

FILE = "tasks.jsonl"
FULL = 1 - 1e-9
"""share of a goal from which on it is complete"""


def drawn(suite: Path, count: int) -> tuple[Any, Path]:
    """A suite with only so many of its episodes, drawn by hash, 0 for all; and the file that it came from. Errors:
    ConfigError for one that is none."""
    content, path = load_suite(str(suite))
    episodes = sorted(content.episodes, key=lambda e: sha256(e.id.encode()).hexdigest())[:count or None]
    return content.model_copy(update={"episodes": tuple(episodes)}), path


def write_lines(carried: Iterable[Any], folder: Path) -> Path:
    """Dataclasses, one a line of `FILE`."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / FILE
    path.write_text("".join(json.dumps(asdict(one)) + "\n" for one in carried))
    return path


def estimates(values: Mapping[str, Sequence[float]]) -> dict[str, Any]:
    """Means with 95 % intervals by name; None of nothing."""
    return {name: found.as_dict() if (found := estimate([float(v) for v in of])) is not None else None
            for name, of in values.items()}
