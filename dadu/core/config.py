"""Typed configuration: defaults in code, unknown keys refused, the resolved copy saved beside every result."""

from __future__ import annotations

import reprlib
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, TypeVar

import yaml
from pydantic import AfterValidator, AnyHttpUrl, BaseModel, ConfigDict, Field, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from dadu.core.errors import ConfigError, choices
from dadu.core.yaml_text import load_yaml


class Settings(BaseModel):
    """Base of every configuration class: immutable, unknown keys and numbers that are not finite refused."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


_URL = TypeAdapter(AnyHttpUrl)


def _url_or_nothing(text: str) -> str:
    if text:
        _URL.validate_python(text)  # ValidationError is a ValueError: what is wrong is said with the field's name
    return text


Url = Annotated[str, AfterValidator(_url_or_nothing)]
"""``http://HOST:PORT/...``, or empty"""

Share = Annotated[float, Field(ge=0, le=1)]
"""of a whole, or a chance"""
Port = Annotated[int, Field(ge=0, le=65535)]
"""of TCP; 0: any that is free"""

S = TypeVar("S", bound=BaseModel)

_TOLD = 20
"""problems of one file that are listed"""


def parse(cls: type[S], data: Any, source: str) -> S:
    """Validates `data` as `cls`.

    Errors: ConfigError naming `source`, the field and, for an unknown key, the valid ones.
    """
    try:
        return cls.model_validate(data)
    except ValidationError as error:
        errors = error.errors()
        more = [f"{source}: and {len(errors) - _TOLD} more"] if len(errors) > _TOLD else []
        raise ConfigError("\n".join([_explain(cls, e, source) for e in errors[:_TOLD]] + more)) from None


def load(cls: type[S], path: str | Path) -> S:
    """Reads a YAML file into `cls`. Errors: ConfigError naming file, line or field."""
    return parse(cls, read_yaml(path), str(path))


def load_lines(cls: type[S], path: Path) -> Iterator[S]:
    """Reads a file of JSON, one `cls` a line. Errors: ConfigError naming file, line and field."""
    with path.open(encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            try:
                yield cls.model_validate_json(line)
            except ValidationError as error:
                first = error.errors()[0]
                where = ".".join(map(str, first["loc"])) or "the line"
                raise ConfigError(f"{path}, line {number}: {where}: {first['msg']}") from None


def read_yaml(path: str | Path) -> Any:
    """The content of a YAML file (``{}`` when empty). Errors: ConfigError as of `load_yaml`, or where it is missing."""
    try:
        text = Path(path).read_text()
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read ({error.strerror})") from None
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: not valid YAML: {error}") from None
    return load_yaml(text, str(path)) or {}


def save(settings: BaseModel, path: str | Path) -> None:
    """Writes the resolved configuration as YAML."""
    Path(path).write_text(yaml.safe_dump(settings.model_dump(mode="json"), sort_keys=False))


def _explain(cls: type[BaseModel], error: ErrorDetails, source: str) -> str:
    field = ".".join(str(part) for part in error["loc"]) or "(top level)"
    if error["type"] == "extra_forbidden":
        valid = _fields_at(cls, error["loc"][:-1])
        return f"{source}: {field}: unknown key" + (f"; valid: {choices(valid, 40)}" if valid else "")
    got = "" if isinstance(error["input"], dict) else f" (got {reprlib.repr(error['input'])})"  # all the rest of it
    return f"{source}: {field}: {error['msg'].removeprefix('Value error, ')}{got}"


def _fields_at(cls: Any, loc: tuple[int | str, ...]) -> list[str]:
    """Field names of the model found by following `loc` from `cls`; empty where the annotation is no plain model."""
    for part in loc:
        if isinstance(part, int):
            continue
        field = getattr(cls, "model_fields", {}).get(part)
        cls = _model_in(field.annotation) if field else None
    return [field.alias or name for name, field in getattr(cls, "model_fields", {}).items()]


def _model_in(annotation: Any) -> Any:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    for arg in getattr(annotation, "__args__", ()):
        found = _model_in(arg)
        if found is not None:
            return found
    return None
