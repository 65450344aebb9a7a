"""House files ``maps/NAME.house.yaml``: reading, checking, writing, finding them by name."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml

from dadu.core.config import parse, read_yaml
from dadu.core.errors import ConfigError, choices
from dadu.core.paths import shared
from dadu.house.check import problems
from dadu.house.format import House

__all__ = ["House", "house_names", "house_path", "load_house", "parse_house", "save_house"]

SUFFIX = ".house.yaml"


def parse_house(data: Any, source: str) -> House:
    """A checked house from the content of its YAML file.

    Errors: ConfigError, one line a problem, each naming `source`, the field and the valid choices.
    """
    house = parse(House, data, source)
    found = problems(house)
    if found:
        raise ConfigError("\n".join(f"{source}: {problem}" for problem in found))
    return house


def load_house(name_or_path: str | Path, start: Sequence[float] = ()) -> House:
    """Reads ``maps/NAME.house.yaml``, or the file at a path. `start` (x, y [m], yaw [rad] in map): where the robot
    begins, in place of what the file says. Errors: ConfigError."""
    path = house_path(name_or_path)
    data = read_yaml(path)
    return parse_house({**data, "robot": {"pose": list(start)}} if start else data, str(path))


def house_path(name_or_path: str | Path) -> Path:
    """The file that a name or path means. Errors: ConfigError naming the houses there are."""
    path = Path(name_or_path)
    if path.suffix in (".yaml", ".yml") or path.exists() and path.is_file():
        return path
    named = shared("maps") / f"{name_or_path}{SUFFIX}"
    if not named.exists():
        raise ConfigError(f"no house called {str(name_or_path)!r}; valid: {choices(house_names())}, or a path")
    return named


def house_names() -> list[str]:
    """Names of the houses in ``maps/``."""
    return sorted(p.name.removesuffix(SUFFIX) for p in shared("maps").glob(f"*{SUFFIX}"))


def save_house(house: House, path: str | Path) -> None:
    """Writes a house file that `load_house` reads back to an equal house."""
    data = house.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    Path(path).write_text(yaml.safe_dump(data, sort_keys=False, default_flow_style=None, width=120))
