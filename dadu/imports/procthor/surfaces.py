"""Where the boards of assets are: learned from where things stand on them, in all houses of a file. Their boxes are all
that is known of their shapes."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping

from dadu.imports.procthor.assets import Asset
from dadu.imports.procthor.source import SourceHouse, SourceObject

_APART = 0.08
"""boards are at least so far from each other [m]; things were let fall from a little above them"""


def board_heights(houses: Iterable[SourceHouse], assets: Mapping[str, Asset]) -> dict[str, tuple[float, ...]]:
    """By asset, heights [m] above its underside at which things stand, the commonest first."""
    seen: dict[str, Counter[float]] = defaultdict(Counter)
    for house in houses:
        for thing in house.objects:
            for asset, height in _heights(thing, assets):
                seen[asset][height] += 1
    return {asset: tuple(_boards(heights)) for asset, heights in seen.items()}


def _heights(thing: SourceObject, assets: Mapping[str, Asset]) -> Iterator[tuple[str, float]]:
    own = assets.get(thing.assetId)
    for child in thing.children:
        there = assets.get(child.assetId)
        if own is not None and there is not None:
            foot = thing.position.y - own.boundingBox.y / 2
            yield thing.assetId, round(child.position.y - there.boundingBox.y / 2 - foot, 2)
        yield from _heights(child, assets)


def _boards(heights: Counter[float]) -> Iterator[float]:
    groups: list[list[float]] = []
    for height in sorted(h for h in heights if h > 0):
        if groups and height - groups[-1][0] < _APART:
            groups[-1].append(height)
        else:
            groups.append([height])
    for group in sorted(groups, key=lambda group: -sum(heights[h] for h in group)):
        yield max(group, key=lambda h: (heights[h], -h))
