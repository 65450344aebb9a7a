"""Which sentences plainly speak of something else than their task: crowd workers err.

The rule looks at words alone, by the lists in ``alfred.yaml``; it knows nothing of how this project reads sentences. A
sentence is left out where

- it names none of the words for a role's class (the thing, the furniture, the movable container, the lamp), but one
  for another class of the same sort that the task has nothing to do with; or
- it has no word for what the task does beside moving: two of them, clean, hot, cold, light, sliced.

What names nothing of either is kept: its words may just be unusual.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from bench.corpora.alfred_copy import Trial

Words = Mapping[str, Any]
"""the content of ``alfred.yaml``"""
SLICED = "sliced"


def difference(sentence: str, trial: Trial, words: Words) -> str:
    """What differs, one of a few fixed reasons; empty where nothing does."""
    text = _plain(sentence)
    things, pieces = _called(words["objects"]), _called(words["furniture"])
    allowed_things = _about({trial.object, trial.movable, trial.lamp}, things)
    if trial.sliced:
        allowed_things |= _about({"Knife", "ButterKnife"}, things)
    passed = {place for places in trial.taken_from.values() for place in places}
    allowed_pieces = _about({trial.parent, trial.lamp, *passed, *_THROUGH.get(trial.kind, ())}, pieces)
    for role, wanted, table, allowed in (("thing", trial.object, things, allowed_things),
                                         ("container", trial.movable, things, allowed_things),
                                         ("place", trial.parent, pieces, allowed_pieces)):
        if wanted and _names_another(text, wanted, table, allowed):
            return f"another {role}"
    for kind in (trial.kind, *((SLICED,) if trial.sliced else ())):
        asked = words["words"].get(kind)
        if asked and not _says(text, asked) and not (kind == "pick_two_obj_and_place" and _plural(text, things[trial.object])):
            return f"no word for {kind}"
    return ""


_THROUGH = {"pick_clean_then_place_in_recep": ("SinkBasin",), "pick_heat_then_place_in_recep": ("Microwave",),
            "pick_cool_then_place_in_recep": ("Fridge",)}


def _called(entries: Mapping[str, Mapping[str, Any]]) -> dict[str, tuple[str, ...]]:
    return {name: tuple(entry["called"]) for name, entry in entries.items()}


def _about(classes: Collection[str], table: Mapping[str, Sequence[str]]) -> set[str]:
    """All words for these classes."""
    return {word for name in classes for word in table.get(name, ())}


def _names_another(text: str, wanted: str, table: Mapping[str, Sequence[str]], allowed: set[str]) -> bool:
    """Whether it has no word for what is wanted, but one for something else."""
    if _says(text, [w for word in table[wanted] for w in _forms(word)]):
        return False
    others = {word for words in table.values() for word in words} - allowed
    return _says(text, [w for word in others for w in _forms(word)])


def _plural(text: str, called: Sequence[str]) -> bool:
    return _says(text, [form for word in called for form in _forms(word)[1:]])


def _forms(word: str) -> list[str]:
    """Singular and plurals."""
    found = [word, f"{word}s", f"{word}es"]
    if word.endswith("f"):
        found.append(f"{word[:-1]}ves")
    if word.endswith("fe"):
        found.append(f"{word[:-2]}ves")
    if word.endswith("y"):
        found.append(f"{word[:-1]}ies")
    return found


def _plain(sentence: str) -> str:
    return f" {' '.join(re.findall(r'[a-z0-9]+', sentence.lower()))} "


def _says(text: str, words: Collection[str]) -> bool:
    return any(f" {word} " in text for word in words)
