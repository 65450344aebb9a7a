"""Random surface patterns: bright pictures, so that the colour beneath still shows."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.ndimage import gaussian_filter

SIZE = 128
"""edge [px]; periodic"""
LABEL = 96
"""edge of one side of a label [px]"""


def pattern(rng: np.random.Generator) -> np.ndarray:
    """uint8 (SIZE, SIZE, 3), periodic, brighter than half on the whole."""
    draw = _DRAWN[int(rng.integers(len(_DRAWN)))]
    figure = draw(rng)[..., None]
    first, second = (np.clip(rng.uniform(low, 1.0) + rng.normal(0, 0.05, 3), 0, 1) for low in (0.75, 0.3))
    picture = figure * first + (1 - figure) * second
    picture += rng.normal(0, rng.uniform(0, 0.05), (SIZE, SIZE, 1))
    return (np.clip(picture, 0, 1) * 255).astype(np.uint8)


def label(rng: np.random.Generator) -> np.ndarray:
    """uint8 (6 * LABEL, LABEL, 3), the sides of a cube one below the other: what is printed on a package, in colours of
    its own, about a picture of one side; where nothing is, the package's colour shows."""
    sides, ground = [], rng.random(3)
    whole = rng.random() < 0.5
    for _ in range(6):
        side, figure = np.ones((LABEL, LABEL, 3)), _print(rng)[:LABEL, :LABEL, None]
        top, left = (0, 0) if whole else rng.integers(0, LABEL // 3, 2)
        bottom, right = (LABEL, LABEL) if whole else rng.integers(LABEL // 2, LABEL + 1, 2)
        side[top:bottom, left:right] = (figure * ground + (1 - figure) * rng.random(3))[top:bottom, left:right]
        row, column, radius = rng.uniform(0.2, 0.8), rng.uniform(0.2, 0.8), rng.uniform(0.08, 0.35)
        rows, columns = (v[:LABEL, :LABEL] * SIZE / LABEL for v in _grid())
        side[np.hypot((rows - row) * rng.uniform(0.5, 2), columns - column) < radius] = rng.random(3)
        sides.append(side)
    return (np.concatenate(sides) * 255).astype(np.uint8)


def _grid() -> tuple[np.ndarray, np.ndarray]:
    """Rows and columns (SIZE, SIZE), 0 to 1, unitless."""
    rows, columns = np.mgrid[:SIZE, :SIZE] / SIZE
    return rows, columns


def _stripes(rng: np.random.Generator) -> np.ndarray:
    rows, columns = _grid()
    phase = rng.integers(0, 5) * rows + rng.integers(1, 8) * columns
    return (np.mod(phase, 1) < rng.uniform(0.3, 0.8)).astype(float)


def _checks(rng: np.random.Generator) -> np.ndarray:
    count = int(rng.integers(1, 6))
    rows, columns = _grid()
    return ((np.floor(rows * 2 * count) + np.floor(columns * 2 * count)) % 2).astype(float)


def _dots(rng: np.random.Generator) -> np.ndarray:
    count, radius = int(rng.integers(2, 8)), rng.uniform(0.15, 0.4)
    rows, columns = (np.mod(v * count, 1) - 0.5 for v in _grid())
    return (np.hypot(rows, columns) > radius).astype(float)


def _bricks(rng: np.random.Generator) -> np.ndarray:
    count, joint = 2 * int(rng.integers(1, 5)), rng.uniform(0.04, 0.12)
    rows, columns = _grid()
    row = np.floor(rows * count)
    across = np.mod(columns * count / 2 + 0.5 * (row % 2), 1)
    return ((np.mod(rows * count, 1) > joint) & (across > joint / 2)).astype(float)


def _clouds(rng: np.random.Generator) -> np.ndarray:
    """From marble to wood: noise, drawn out along one direction or not."""
    sigma = rng.uniform(1, 12, 2)
    noise = gaussian_filter(rng.standard_normal((SIZE, SIZE)), sigma, mode="wrap")
    noise /= noise.std()
    return np.clip(0.6 + rng.uniform(0.15, 0.4) * noise, 0, 1)


def _blotches(rng: np.random.Generator) -> np.ndarray:
    noise = gaussian_filter(rng.standard_normal((SIZE, SIZE)), rng.uniform(3, 10), mode="wrap")
    return (noise < np.quantile(noise, rng.uniform(0.5, 0.9))).astype(float)


def _print(rng: np.random.Generator) -> np.ndarray:
    """Lines as of writing, and a block of colour: packages and covers."""
    figure = np.ones((SIZE, SIZE))
    for row in range(8, SIZE - 8, int(rng.integers(8, 16))):
        for column in range(6, SIZE - 6, 6):
            if rng.random() < 0.6:
                figure[row:row + 3, column:column + int(rng.integers(2, 6))] = 0
    row, column, height, width = rng.integers(8, SIZE // 2, 4)
    figure[row:row + height, column:column + width] = rng.uniform(0, 0.7)
    return figure


_DRAWN: tuple[Callable[[np.random.Generator], np.ndarray], ...] = (
    _stripes, _checks, _dots, _bricks, _clouds, _clouds, _clouds, _blotches, _print)
