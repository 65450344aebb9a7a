"""Environment variables of the graph's processes."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

from jinja2 import Template

from dadu.bringup import dds_ports
from dadu.bringup.shared_memory import FOLDER, free_abandoned_memory
from dadu.core.paths import shared
from dadu.core.python_process import search_path

_SEGMENT, PICTURES = 4 * 2**20, 32 * 2**20
"""[byte] of shared memory that a process may fill with messages, and one that sends pictures: with less, they get lost.
All of it counts as the process's memory from the beginning."""
PICTURES_PROFILE = "DADU_DDS_PICTURES"
"""variable that names the DDS profile of processes that send pictures"""
_PROCESSES = 12
FAST_DDS = "rmw_fastrtps_cpp"
"""ROS's own default, and what its wheels bring"""


def environment(run_dir: Path, base: Mapping[str, str] = os.environ) -> dict[str, str]:
    """`base` with what the nodes need; variables the user set are kept. Where the middleware is Fast DDS, writes its
    profiles into `run_dir` and frees shared memory that it left behind; any other (Zenoh, Cyclone DDS) is left alone.
    """
    defaults = {
        "MUJOCO_GL": "egl",
        "OMP_NUM_THREADS": "1",  # ten processes share the cores already
        "OPENBLAS_NUM_THREADS": "1",
        "OPENCV_FOR_THREADS_NUM": "1",  # its threads wait for each other awake: half of what small pictures cost
        "RCUTILS_COLORIZED_OUTPUT": "0",
        "RMW_IMPLEMENTATION": FAST_DDS,
    }
    profiles = _fast_dds(run_dir, base) if uses_fast_dds(base) else {}
    ours = {"DADU_RUN_DIR": str(run_dir), "PYTHONUNBUFFERED": "1"}
    return {**defaults, **profiles, **base, **search_path(base=base), **_wheel_libraries(base), **ours}


def uses_fast_dds(base: Mapping[str, str] = os.environ) -> bool:
    """True if ROS's middleware is Fast DDS, as it is where nobody says otherwise."""
    return base.get("RMW_IMPLEMENTATION", FAST_DDS).startswith("rmw_fastrtps")


def _fast_dds(run_dir: Path, base: Mapping[str, str]) -> dict[str, str]:
    """Variables that name its profiles."""
    free_abandoned_memory()
    profile = str(write_dds_profile(run_dir / "fastdds.xml", segment_size()))
    profiles = {"FASTRTPS_DEFAULT_PROFILES_FILE": profile, "FASTDDS_DEFAULT_PROFILES_FILE": profile,
                **dds_ports.variables()}
    if not profiles.keys() & base.keys():
        wide = write_dds_profile(run_dir / "fastdds-pictures.xml", segment_size(PICTURES))
        profiles[PICTURES_PROFILE] = str(wide)
    return profiles


def send_pictures() -> None:
    """This process will: to be called before its first ROS node."""
    profile = os.environ.get(PICTURES_PROFILE)
    if profile is not None:
        os.environ.update(FASTRTPS_DEFAULT_PROFILES_FILE=profile, FASTDDS_DEFAULT_PROFILES_FILE=profile)


def write_dds_profile(target: Path, size: int) -> Path:
    """The Fast DDS profile with a shared memory segment of `size` [byte]; 0: none."""
    template = Template(shared("config", "fastdds.xml.j2").read_text())
    target.write_text(template.render(segment_size=size))
    return target


def segment_size(wanted: int = _SEGMENT) -> int:
    """[byte] of a process's shared memory segment; containers often have only 64 MiB for all. 0: none."""
    if not FOLDER.is_dir():
        return 0
    share = shutil.disk_usage(FOLDER).free // _PROCESSES
    return min(wanted, share) if share > 2**20 else 0


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
