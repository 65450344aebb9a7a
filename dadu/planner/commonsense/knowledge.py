"""The common-sense data, read once: ``uses.yaml``, ``places.yaml`` and ``occasions.yaml`` beside this file."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from pydantic import RootModel

from dadu.config import Settings, load

_HERE = Path(__file__).parent


class Use(Settings):
    """What things are good for, see uses.yaml."""

    phrases: tuple[str, ...] = ()
    wishes: tuple[str, ...] = ()
    things: tuple[str, ...]
    without: tuple[str, ...] = ()


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
    occasions: dict[str, Occasion]


class _Uses(RootModel[dict[str, Use]]):
    pass


class _Places(RootModel[dict[str, tuple[str | tuple[str, ...], ...]]]):
    pass


@cache
def uses() -> Mapping[str, Use]:
    """By name."""
    return load(_Uses, _HERE / "uses.yaml").root


@cache
def usual_places() -> Mapping[str, tuple[tuple[str, ...], ...]]:
    """Furniture, the likeliest first, by category or more general word; a group of equals is one item."""
    return {word: tuple((place,) if isinstance(place, str) else place for place in places)
            for word, places in load(_Places, _HERE / "places.yaml").root.items()}


@cache
def occasions() -> Occasions:
    return load(Occasions, _HERE / "occasions.yaml")
