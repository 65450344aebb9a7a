"""Suites made from a seed: any number of episodes in generated homes, each shown to be feasible before it is kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from dadu.core.errors import ConfigError, choices
from dadu.house.files import save_house
from dadu.tasks.generate import familiar, homes, rearrange, together
from dadu.tasks.suite import Suite, parse_suite

Maker = Callable[[int, np.random.Generator], Iterator[dict[str, Any]]]

MAKERS: Mapping[str, tuple[str, dict[str, Any], Maker]] = {
    "rearrange": (rearrange.ABOUT, rearrange.DEFAULTS, rearrange.episodes),
    "kept": (familiar.ABOUT, familiar.DEFAULTS, familiar.episodes),
    "together": (together.ABOUT, together.DEFAULTS, together.episodes),
}
"""By name: what the suite is, its defaults, and an endless stream of episodes"""


def generate_suite(name: str, count: int, seed: int = 0) -> Suite:
    """`count` episodes, the same for the same arguments, data and version. Errors: ConfigError naming the makers."""
    return parse_suite(suite_data(name, count, seed), f"{name}, generated")


def suite_data(name: str, count: int, seed: int = 0) -> dict[str, Any]:
    """As a suite file has it."""
    if name not in MAKERS:
        raise ConfigError(f"no episodes of {name!r} can be generated; valid: {choices(MAKERS)}")
    about, defaults, maker = MAKERS[name]
    stream = maker(seed, np.random.default_rng([seed, len(name)]))
    return {"suite": name, "about": about, "defaults": defaults, "episodes": [next(stream) for _ in range(count)]}


def write_suite(name: str, count: int, seed: int, path: Path) -> None:
    """Writes the suite, and its homes in ``homes/`` beside it: it stays what it is when the generator changes."""
    data = suite_data(name, count, seed)
    folder = path.parent / "homes"
    folder.mkdir(parents=True, exist_ok=True)
    for episode in data["episodes"]:
        house = homes.home(episode["house"]["seed"])
        episode["house"] = f"homes/{house.house}.house.yaml"
        save_house(house, folder / f"{house.house}.house.yaml")
    head = "# yaml-language-server: $schema=suite.schema.json\n"
    path.write_text(head + yaml.safe_dump(data, sort_keys=False, default_flow_style=None, width=150))
