"""What somebody says that a thing is: its kind from now on, and an example of how that kind looks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dadu.core.errors import choices
from dadu.house.catalogue import furniture_categories, object_categories
from dadu.memory.association.associator import Associator
from dadu.memory.edit import EditRefused, known_thing
from dadu.world.detection import Exemplar
from dadu.world.graph import Kind

_LONGEST = 60
"""letters of a name"""
_MOST_NUMBERS, _NOT_UNIT = 4096, 1e-3

MOST = 200
"""examples that are kept, the newest"""


PICTURES = 20
"""looks that are told at once, at most"""


def teach(associator: Associator, examples: Examples, argument: Any, stamp: float) -> tuple[str, dict[str, str]]:
    """``{"thing": ID, "is": NAME}``, or of pictures ``{"looks": {PICTURE: [number, ...], ...}, "is": NAME}``: says what
    was done, and what had been said of it before, by id.

    Errors: EditRefused, and nothing has changed.
    """
    if isinstance(argument, Mapping) and argument.keys() == {"looks", "is"}:
        return _teach_looks(examples, argument, stamp)
    if not isinstance(argument, Mapping) or argument.keys() != {"thing", "is"}:
        raise EditRefused('teach takes {"thing": ID, "is": NAME} or {"looks": {PICTURE: [...]}, "is": NAME}')
    thing = known_thing(associator.graph, argument["thing"])
    if thing.kind is not Kind.OBJECT:
        raise EditRefused(f"things to carry are taught, and {thing.id} is {thing.kind.value}")
    category, labels = category_of(argument["is"]), associator.labels
    before = labels.said(thing.id)
    say(associator, examples, thing.id, category, stamp)
    what = f"called {thing.id} {category.replace('_', ' ')}"
    seen = labels.look(thing.id) is not None
    return f"{what}{', and what looks like it from now on' if seen else ''}", {thing.id: before}


def _teach_looks(examples: Examples, argument: Mapping[str, Any], stamp: float) -> tuple[str, dict[str, str]]:
    category, given = category_of(argument["is"]), argument["looks"]
    if not isinstance(given, Mapping) or not 0 < len(given) <= PICTURES:
        raise EditRefused(f"looks are 1 to {PICTURES} pictures, each with the numbers of its look")
    looks = {f"picture:{picture}": _look(numbers) for picture, numbers in given.items()}
    for picture, look in looks.items():
        examples.add(TaughtThing(picture, stamp, Exemplar(category, look)), 0.0)
    return f"what looks like that is called {category.replace('_', ' ')} from now on", dict.fromkeys(looks, "")


def _look(numbers: Any) -> np.ndarray:
    """float32 (D,), of unit length. Errors: EditRefused."""
    try:
        look = np.array(numbers, np.float32)
    except (TypeError, ValueError):
        look = np.zeros(0, np.float32)
    if look.ndim != 1 or not 0 < look.size <= _MOST_NUMBERS or not abs(np.linalg.norm(look) - 1) < _NOT_UNIT:
        raise EditRefused(f"a look is 1 to {_MOST_NUMBERS} numbers whose squares add up to 1")
    return look


def forget(examples: Examples, name: Any) -> str:
    """What looks like what was shown under that name is no longer called so; it says of how many. Things that somebody
    named stay so. Errors: EditRefused where nothing was, and nothing has changed."""
    category = category_of(name)
    count = examples.forget_kind(category)
    if not count:
        raise EditRefused(f"no {category.replace('_', ' ')} was ever shown; shown: "
                          f"{choices({example.category for example in examples.shown})}")
    return f"forgot {count} look{'s' * (count > 1)} of {category.replace('_', ' ')}"


def said_by_put(associator: Associator, examples: Examples, argument: Mapping[str, Any]) -> dict[str, str]:
    """Who puts a thing with a category says what it is, too, and takes back what was taught of it: what had been said
    before, by id."""
    id, labels = argument["id"], associator.labels
    before, thing = labels.said(id), associator.graph[id]
    if thing.kind is not Kind.OBJECT or "category" not in argument or before == thing.category:
        return {}
    labels.say(thing, thing.category)
    examples.forget(id, associator.births.get(id, 0.0))
    return {id: before}


def say(associator: Associator, examples: Examples, id: str, category: str, stamp: float) -> None:
    """From now on that thing is one of `category`, whatever views say, and an example of it where it was seen; where
    that is empty, nobody says so any longer."""
    labels, born = associator.labels, associator.births.get(id, 0.0)
    examples.forget(id, born)
    thing = associator.graph.entities.get(id)
    if thing is None:
        return
    labels.say(thing, category)
    look = labels.look(id)
    if category:
        associator.graph.put(replace(thing, category=category, aliases=associator.vocabulary.aliases(category),
                                     may_be={}, confidence=1.0))
    if category and look is not None:
        examples.add(TaughtThing(id, stamp, Exemplar(category, look)), born)


def category_of(name: Any) -> str:
    """The category that is called so; where none is, that name is one. Errors: EditRefused."""
    if not isinstance(name, str) or len(name) > _LONGEST:
        raise EditRefused(f"what a thing is takes a name of at most {_LONGEST} letters")
    words = re.sub(r"^(?:an?|the)\s", "", " ".join(re.findall(r"[^\W_]+", name.lower())))
    if not words or words in ("a", "an", "the"):
        raise EditRefused(f"{name!r} is no name")
    category = words.replace(" ", "_")
    if category in furniture_categories():
        raise EditRefused(f"a {words} is furniture; things to carry are taught")
    if category in object_categories():
        return category
    called = sorted(known for known, entry in object_categories().items() if words in map(str.lower, entry.aliases))
    return called[0] if len(called) == 1 else category


@dataclass(frozen=True)
class TaughtThing:
    """An example, and of which thing."""

    thing: str
    """its id then; another may be called so since. Of a photograph, which"""
    stamp: float
    """when it was said [s]"""
    example: Exemplar


class Examples:
    """By thing, the newest that was said of it; it outlives the thing."""

    def __init__(self, kept: Iterable[TaughtThing] = ()) -> None:
        self.kept = tuple(kept)
        """oldest first; another tuple after every change"""

    @property
    def shown(self) -> Sequence[Exemplar]:
        """What a detector may learn from, oldest first."""
        return [taught.example for taught in self.kept]

    def add(self, taught: TaughtThing, born: float) -> None:
        """`born`: since when there is a thing of that id [s]."""
        self.forget(taught.thing, born)
        self.kept = (*self.kept, taught)[-MOST:]

    def forget_kind(self, category: str) -> int:
        """All of its examples; says how many there were."""
        before = len(self.kept)
        self.kept = tuple(taught for taught in self.kept if taught.example.category != category)
        return before - len(self.kept)

    def forget(self, thing: str, born: float) -> None:
        """What was said of it is not so; of a thing of that id, known since `born` [s]."""
        self.kept = tuple(taught for taught in self.kept if taught.thing != thing or taught.stamp < born)
