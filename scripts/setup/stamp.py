"""Tells that something changed since the last set-up that ran to its end."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator
from pathlib import Path

_NAME = "dadu-setup.stamp"
_WATCHED = (
    "pyproject.toml", "setup.py", "setup.cfg", "package.xml", "Makefile", "scripts", "msg", "ros2_ws/src", "launch",
)  # fmt: skip


def unchanged(root: Path, venv: Path, distribution: str | None) -> bool:
    mark = venv / _NAME
    python = venv / "bin" / "python"
    return mark.is_file() and python.exists() and mark.read_text() == _digest(root, venv, distribution)


def write(root: Path, venv: Path, distribution: str | None) -> None:
    (venv / _NAME).write_text(_digest(root, venv, distribution))


def _digest(root: Path, venv: Path, distribution: str | None) -> str:
    """Hash of what the set-up reads: files, place, Python and ROS."""
    digest = hashlib.sha256(f"{venv} {sys.version_info[:3]} {distribution}".encode())
    for path in sorted(_files(root)):
        digest.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def _files(root: Path) -> Iterator[Path]:
    for name in _WATCHED:
        start = root / name
        candidates = start.rglob("*") if start.is_dir() else [start]
        yield from (p for p in candidates if p.is_file() and "__pycache__" not in p.parts)
