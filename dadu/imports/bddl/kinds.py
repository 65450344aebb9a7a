"""What a synset of BEHAVIOR's is in the catalogue: by its own words, then by what is above it in WordNet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from dadu.core.config import Settings, load
from dadu.house.catalogue import (
    OWN_SHAPES,
    FurnitureCategory,
    ObjectCategory,
    Shape,
    Size,
    furniture_categories,
    object_categories,
)

_ABOVE = 2
"""so many steps up in WordNet a thing still has about the same size"""


class _Own(Settings):
    category: str = ""
    shape: Shape = Shape.BOX
    size: Size = (0.1, 0.1, 0.1)


class BddlKinds(Settings):
    """``kinds.yaml``, typed."""

    floors: tuple[str, ...]
    furniture: dict[str, str]
    blocks: dict[str, Size]
    objects: dict[str, _Own]
    vessel: str
    rooms: dict[str, str]


@cache
def kinds() -> BddlKinds:
    return load(BddlKinds, Path(__file__).with_name("kinds.yaml"))


@dataclass(frozen=True)
class KindHere:
    """A category, and whether it is furniture; of one that the catalogue lacks its shape and size [m]."""

    category: str
    furniture: bool = False
    shape: Shape | None = None
    size: Size | None = None


def words_of(synset: str) -> str:
    """``carton__of__milk.n.01`` -> ``carton of milk``"""
    return " ".join(lemma(synset).replace("_", " ").split())


def lemma(synset: str) -> str:
    return synset.partition(".")[0]


def kind_of(synset: str, above: Sequence[str], fixed: bool) -> KindHere | None:
    """`above`: what it is a kind of, the nearest first; `fixed`: it belongs to a room. None where nothing fits."""
    name, words = lemma(synset), words_of(synset)
    block, piece = kinds().blocks.get(name), kinds().furniture.get(name)
    if block is not None:
        return KindHere(name, True, None, block)
    if fixed:
        piece = piece or next(_found(synset, _by_words(True)), None)
        return KindHere(piece, True) if piece is not None else None
    category = None if piece is not None or name in kinds().objects else next(_found(synset, _by_words(False)), None)
    if category is not None:
        return KindHere(category)
    piece = piece or _by_words(True).get(words)
    if piece is not None:
        return KindHere(piece, True)
    return _like(synset, above)


def _like(synset: str, above: Sequence[str]) -> KindHere | None:
    """Of a category of its own, as large as its nearest kin."""
    named = words_of(synset).replace("-", " ").replace("'", "").replace(" ", "_")
    for steps, one in enumerate((synset, *above)):
        own = kinds().objects.get(lemma(one))
        if own is not None:
            return KindHere(own.category) if own.category else KindHere(named, False, own.shape, own.size)
        like = next(_found(one, _by_words(False)), None) if 0 < steps <= _ABOVE else None
        if like is not None:
            known = object_categories()[like]
            return KindHere(named, False, Shape(known.shape) if known.shape in OWN_SHAPES else Shape.BOX, known.size)
    return None


def _found(synset: str, table: Mapping[str, str]) -> Iterator[str]:
    """Of the whole name first, then of what a container contains, then of its last word."""
    head, _, content = lemma(synset).partition("__of__")
    content = content.replace("_", " ")
    names = [words_of(synset), f"{content} {head}", content, content.removesuffix("s"), head if content else
             words_of(synset).rpartition(" ")[2]]
    return (table[name] for name in names if name in table)


@cache
def _by_words(furniture: bool) -> Mapping[str, str]:
    """Names and aliases to categories; a name goes before an alias."""
    table: Mapping[str, FurnitureCategory | ObjectCategory] = (
        furniture_categories() if furniture else object_categories())
    found = {alias.lower(): name for name, category in reversed(list(table.items())) for alias in category.aliases}
    return found | {name.replace("_", " "): name for name in table}


def room_category(room: str) -> str:
    return kinds().rooms.get(room, room)

