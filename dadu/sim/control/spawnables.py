"""Things that can be spawned: of the catalogue by URI, or of one's own, described as in a house file."""

from __future__ import annotations

from typing import Any

from pydantic import TypeAdapter, ValidationError

from dadu.core.config import parse
from dadu.core.errors import ConfigError, choices
from dadu.core.yaml_text import load_yaml
from dadu.house.catalogue import object_categories
from dadu.house.format import Name, Object
from dadu.house.objects import object_model
from dadu.sim.control.codes import ResultCode, SpawnCode, Unfulfilled
from dadu.sim.control.worlds import Resource

SCHEME = "catalogue:"
FORMAT = "dadu_object"
"""an object as in a house file, in YAML, without a place"""
_LOCATED = ("on", "in", "at", "surface", "yaw")
_NAME: TypeAdapter[str] = TypeAdapter(Name)


def spawnables() -> dict[str, str]:
    """URI and description of each."""
    return {f"{SCHEME}{category}": category.replace("_", " ") for category in sorted(object_categories())}


def read_object(resource: Resource, name: str) -> Object:
    """The thing to be, called `name`, or as its text has it where that is empty, then perhaps not at all: ``""``.

    Errors: Unfulfilled.
    """
    if not resource.uri and not resource.text:
        raise Unfulfilled(SpawnCode.NO_RESOURCE, f"neither a URI ({SCHEME}CATEGORY) nor a text of an object is given")
    data = {"category": _category(resource.uri)} if resource.uri else _text(resource.text)
    name = name or str(data.get("name", ""))
    try:
        thing = parse(Object, data | {"name": name or "unnamed"}, "the text")
        object_model(thing)
    except ConfigError as error:
        raise Unfulfilled(SpawnCode.NAME_INVALID if name and not is_name(name) else SpawnCode.RESOURCE_PARSE_ERROR,
                      str(error)) from None
    return thing if name else thing.model_copy(update={"name": ""})


def is_name(name: str) -> bool:
    """True if a thing in a house may be called so."""
    try:
        _NAME.validate_python(name)
    except ValidationError:
        return False
    return True


def _category(uri: str) -> str:
    category = uri.removeprefix(SCHEME)
    if ":" in category or "/" in category or "." in category:
        raise Unfulfilled(SpawnCode.UNSUPPORTED_FORMAT, f"{uri}: things are spawned as {SCHEME}CATEGORY")
    if category not in object_categories():
        raise Unfulfilled(ResultCode.NOT_FOUND, f"no category {category!r}; valid: {choices(object_categories(), 99)}")
    return category


def _text(text: str) -> dict[str, Any]:
    if text.lstrip().startswith("<"):
        raise Unfulfilled(SpawnCode.UNSUPPORTED_FORMAT, f"things are described as in a house file ({FORMAT})")
    try:
        data = load_yaml(text, "the text")
    except ConfigError as error:
        raise Unfulfilled(SpawnCode.RESOURCE_PARSE_ERROR, str(error)) from None
    if not isinstance(data, dict):
        raise Unfulfilled(SpawnCode.RESOURCE_PARSE_ERROR, "the text is no object as in a house file")
    if located := [key for key in _LOCATED if key in data]:
        raise Unfulfilled(SpawnCode.RESOURCE_PARSE_ERROR, f"initial_pose says where it is spawned, not {located[0]}")
    return data
