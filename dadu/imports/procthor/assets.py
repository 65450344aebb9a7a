"""What an asset is and how large: ``asset-database.json`` as the package ``procthor`` brings it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, TypeAdapter, ValidationError

from dadu.core.errors import ConfigError
from dadu.imports.procthor.source import SourceRecord

Side = Annotated[float, Field(ge=0, le=100)]
FILE = "asset-database.json"


class Box(SourceRecord):
    """[m]"""

    x: Side
    y: Side
    z: Side


class Asset(SourceRecord):
    assetId: str
    objectType: str
    boundingBox: Box


_DATABASE = TypeAdapter(dict[str, list[Asset]])


def read_assets(path: Path | None, beside: Path) -> Mapping[str, Asset]:
    """By id, from the file given, else one beside the houses, else that of the installed package ``procthor``.

    Errors: ConfigError where there is none, or it is something else.
    """
    path = path or _found(beside)
    try:
        database = _DATABASE.validate_python(_json(path))
    except ValidationError as error:
        first = error.errors()[0]
        raise ConfigError(f"{path}: no asset database: {first['loc']}: {first['msg']}") from None
    return {asset.assetId: asset for assets in database.values() for asset in assets}


def _json(path: Path) -> Any:
    try:
        return json.loads(path.read_text())
    except ValueError as error:
        raise ConfigError(f"{path}: no JSON: {error}") from None


def _found(beside: Path) -> Path:
    package = find_spec("procthor")
    folders = [beside, *(Path(p) / "databases" for p in (package.submodule_search_locations or () if package else ()))]
    for folder in folders:
        if (folder / FILE).exists():
            return folder / FILE
    raise ConfigError(f"the houses name their assets only; give --assets {FILE}, put it beside them, or install the "
                      "package procthor, which brings it")
