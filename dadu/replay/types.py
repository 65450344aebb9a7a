"""Message classes without ROS: the standard ones as rosbags has them, ours from their definitions in ``msg/``."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from rosbags.interfaces import Nodetype
from rosbags.typesys import Stores, get_types_from_msg, get_typestore

from dadu.core.paths import shared
from dadu.operator.bags.definitions import Definition

_PACKAGE = "dadu_interfaces"


class MessageTypes:
    """Builds, describes and serializes messages. Names are ``package/Name``."""

    def __init__(self) -> None:
        self._store = get_typestore(Stores.ROS2_JAZZY)
        types: dict[str, Any] = {}
        for path in sorted(shared("msg", "msg").glob("*.msg")):
            types |= get_types_from_msg(path.read_text(), f"{_PACKAGE}/msg/{path.stem}")
        self._store.register(types)

    def __call__(self, name: str, /, **fields: Any) -> Any:
        """A message; fields that are left out are zero, false or empty. Errors: TypeError for an unknown field."""
        package, leaf = name.split("/")
        full = f"{package}/msg/{leaf}"
        given = {field: self._default(kind) for field, kind in self._store.fielddefs[full][1]}
        if unknown := fields.keys() - given.keys():
            raise TypeError(f"{name} has no field {', '.join(sorted(unknown))}")
        for field, value in fields.items():
            given[field] = np.array(value, given[field].dtype) if isinstance(given[field], np.ndarray) else value
        return self._store.types[full](**given)

    def definition(self, name: str) -> Definition:
        """What a bag stores of a type."""
        package, leaf = name.split("/")
        full = f"{package}/msg/{leaf}"
        text, _ = self._store.generate_msgdef(full, ros_version=2)
        return Definition(full, text, self._store.hash_rihs01(full))

    def serialize(self, message: Any) -> bytes:
        return bytes(self._store.serialize_cdr(message, message.__msgtype__))

    def _default(self, kind: Any) -> Any:
        form, detail = kind
        if form == Nodetype.NAME:
            return self(detail.replace("/msg/", "/"))
        if form == Nodetype.BASE:
            return {"string": "", "bool": False}.get(detail[0], 0)
        (inner, base), count = detail
        if inner == Nodetype.BASE and base[0] != "string":
            return np.zeros(count if form == Nodetype.ARRAY else 0, base[0])
        return []


@cache
def message_types() -> MessageTypes:
    return MessageTypes()
