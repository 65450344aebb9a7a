"""What the starter of a run knows and no topic says; kept as ``run.yaml`` in the run's directory."""

from __future__ import annotations

import os
import platform
import subprocess
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import psutil

from dadu.bringup.run_directory import ARGUMENTS, HOUSE, REPORT_FILE
from dadu.core.config import Settings, load, read_yaml, save
from dadu.core.privilege_report import PrivilegeReport
from dadu.house.files import load_house
from dadu.house.format import House

FILE = "run.yaml"

_PACKAGES = ("dadu", "mujoco", "pin", "ros-rclpy", "numpy", "scipy", "pyastar2d", "opencv-python-headless", "rosbags")


class RunInfo(Settings):
    """How the run was started."""

    command: str
    """that repeats it"""
    started: str
    """local time, ISO 8601"""
    ready_seconds: float | None = None
    """wall time from the start until every node was ready"""
    goal: dict[str, Any] | None = None
    """what ground truth must confirm, in a suite's format; None: the planner's reading of the instruction"""


def write_run_info(run_dir: Path, info: RunInfo) -> None:
    save(info, run_dir / FILE)


def read_run_info(run_dir: Path) -> RunInfo | None:
    """None where nobody wrote one. Errors: ConfigError."""
    return load(RunInfo, run_dir / FILE) if (run_dir / FILE).exists() else None


def read_arguments(run_dir: Path) -> dict[str, Any]:
    """The resolved launch arguments that bring-up left; empty where it did not. Errors: ConfigError."""
    path = run_dir / ARGUMENTS
    return read_yaml(path) if path.exists() else {}


def read_privilege_report(run_dir: Path) -> PrivilegeReport | None:
    """What the robot was told and was privileged to; None where nobody wrote it down. Errors: ConfigError."""
    path = run_dir / REPORT_FILE
    return load(PrivilegeReport, path) if path.exists() else None


def read_house(run_dir: Path, name: str) -> House:
    """The house that the run was in, as it was then; where nobody kept it, the one that is called `name` now. Errors:
    ConfigError where there is none."""
    kept = run_dir / HOUSE
    return load_house(kept if kept.exists() else name)


def versions() -> dict[str, str]:
    """Name to version of what matters; a package that is not installed is left out."""
    found = {"python": platform.python_version()}
    for name in _PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    commit = _commit()
    return {**found, "commit": commit} if commit else found


def machine() -> str:
    """One line."""
    memory = psutil.virtual_memory().total / 2**30
    return f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores, {memory:.0f} GiB"


def _commit() -> str:
    """Of the checkout that runs; empty where it is none."""
    here = Path(__file__).resolve().parent
    try:
        done = subprocess.run(["git", "-C", str(here), "describe", "--always", "--dirty", "--abbrev=10"],
                              capture_output=True, text=True, timeout=5)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip()
