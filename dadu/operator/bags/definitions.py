"""Message definitions as text (``ros2msg``) with their hashes, from the type descriptions that rosidl installs.

``share/PKG/{msg,srv,action}/NAME.json`` (REP 2016) describes a type and all that it refers to; unlike the ``.msg``
sources it also describes the messages that an action is made of.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dadu.core.errors import DaduError

_PRIMITIVES = {2: "int8", 3: "uint8", 4: "int16", 5: "uint16", 6: "int32", 7: "uint32", 8: "int64", 9: "uint64",
               10: "float32", 11: "float64", 13: "char", 15: "bool", 16: "byte", 17: "string", 18: "wstring",
               21: "string", 22: "wstring"}
"""``type_description_interfaces/msg/FieldType``; arrays, bounded and unbounded sequences add 48, 96 and 144"""
_NESTED = 1
_STRIDE = 48
_SEPARATOR = "=" * 80


class UnknownDefinition(DaduError):
    """A message type whose description is not installed."""


@dataclass(frozen=True)
class Definition:
    """What a bag stores of a message type."""

    name: str
    text: str
    """own fields, then those of every type referred to, as MCAP's ``ros2msg`` schema encoding has it"""
    hash: str
    """RIHS01"""


def load_definition(name: str, share: Callable[[str], Path | str]) -> Definition:
    """The definition of ``PKG/msg/NAME`` or ``PKG/action/NAME_FeedbackMessage``; `share` gives a package's directory.

    Errors: UnknownDefinition.
    """
    package, kind, leaf = name.split("/")
    # The parts of an action or service are described in the file of the whole.
    path = Path(share(package)) / kind / f"{leaf.split('_')[0] if kind != 'msg' else leaf}.json"
    try:
        data = json.loads(path.read_text())
    except OSError as error:
        raise UnknownDefinition(f"{name}: no type description at {path} ({error.strerror})") from None
    whole = data["type_description_msg"]
    types = {t["type_name"]: t for t in (whole["type_description"], *whole["referenced_type_descriptions"])}
    hashes = {h["type_name"]: h["hash_string"] for h in data["type_hashes"]}
    if name not in types or name not in hashes:
        raise UnknownDefinition(f"{name}: not described in {path}")
    parts = [_fields(types[name])]
    parts += [f"{_SEPARATOR}\nMSG: {_short(other)}\n{_fields(types[other])}" for other in _referred(name, types)]
    return Definition(name, "".join(parts), hashes[name])


def _referred(name: str, types: Mapping[str, Any]) -> list[str]:
    """Every type below `name`, each once, in order of appearance."""
    found: dict[str, None] = {}
    queue = [name]
    while queue:
        for field in types[queue.pop(0)]["fields"]:
            nested = field["type"]["nested_type_name"]
            if nested and nested not in found:
                found[nested] = None
                queue.append(nested)
    return list(found)


def _fields(description: Mapping[str, Any]) -> str:
    return "".join(f"{line}\n" for line in _lines(description))


def _lines(description: Mapping[str, Any]) -> Iterator[str]:
    for field in description["fields"]:
        # Messages without fields have a placeholder: IDL allows no empty struct.
        yield f"{_type(field['type'])} {field['name']}{_default(field['default_value'])}"


def _default(value: str) -> str:
    return f" {value}" if value else ""


def _type(field: Mapping[str, Any]) -> str:
    form, base = divmod(field["type_id"], _STRIDE)
    name = _short(field["nested_type_name"]) if base == _NESTED else _PRIMITIVES[base]
    if base in (21, 22):
        name += f"<={field['string_capacity']}"
    return name + ("", f"[{field['capacity']}]", f"[<={field['capacity']}]", "[]")[form]


def _short(name: str) -> str:
    """``PKG/NAME``, as ros2msg refers to messages; parts of actions keep their full name."""
    package, kind, leaf = name.split("/")
    return f"{package}/{leaf}" if kind == "msg" else name
