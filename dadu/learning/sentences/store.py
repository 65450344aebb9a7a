"""A folder of sentences: shards of JSON lines, a sheet that says how they were made, a card for people."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from dadu.core.config import Settings
from dadu.core.errors import ConfigError
from dadu.language.learned.slots import frame_types, vocabulary
from dadu.learning.sentences.example import RULE, SPLITS, SentenceExample, Split, example

SHEET, CARD = "sentences.json", "README.md"
SHARD = 2000
"""sentences of a file"""


class SentenceSheet(Settings):
    """What holds for all of a folder."""

    seed: int
    split_rule: str = RULE
    vocabulary: tuple[str, ...]


class SentenceFolder:
    """Sentences by number, so many to a file."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def begin(self, seed: int) -> None:
        """New, or the same again. Errors: ConfigError where it holds sentences of another seed or language."""
        sheet = SentenceSheet(seed=seed, vocabulary=vocabulary())
        if (self.path / SHEET).exists():
            if self.sheet() != sheet:
                raise ConfigError(f"{self.path} holds sentences of seed {self.sheet().seed}, or of other frames; "
                                  "choose another folder")
            return
        self.path.mkdir(parents=True, exist_ok=True)
        (self.path / SHEET).write_text(sheet.model_dump_json())

    def sheet(self) -> SentenceSheet:
        """Errors: ConfigError where this is no folder of sentences."""
        try:
            return SentenceSheet.model_validate_json((self.path / SHEET).read_text())
        except (OSError, ValueError) as error:
            raise ConfigError(f"{self.path} is no folder of `dadu data sentences`: {error}") from None

    def missing(self, number: int) -> list[int]:
        """Shards that are still to be made for so many sentences."""
        return [i for i in range(-(-number // SHARD)) if not self._shard(i).exists()]

    def make(self, shard: int) -> None:
        """Writes a shard, whole or not at all."""
        seed = self.sheet().seed
        lines = (example(seed, i).model_dump_json() for i in range(shard * SHARD, (shard + 1) * SHARD))
        partial = self._shard(shard).with_suffix(".partial")
        partial.write_text("\n".join(lines) + "\n")
        partial.replace(self._shard(shard))

    def examples(self, *splits: Split) -> Iterator[SentenceExample]:
        """Of these splits, in order."""
        for path in sorted(self.path.glob("sentences-*.jsonl")):
            for line in path.read_text().splitlines():
                if any(f'"split":"{split}"' in line for split in splits):
                    yield SentenceExample.model_validate_json(line)

    def write_card(self) -> str:
        """Counts what is there; returns the card's text."""
        counts = _counts(self)
        rows = "\n".join(f"| {split} | {c['sentences']} | {c['different']} | {c['forms']} | {c['words']:.1f} | "
                         f"{c['symbols']:.1f} |" for split, c in counts.items())
        frames = sum((c["frames"] for c in counts.values()), Counter[str]())
        kinds = ", ".join(f"{name[:-1]} {count}" for name, count in frames.most_common())
        text = (f"# Sentences and their frames\n\nMade by `dadu data sentences`, seed {self.sheet().seed}: a "
                "synchronous grammar of our own; no sentence of a corpus is in it.\n\n"
                "| split | sentences | different | forms | words | symbols |\n|---|---|---|---|---|---|\n"
                f"{rows}\n\nSplit: {RULE}.\n\nFrames: {kinds}.\n")
        (self.path / CARD).write_text(text)
        return text

    def _shard(self, number: int) -> Path:
        return self.path / f"sentences-{number:06d}.jsonl"


def _counts(folder: SentenceFolder) -> dict[str, dict[str, Any]]:
    texts, forms = defaultdict[str, set[str]](set), defaultdict[str, set[int]](set)
    sums: dict[str, Counter[str]] = defaultdict(Counter)
    frames: dict[str, Counter[str]] = defaultdict(Counter)
    opening = {i: symbol for i, symbol in enumerate(vocabulary()) if symbol in frame_types()}
    for one in folder.examples(*SPLITS):
        texts[one.split].add(one.text)
        forms[one.split].add(one.form)
        sums[one.split].update(sentences=1, words=len(one.text.split()), symbols=len(one.symbols))
        frames[one.split].update(opening[s] for s in one.symbols if s in opening)
    return {split: {"sentences": n, "different": len(texts[split]), "forms": len(forms[split]),
                    "words": sums[split]["words"] / n, "symbols": sums[split]["symbols"] / n, "frames": frames[split]}
            for split in SPLITS if (n := sums[split]["sentences"])}


