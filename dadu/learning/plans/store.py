"""A folder of plans: the contract between who makes them and who trains on them.

::

    DIR/data.yaml                        `PlanSheet`: settings, split rule, what is kept out
    DIR/README.md                        the data card, with counts
    DIR/sft/PROTOCOL.SPLIT-HOME.jsonl    ``{"messages": [{"role", "content"}...]}``: all the assistant says is right
    DIR/dpo/PROTOCOL.SPLIT-HOME.jsonl    ``{"prompt": [...], "chosen": [...], "rejected": [...], "kind": ...}``
    DIR/episodes/SPLIT-HOME.jsonl        `EpisodeRecord`: instruction, frames, goal, what was done
    DIR/homes/SPLIT-HOME.json            `HomeCounts`: written last; the home is whole

PROTOCOL is two_phase, react or goal, SPLIT train, validation or test, HOME the seed of a generated home.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal

from dadu.core.config import Settings, load, load_lines
from dadu.house.catalogue import object_categories
from dadu.learning.begun import begin, write_whole
from dadu.learning.pictures.splits import RULE as HOMES_RULE
from dadu.learning.plans.home import PlanHomeOrder
from dadu.learning.plans.lines import EpisodeRecord
from dadu.learning.plans.settings import PlanSettings
from dadu.learning.sentences.held_out import kept_out

SHEET, CARD = "data.yaml", "README.md"
RULE = (f"{HOMES_RULE}. Forms: a sentence's form is its words with a mark for each that the frames point at; in "
        "training homes crc32(form) % 20 is neither 0 nor 1, in those for validation it is 1, in half of the tests 0. "
        "Categories: training and validation homes hold no object of a kept-out category, and nobody there speaks of "
        "one by name; half of the tests rather do")


class PlanSheet(Settings):
    """What holds for all of a folder."""

    format: Literal[1] = 1
    settings: PlanSettings
    split_rule: str = RULE
    held_out: tuple[str, ...]
    """categories of objects that no home for training holds"""


class HomeCounts(Settings):
    """What came of one home."""

    rooms: int
    objects: int
    kept: int
    dropped: dict[str, int]
    """tasks by the reason why they are not in the data"""


def plan_sheet(settings: PlanSettings) -> PlanSheet:
    """Of a folder that is made with these settings."""
    return PlanSheet(settings=settings, held_out=tuple(sorted(filter(kept_out, object_categories()))))


class PlanFolder:
    """Homes by name."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def begin(self, settings: PlanSettings) -> None:
        """New, or the same again. Errors: ConfigError where it was made with other settings."""
        for name in ("sft", "dpo", "episodes", "homes"):
            (self.path / name).mkdir(parents=True, exist_ok=True)
        begin(self.path / SHEET, plan_sheet(settings))

    def sheet(self) -> PlanSheet:
        """Errors: ConfigError where this is no folder of plans."""
        return load(PlanSheet, self.path / SHEET)

    def kept(self, order: PlanHomeOrder) -> int | None:
        """Episodes of a home; None where it is not whole. Errors: ConfigError as of `load`."""
        path = self._counts(order)
        return load(HomeCounts, path).kept if path.exists() else None

    def write(self, order: PlanHomeOrder, files: Mapping[str, Iterable[Mapping[str, Any]]], counts: HomeCounts) -> None:
        """One home, whole: lines by file (``sft/react``, ``episodes``)."""
        for name, lines in files.items():
            path = self.path / (f"{name}.{order.name}.jsonl" if "/" in name else f"{name}/{order.name}.jsonl")
            path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines))
        write_whole(self._counts(order), counts.model_dump_json())

    def episodes(self) -> Iterator[EpisodeRecord]:
        """All of them, home by home."""
        for path in sorted((self.path / "episodes").glob("*.jsonl")):
            if (self.path / "homes" / f"{path.stem}.json").exists():
                yield from load_lines(EpisodeRecord, path)

    def counts(self) -> Iterator[tuple[str, HomeCounts]]:
        """Homes by name."""
        for path in sorted((self.path / "homes").glob("*.json")):
            yield path.stem, load(HomeCounts, path)

    def _counts(self, order: PlanHomeOrder) -> Path:
        return self.path / "homes" / f"{order.name}.json"
