"""A file of ProcTHOR houses to houses, each with its report. Where the boards of assets are is learned from where
things stand on them, in all houses of the file: their boxes are all that is known of their shapes."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path

from dadu.core.errors import ConfigError
from dadu.core.robot import RobotDescription
from dadu.house.format import House
from dadu.imports.fit import fitted
from dadu.imports.procthor.assets import Asset, read_assets
from dadu.imports.procthor.home import Translation
from dadu.imports.procthor.source import SourceHouse, SourceObject, read_houses
from dadu.imports.report import ImportReport


def import_houses(file: Path, assets: Path | None = None, index: Collection[int] | None = None,
                  robot: RobotDescription | None = None) -> Iterator[tuple[House | None, ImportReport]]:
    """Each house of a file, or those of an index; for a `robot`, furniture that it could not use is moved where that
    helps. A house that cannot be one is None, its report says why.

    Errors: ConfigError where files are none of ProcTHOR's, or the index names houses that are not there.
    """
    houses, database = read_houses(file), read_assets(assets, file.parent)
    beyond = [i for i in index or () if i >= len(houses)]
    if beyond:
        raise ConfigError(f"{file}: there is no house {beyond[0]}; valid: 0 to {len(houses) - 1}")
    boards = board_heights((source for _, source in houses), database)
    for i, (name, source) in enumerate(houses):
        if index and i not in index:
            continue
        report = ImportReport(name)
        try:
            yield fitted(Translation(name, source, database, boards, report).draft(), report, robot), report
        except ConfigError as error:
            report.taken.clear()
            report.leave_out(name, "houses", str(error).splitlines()[0])
            yield None, report


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
