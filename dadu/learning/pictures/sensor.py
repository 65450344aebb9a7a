"""What a real camera makes of what is there: blur, noise and wrong exposure; depth with holes, steps and ragged edges.

Everything works on the pictures alone, at the size that is stored.
"""

from __future__ import annotations

import cv2
import numpy as np

from dadu.learning.pictures.settings import ColorNoise, DepthNoise

_JPEG = (30, 90)
_EXPOSED, _GAINS = 120.0, (0.6, 3.5)
"""mean brightness that automatic exposure aims at, of 255, and the gain that it has"""
_REFERENCE = 640
"""disparities are told for pictures of this width [px]"""


def photographed(rgb: np.ndarray, noise: ColorNoise, rng: np.random.Generator) -> np.ndarray:
    """uint8 (H, W, 3): the picture as a cheap camera would have it."""
    picture = rgb
    if rng.random() < noise.blurred:
        sigma = float(rng.uniform(*noise.blur))
        picture = cv2.GaussianBlur(picture, (0, 0), sigma)
    if rng.random() < noise.moved:
        picture = cv2.filter2D(picture, -1, _streak(float(rng.uniform(*noise.motion)), float(rng.uniform(0, np.pi))))
    exposed = float(np.clip(_EXPOSED / max(float(picture[::4, ::4].mean()), 1.0), *_GAINS))
    gain = exposed * 2.0 ** rng.uniform(*noise.exposure) * np.array([
        1 + noise.white_balance * rng.standard_normal(), 1.0, 1 + noise.white_balance * rng.standard_normal()])
    levels = np.linspace(0, 1, 256)[:, None]
    curve = 255 * np.clip(levels ** rng.uniform(*noise.gamma) * gain, 0, 1)
    light = np.stack([curve[:, c].astype(np.float32)[picture[..., c]] for c in range(3)], axis=2)
    light += np.float32(rng.uniform(*noise.noise)) * rng.standard_normal(light.shape, dtype=np.float32)
    picture = np.clip(light, 0, 255).astype(np.uint8)
    if rng.random() < noise.compressed:
        _, coded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(*_JPEG))])
        picture = np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR))
    return picture


def measured(depth: np.ndarray, rgb: np.ndarray, focal: float, noise: DepthNoise, rng: np.random.Generator
             ) -> np.ndarray:
    """uint16 (H, W) [mm], 0: no reading: `depth` (H, W) along the optical axis of the camera's frame [m] as active
    stereo measures it, seen in `rgb` uint8 (H, W, 3) with a focal length of `focal` [px]."""
    height, width = depth.shape
    span = noise.baseline * focal * _REFERENCE / width
    true = np.where(depth > 0, depth, 60.0).astype(np.float32)
    seen = _wander(true, float(rng.uniform(*noise.ragged)), rng)
    disparity = span / seen
    error = float(rng.uniform(*noise.disparity))
    disparity += error * (0.6 * _cloud((height, width), 4, rng) + 0.4 * _cloud((height, width), 2, rng))
    steps = float(rng.uniform(*noise.steps))
    disparity = np.round(disparity * steps) / steps
    z = span / np.maximum(disparity, 1e-3)
    lost = (true < rng.uniform(*noise.nearest)) | (true > rng.uniform(*noise.farthest)) | (depth <= 0)
    lost |= _blind(span / true, width / _REFERENCE * float(rng.uniform(*noise.shadow)))
    lost |= _slope(true) > rng.uniform(*noise.grazing)
    lost |= _patches(rgb, float(rng.uniform(*noise.dropouts)), rng)
    lost |= rng.random((height, width), dtype=np.float32) < rng.uniform(*noise.speckles)
    return np.where(lost, 0, np.clip(z * 1000, 0, 65535)).astype(np.uint16)


def _streak(length: float, angle: float) -> np.ndarray:
    """A motion-blur kernel float32 (K, K), unitless, that sums to 1."""
    size = 2 * int(np.ceil(length / 2)) + 1
    kernel = np.zeros((size, size), np.float32)
    half = np.array([np.cos(angle), np.sin(angle)]) * length / 2
    middle = size // 2
    start, end = (tuple(int(round(v)) for v in middle + sign * half) for sign in (-1, 1))
    cv2.line(kernel, start, end, 1.0)
    return kernel / kernel.sum()


def _cloud(shape: tuple[int, int], cell: int, rng: np.random.Generator) -> np.ndarray:
    """Smooth noise float32 (H, W) of about unit deviation, unitless; `cell` [px] apart it has nothing in common."""
    coarse = rng.standard_normal((-(-shape[0] // cell) + 1, -(-shape[1] // cell) + 1), dtype=np.float32)
    return 1.4 * cv2.resize(coarse, shape[::-1], interpolation=cv2.INTER_LINEAR)


def _wander(depth: np.ndarray, reach: float, rng: np.random.Generator) -> np.ndarray:
    """Each pixel takes its depth from one nearby: edges fray, and surfaces hardly change."""
    rows, columns = np.mgrid[:depth.shape[0], :depth.shape[1]].astype(np.float32)
    rows += reach * _cloud(depth.shape, 3, rng)
    columns += reach * _cloud(depth.shape, 3, rng)
    return cv2.remap(depth, columns, rows, cv2.INTER_NEAREST, borderMode=cv2.BORDER_REPLICATE)


def _blind(disparity: np.ndarray, share: float) -> np.ndarray:
    """bool (H, W): what one eye sees and the other does not, left of near things: as wide as disparity jumps."""
    hidden = np.zeros(disparity.shape, bool)
    widest = int(min(24, np.ceil(share * np.ptp(disparity)))) if disparity.size else 0
    for by in range(1, widest + 1):
        hidden[:, :-by] |= (disparity[:, by:] - disparity[:, :-by]) * share > by
    return hidden


def _slope(depth: np.ndarray) -> np.ndarray:
    """float32 (H, W) [1/px]: the smaller of the changes to either side, over the depth, along rows and columns: large
    on surfaces seen at a grazing angle, small at edges between two surfaces."""
    slope = np.zeros(depth.shape, np.float32)
    for axis in (0, 1):
        change = np.abs(np.diff(depth, axis=axis))
        inner = np.minimum(change.take(range(1, change.shape[axis]), axis), change.take(
            range(change.shape[axis] - 1), axis))
        middle = [slice(None), slice(None)]
        middle[axis] = slice(1, -1)
        np.maximum(slope[tuple(middle)], inner, out=slope[tuple(middle)])
    return slope / depth * 4


def _patches(rgb: np.ndarray, share: float, rng: np.random.Generator) -> np.ndarray:
    """bool (H, W): lost for want of anything to match: patches, sooner where it is very dark or glaring."""
    field = _cloud(rgb.shape[:2], 12, rng)
    light = rgb.max(axis=2)
    field += 1.2 * ((light < 20) | (light > 250))
    return field > np.quantile(field, 1 - share)
