"""Environment variables of the graph's processes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from jinja2 import Template

from dadu.core.paths import shared
from dadu.core.python_process import search_path

_SEGMENT = 32 * 2**20
"""[byte] of shared memory a process may fill with messages: with the default, pictures get lost"""
_PROCESSES = 12
_SHARED_MEMORY = Path("/dev/shm")


def environment(run_dir: Path, base: Mapping[str, str] = os.environ) -> dict[str, str]:
    """`base` with what the nodes need. Writes the DDS profile into `run_dir`; variables the user set are kept."""
    defaults = {
        "MUJOCO_GL": "egl",
        "OMP_NUM_THREADS": "1",  # ten processes share the cores already
        "OPENBLAS_NUM_THREADS": "1",
        "RCUTILS_COLORIZED_OUTPUT": "0",
        "RMW_IMPLEMENTATION": "rmw_fastrtps_cpp",
    }
    profile = str(write_dds_profile(run_dir))
    profiles = {"FASTRTPS_DEFAULT_PROFILES_FILE": profile, "FASTDDS_DEFAULT_PROFILES_FILE": profile}
    ours = {"DADU_RUN_DIR": str(run_dir), "PYTHONUNBUFFERED": "1"}
    return {**defaults, **profiles, **base, **search_path(base=base), **_wheel_libraries(base), **ours}


def write_dds_profile(run_dir: Path) -> Path:
    """The Fast DDS profile with a shared memory segment as large as the machine can give."""
    free_abandoned_memory()
    target = run_dir / "fastdds.xml"
    template = Template(shared("config", "fastdds.xml.j2").read_text())
    target.write_text(template.render(segment_size=segment_size()))
    return target


def free_abandoned_memory() -> None:
    """Frees the shared memory of processes that were killed; Fast DDS's own tool knows whose it was."""
    tool = shutil.which("fastdds", path=_joined(os.path.join(sys.prefix, "bin"), os.environ.get("PATH", "")))
    if tool is not None:
        subprocess.run([tool, "shm", "clean"], capture_output=True, timeout=30)


def segment_size() -> int:
    """[byte] of each process's shared memory segment; containers often have only 64 MiB for all. 0: none."""
    if not _SHARED_MEMORY.is_dir():
        return 0
    share = shutil.disk_usage(_SHARED_MEMORY).free // _PROCESSES
    return min(_SEGMENT, share) if share > 2**20 else 0


def _wheel_libraries(base: Mapping[str, str]) -> dict[str, str]:
    """Where ROS came as wheels: what a distribution's setup file would set. Without it every process starts twice."""
    site = Path(sys.prefix) / "lib" / f"python{sys.version_info.major}.{sys.version_info.minor}" / "site-packages"
    if not (site / "ros_wheels_bootstrapper").is_dir():
        return {}
    libraries = [str(Path(sys.prefix) / "lib"), *sorted(map(str, site.glob("ros_*.libs")))]
    return {
        "LD_LIBRARY_PATH": _joined(*libraries, base.get("LD_LIBRARY_PATH", "")),
        "AMENT_PREFIX_PATH": _joined(sys.prefix, base.get("AMENT_PREFIX_PATH", "")),
        "_ROS_WHEELS_BOOTSTRAP_COMPLETE": "1",
    }


def _joined(*paths: str) -> str:
    """A search path, each of its places once."""
    places = dict.fromkeys(place for path in paths for place in path.split(os.pathsep) if place)
    return os.pathsep.join(places)
