"""A sourced ROS 2 distribution, used in the place of the wheels."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from steps import SetupError, ask, note, run


def sourced() -> str | None:
    """The name of the ROS 2 distribution whose setup file was sourced, or None.

    Errors: SetupError when it belongs to another Python than this.
    """
    name = os.environ.get("ROS_DISTRO")
    if not name or not os.environ.get("AMENT_PREFIX_PATH"):
        return None
    if ask(sys.executable, "import rclpy") is None:
        raise SetupError(
            f"ROS 2 {name} is sourced, but {sys.executable} cannot import its rclpy; set PYTHON to the Python that "
            f"{name} was built for, or use a shell where it is not sourced"
        )
    return name


def pip_environment(venv: Path, distribution: str | None) -> dict[str, str]:
    """Keeps NumPy at the version that the distribution's messages were compiled for."""
    numpy = ask(sys.executable, "import numpy; print(numpy.__version__)") if distribution else None
    if numpy is None:
        return dict(os.environ)
    constraints = venv / "constraints.txt"
    constraints.write_text(f"numpy=={numpy}\n")
    return {**os.environ, "PIP_CONSTRAINT": str(constraints)}


def colcon_build(root: Path, python: Path) -> None:
    """Builds ros2_ws on top of the distribution, or says how to."""
    if shutil.which("colcon") is None:
        note("colcon is not installed; get it (sudo apt-get install python3-colcon-common-extensions), then:\n"
             "  . .venv/bin/activate && cd ros2_ws && colcon build --symlink-install && . install/setup.sh")
        return
    venv = python.parent.parent
    env = {**os.environ, "VIRTUAL_ENV": str(venv), "PATH": f"{python.parent}{os.pathsep}{os.environ['PATH']}"}
    workspace = root / "ros2_ws"
    places = [f"--{name}-base={workspace / name}" for name in ("build", "install")]
    run("ROS workspace", ["colcon", f"--log-base={workspace / 'log'}", "build", "--symlink-install",
                          f"--base-paths={workspace / 'src'}", *places], env)  # fmt: skip
