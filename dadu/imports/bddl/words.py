"""A goal in words, as one would ask for it: by kinds of things, since people have no names for single ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from dadu.knowledge.lexicon import plural_of, with_article

_SAID = {"is_on_top": "put {} on {}", "is_inside": "put {} in {}", "is_next_to": "put {} next to {}",
         "is_in_room": "take {} to {}", "is_on_floor": "put {} on the floor", "is_open": "open {}",
         "is_closed": "close {}", "is_powered_on": "turn on {}", "is_powered_off": "turn off {}", "is_hot": "heat {}"}
_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def sentence(goal: Mapping[str, Any], words: Mapping[str, str]) -> str:
    """`goal` as in a suite; `words`: what each thing and piece of furniture of the home is called."""
    there = Counter(words.values())
    parts = [_part(list(of), goal, words, there) for _, of in groupby(
        enumerate(goal["propositions"]), lambda pair: _form(pair[1], words))]
    said = list(dict.fromkeys(parts))
    return (", ".join(said[:-1]) + " and " * (len(said) > 1) + said[-1]).capitalize() + "."


def _form(p: Mapping[str, Any], words: Mapping[str, str]) -> Any:
    """Propositions of one form, one after the other, are said at once."""
    predicate, subjects, *targets = _taken_apart(p)
    return predicate, sorted({words.get(name, name) for name in subjects}), [
        sorted({words.get(name, name) for name in target}) for target in targets], len(subjects) == p.get("number", 1)


def _taken_apart(p: Mapping[str, Any]) -> tuple[str, Sequence[str], Any]:
    predicate = next(key for key in p if key not in ("number", "same_target"))
    subjects, target = [*p[predicate], ()][:2]
    return predicate, subjects, target


def _part(alike: Sequence[tuple[int, Mapping[str, Any]]], goal: Mapping[str, Any], words: Mapping[str, str],
          there: Counter[str]) -> str:
    """Of several propositions that differ in single things alone."""
    found = [_taken_apart(p) for _, p in alike]
    predicate, targets = found[0][0], list(dict.fromkeys(name for *_, target in found for name in target))
    number = sum(p.get("number", 1) for _, p in alike)
    subjects = list(dict.fromkeys(name for _, of, _ in found for name in of))
    apart = any("different_arg" in c and alike[0][0] in c["different_arg"]["propositions"]
                for c in goal.get("constraints", ()))
    one = len(found) == 1 or len({tuple(target) for *_, target in found}) == 1 and not apart
    if number < len(subjects) and len({words.get(n, n) for n in subjects}) == 1:
        said = _counted(words.get(subjects[0], subjects[0]), number, there)
    else:
        joint = " or " if number == 1 else " and "
        said = joint.join(_counted(kind, count, there) for kind, count in
                          Counter(words.get(name, name) for name in subjects).items())
    where = " or ".join(_place(kind, one, apart, there) for kind in
                        dict.fromkeys(words.get(name, name.replace("_", " ")) for name in targets))
    return _SAID[predicate].format(said, where)


def _counted(kind: str, number: int, there: Counter[str]) -> str:
    if number == 1:
        return f"the {kind}" if there[kind] == 1 else with_article(kind)
    if number == there[kind]:
        return f"all the {plural_of(kind)}"
    return f"{_NUMBERS[number] if number < len(_NUMBERS) else number} {plural_of(kind)}"


def _place(kind: str, one: bool, apart: bool, there: Counter[str]) -> str:
    if apart:
        return f"different {plural_of(kind)}"
    if there[kind] < 2:
        return f"the {kind}"
    return with_article(kind) if one else f"the {plural_of(kind)}"
