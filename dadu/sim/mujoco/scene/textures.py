"""Procedural surface looks: grey-scale pictures that a material's colour tints, drawn once per compilation."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial

import numpy as np
from scipy.ndimage import gaussian_filter

SIZE, SIDE = 256, 64
"""edge of a texture, and of one of a cube's sides [px]"""
TILE = 1.0
"""edge of one repetition on a surface [m]"""


def _noise(sigma: float | tuple[float, float], seed: int) -> np.ndarray:
    """Smooth periodic noise (SIZE, SIZE), standard deviation 1, blurred by `sigma` [px] (along rows and columns)."""
    noise = gaussian_filter(np.random.default_rng(seed).standard_normal((SIZE, SIZE)), sigma, mode="wrap")
    return noise / noise.std()


def _wood() -> np.ndarray:
    return 0.92 + 0.045 * _noise((1.0, 22), 1) + 0.02 * _noise((6, 40), 2)


def _planks() -> np.ndarray:
    """Boards of 12.5 cm with dark joints, ends staggered."""
    rows = np.arange(SIZE)
    tone = np.random.default_rng(5).uniform(0.84, 1.0, (8, 2))
    board = rows * 8 // SIZE
    shift = (board * 97) % SIZE
    along = (rows[None, :] + shift[:, None]) % SIZE
    picture = tone[board[:, None], along * 2 // SIZE] + 0.03 * _noise((0.8, 18), 6)
    picture[rows % (SIZE // 8) == 0] *= 0.78
    picture[along % (SIZE // 2) == 0] *= 0.78
    return picture


def _tiles() -> np.ndarray:
    """Square tiles of 25 cm with light joints."""
    rows = np.arange(SIZE)
    tone = np.random.default_rng(7).uniform(0.9, 0.97, (4, 4))
    picture = tone[(rows * 4 // SIZE)[:, None], (rows * 4 // SIZE)[None, :]] + 0.01 * _noise(2, 8)
    joint = rows % (SIZE // 4) < 3
    picture[joint] = 0.75
    picture[:, joint] = 0.75
    return picture


def _stains(seed: int, color: tuple[float, float, float]) -> np.ndarray:
    """Blotches and smears of what lets through `color`, on the six sides of a cube (6 * SIDE, SIDE, 3), one below the
    other."""
    rng = np.random.default_rng(seed)
    sides = []
    for _ in range(6):
        blotch, smear = (gaussian_filter(rng.standard_normal((SIDE, SIDE)), sigma, mode="wrap")
                         for sigma in (5.0, (2.0, 9.0)))
        thick = np.clip(3 * (blotch / blotch.std() - 0.6), 0, 1) + 0.5 * np.clip(smear / smear.std() - 0.5, 0, 1)
        sides.append(1 - np.clip(thick, 0, 1)[..., None] * (1 - np.array(color)))
    return np.concatenate(sides)


STAINED, GLOWING = ("stained", "stained_red", "stained_green"), "glowing"
"""of what is dirty, and of what shines"""
FINISHES: dict[str, Callable[[], np.ndarray] | None] = {
    "paint": None, "metal": None, "fabric": None, "wood": _wood, "planks": _planks, "tiles": _tiles, GLOWING: None,
    **{name: partial(_stains, seed, color) for name, seed, color in zip(
        STAINED, (11, 21, 31), ((0.42, 0.3, 0.18), (0.62, 0.2, 0.12), (0.36, 0.4, 0.22)))},
}
"""Looks that boxes, walls and floors may have; None: plain colour. Those of what is dirty are wrapped about a thing
like a cube."""


@cache
def picture(finish: str) -> np.ndarray | None:
    """uint8 (SIZE, SIZE, 3), periodic, or (6 * SIDE, SIDE, 3); None for a plain finish."""
    draw = FINISHES[finish]
    if draw is None:
        return None
    grey = (np.clip(draw(), 0, 1) * 255).astype(np.uint8)
    return np.repeat(grey[:, :, None], 3, axis=2) if grey.ndim == 2 else grey
