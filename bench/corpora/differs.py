"""Which sentences plainly speak of something else than their task: crowd workers err, and leave things out.

The rule looks at words alone, by the lists in ``alfred.yaml``; it knows nothing of how this project reads sentences. A
sentence is left out where

- it has no word for a role of its task: the thing, the movable container, the place, the lamp (whether it has one for
  another class, or none at all, is told apart in the count);
- it has no word for what the task does beside moving: two of them, clean, hot, cold, light, sliced;
- it asks for the opposite: a lamp off that the task has on; or for a vessel with water in it, where the task has it
  washed, and says nothing of washing;
- the task puts something into a container, and it names the two only side by side.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from dadu.core.config import read_yaml
from dadu.imports.alfred.source import AlfredTrial

_HOLDS = ("with", "inside", "containing", "contains", "contain", "holding", "filled", "full", "in it", "on it",
          "into it", "inside it")
_INTO = re.compile(r" (?:in|inside|into|on|onto|to|within)(?: \w+){0,3}$")
_OFF = re.compile(r" (?:turn|turns|turning|switch|switching|shut|shutting)(?: \w+){0,3} off ")
_WATER = re.compile(r" (?:of|with|containing|contains|holding|in|has)(?: \w+)? water(?= )")
_THROUGH = {"pick_clean_then_place_in_recep": ("SinkBasin",), "pick_heat_then_place_in_recep": ("Microwave",),
            "pick_cool_then_place_in_recep": ("Fridge",)}
_TWO = "pick_two_obj_and_place"


@cache
def _known() -> Mapping[str, Any]:
    """``alfred.yaml``"""
    return read_yaml(Path(__file__).with_name("alfred.yaml"))


def difference(sentence: str, trial: AlfredTrial) -> str:
    """What differs, one of a few fixed reasons; empty where nothing does."""
    text, words = plain(sentence), _known()
    things, pieces = called(words["objects"]), called(words["furniture"])
    lamp = pieces if trial.lamp in pieces else things
    for role, wanted, table in (("thing", trial.object, things), ("container", trial.movable, things),
                                ("place", trial.parent, pieces), ("lamp", trial.lamp, lamp)):
        if wanted and not names(text, table[wanted]):
            others = {w for of in table.values() for w in of} - _passed(trial, table)
            return f"another {role}" if names(text, others) else f"no {role}"
    if trial.movable and not _put_together(text, things[trial.movable]):
        return "thing and container side by side"
    opposite = _opposite(text, trial.kind, words["words"])
    if opposite:
        return opposite
    for kind in (trial.kind, *(("sliced",) if trial.sliced else ())):
        asked = words["words"].get(kind)
        if asked and not _says(text, asked) and not (kind == _TWO and _plural(text, things[trial.object])):
            return f"no word for {kind}"
    return ""


def _opposite(text: str, kind: str, words: Mapping[str, Collection[str]]) -> str:
    """A lamp that is to be switched off where the task has it on; a vessel of water where the task has it washed."""
    if kind == "look_at_obj_in_light" and _OFF.search(text) and " on " not in text:
        return "a lamp off, not on"
    rest = _WATER.sub(" ", text)
    if kind == "pick_clean_then_place_in_recep" and rest != text and not _says(rest, words[kind]):
        return "filled, not washed"
    return ""


def plain(sentence: str) -> str:
    """Its words in small letters, one space between them and at both ends."""
    return f" {' '.join(re.findall(r'[a-z0-9]+', sentence.lower()))} "


def called(entries: Mapping[str, Mapping[str, Any]]) -> dict[str, tuple[str, ...]]:
    """Class to what people call it."""
    return {name: tuple(entry["called"]) for name, entry in entries.items()}


def names(text: str, words: Collection[str]) -> list[str]:
    """Those of the words that the text has, in singular or plural, without those that are part of a longer one that it
    has."""
    found = [w for w in words if _says(text, forms(w))]
    return [w for w in found if not any(w != other and f" {w} " in f" {other} " for other in found)]


def forms(word: str) -> list[str]:
    """Singular and plurals."""
    found = [word, f"{word}s", f"{word}es"]
    for end, plural in (("f", "ves"), ("fe", "ves"), ("y", "ies")):
        if word.endswith(end):
            found.append(word.removesuffix(end) + plural)
    return found


def _passed(trial: AlfredTrial, table: Mapping[str, Sequence[str]]) -> set[str]:
    """All words for what the task has to do with besides."""
    places = {place for places in trial.taken_from.values() for place in places}
    classes = {trial.object, trial.movable, trial.parent, trial.lamp, *places, *_THROUGH.get(trial.kind, ()),
               *(("Knife", "ButterKnife") if trial.sliced else ())}
    return {word for name in classes for word in table.get(name, ())}


def _put_together(text: str, container: Sequence[str]) -> bool:
    """True if it says that something goes or is in the container."""
    if _says(text, _HOLDS):
        return True
    ends = [match.start() for word in container for form in forms(word) for match in re.finditer(f" {form} ", text)]
    return any(_INTO.search(text[:end]) for end in ends)


def _plural(text: str, words: Sequence[str]) -> bool:
    return _says(text, [form for word in words for form in forms(word)[1:]])


def _says(text: str, words: Collection[str]) -> bool:
    return any(f" {word} " in text for word in words)
