"""Suites made from a seed: any number of episodes in generated homes or in given ones, each shown to be feasible before
it is kept."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from dadu.core.config import parse
from dadu.core.errors import ConfigError, choices
from dadu.house.files import save_house
from dadu.tasks.generate import familiar, rearrange, together
from dadu.tasks.generate.homes import SuiteHome, generated_homes, given_homes
from dadu.tasks.prepare import house_of
from dadu.tasks.suite import HouseRef, Suite, parse_suite

Maker = Callable[[Iterable[SuiteHome], int, np.random.Generator], Iterator[dict[str, Any]]]

MAKERS: Mapping[str, tuple[str, dict[str, Any], int, Maker]] = {
    "rearrange": (rearrange.ABOUT, rearrange.DEFAULTS, 3, rearrange.episodes),
    "kept": (familiar.ABOUT, familiar.DEFAULTS, len(familiar.LEVELS), familiar.episodes),
    "together": (together.ABOUT, together.DEFAULTS, 4, together.episodes),
}
"""By name: what the suite is, its defaults, how many episodes a home has (making one takes longer than an episode in
it), and a stream of episodes"""


def generate_suite(name: str, count: int, seed: int = 0) -> Suite:
    """`count` episodes, the same for the same arguments, data and version. Errors: ConfigError naming the makers."""
    return parse_suite(suite_data(name, count, seed), f"{name}, generated")


def suite_data(name: str, count: int, seed: int = 0, files: Sequence[Path] = (), each: int | None = None
               ) -> dict[str, Any]:
    """As a suite file has it: in generated homes, or in those of house files.

    Errors: ConfigError naming the makers, or where files are none or too few.
    """
    if name not in MAKERS:
        raise ConfigError(f"no episodes of {name!r} can be generated; valid: {choices(MAKERS)}")
    about, defaults, usual, maker = MAKERS[name]
    sites = given_homes(files) if files else generated_homes(seed)
    episodes = list(islice(maker(sites, each or usual, np.random.default_rng([seed, len(name)])), count))
    if len(episodes) < count:
        raise ConfigError(f"{name}: {len(episodes)} episodes could be made in {len(files)} homes, {count} are wanted")
    return {"suite": name, "about": about, "defaults": defaults, "episodes": episodes}


def write_suite(data: dict[str, Any], path: Path) -> None:
    """Writes a suite, and its homes in ``homes/`` beside it: it stays what it is when the generator changes."""
    folder = path.parent / "homes"
    folder.mkdir(parents=True, exist_ok=True)
    for episode in data["episodes"]:
        house = house_of(parse(HouseRef, episode["house"], episode["id"]), "")
        episode["house"] = f"homes/{house.house}.house.yaml"
        save_house(house, folder / f"{house.house}.house.yaml")
    head = "# yaml-language-server: $schema=suite.schema.json\n"
    path.write_text(head + yaml.safe_dump(data, sort_keys=False, default_flow_style=None, width=150))
