"""Makes the venv's prefix an ament install of the project, so that ``ros2 launch dadu`` and ``ros2 run dadu`` find it.

pip's editable install brings the modules and bin/; the rest of what colcon would install is linked to the checkout.
"""

from __future__ import annotations

import os
import shutil
from configparser import ConfigParser
from pathlib import Path

_SHARED = ("package.xml", "config", "maps", "models")


def register(root: Path, venv: Path) -> None:
    """Writes the ament index's marker, ``share/dadu`` and ``lib/dadu``, in place of earlier ones."""
    for old in (venv / "share/dadu", venv / "lib/dadu"):
        shutil.rmtree(old, ignore_errors=True)
    marker = venv / "share/ament_index/resource_index/packages/dadu"
    marker.parent.mkdir(parents=True, exist_ok=True)
    marker.touch()
    for name in _SHARED:
        _link(venv / "share/dadu" / name, root / name)
    for file in (root / "launch").glob("*.launch.py"):  # one by one: ros2 launch does not look behind linked folders
        _link(venv / "share/dadu/launch" / file.name, file)
    for name in _executables(venv):
        _link(venv / "lib/dadu" / name, venv / "bin" / name)


def _executables(venv: Path) -> list[str]:
    """Names of the console scripts that pip installed for the project."""
    (entry_points,) = venv.glob("lib/python*/site-packages/dadu-*.dist-info/entry_points.txt")
    parser = ConfigParser()
    parser.optionxform = str
    parser.read(entry_points)
    return list(parser["console_scripts"])


def _link(link: Path, target: Path) -> None:
    link.parent.mkdir(parents=True, exist_ok=True)
    link.symlink_to(os.path.relpath(target, link.parent))
