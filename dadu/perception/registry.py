"""Parts of perception by name. Those that need heavy libraries are imported when asked for, so the base tier stays
light."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dadu.core.errors import ConfigError, MissingExtra, choices
from dadu.core.plugins import find, is_path


@dataclass(frozen=True)
class Registration:
    """Where a class is found: ``package.module:Class``, and the optional extra that brings what it imports."""

    path: str
    extra: str = ""


@dataclass(frozen=True)
class Registry:
    """Classes of one kind, those that come with DaDu; one's own needs no entry."""

    kind: str
    """as the parameter is called"""
    known: Mapping[str, Registration]

    def registration(self, name: str) -> Registration:
        """What `name` stands for: a key of `known`, or where a class of one's own is, as ``package.module:Class`` or
        ``FILE.py:Class``; nothing is imported. Errors: ConfigError where it is neither."""
        if name not in self.known and not is_path(name):
            raise ConfigError(f"unknown {self.kind} {name!r}; valid: {choices(self.known)}, package.module:Class or "
                              "FILE.py:Class")
        return self.known.get(name) or Registration(name)

    def find(self, name: str) -> Any:
        """The class. Errors: those of `registration`; ConfigError naming what was not found; MissingExtra naming the
        extra to install."""
        registration = self.registration(name)
        try:
            return find(registration.path)
        except ModuleNotFoundError as error:
            if registration.extra:
                need = f"pip install -e '.[{registration.extra}]'"
                raise MissingExtra(f"{self.kind} {name!r} needs {error.name}: {need}") from None
            raise ConfigError(f"{self.kind} {name!r}: {error}") from None
        except ConfigError as error:
            raise ConfigError(f"{self.kind} {name!r}: {error}") from None
