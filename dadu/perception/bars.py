"""Handles by depth: where a bar stands off an upright face of furniture, a door or drawer can be pulled.

Nothing is known of the piece but its mask. The face is the plane that most upright surface lies in; a bar is a long,
thin patch of the mask that stands off that plane by a hand's breadth less than an arm or another thing would.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from pydantic import PositiveFloat, PositiveInt
from scipy import ndimage

from dadu.core.config import Settings, Share
from dadu.core.geometry import apply, vector3
from dadu.core.robot import CameraFrame
from dadu.knowledge.house_words import DetectorVocabulary
from dadu.perception.detector import Segmentation
from dadu.world.bars import HandleBar


class BarSettings(Settings):
    """Defaults suit a 640x480 RGB-D camera and bars for fingers to go round."""

    range: tuple[float, float] = (0.3, 3.5)
    """depth in which bars are looked for [m]"""
    spacing: PositiveFloat = 0.006
    """between the points that are looked at, where the picture is finer [m]"""
    flat: PositiveFloat = 0.015
    """points this near to a plane are of it [m]"""
    off: tuple[float, float] = (0.025, 0.09)
    """how far a bar stands off its face: less is a panel's edge, more is another thing [m]"""
    length: PositiveFloat = 0.09
    """of a bar, at least [m]"""
    thickness: PositiveFloat = 0.05
    """of a bar, at most, and at most 0.4 of its length [m]"""
    pixels: PositiveInt = 15
    """that make a bar, of those looked at"""
    face: Share = 0.15
    """of a mask's points, at least, that make a face"""


_COARSE = 3
"""every so manieth point, either way, is enough for a plane"""
_FEWEST = 100
"""points that are worth a look"""
_MOST = 2
"""pieces of furniture that are looked at in one picture"""
_OVER = 0.04
"""across which a surface's slope is measured [m]"""
_STEEP = 0.3
"""greatest upright component of an upright surface's unit normal"""
_BIN, _BINS, _APART = np.radians(4.0), 90, np.radians(50.0)
"""of headings of faces, and how many there are; between two faces of one piece"""
_FACES = 2
"""of a piece that one picture shows"""
_THICK = 0.02
"""of a bar: its middle lies half of it behind what is seen of it [m]"""
_HOLE = 0.08
"""without a reading that a bar goes on behind [m]"""
_AROUND = 0.5
"""share of the points about a bar that are of its face"""


@cache
def _opening() -> frozenset[str]:
    return DetectorVocabulary().opening


def attach_bars(frame: CameraFrame, found: Segmentation, settings: BarSettings | None = None) -> Segmentation:
    """The same segments, those of the largest furniture of a kind that opens with the bars seen on it."""
    sizes = {i: _area(box) for i, (segment, box) in enumerate(zip(found.segments, found.boxes, strict=True))
             if box is not None and segment.label in _opening()}
    bars = {i: bars for i in sorted(sizes, key=lambda i: -sizes[i])[:_MOST]
            if (box := found.boxes[i]) is not None and (bars := find_bars(frame, found.labels == i + 1, box, settings))}
    return found.with_bars(bars) if bars else found


def _area(box: tuple[slice, slice]) -> int:
    """[px]"""
    rows, columns = box
    return int((rows.stop - rows.start) * (columns.stop - columns.start))


def find_bars(frame: CameraFrame, mask: np.ndarray, box: tuple[slice, slice],
              settings: BarSettings | None = None) -> tuple[HandleBar, ...]:
    """Bars of one piece of furniture, by its `mask`, bool (H, W), which lies within `box`."""
    settings = settings or BarSettings()
    grid = _Grid.of(frame, mask, box, settings)
    if grid is None:
        return ()
    return tuple(bar for normal in grid.headings() for bar in _on_face(grid, normal, settings))


@dataclass(frozen=True)
class _Grid:
    """The part of a picture that shows the piece, thinned, each pixel in the map."""

    points: np.ndarray
    """(H, W, 3) [m], map"""
    valid: np.ndarray
    """bool (H, W): on the piece, with a trusted depth"""
    camera: np.ndarray
    """(3,) [m], map"""
    spacing: float
    """between neighbours, about [m]"""
    edges: tuple[bool, bool, bool, bool]
    """whether it ends at the picture's border: above, below, left, right"""

    @classmethod
    def of(cls, frame: CameraFrame, mask: np.ndarray, box: tuple[slice, slice], settings: BarSettings) -> _Grid | None:
        rows, columns = box
        focal = frame.K[0, 0]
        coarse = frame.depth[rows, columns][::_COARSE, ::_COARSE][mask[rows, columns][::_COARSE, ::_COARSE]]
        coarse = coarse[(coarse > settings.range[0]) & (coarse < settings.range[1])]
        if len(coarse) < _FEWEST:
            return None
        near = float(np.median(coarse))
        step = max(1, int(settings.spacing * focal / near))
        rows, columns = slice(rows.start, rows.stop, step), slice(columns.start, columns.stop, step)
        v, u = np.mgrid[rows, columns]
        depth, mine = frame.depth[rows, columns], ndimage.binary_fill_holes(mask[rows, columns])
        z = np.where(mine & (depth > settings.range[0]) & (depth < settings.range[1]), depth, 0.0).astype(float)
        rays = np.stack([(u - frame.K[0, 2]) / focal, (v - frame.K[1, 2]) / frame.K[1, 1], np.ones(u.shape)], axis=-1)
        height, width = frame.depth.shape
        return cls(apply(frame.T_map_camera, (rays * z[..., None]).reshape(-1, 3)).reshape(*z.shape, 3), z > 0,
                   frame.T_map_camera[:3, 3], step * near / focal,
                   (rows.start == 0, rows.stop == height, columns.start == 0, columns.stop == width))

    def headings(self) -> Iterator[np.ndarray]:
        """Normals (3,), unit and level, towards the camera, of the upright faces that most points are of."""
        k = max(1, round(_OVER / self.spacing))
        height, width = self.valid.shape
        if min(height, width) <= k:
            return
        here, beside, below = ((slice(i, height - k + i, _COARSE), slice(j, width - k + j, _COARSE))
                               for i, j in ((0, 0), (0, k), (k, 0)))
        ok = self.valid[here] & self.valid[beside] & self.valid[below]
        normal = np.cross((self.points[beside] - self.points[here])[ok], (self.points[below] - self.points[here])[ok])
        normal = normal[np.abs(normal[:, 2]) < _STEEP * np.linalg.norm(normal, axis=1)][:, :2]
        if len(normal) == 0:
            return
        angle = np.arctan2(normal[:, 1], normal[:, 0])
        towards = self.camera[:2] - self.points[here][ok].mean(axis=0)[:2]
        angle[normal @ towards < 0] += np.pi
        votes = np.bincount(np.floor(angle / _BIN).astype(int) % _BINS, minlength=_BINS)
        smooth = votes + np.roll(votes, 1) + np.roll(votes, -1)
        for _ in range(_FACES):
            best = int(np.argmax(smooth))
            if smooth[best] < 0.1 * votes.sum() or smooth[best] == 0:
                return
            heading = (best + 0.5) * _BIN
            off = (angle - heading + np.pi) % (2 * np.pi) - np.pi
            heading += float(np.median(off[np.abs(off) < 1.5 * _BIN]))
            yield np.array([np.cos(heading), np.sin(heading), 0.0])
            middles = (np.arange(len(smooth)) + 0.5) * _BIN
            smooth[np.abs((middles - heading + np.pi) % (2 * np.pi) - np.pi) < _APART] = 0


def _on_face(grid: _Grid, normal: np.ndarray, settings: BarSettings) -> Iterator[HandleBar]:
    """Bars before the face that looks along `normal` (3,)."""
    fitted = _plane(grid.points[::_COARSE, ::_COARSE][grid.valid[::_COARSE, ::_COARSE]], normal, settings)
    if fitted is None:
        return
    normal, offset = fitted
    across = np.cross((0.0, 0.0, 1.0), normal)
    out = np.where(grid.valid, grid.points @ normal - offset, -np.inf)
    aside, up = grid.points @ across, grid.points[..., 2]
    face = np.abs(out) < settings.flat
    left, right = np.quantile(aside[face], (0.01, 0.99))
    patches, count = ndimage.label(out > settings.off[0], np.ones((3, 3)))
    pieces = []
    for i, box in enumerate(ndimage.find_objects(patches, count)):
        mine = patches[box] == i + 1
        if np.count_nonzero(mine) < settings.pixels or _cut_off(grid, box) or not _surrounded(face, patches, box, i):
            continue
        piece = _piece(out[box][mine], aside[box][mine], up[box][mine], settings)
        if piece is not None and left < piece.aside < right:
            pieces.append(piece)
    for bar in _joined(pieces):
        if bar.length >= settings.length:
            centre = (offset + bar.out) * normal + bar.aside * across + np.array([0.0, 0.0, bar.up])
            yield HandleBar(vector3(centre), bar.upright, vector3(normal), bar.length, float(bar.aside - left),
                            float(right - bar.aside))


def _plane(points: np.ndarray, normal: np.ndarray, settings: BarSettings) -> tuple[np.ndarray, float] | None:
    """Unit normal (3,), level, and distance from the map's origin [m], of the plane that most points (N, 3) lie in of
    those that look about along `normal`; None where they are few."""
    for _ in range(3):
        out = points @ normal
        bins = np.floor((out - out.min()) / settings.flat).astype(int)
        votes = np.bincount(bins, minlength=2)
        pairs = votes[:-1] + votes[1:]
        middle = out.min() + (int(np.argmax(pairs)) + 1) * settings.flat
        mine = points[np.abs(out - middle) < settings.flat][:, :2]
        if len(mine) < settings.face * len(points):
            return None
        centre = mine.mean(axis=0)
        _, axes = np.linalg.eigh(np.cov(mine.T))
        turned = np.array([*axes[:, 0], 0.0]) * np.sign(axes[:, 0] @ normal[:2])
        if turned @ normal < np.cos(_APART / 2):
            return None
        normal = turned
    return normal, float(np.median((points @ normal)[np.abs(points @ normal - centre @ normal[:2]) < settings.flat]))


@dataclass(frozen=True)
class _Bar:
    """In the face's own directions, [m]."""

    out: float
    aside: float
    up: float
    length: float
    upright: bool

    @property
    def ends(self) -> tuple[float, float]:
        """Along itself."""
        middle = self.up if self.upright else self.aside
        return middle - self.length / 2, middle + self.length / 2

    def goes_on_in(self, other: _Bar) -> bool:
        """True if both are pieces of one bar, with a hole in the depth picture between them."""
        aside = self.aside - other.aside if self.upright else self.up - other.up
        (low, high), (other_low, other_high) = self.ends, other.ends
        gap = max(low, other_low) - min(high, other_high)
        return self.upright == other.upright and abs(aside) < _THICK and gap < _HOLE

    def merged_with(self, other: _Bar) -> _Bar:
        low, high = min(self.ends[0], other.ends[0]), max(self.ends[1], other.ends[1])
        out, middle = (self.out + other.out) / 2, (low + high) / 2
        if self.upright:
            return replace(self, out=out, length=high - low, up=middle)
        return replace(self, out=out, length=high - low, aside=middle)


def _joined(pieces: Sequence[_Bar]) -> list[_Bar]:
    bars: list[_Bar] = []
    for piece in sorted(pieces, key=lambda p: p.ends):
        same = next((bar for bar in bars if bar.goes_on_in(piece)), None)
        if same is None:
            bars.append(piece)
        else:
            bars[bars.index(same)] = same.merged_with(piece)
    return bars


def _piece(out: np.ndarray, aside: np.ndarray, up: np.ndarray, settings: BarSettings) -> _Bar | None:
    """What points out of a face, aside and up, (N,) [m] each, are, where they are a bar or a piece of one."""
    if np.quantile(out, 0.95) > settings.off[1]:
        return None
    front = out > 0.6 * np.quantile(out, 0.9)  # without its posts
    (low, high), (left, right) = (np.quantile(v[front], (0.02, 0.98)) for v in (up, aside))
    tall, wide = high - low, right - left
    length, thickness = max(tall, wide), min(tall, wide)
    if thickness > min(settings.thickness, 0.4 * length):
        return None
    return _Bar(float(np.median(out[front])) - _THICK / 2, float(left + right) / 2, float(low + high) / 2,
                float(length), bool(tall > wide))


def _cut_off(grid: _Grid, box: tuple[slice, slice]) -> bool:
    """True if a patch goes on beyond the picture's border."""
    (rows, columns), (height, width) = box, grid.valid.shape
    ends = rows.start == 0, rows.stop == height, columns.start == 0, columns.stop == width
    return any(end and border for end, border in zip(ends, grid.edges, strict=True))


def _surrounded(face: np.ndarray, patches: np.ndarray, box: tuple[slice, slice], index: int) -> bool:
    """True if most of what is about a patch is its face: a bar is before one, the edge of another thing is not."""
    rows, columns = (slice(max(0, part.start - 4), part.stop + 4) for part in box)
    mine = patches[rows, columns] == index + 1
    ring = ndimage.binary_dilation(mine, iterations=4) & ~ndimage.binary_dilation(mine, iterations=2)
    return bool(np.count_nonzero(face[rows, columns] & ring) >= _AROUND * np.count_nonzero(ring))
