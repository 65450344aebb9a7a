"""What frames are made of, and what they lack."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import MISSING, fields, is_dataclass
from typing import Any, TypeVar

from dadu.language.frames.noun import NounPhrase, PlacePhrase

T = TypeVar("T")


def iter_parts(value: Any, kind: type[T]) -> Iterator[T]:
    """Every part of that kind, itself and however deep."""
    if isinstance(value, kind):
        yield value
    if isinstance(value, tuple):
        for item in value:
            yield from iter_parts(item, kind)
    elif is_dataclass(value):
        for field in fields(value):
            yield from iter_parts(getattr(value, field.name), kind)


def lacking(value: Any) -> Iterator[str]:
    """What is left unsaid: nouns that name nothing, places without a noun that are not special, empty lists and
    texts where something has to be in them."""
    for part in iter_parts(value, NounPhrase):
        if not (part.name or part.pronoun or part.purpose):
            yield "NounPhrase.name"
    for place in iter_parts(value, PlacePhrase):
        if not (place.nouns or place.special):
            yield "PlacePhrase.nouns"
    yield from _empty_lists(value)


def _empty_lists(value: Any) -> Iterator[str]:
    if isinstance(value, tuple):
        for item in value:
            yield from _empty_lists(item)
    elif is_dataclass(value) and not isinstance(value, (NounPhrase, PlacePhrase)):
        for field in fields(value):
            inner = getattr(value, field.name)
            if inner in ((), "") and field.default is MISSING:
                yield f"{type(value).__name__}.{field.name}"
            yield from _empty_lists(inner)
