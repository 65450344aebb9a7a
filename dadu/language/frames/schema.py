"""Frames as JSON: the schema that guided decoding is given, and both ways between text and types."""

from __future__ import annotations

import json
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any

from pydantic import TypeAdapter, ValidationError

from dadu.core.errors import DaduError
from dadu.language.frames.frame import Utterance


class FramesError(DaduError):
    """Text that is no utterance by the schema."""


@cache
def _adapter() -> TypeAdapter[Utterance]:
    return TypeAdapter(Utterance)


@cache
def json_schema() -> dict[str, Any]:
    """JSON schema of `Utterance`; everybody's, to be read alone."""
    return _adapter().json_schema()


def to_json(utterance: Utterance, *, indent: int | None = None) -> str:
    """Only what differs from the defaults, and the kind of each frame."""
    return json.dumps(_told(utterance), indent=indent, ensure_ascii=False)


def _told(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_told(item) for item in value]
    if not is_dataclass(value):
        return value
    return {f.name: _told(getattr(value, f.name)) for f in fields(value)
            if f.name == "frame" or getattr(value, f.name) != f.default}


def from_json(text: str | bytes) -> Utterance:
    """Errors: FramesError saying where the text breaks the schema."""
    try:
        return _adapter().validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise FramesError(f"no frames: {where}: {first['msg']}") from error
