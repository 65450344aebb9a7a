"""What frames are made of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any, TypeVar

T = TypeVar("T")


def iter_parts(value: Any, kind: type[T]) -> Iterator[T]:
    """Every part of that kind, itself and however deep."""
    if isinstance(value, kind):
        yield value
    if isinstance(value, tuple):
        for item in value:
            yield from iter_parts(item, kind)
    elif is_dataclass(value):
        for field in fields(value):
            yield from iter_parts(getattr(value, field.name), kind)
