"""From masks and depth to things in the map: the path that every detector shares.

All masks of a picture are handled together (sorted by owner, reduced by segments), so the time depends on the
picture and hardly on how many things are in it.
"""

from __future__ import annotations

import numpy as np
from pydantic import NonNegativeInt, PositiveFloat

from dadu.core import geometry
from dadu.core.config import Settings
from dadu.core.robot import GRAIN, CameraFrame
from dadu.perception.colors import lightness, majority_colors
from dadu.perception.detector import Segmentation
from dadu.world.detection import Detection
from dadu.world.graph import LIGHTNESS

_STRAY_GAP = 0.15
"""a gap along the optical axis [m] that splits a mask's pixels"""
_STRAY_SHARE = 0.05
"""split off parts smaller than this share are dropped"""
_POINTS = 512
"""cloud size of one detection, at most"""
_PIXELS = 2000
"""pixels lifted for one mask, evenly thinned"""
_BLEED = (0.02, 0.02)
"""a mask's border pixel lying deeper than a neighbour by more than a + b * depth [m] belongs to what is behind"""


class BackprojectionSettings(Settings):
    """Defaults suit a 640x480 RGB-D camera indoors."""

    range: tuple[float, float] = (0.2, 8.0)
    """depth that is trusted [m]"""
    min_pixels: NonNegativeInt = 25
    """evidence below which a mask is no detection"""
    voxel: PositiveFloat = 0.004
    """finest spacing of the cloud [m]; coarser for what is large"""
    tail: tuple[float, float] = (0.02, 0.15)
    """the outermost share of the points along an axis of the map is dropped where it lies farther out than a share of
    the extent of the others"""


_FOOT = 0.015
"""points this little above the lowest ones [m] are as likely of what a thing stands on, where masks are too large: they
do not say how far it extends, if it rises twice as far"""
_RISING = 0.4
"""share of its points that lie higher than that, at least"""
_DEEP = 2
"""pixels beside a mask's border that are compared with it"""


def backproject(frame: CameraFrame, segmentation: Segmentation,
                settings: BackprojectionSettings | None = None) -> tuple[Detection, ...]:
    """The detections of one picture, in map coordinates, in the order of the segments."""
    settings = settings or BackprojectionSettings()
    count = len(segmentation.segments)
    if not count:
        return ()
    index, owner = _reliable_pixels(frame.depth, segmentation, settings)
    seen = np.bincount(owner, minlength=count)

    thinned = _evenly(owner, _PIXELS, count)
    index, owner = _drop_strays(index[thinned], owner[thinned], frame.depth)
    kept = np.bincount(owner, minlength=count)
    pixels = seen * kept // np.maximum(np.minimum(seen, _PIXELS), 1)

    points, area = _lift(index, frame)
    within = _within(points, owner, count, settings.tail)
    index, owner, points, area = index[within], owner[within], points[within], area[within]
    cloud = _voxel_sample(points, owner, np.bincount(owner, area, count) * seen / np.maximum(kept, 1), settings)
    rgb = frame.rgb.reshape(-1, 3)[index]
    colors, light = majority_colors(rgb, owner, count), lightness(rgb, owner, count)

    detections = []
    for i, segment in enumerate(segmentation.segments):
        box = segmentation.boxes[i]
        if pixels[i] < settings.min_pixels or box is None:
            continue
        mine = points[np.searchsorted(owner, i):np.searchsorted(owner, i + 1)]
        low, high = _extent(mine)
        rows, columns = box
        detections.append(Detection(
            label=segment.label, score=segment.score, pixels=int(pixels[i]), points=cloud[i],
            box=(columns.start, rows.start, columns.stop - columns.start, rows.stop - rows.start),
            centroid=(low + high) / 2, size=high - low,
            attributes={"color": colors[i], LIGHTNESS: f"{light[i]:.2f}"} | segment.attributes,
            embedding=segment.embedding, instance=segment.instance,
            truncated=_touches_border(rows, columns, frame.depth.shape), others=segment.others,
            states=segment.states, bars=segment.bars,
        ))
    return tuple(detections)


def _reliable_pixels(depth: np.ndarray, segmentation: Segmentation,
                     settings: BackprojectionSettings) -> tuple[np.ndarray, np.ndarray]:
    """Flat indices of masked pixels with a trusted depth and their owners (segment indices), sorted by owner."""
    near, far = settings.range
    rows, columns = _around(segmentation, _DEEP)
    labels, part = segmentation.labels[rows, columns], depth[rows, columns]
    usable = (labels > 0) & (part > near) & (part < far)
    usable &= ~_bleeding(part, labels, usable, settings)
    down, across = np.nonzero(usable)
    owner = labels[down, across].astype(np.int16) - 1
    order = np.argsort(owner, kind="stable")
    index = (down + rows.start) * depth.shape[1] + across + columns.start
    return index[order], owner[order].astype(np.intp)


def _around(segmentation: Segmentation, margin: int) -> tuple[slice, slice]:
    """Rows and columns of the part of the picture that holds all masks, and `margin` pixels around them."""
    boxes = [box for box in segmentation.boxes if box is not None]
    rows, columns = (slice(max(0, min((box[axis].start for box in boxes), default=0) - margin),
                           min(size, max((box[axis].stop for box in boxes), default=0) + margin))
                     for axis, size in enumerate(segmentation.labels.shape))
    return rows, columns


def _bleeding(depth: np.ndarray, labels: np.ndarray, usable: np.ndarray,
              settings: BackprojectionSettings) -> np.ndarray:
    """bool (H, W): pixels at a mask's border, two deep, whose depth is that of what lies behind."""
    border = np.zeros(labels.shape, bool)
    across, down = labels[:, 1:] != labels[:, :-1], labels[1:] != labels[:-1]
    border[:, 1:] |= across
    border[:, :-1] |= across
    border[1:] |= down
    border[:-1] |= down
    rows, columns = np.nonzero(_two_deep(border) & usable)
    own = depth[rows, columns]
    nearest = own.copy()
    height, width = depth.shape
    for dr, dc in ((-1, 0), (1, 0), (0, -1), (0, 1), (-2, 0), (2, 0), (0, -2), (0, 2)):
        beside = depth[np.clip(rows + dr, 0, height - 1), np.clip(columns + dc, 0, width - 1)]
        nearest = np.minimum(nearest, np.where(beside > settings.range[0], beside, own))
    bleeding = np.zeros(labels.shape, bool)
    bleeding[rows, columns] = own - nearest > _BLEED[0] + _BLEED[1] * own
    return bleeding


def _two_deep(border: np.ndarray) -> np.ndarray:
    """bool (H, W): also the pixels beside those of a `border`: masks of networks are off by two."""
    band = border.copy()
    band[1:] |= border[:-1]
    band[:-1] |= border[1:]
    band[:, 1:] |= border[:, :-1]
    band[:, :-1] |= border[:, 1:]
    return band


def _evenly(owner: np.ndarray, limit: int, count: int) -> np.ndarray:
    """bool (N,): at most `limit` of each owner's entries, evenly spread; `owner` is sorted."""
    total = np.bincount(owner, minlength=count)
    start = np.concatenate([[0], np.cumsum(total)[:-1]]) if count else np.zeros(0, np.intp)
    rank = np.arange(len(owner)) - start[owner]
    place = rank * limit // total[owner]
    return (rank == 0) | (np.diff(place, prepend=0) > 0)


def _drop_strays(index: np.ndarray, owner: np.ndarray, depth: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Drops small groups of a mask's pixels that lie apart from the rest along the optical axis."""
    if len(index) == 0:
        return index, owner
    order = np.lexsort((depth.ravel()[index], owner))
    index, owner = index[order], owner[order]
    breaks = (np.diff(depth.ravel()[index]) > _STRAY_GAP) | (np.diff(owner) > 0)
    group = np.concatenate([[0], np.cumsum(breaks)])
    share = np.bincount(group)[group] / np.bincount(owner)[owner]
    kept = share >= _STRAY_SHARE
    return index[kept], owner[kept]


def _lift(index: np.ndarray, frame: CameraFrame) -> tuple[np.ndarray, np.ndarray]:
    """Points float64 (N, 3) [m] in map of flat pixel indices, and the frontal area each pixel covers [m^2]."""
    v, u = np.divmod(index, frame.depth.shape[1])
    z = frame.depth.ravel()[index].astype(float)
    fx, fy, cx, cy = frame.K[0, 0], frame.K[1, 1], frame.K[0, 2], frame.K[1, 2]
    camera = np.stack([(u - cx) / fx * z, (v - cy) / fy * z, z], axis=1)
    return geometry.apply(frame.T_map_camera, camera), z * z / (fx * fy)


def _within(points: np.ndarray, owner: np.ndarray, count: int, tail: tuple[float, float]) -> np.ndarray:
    """bool (N,): the points that are no few outliers of their owner's; `owner` is sorted."""
    kept = np.ones(len(points), bool)
    ends = np.searchsorted(owner, np.arange(count + 1))
    for start, end in zip(ends[:-1], ends[1:]):
        if end > start:
            mine = points[start:end]
            low, high = np.quantile(mine, (tail[0], 1 - tail[0]), axis=0)
            slack = tail[1] * (high - low).max()
            kept[start:end] = ((mine >= low - slack) & (mine <= high + slack)).all(axis=1)
    return kept


def _extent(points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Lowest and highest corner (3,) [m, map] of the box about the points (N, 3) of one thing."""
    low, high = points.min(axis=0), points.max(axis=0)
    rising = points[:, 2] > low[2] + _FOOT
    if high[2] - low[2] > 2 * _FOOT and rising.mean() > _RISING:
        low[:2], high[:2] = points[rising, :2].min(axis=0), points[rising, :2].max(axis=0)
    return low, high


def _voxel_sample(points: np.ndarray, owner: np.ndarray, area: np.ndarray,
                  settings: BackprojectionSettings) -> list[np.ndarray]:
    """One point a voxel for each owner, float32 (M <= max_points, 3), to a `GRAIN`; `area` (count,) [m^2] sets the
    voxel's size."""
    count = len(area)
    edge = np.maximum(settings.voxel, np.sqrt(2 * area / _POINTS))
    cell = np.floor((points - points.min(axis=0, initial=np.inf)) / edge[owner, None]).astype(np.int64)
    key = ((owner << 16 | cell[:, 0]) << 16 | cell[:, 1]) << 16 | cell[:, 2]
    _, first = np.unique(key, return_index=True)  # sorted by key, so by owner
    kept = first[_evenly(owner[first], _POINTS, count)]
    ends = np.searchsorted(owner[kept], np.arange(1, count))
    return np.split((np.rint(points[kept] / GRAIN) * GRAIN).astype(np.float32), ends) if count else []


def _touches_border(rows: slice, columns: slice, shape: tuple[int, int]) -> bool:
    return rows.start == 0 or columns.start == 0 or rows.stop == shape[0] or columns.stop == shape[1]
