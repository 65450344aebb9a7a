"""Arrays in msgpack, in the two dialects that are both called msgpack_numpy: openpi-client's module, which policies'
servers speak, and the package of that name. Either is read; nothing that is read can run code.
"""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np

from dadu.core.errors import MissingExtra, NotUsable

Dialect = Literal["openpi", "msgpack_numpy"]
_OPENPI, _SCALAR, _PACKAGE = b"__ndarray__", b"__npgeneric__", b"nd"
_NUMBERS = "biufc"
"""kinds of NumPy types that are numbers and no more: an object's bytes would be a pickle"""


def pack(data: Any, dialect: Dialect = "openpi") -> bytes:
    """Arrays of numbers, texts, numbers, lists and dicts. Errors: MissingExtra."""
    def encode(value: Any) -> Any:
        if not isinstance(value, (np.ndarray, np.generic)):
            raise TypeError(f"{type(value).__name__} has no form in msgpack")
        array = np.asarray(value, order="C")
        if dialect == "openpi":
            return {_OPENPI: True, b"data": array.tobytes(), b"dtype": array.dtype.str, b"shape": array.shape}
        return {_PACKAGE: True, b"type": array.dtype.str, b"kind": b"", b"shape": array.shape, b"data": array.tobytes()}
    return bytes(_library().packb(data, default=encode))


def unpack(data: bytes) -> Any:
    """What either dialect packed; arrays are copies that may be written to. Errors: NotUsable, MissingExtra."""
    msgpack = _library()
    try:
        return msgpack.unpackb(data, object_hook=_decode, strict_map_key=False)
    except (ValueError, TypeError, RecursionError, msgpack.UnpackException) as error:
        raise NotUsable(f"{len(data)} bytes that are no msgpack: {error}") from None


def _library() -> Any:
    """Errors: MissingExtra."""
    try:
        import msgpack
    except ModuleNotFoundError:
        raise MissingExtra("a policy's server is spoken to in msgpack: pip install -e '.[policy]'") from None
    return msgpack


def _decode(found: dict[Any, Any]) -> Any:
    if _OPENPI in found:
        return _array(found, b"dtype")
    if _SCALAR in found:
        return _array({b"shape": (), **found}, b"dtype") if isinstance(found.get(b"data"), bytes) else found[b"data"]
    if _PACKAGE in found:
        return _array({b"shape": (), **found}, b"type")
    return found


def _array(found: dict[Any, Any], key: bytes) -> np.ndarray:
    name, shape, data = found[key] if key in found else None, found.get(b"shape"), found.get(b"data")
    name = name.decode() if isinstance(name, bytes) else name
    if not (isinstance(name, str) and isinstance(data, bytes) and isinstance(shape, (list, tuple))):
        raise ValueError("an array without type, shape or data")
    kind = np.dtype(name)
    if kind.kind not in _NUMBERS:
        raise ValueError(f"an array of {name}, which are no numbers")
    if not all(isinstance(n, int) and n >= 0 for n in shape) or math.prod(shape) * kind.itemsize != len(data):
        raise ValueError(f"{len(data)} bytes for an array of {name} {tuple(shape)}")
    return np.frombuffer(data, kind).reshape(shape).copy()
