"""The common-sense data, read once: ``uses/*.yaml``, ``kinds.yaml``, ``alike.yaml``, ``words.yaml``, ``places.yaml``,
``occasions.yaml`` and ``treatments.yaml`` beside this file."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Annotated

from pydantic import Field, RootModel

from dadu.core.config import Settings, load
from dadu.core.errors import ConfigError

_HERE = Path(__file__).parent


class Use(Settings):
    """What things are good for, see uses/food.yaml."""

    phrases: tuple[str, ...] = ()
    contains: tuple[str, ...] = ()
    """nouns for what is in the things: said behind rich in, with, without"""
    wishes: tuple[str, ...] = ()
    things: tuple[str, ...]
    also: tuple[str, ...] = ()
    """what will do where there is nothing better"""
    without: tuple[str, ...] = ()
    needs: tuple[str | tuple[str, ...], ...] = ()
    """what it takes all together; a tuple means the first of it that the house holds"""
    any: bool = False
    """whether it does not matter what it is done to"""
    state: str = ""
    """predicate of what is to become of one of the things, where that is better than bringing it"""
    place: str = ""
    """the role of the furniture to bring all of it to, where nothing else is said"""


class Kinds(Settings):
    """What things are that the catalogue does not have, see kinds.yaml."""

    kinds: tuple[str, ...]
    """the more general words"""
    names: tuple[str, ...] = ()
    starts: tuple[str, ...] = ()
    """first words that say so whatever follows: a toy apple"""


class WordsOfWishes(Settings):
    """Which words carry meaning, see words.yaml."""

    empty: frozenset[str]
    light: frozenset[str]
    persons: frozenset[str]
    alike: dict[str, tuple[str, ...]]
    diets: dict[str, tuple[str, ...]]


class Treatment(Settings):
    """What a treatment is for, see treatments.yaml."""

    kinds: tuple[str, ...]
    without: Annotated[tuple[str, ...], Field(alias="not")] = ()
    """what these words would include by mistake"""


class Occasion(Settings):
    """What belongs on the table, see occasions.yaml. A tuple means the first of it that the house holds."""

    phrases: tuple[str, ...]
    each: tuple[str | tuple[str, ...], ...] = ()
    shared: tuple[str | tuple[str, ...], ...] = ()
    place: str
    """a role"""


class Occasions(Settings):
    """The file occasions.yaml."""

    roles: dict[str, tuple[str, ...]]
    heaters: tuple[str, ...]
    coolers: tuple[str, ...]
    insides: tuple[str, ...]
    beneath: tuple[str, ...]
    above_storage: tuple[str, ...]
    occasions: dict[str, Occasion]


class _Uses(RootModel[dict[str, Use]]):
    pass


class _Kinds(RootModel[tuple[Kinds, ...]]):
    pass


class _Treatments(RootModel[dict[str, Treatment]]):
    pass


class _Alike(RootModel[tuple[tuple[str, ...], ...]]):
    pass


class _Places(RootModel[dict[str, tuple[str | tuple[str, ...], ...]]]):
    pass


@cache
def uses() -> Mapping[str, Use]:
    """By name. Errors: ConfigError where two files name the same use."""
    out: dict[str, Use] = {}
    for path in sorted((_HERE / "uses").glob("*.yaml")):
        new = load(_Uses, path).root
        if twice := out.keys() & new.keys():
            raise ConfigError(f"{path}: named before in another file: {', '.join(sorted(twice))}")
        out |= new
    return out


@cache
def kinds() -> tuple[Kinds, ...]:
    """The rows of the file; the first one that fits a thing counts."""
    return load(_Kinds, _HERE / "kinds.yaml").root


@cache
def alike() -> tuple[tuple[str, ...], ...]:
    """Names of things that people take for one another, a group a line."""
    return load(_Alike, _HERE / "alike.yaml").root


@cache
def words_of_wishes() -> WordsOfWishes:
    return load(WordsOfWishes, _HERE / "words.yaml")


@cache
def usual_places() -> Mapping[str, tuple[tuple[str, ...], ...]]:
    """Furniture, the likeliest first, by category or more general word; a group of equals is one item."""
    return {word: tuple((place,) if isinstance(place, str) else place for place in places)
            for word, places in load(_Places, _HERE / "places.yaml").root.items()}


@cache
def occasions() -> Occasions:
    return load(Occasions, _HERE / "occasions.yaml")


@cache
def treatments() -> Mapping[str, Treatment]:
    """By predicate: what people clean, heat, cool, fill, cut or switch on."""
    return load(_Treatments, _HERE / "treatments.yaml").root
