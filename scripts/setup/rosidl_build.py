"""Compiles interface packages in one CMake project, ``cmake/CMakeLists.txt``, and tells how far it is."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

from steps import lines

PROJECT = Path(__file__).resolve().parent / "cmake"
_STEP = re.compile(r"\[(\d+)/(\d+)\] (.*)")
_FAILURE = re.compile(r"FAILED: |CMake Error")


def build(packages: Sequence[Path], build_dir: Path, prefix: Path, recipe: str) -> None:
    """Compiles `packages`, which do not need one another, side by side, and installs them when all are compiled.

    What an interrupted build has compiled stays in `build_dir`, and is used if the `recipe` is the same.
    Errors: SystemExit with a sentence; what the tools said is on standard output.
    """
    clear_unless_of(recipe, build_dir)
    names = [package.name for package in packages]
    run_tool("configuring", [
        "cmake", "-S", str(PROJECT), "-B", str(build_dir), "-G", "Ninja", f"-DPACKAGES={';'.join(map(str, packages))}",
        f"-DCMAKE_INSTALL_PREFIX={prefix}", f"-DPython3_EXECUTABLE={sys.executable}",
    ], names)  # fmt: skip
    run_tool("compiling", ["cmake", "--build", str(build_dir)], names, Progress(names).rewrite)
    for name in names:
        remove(name, prefix)
    run_tool("installing", ["cmake", "--install", str(build_dir)], names)


def remove(package: str, prefix: Path) -> None:
    """Deletes what an earlier build installed, so that a message that is gone does not stay importable."""
    site_packages = "lib/python*/site-packages"
    for pattern in (f"share/{package}", f"include/{package}", f"{site_packages}/{package}",
                    f"{site_packages}/{package}-*.egg-info"):  # fmt: skip
        for folder in prefix.glob(pattern):
            shutil.rmtree(folder)
    for library in prefix.glob(f"lib/lib{package}__*"):
        library.unlink()


class Progress:
    """Rewrites ninja's status lines so that they say which package is compiled and how much of everything is done."""

    def __init__(self, packages: Sequence[str]) -> None:
        self._count = len(packages)
        self._named = _naming(packages)
        self._finished: set[str] = set()
        self._current = packages[0]

    def rewrite(self, line: str) -> str:
        """`line`, or the sentence in the place of a status line."""
        status = _STEP.match(line)
        if status is None:
            return line
        step, steps, what = status.groups()
        if named := self._named.search(what):
            self._current = named[1]
            if what.startswith("Linking C shared module"):  # what Python imports, the last file of a package
                self._finished.add(named[1])
        return f"{len(self._finished)} of {self._count} packages, {step} of {steps} steps, at {self._current}"


def clear_unless_of(recipe: str, build_dir: Path) -> None:
    """Empties a directory that was built in with other tools: CMake's cache in it would mislead."""
    mark = build_dir / "recipe"
    if mark.is_file() and mark.read_text() == recipe:
        return
    shutil.rmtree(build_dir, ignore_errors=True)
    build_dir.mkdir(parents=True)
    mark.write_text(recipe)


def run_tool(what: str, command: Sequence[str], packages: Sequence[str], rewrite: Callable[[str], str] = str) -> None:
    """Prints what `command` says, through `rewrite`. Errors: SystemExit naming the package that it failed at."""
    named, failed, culprit = _naming(packages), False, "the interface packages"
    try:
        with closing(lines(command, environment())) as said:
            for line in said:
                failed = failed or bool(_FAILURE.match(line))
                if failed and culprit not in packages and (match := named.search(line)):
                    culprit = match[1]
                print(rewrite(line), flush=True)
    except subprocess.CalledProcessError:
        sys.exit(f"error: {what} {culprit} failed")


def _naming(packages: Sequence[str]) -> re.Pattern[str]:
    """Finds which of `packages` a line is about: by a path in it."""
    return re.compile(rf"\b({'|'.join(packages)})/")


def environment() -> dict[str, str]:
    """The variables that a sourced ROS setup file would set, for the venv this script runs in."""
    venv = Path(sys.prefix)
    overlaid = {
        "PATH": f"{venv / 'bin'}",
        "AMENT_PREFIX_PATH": f"{venv}",
        "CMAKE_PREFIX_PATH": f"{venv}",
        "LD_LIBRARY_PATH": f"{venv / 'lib'}",
    }
    merged = {name: os.pathsep.join(filter(None, (value, os.environ.get(name)))) for name, value in overlaid.items()}
    return {**os.environ, **merged, "ROS_VERSION": "2"}
