"""Folders of data that were begun, and go on with the same configuration alone."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from dadu.core.config import Settings, load, save
from dadu.core.errors import ConfigError


def begin(path: Path, sheet: Settings) -> None:
    """Writes what holds for all of a folder. Errors: ConfigError where another one is there."""
    if not path.exists():
        save(sheet, path)
    elif (before := load(type(sheet), path)) != sheet:
        changed = differences(before.model_dump(), sheet.model_dump())
        raise ConfigError(f"{path.parent}: was made with another configuration: {'; '.join(changed)}; "
                          "give the same options, or another folder")


def write_whole(path: Path, text: str) -> None:
    """The file is there when all of it is."""
    partial = path.with_suffix(".partial")
    partial.write_text(text)
    partial.replace(path)


def differences(old: dict[str, object], new: dict[str, object], path: Sequence[str] = ()) -> list[str]:
    """What differs, as ``KEY.KEY: OLD, now NEW``."""
    found = []
    for key in old:
        one, other = old[key], new.get(key)
        if isinstance(one, dict) and isinstance(other, dict):
            found += differences(one, other, (*path, key))
        elif one != other:
            found.append(f"{'.'.join((*path, key))}: {str(one)[:60]}, now {str(other)[:60]}")
    return found
