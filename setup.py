"""What pyproject.toml cannot say: the package directory of the nodes, and the files that a ROS install shares."""

import os
import sys
from itertools import groupby
from pathlib import Path

from setuptools import find_packages, setup

NAME = "dadu"
SHARED = ("config", "maps", "launch", "models")


def shared_files():
    """``share/dadu`` mirrors the checkout's data directories; `dadu.core.paths` looks there."""
    yield "share/ament_index/resource_index/packages", ["resource/dadu"]
    yield f"share/{NAME}", ["package.xml", "pyproject.toml", "README.md"]  # colcon's build sees only what is named here
    files = sorted(f for top in SHARED for f in Path(top).rglob("*") if f.is_file())
    for directory, group in groupby(files, key=lambda f: f.parent.as_posix()):
        yield f"share/{NAME}/{directory}", [str(f) for f in group]


if "VIRTUAL_ENV" in os.environ:
    # Run by colcon, this is the system's Python; executables need the one that has the libraries.
    sys.executable = os.path.join(os.environ["VIRTUAL_ENV"], "bin", "python")

setup(
    name=NAME,
    packages=find_packages(include=["dadu", "dadu.*"])
    + ["dadu_nodes", *(f"dadu_nodes.{p}" for p in find_packages("nodes"))],
    package_dir={"dadu_nodes": "nodes"},
    package_data={"dadu": ["py.typed", "**/*.yaml", "**/*.lark", "**/*.html", "**/*.xml", "**/*.json", "**/*.js",
                           "**/*.css"]},
    data_files=list(shared_files()),
    python_requires=">=3.10,<3.15",
)
