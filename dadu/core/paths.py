"""Where the files that come with the project lie: houses, configuration, prompts."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def shared(*parts: str) -> Path:
    """The file or folder ``maps/...`` or ``config/...`` of the project: from a checkout, from a ROS workspace's
    ``share/dadu``, or from the virtual environment's. Returns the checkout's path when none exists."""
    roots = [
        Path(__file__).resolve().parents[2],
        *(Path(p) / "share" / "dadu" for p in os.environ.get("AMENT_PREFIX_PATH", "").split(os.pathsep) if p),
        Path(sys.prefix) / "share" / "dadu",
    ]
    found = (root.joinpath(*parts) for root in roots if root.joinpath(*parts).exists())
    return next(found, roots[0].joinpath(*parts))


def cached(name: str) -> Path:
    """``dadu/NAME`` in the user's folder for what can be computed again. Nothing is made."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "dadu" / name


def kept(name: str) -> Path:
    """``dadu/NAME`` in the user's folder for what cannot be computed again. Nothing is made."""
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "dadu" / name
