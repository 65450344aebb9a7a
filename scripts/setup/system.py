"""What the operating system must have: found out, and installed where there is the right to."""

from __future__ import annotations

import ctypes
import glob
import os
import shutil
import subprocess
import sys
import sysconfig
from importlib.util import find_spec
from pathlib import Path

from steps import SetupError, run


def missing(python: str) -> dict[str, tuple[str, ...]]:
    """What is not there: its description to the Debian packages that bring it."""
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    needs = {
        "the venv module of Python": (_has_venv(), (f"{version}-venv",)),
        "the Python headers": (_has_headers(), (f"{version}-dev",)),
        "a C and C++ compiler": (_has_compiler(), ("build-essential",)),
        "EGL, to render without a screen": (_has_egl(), ("libegl1", "libegl-mesa0", "libgl1", "libgl1-mesa-dri")),
    }
    return {what: packages for what, (there, packages) in needs.items() if not there}


def provide(lacking: dict[str, tuple[str, ...]]) -> None:
    """Installs what is lacking. Errors: SetupError naming all of it and the command that would bring it."""
    if not lacking:
        return
    packages = [package for group in lacking.values() for package in group]
    install = ["apt-get", "install", "-y", "--no-install-recommends", *packages]
    rights = _rights()
    if rights is None:
        how = f"run `sudo {' '.join(install)}`"
        raise SetupError(f"this machine lacks {' and '.join(lacking)}; {how}, then `make setup` again")
    if shutil.which("apt-get") is None:
        how = f"install what Debian calls {' '.join(packages)}"
        raise SetupError(f"this machine lacks {' and '.join(lacking)}; {how}, then `make setup` again")
    env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    run("list of system packages", [*rights, "apt-get", "update"], env)
    run(f"system packages {' '.join(packages)}", [*rights, *install], env)


def _rights() -> list[str] | None:
    """What to put before a command to run it as root; None without that right."""
    if os.geteuid() == 0:
        return []
    if shutil.which("sudo") and subprocess.run(["sudo", "-n", "true"], capture_output=True).returncode == 0:
        return ["sudo", "-n"]
    return None


def _has_venv() -> bool:
    return find_spec("venv") is not None and find_spec("ensurepip") is not None


def _has_headers() -> bool:
    return Path(sysconfig.get_path("include"), "Python.h").is_file()


def _has_compiler() -> bool:
    return all(any(map(shutil.which, names)) for names in (("cc", "gcc", "clang"), ("c++", "g++", "clang++")))


def _has_egl() -> bool:
    """The dispatcher and a vendor's library: Mesa with a driver, or NVIDIA's."""
    drivers = glob.glob("/usr/lib*/*/dri/*_dri.so") + glob.glob("/usr/lib*/*/libgallium*")
    vendor = (_loads("libEGL_mesa.so.0") and drivers) or _loads("libEGL_nvidia.so.0")
    return bool(vendor) and _loads("libEGL.so.1") and _loads("libGL.so.1")


def _loads(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True
