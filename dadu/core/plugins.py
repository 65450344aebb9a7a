"""Classes that are named in a configuration rather than imported: what a registry or a user says where to find."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from dadu.core.errors import ConfigError


def is_path(name: str) -> bool:
    """True if `name` says where to look, as `find` takes it."""
    return all(name.rpartition(":"))


def find(path: str) -> Any:
    """What ``package.module:NAME`` or ``FILE.py:NAME`` names.

    Errors: ConfigError where there is no such file or no such name in it; ModuleNotFoundError, also for what the module
    itself imports.
    """
    where, _, attribute = path.rpartition(":")
    try:
        module = _module(where)
    except FileNotFoundError as error:
        raise ConfigError(str(error)) from None
    if not hasattr(module, attribute):
        raise ConfigError(f"no {attribute!r} in {where}")
    return getattr(module, attribute)


def _module(where: str) -> ModuleType:
    """The module of that name, or at a file's path: such a file need not lie where Python looks for modules."""
    if not where.endswith(".py"):
        return import_module(where)
    found = spec_from_file_location(f"plugin_{Path(where).stem}", where)
    if found is None or found.loader is None:
        raise ConfigError(f"{where}: no Python file")
    module = module_from_spec(found)
    sys.modules[found.name] = module  # dataclasses look their module up
    found.loader.exec_module(module)
    return module
