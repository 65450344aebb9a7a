"""ProcTHOR houses as their JSON has them, checked: AI2-THOR's axes (y up, left-handed), metres, degrees."""

from __future__ import annotations

import gzip
import json
import zlib
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from dadu.core.config import parse
from dadu.core.errors import ConfigError

Length = Annotated[float, Field(ge=-1000.0, le=1000.0)]
"""[m]"""


class SourceRecord(BaseModel):
    """What is not needed may stand beside it."""

    model_config = ConfigDict(frozen=True, allow_inf_nan=False)


class SourceVector(SourceRecord):
    x: Length = 0.0
    y: Length = 0.0
    z: Length = 0.0


class Rotation(SourceRecord):
    """[deg]"""

    x: Annotated[float, Field(ge=-1e4, le=1e4)] = 0.0
    y: Annotated[float, Field(ge=-1e4, le=1e4)] = 0.0
    z: Annotated[float, Field(ge=-1e4, le=1e4)] = 0.0


class SourceObject(SourceRecord):
    """An object of theirs, which may be furniture of ours."""

    id: str
    assetId: str
    position: SourceVector
    """centre of its box"""
    rotation: Rotation = Rotation()
    children: tuple[SourceObject, ...] = ()
    """what stands on or in it"""
    openness: Annotated[float, Field(ge=0, le=1)] = 0.0


class SourceOpening(SourceRecord):
    """A door or window."""

    id: str
    assetId: str
    room0: str
    """the same as room1 where it leads outside"""
    room1: str
    wall0: str
    """a wall of room0"""
    holePolygon: Annotated[tuple[SourceVector, ...], Field(min_length=2)]
    """two corners: x along the wall from its polygon's first corner, y up"""


class SourceWall(SourceRecord):
    id: str
    polygon: Annotated[tuple[SourceVector, ...], Field(min_length=3)]


class SourceRoom(SourceRecord):
    id: str
    roomType: str
    floorPolygon: Annotated[tuple[SourceVector, ...], Field(min_length=3)]


class SourceAgent(SourceRecord):
    position: SourceVector
    rotation: Rotation = Rotation()


class SourceMetadata(SourceRecord):
    agent: SourceAgent | None = None


class SourceHouse(SourceRecord):
    """One house."""

    rooms: Annotated[tuple[SourceRoom, ...], Field(min_length=1)]
    walls: tuple[SourceWall, ...] = ()
    doors: tuple[SourceOpening, ...] = ()
    windows: tuple[SourceOpening, ...] = ()
    objects: tuple[SourceObject, ...] = ()
    metadata: SourceMetadata = SourceMetadata()


def read_houses(path: Path) -> list[tuple[str, SourceHouse]]:
    """Names and houses of a file: JSON of one house or a list of them, or JSON lines; either may be gzipped.

    Errors: ConfigError naming file, line or field.
    """
    stem = path.name.partition(".")[0]
    found = _content(path)
    names = [stem] if len(found) == 1 else [f"{stem}_{i}" for i in range(len(found))]
    return [(name, parse(SourceHouse, data, f"{path}: {name}")) for name, data in zip(names, found, strict=True)]


def _content(path: Path) -> list[Any]:
    try:
        raw = path.read_bytes()
        text = (gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw).decode()
    except (EOFError, zlib.error, gzip.BadGzipFile, UnicodeDecodeError) as error:
        raise ConfigError(f"{path}: neither JSON nor gzipped JSON: {error}") from None
    try:
        whole = json.loads(text)
        return whole if isinstance(whole, list) else [whole]
    except json.JSONDecodeError:
        return [_line(path, i, line) for i, line in enumerate(text.splitlines(), start=1) if line.strip()]


def _line(path: Path, number: int, line: str) -> Any:
    try:
        return json.loads(line)
    except json.JSONDecodeError as error:
        raise ConfigError(f"{path}: line {number}: no JSON: {error}") from None
