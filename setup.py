"""What pyproject.toml cannot say: the package directory of the nodes, and the files that a ROS install shares."""

from pathlib import Path

from setuptools import find_packages, setup

NAME = "dadu"
SHARED = ("config", "maps", "launch")


def shared_files():
    """``share/dadu`` mirrors the checkout's data directories; `dadu.resources` looks there."""
    yield "share/ament_index/resource_index/packages", ["resource/dadu"]
    yield f"share/{NAME}", ["package.xml"]
    for top in SHARED:
        for directory in [Path(top), *(p for p in Path(top).rglob("*") if p.is_dir())]:
            files = [str(f) for f in sorted(directory.iterdir()) if f.is_file()]
            if files:
                yield f"share/{NAME}/{directory.as_posix()}", files


setup(
    name=NAME,
    packages=find_packages(include=["dadu", "dadu.*"])
    + ["dadu_nodes", *(f"dadu_nodes.{p}" for p in find_packages("nodes"))],
    package_dir={"dadu_nodes": "nodes"},
    package_data={"dadu": ["**/*.yaml", "**/*.html", "**/*.xml", "**/*.json", "**/*.js", "**/*.css"]},
    data_files=list(shared_files()),
)
