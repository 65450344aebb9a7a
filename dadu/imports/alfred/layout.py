"""iTHOR's rooms as ALFWorld and ALFRED keep them: where an agent gets to, what is there, where receptacles stand."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from dadu.core.errors import ConfigError
from dadu.imports.alfred.source import Spot, spot_of

CELL = 0.25
"""of the grid of places [m]"""


@dataclass(frozen=True)
class Receptacle:
    """Furniture that something can be put on or in."""

    spot: Spot
    front: tuple[float, float] | None
    """(x, z), of length 1: whence the agent looks at it, along one of the room's axes"""


@dataclass(frozen=True)
class Layout:
    """Of one scene."""

    name: str
    """``FloorPlan7``"""
    classes: frozenset[str]
    """of all that is there"""
    reachable: np.ndarray
    """(N, 2) x, z [m]"""
    receptacles: tuple[Receptacle, ...]


def read_layout(folder: Path, name: str) -> Layout:
    """``NAME-layout.npy``, ``NAME-objects.json`` and ``NAME-openable.json``. Errors: ConfigError naming a file."""
    grid = folder / f"{name}-layout.npy"
    try:
        reachable = np.load(grid, allow_pickle=False)
    except (OSError, ValueError) as error:
        raise ConfigError(f"{grid}: cannot be read: {error}") from None
    if reachable.ndim != 2 or reachable.shape[1] != 2 or not len(reachable) or not np.isfinite(reachable).all():
        raise ConfigError(f"{grid}: is no list of places x, z")
    found = _json(folder / f"{name}-openable.json")
    if not isinstance(found, dict):
        raise ConfigError(f"{folder / f'{name}-openable.json'}: is no table of receptacles")
    receptacles = [Receptacle(spot, _front(view)) for id, view in found.items() if (spot := spot_of(id)) is not None]
    return Layout(name, read_classes(folder, name), reachable.astype(float), tuple(receptacles))


def read_classes(folder: Path, name: str) -> frozenset[str]:
    """Of all that is in a scene, by ``NAME-objects.json``. Errors: ConfigError naming the file."""
    path = folder / f"{name}-objects.json"
    classes = _json(path)
    if not isinstance(classes, list) or not all(isinstance(one, str) for one in classes):
        raise ConfigError(f"{path}: is no list of classes")
    return frozenset(classes)


def _json(path: Path) -> Any:
    try:
        return json.loads(path.read_text())
    except (OSError, ValueError) as error:
        raise ConfigError(f"{path}: cannot be read as JSON: {error}") from None


def _front(view: Any) -> tuple[float, float] | None:
    """From x, z, turn and pitch [deg] of an agent that looks at it."""
    if not (isinstance(view, list) and len(view) == 4
            and all(isinstance(v, (int, float)) and math.isfinite(v) for v in view)):
        return None
    turn = math.radians(round(view[2] / 90) * 90)
    return -round(math.sin(turn), 6), -round(math.cos(turn), 6)
