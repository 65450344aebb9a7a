"""A Stretch that has other skills than its file says: all, for suites that measure what was understood, not what a
robot is made for."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import yaml

from dadu.core.paths import shared
from dadu.skills.table import SKILLS

HELPER = "helper"


def write_helper(folder: Path, capabilities: Iterable[str] = SKILLS) -> Path:
    """Its description, as a file of its own; returns where that is, absolute."""
    robots = shared("config", "robots")
    content = yaml.safe_load((robots / "stretch.yaml").read_text())
    content |= {"name": HELPER, "urdf": str((robots / "stretch.urdf").resolve()), "capabilities": list(capabilities)}
    path = (folder / f"{HELPER}.yaml").resolve()
    path.write_text(yaml.safe_dump(content, sort_keys=False, width=110, allow_unicode=True, default_flow_style=None))
    return path
