"""The virtual environment."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from steps import ask, run

_PIP = 24  # the resolver of older ones may search for an hour
_WHO = "import sys; print(sys.version_info[:2], sys.prefix)"


def create(venv: Path, with_system_packages: bool) -> Path:
    """The environment's interpreter; made anew where there is none, or one of another Python or place."""
    python = venv / "bin" / "python"
    options = ["--system-site-packages"] if with_system_packages else []
    if not _usable(venv, python, with_system_packages):
        run(f"virtual environment with {sys.executable}", [base(), "-m", "venv", "--clear", *options, venv])
    if int(ask(python, "import pip; print(pip.__version__.split('.')[0])") or "0") < _PIP:
        run("pip", [python, "-m", "pip", "install", "--upgrade", f"pip>={_PIP}"])
    forget_half_installed(venv)
    return python


def forget_half_installed(venv: Path) -> None:
    """Lets pip install again what it was installing when it was interrupted: it writes RECORD last, but never looks."""
    for metadata in venv.glob("lib/python*/site-packages/*.dist-info"):
        if not (metadata / "RECORD").is_file():
            shutil.rmtree(metadata)


def base() -> str:
    """The interpreter that a venv is made with, also when this script runs in the old one."""
    return getattr(sys, "_base_executable", None) or sys.executable


def _usable(venv: Path, python: Path, with_system_packages: bool) -> bool:
    if not python.exists() or ask(python, _WHO) != f"{sys.version_info[:2]} {venv}":
        return False
    wants = f"include-system-site-packages = {str(with_system_packages).lower()}"
    return os.access(venv / "bin" / "pip", os.X_OK) and wants in (venv / "pyvenv.cfg").read_text()
