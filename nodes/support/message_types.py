"""Message classes and package directories by name."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from pathlib import Path


def message_class(name: str) -> type:
    """The class of ``PKG/msg/NAME`` or ``PKG/action/NAME_FeedbackMessage``. Errors: LookupError."""
    package, kind, leaf = name.split("/")
    try:
        module = import_module(f"{package}.{kind}")
        if kind != "action":
            return getattr(module, leaf)
        action, _, part = leaf.partition("_")
        return getattr(getattr(module, action).Impl, part)
    except (ImportError, AttributeError):
        raise LookupError(f"message type {name} is not installed") from None


def share_directory(package: str) -> Path:
    """``share/PACKAGE`` in the sourced ROS distribution, else in this virtual environment, where the wheels put it.

    Errors: LookupError.
    """
    prefixes = [p for p in os.environ.get("AMENT_PREFIX_PATH", "").split(os.pathsep) if p]
    for prefix in (*prefixes, sys.prefix):
        path = Path(prefix) / "share" / package
        if path.is_dir():
            return path
    raise LookupError(f"package {package} is not installed")
