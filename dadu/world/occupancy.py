"""The occupancy map, in the conventions of nav_msgs/OccupancyGrid, and its files, in those of Nav2's map server."""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import yaml
from numpy.typing import ArrayLike
from PIL import Image, UnidentifiedImageError
from pydantic import Field, field_validator

from dadu.core.config import Settings, load
from dadu.core.errors import ConfigError

FREE = 0
OCCUPIED = 100
UNKNOWN = -1

_PIXELS = 64_000_000
"""of a map's picture"""

# Pixel values that Nav2's map_saver writes in trinary mode.
_PIXEL = {FREE: 254, OCCUPIED: 0, UNKNOWN: 205}


@dataclass(frozen=True)
class OccupancyMap:
    """A grid over the floor. Row 0 lies at the origin's y and rows grow with y, columns with x."""

    grid: np.ndarray
    """int8 (rows, cols): 0 free, 100 occupied, -1 unknown"""
    resolution: float
    """edge of a cell [m]"""
    origin: tuple[float, float] = (0.0, 0.0)
    """lower left corner of cell (0, 0) in map [m]"""

    def __post_init__(self) -> None:
        if self.grid.ndim != 2 or self.grid.dtype != np.int8 or 0 in self.grid.shape:
            raise ValueError(f"grid must be int8 (rows, cols), got {self.grid.dtype} {self.grid.shape}")
        if not self.resolution > 0:
            raise ValueError(f"resolution must be positive, got {self.resolution}")

    @classmethod
    def unknown(cls, low: ArrayLike, high: ArrayLike, resolution: float = 0.05) -> OccupancyMap:
        """A map of unknown cells that covers the rectangle from `low` to `high`, both (2,) [m]."""
        x, y = np.asarray(low, float)
        columns, rows = np.ceil((np.asarray(high, float) - (x, y)) / resolution - 1e-9).astype(int)
        return cls(np.full((rows, columns), UNKNOWN, np.int8), resolution, (float(x), float(y)))

    @property
    def shape(self) -> tuple[int, int]:
        """(rows, cols)"""
        rows, columns = self.grid.shape
        return rows, columns

    @property
    def extent(self) -> tuple[float, float, float, float]:
        """x_min, x_max, y_min, y_max [m], as matplotlib's imshow takes it with ``origin="lower"``."""
        x, y = self.origin
        rows, cols = self.grid.shape
        return x, x + cols * self.resolution, y, y + rows * self.resolution

    def cells(self, xy: ArrayLike) -> np.ndarray:
        """int (..., 2) row and column of points (..., 2) [m] in map; may lie outside the grid, see `contains`."""
        columns_rows = np.floor((np.asarray(xy, float) - self.origin) / self.resolution).astype(int)
        return columns_rows[..., ::-1]

    def centres(self, cells: ArrayLike) -> np.ndarray:
        """float64 (..., 2) map coordinates [m] of the centres of cells (..., 2), row and column."""
        return (np.asarray(cells)[..., ::-1] + 0.5) * self.resolution + self.origin

    def contains(self, cells: ArrayLike) -> np.ndarray:
        """bool (...): whether cells (..., 2), row and column, lie in the grid."""
        cells = np.asarray(cells, np.int64).view(np.uint64)  # negative ones become large: half the comparisons
        rows, columns = self.grid.shape
        return (cells[..., 0] < rows) & (cells[..., 1] < columns)  # four times as fast as np.all

    def at(self, xy: ArrayLike) -> np.ndarray:
        """int8 (...) values at points (..., 2) [m] in map; unknown outside the grid."""
        cells = self.cells(xy)
        rows, cols = self.grid.shape
        values = self.grid[cells[..., 0].clip(0, rows - 1), cells[..., 1].clip(0, cols - 1)]
        return np.where(self.contains(cells), values, np.int8(UNKNOWN))

    def save(self, path: str | Path) -> None:
        """Writes `path` (YAML) and a PGM of the same stem beside it, as Nav2's map_saver does."""
        path = Path(path)
        image = np.full(self.grid.shape, _PIXEL[UNKNOWN], np.uint8)
        image[self.grid >= 65] = _PIXEL[OCCUPIED]
        image[(self.grid >= 0) & (self.grid <= 25)] = _PIXEL[FREE]
        Image.fromarray(image[::-1]).save(path.with_suffix(".pgm"))
        spec = MapFile(image=path.with_suffix(".pgm").name, resolution=self.resolution, origin=(*self.origin, 0.0))
        path.write_text(yaml.safe_dump(spec.model_dump(mode="json"), sort_keys=False))

    @classmethod
    def load(cls, path: str | Path) -> OccupancyMap:
        """Reads a map of Nav2's map server: YAML and the picture it names, trinary mode.

        Errors: ConfigError naming file and field.
        """
        spec = load(MapFile, path)
        file = Path(path).parent / spec.image
        pixels = _gray(file, f"{path}: image: {file}")
        occupancy = pixels[::-1] / 255 if spec.negate else 1 - pixels[::-1] / 255
        grid = np.full(occupancy.shape, UNKNOWN, np.int8)
        grid[occupancy > spec.occupied_thresh] = OCCUPIED
        grid[occupancy < spec.free_thresh] = FREE
        return cls(grid, spec.resolution, spec.origin[:2])


def _gray(file: Path, what: str) -> np.ndarray:
    """float (rows, columns) of a picture, 0 to 255. Errors: ConfigError beginning with `what`."""
    try:
        with Image.open(file) as image:
            if image.width * image.height > _PIXELS:
                raise ConfigError(f"{what} has {image.width} x {image.height} pixels; {_PIXELS:,} are handled at most")
            if image.mode.startswith("I"):  # 16 bits: convert would cut them off at 255, so that grey becomes white
                return np.asarray(image, float) * (255 / 65535)
            return np.asarray(image.convert("L"), float)
    except FileNotFoundError:
        raise ConfigError(f"{what} does not exist") from None
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError, struct.error, zlib.error,
            Image.DecompressionBombError) as error:  # all of which Pillow raises for broken files
        raise ConfigError(f"{what} is no picture that can be read ({error})") from None


class MapFile(Settings):
    """The YAML of Nav2's map server."""

    image: str
    """relative to the YAML"""
    mode: str = "trinary"
    resolution: float = Field(ge=0.001, le=10.0)
    """[m] a cell"""
    origin: tuple[float, float, float]
    """x, y [m] of the lower left pixel's corner, yaw [rad]"""
    negate: bool = False
    occupied_thresh: float = Field(0.65, ge=0, le=1)
    free_thresh: float = Field(0.196, ge=0, le=1)
    """0.196 reads map_saver's 205 as unknown; Nav2's own default of 0.25 would read it as free"""

    @field_validator("origin")
    @classmethod
    def _upright(cls, origin: tuple[float, float, float]) -> tuple[float, float, float]:
        if abs(origin[2]) > 1e-6:
            raise ValueError("a map turned by a yaw is not supported; turn the picture instead")
        return origin

    @field_validator("mode")
    @classmethod
    def _trinary(cls, mode: str) -> str:
        if mode != "trinary":
            raise ValueError("only trinary maps are supported")
        return mode
