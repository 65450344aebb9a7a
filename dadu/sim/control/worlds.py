"""Worlds that can be loaded: houses in ``maps/``, in other files, or as text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlparse

from dadu.core.errors import ConfigError
from dadu.core.yaml_text import load_yaml
from dadu.house.files import SUFFIX, House, house_path, load_house, parse_house
from dadu.sim.control.codes import LoadCode, ResultCode, Unfulfilled


@dataclass(frozen=True)
class Resource:
    """Where something is described: a URI, or the text itself where that is empty."""

    uri: str = ""
    text: str = ""


@dataclass(frozen=True)
class World:
    """One house as others see it."""

    house: House
    resource: Resource


def read_world(resource: Resource) -> World:
    """By URI, path or name, or from its text. Errors: Unfulfilled."""
    if not resource.uri and not resource.text:
        raise Unfulfilled(LoadCode.NO_RESOURCE, "neither a URI nor a text of a world is given")
    if not resource.uri:
        return World(_parsed(lambda: parse_house(load_yaml(resource.text, "the text"), "the text")), resource)
    path = local_path(resource.uri)
    if path.suffix and not path.name.endswith((".yaml", ".yml")):
        raise Unfulfilled(LoadCode.UNSUPPORTED_FORMAT, f"worlds are house files, *{SUFFIX}, not {path.name}")
    try:
        path = house_path(path)
    except ConfigError as error:
        raise Unfulfilled(ResultCode.NOT_FOUND, str(error)) from None
    if not path.is_file():
        raise Unfulfilled(ResultCode.NOT_FOUND, f"there is no file {path}")
    return World(_parsed(lambda: load_house(path)), Resource(path.resolve().as_uri()))


def local_path(uri: str) -> Path:
    """Of a ``file:`` URI, or of a path as it is. Errors: Unfulfilled for another scheme."""
    parts = urlparse(uri)
    if parts.scheme not in ("", "file"):
        raise Unfulfilled(ResultCode.FEATURE_UNSUPPORTED, f"{uri}: files of this machine alone are read")
    return Path(unquote(parts.path) if parts.scheme else uri)


def _parsed(read: Callable[[], House]) -> House:
    try:
        return read()
    except ConfigError as error:
        raise Unfulfilled(LoadCode.RESOURCE_PARSE_ERROR, str(error)) from None
