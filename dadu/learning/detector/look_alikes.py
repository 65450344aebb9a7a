"""Things that no camera can tell apart: a cola can and a soda can. To call one by the other's name is no error of
seeing."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

import numpy as np

from dadu.house.catalogue import ObjectCategory, ObjectMake, Size, object_categories
from dadu.house.colors import rgba
from dadu.house.objects import scaled
from dadu.learning.pictures.crowd import OWN_COLOR

_SIZE, _SHADE = 0.1, 0.1
"""by how much, as a share, the extents may differ, and each part of a colour"""


class _Look(NamedTuple):
    """Of one make of a category."""

    size: Size
    """[m]"""
    colors: tuple[str | None, ...]
    """that it is known by"""


@cache
def look_alikes() -> Mapping[str, frozenset[str]]:
    """Of each category of objects those that it may be taken for by whoever sees well: of the same shape, and whatever
    make it is, they have one that looks the same. That is of the same size up to a tenth along each side and of the
    same accent; of the same colour, too, where the colour is evidence: of food and drink, since other things come
    painted in any. So a cola can may be taken for a soda can, which comes in red, too; a soda can for a cola can not,
    since it may be green."""
    table = object_categories()
    looks = {name: _looks(category) for name, category in table.items()}
    return {name: frozenset(other for other in table
                            if other != name and table[other].shape == category.shape
                            and all(any(_same(mine, its) for its in looks[other]) for mine in looks[name]))
            for name, category in table.items()}


def _looks(category: ObjectCategory) -> list[_Look]:
    telling = bool(set(OWN_COLOR) & set(category.hypernyms))
    return [_Look(make.size or scaled(category.size, make.scale),
                  (make.accent or category.accent, (make.color or category.color) if telling else None))
            for make in category.variants or (ObjectMake(),)]


def _same(one: _Look, other: _Look) -> bool:
    a, b = np.array(one.size), np.array(other.size)
    return bool((np.abs(a - b) <= _SIZE * np.maximum(a, b)).all()) and all(map(_same_color, one.colors, other.colors))


def _same_color(one: str | None, other: str | None) -> bool:
    if one is None or other is None:
        return one is other
    return bool(np.abs(np.array(rgba(one)) - np.array(rgba(other))).max() <= _SHADE)
