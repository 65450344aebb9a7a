"""A file of ProcTHOR houses to houses, each with its report."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path

from dadu.core.errors import ConfigError
from dadu.house.format import House
from dadu.imports.fit import fitted
from dadu.imports.procthor.assets import read_assets
from dadu.imports.procthor.home import Translation
from dadu.imports.procthor.source import read_houses
from dadu.imports.report import ImportReport


def import_houses(file: Path, assets: Path | None = None, index: Collection[int] | None = None
                  ) -> Iterator[tuple[House | None, ImportReport]]:
    """Each house of a file, or those of an index. A house that cannot be one is None, its report says why.

    Errors: ConfigError where files are none of ProcTHOR's, or the index names houses that are not there.
    """
    houses, database = read_houses(file), read_assets(assets, file.parent)
    beyond = [i for i in index or () if i >= len(houses)]
    if beyond:
        raise ConfigError(f"{file}: there is no house {beyond[0]}; valid: 0 to {len(houses) - 1}")
    for i, (name, source) in enumerate(houses):
        if index and i not in index:
            continue
        report = ImportReport(name)
        try:
            yield fitted(Translation(name, source, database, report).draft(), report), report
        except ConfigError as error:
            report.taken.clear()
            report.leave_out(name, "houses", str(error).splitlines()[0])
            yield None, report
