"""Checks that what is kept out of training is absent from a folder of plans: read from its files alone, as a stranger
would, by nothing that made them."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any

from dadu.core.config import read_yaml
from dadu.house.catalogue import object_categories
from dadu.learning.plans.store import SHEET

TAUGHT = ("train", "validation")
"""splits that hold nothing of a kept-out category"""


@dataclass
class Split:
    """What the files of a split hold."""

    lines: int = 0
    """conversations and pairs"""
    homes: set[int] = field(default_factory=set)
    forms: set[int] = field(default_factory=set)
    """of sentences, less those that are to be another split's: of tests, the new ones"""
    instructions: set[str] = field(default_factory=set)
    """whose forms these are"""
    said: set[str] = field(default_factory=set)
    """all instructions"""
    nouns: set[str] = field(default_factory=set)
    """what their frames name, in the singular; in a text, *throw* may be a verb, *dish* a part of *dish brush*"""
    things: set[str] = field(default_factory=set)
    """kinds of things by the ids in any text, ``mug`` of mug_0"""


def splits_of(folder: Path) -> dict[str, Split]:
    """By name. Files that are no plans are an error: ValueError, KeyError."""
    found: defaultdict[str, Split] = defaultdict(Split)
    for path in sorted(folder.glob("episodes/*.jsonl")):
        for line in path.read_text().splitlines():
            told: Mapping[str, Any] = json.loads(line)
            split = found[told["split"]]
            split.homes.add(told["home"])
            split.said.add(told["instruction"].lower())
            split.nouns.update(_named(told["frames"]))
            if told["split"] in TAUGHT or "form" in told["new"]:
                split.forms.add(told["form"])
                split.instructions.add(told["instruction"].lower())
    for path in sorted((*folder.glob("sft/*.jsonl"), *folder.glob("dpo/*.jsonl"))):
        split = found[path.name.split(".")[1].partition("-")[0]]
        for line in path.read_text().splitlines():
            split.lines += 1
            split.things |= set(re.findall(r"\b([a-z_]+?)_\d+\b", line))
    return dict(found)


def problems_of(folder: Path, splits: Mapping[str, Split]) -> Iterator[str]:
    """What training would see of what is for testing, in sentences. Errors: ConfigError where there is no sheet."""
    held_out = set(read_yaml(folder / SHEET).get("held_out", ()))
    for (one, a), (other, b) in combinations(sorted(splits.items()), 2):
        for what in ("homes", "forms", "instructions"):
            if both := getattr(a, what) & getattr(b, what):
                yield f"{len(both)} {what} are in {one} and in {other}: {_some(both)}"
    for name in TAUGHT:
        if name in splits:
            split = splits[name]
            if shown := split.things & held_out:
                yield f"{name} shows things of kept-out categories: {_some(shown)}"
            words = {n for c in held_out for n in (c.replace("_", " "), *object_categories()[c].aliases)}
            if spoken := split.nouns & words:
                yield f"{name} speaks of kept-out categories: {_some(spoken)}"


def _named(frames: Any) -> Iterator[str]:
    """The nouns of frames as JSON, at any depth."""
    if isinstance(frames, Mapping):
        if isinstance(frames.get("name"), str):
            yield frames["name"]
        frames = tuple(frames.values())
    if isinstance(frames, list | tuple):
        for inner in frames:
            yield from _named(inner)


def _some(found: Iterable[object]) -> str:
    every = sorted(map(str, found))
    return ", ".join(every[:5]) + (f" and {len(every) - 5} more" if len(every) > 5 else "")
