"""The directory of one run: ``runs/<time>``, with everything that came of it."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from dadu.bringup.arguments import Arguments
from dadu.core.config import save
from dadu.house.files import load_house, save_house

ARGUMENTS, REPORT_FILE, HOUSE = "arguments.yaml", "ledger.yaml", "run.house.yaml"
"""files of a run: launch arguments as resolved, what the robot was told, and the house it was in"""
CONSOLE = "console.url"
"""another: where the operator's page is, left by who serves it"""


def note_start(arguments: Arguments, run_dir: Path) -> None:
    """Keeps with the run what it was started with. Errors: ConfigError where the house cannot be read."""
    save(arguments, run_dir / ARGUMENTS)
    save(arguments.privilege_report, run_dir / REPORT_FILE)
    save_house(load_house(arguments.house), run_dir / HOUSE)


def make_run_directory(given: str | Path = "", runs: Path = Path("runs")) -> Path:
    """`given`, or a new one under `runs`, to which ``runs/latest`` then points. Absolute; created when missing."""
    if given:
        directory = Path(given).absolute()
        directory.mkdir(parents=True, exist_ok=True)
        return directory
    directory = new_directory(runs.absolute(), datetime.now().strftime("%Y-%m-%d_%H-%M-%S"))
    latest = directory.parent / "latest"
    if latest.is_symlink():
        latest.unlink()
    if not latest.exists():
        latest.symlink_to(directory.name)
    return directory


def new_directory(runs: Path, name: str) -> Path:
    """`name` in `runs`, or `name`-1...: two runs started in the same second get different directories."""
    serial = 0
    while True:
        directory = runs / (f"{name}-{serial}" if serial else name)
        try:
            directory.mkdir(parents=True)
            return directory
        except FileExistsError:
            serial += 1
