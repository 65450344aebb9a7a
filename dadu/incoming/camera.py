"""What a ``sensor_msgs/CameraInfo`` says of pictures, and pictures of colour and depth made one by it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import cv2
import numpy as np

from dadu.core.errors import NotUsable, choices
from dadu.core.robot import CameraFrame
from dadu.incoming import pictures

_COEFFICIENTS: Mapping[str, tuple[int, ...]] = {
    "plumb_bob": (4, 5), "rational_polynomial": (8, 12, 14), "equidistant": (4,)}
"""how many a model of the lens has; zeros at the end say nothing"""
_FOCAL = (0.1, 50.0)
"""shortest and longest focal length in widths of the picture: an angle of view of 157 degrees, and one of one"""
_SKEW = 1e-3
"""by which what is 0 or 1 in a matrix of a camera may be off"""
_SHAPE = 0.02
"""by which the ratio of the sides of pictures of one calibration may differ: sizes are whole numbers"""
_STEEP = 0.87
"""how far up a line of sight of length 1 leads where nothing but the ceiling is seen: 60 degrees"""
_UNSEEN = 1.0
"""[px] that a lens may bend a picture before that is undone: as much as masks and edges are off anyway"""


@dataclass(frozen=True)
class CameraModel:
    """A pinhole with a lens, as it was calibrated."""

    frame: str
    K: np.ndarray
    """float64 (3, 3) [px] of the whole sensor at `size`"""
    size: tuple[int, int]
    """width and height [px] of the calibration; (0, 0): it does not say"""
    cut: tuple[int, int, int, int]
    """of the sensor: columns and rows left out before the part that is sent, width and height of that"""
    binning: tuple[int, int]
    """so many columns and rows make one"""
    lens: str = ""
    distortion: tuple[float, ...] = ()
    """of the model `lens`; empty: none"""

    def at(self, width: int, height: int) -> np.ndarray:
        """K (3, 3) [px] of pictures of that size, which are the part that is sent, or the whole at another resolution.

        Errors: NotUsable where they are neither.
        """
        left, top, across, down = self.cut
        bins = np.array(self.binning, float)
        sent = tuple(int(n) for n in np.array((across, down)) // bins.astype(int))
        if self.size == (0, 0):
            if 0 < self.K[0, 2] < width and 0 < self.K[1, 2] < height:
                return self.K
        elif (width, height) == sent and (width, height) != self.size:
            return _scaled(self.K, 1 / bins, (left, top))
        elif abs(width * self.size[1] / (height * self.size[0]) - 1) < _SHAPE and self.cut == (0, 0, *self.size):
            return _scaled(self.K, np.array((width, height)) / self.size, (0, 0))
        elif (width, height) == self.size:
            return self.K
        raise NotUsable(f"the camera is calibrated for {self.size[0]} x {self.size[1]}, of which "
                       f"{sent[0]} x {sent[1]} are sent, and the picture is {width} x {height}")


def camera_model(message: Any) -> CameraModel:
    """Errors: NotUsable for one that is not calibrated, or not as CameraInfo.msg has it."""
    k, width, height = np.asarray(message.k, float).reshape(-1), int(message.width), int(message.height)
    if not np.isfinite(k).all() or not k[0] > 0 or not k[4] > 0:
        raise NotUsable("the camera is not calibrated: its matrix k holds no focal lengths")
    K = np.array([[k[0], 0, k[2]], [0, k[4], k[5]], [0, 0, 1]])
    if width and height and not (_FOCAL[0] * width < min(k[0], k[4]) and max(k[0], k[4]) < _FOCAL[1] * width
                                 and -width < k[2] < 2 * width and -height < k[5] < 2 * height):
        raise NotUsable(f"the camera's matrix cannot be that of pictures of {width} x {height}: focal lengths {k[0]:g} "
                       f"and {k[4]:g}, centre ({k[2]:g}, {k[5]:g})")
    if np.abs(k - K.ravel()).max() > _SKEW:
        raise NotUsable("the camera's matrix k is not that of a pinhole, row by row: "
                       f"{np.array2string(k, precision=4)}")
    if bool(width) != bool(height):
        raise NotUsable(f"the camera is calibrated for {width} x {height}, which is no picture")
    return CameraModel(message.header.frame_id.lstrip("/"), K, (width, height), _cut(message.roi, width, height),
                       (max(1, message.binning_x), max(1, message.binning_y)), *_lens(message))


def _cut(roi: Any, width: int, height: int) -> tuple[int, int, int, int]:
    left, top, across, down = roi.x_offset, roi.y_offset, roi.width or width, roi.height or height
    if not (roi.width or roi.height):
        left = top = 0  # a part of no size is the whole
    if width and (left + across > width or top + down > height):
        raise NotUsable(f"the camera sends {across} x {down} from ({left}, {top}), calibrated for {width} x {height}")
    return left, top, across, down


def _lens(message: Any) -> tuple[str, tuple[float, ...]]:
    name, values = message.distortion_model, tuple(map(float, message.d))
    told = len(np.trim_zeros(values, "b"))  # NaN is something
    if not told:
        return name, ()
    if not np.isfinite(values).all():
        raise NotUsable("the lens's distortion d holds a number that is not finite")
    count = next((count for count in _COEFFICIENTS.get(name, ()) if told <= count <= len(values)), 0)
    if not count:
        raise NotUsable(f"distortion {name!r} of {len(values)} numbers is not undone; valid: "
                       f"{choices(_COEFFICIENTS)}, or a picture that is rectified, with d of zeros")
    return name, values[:count]


def _scaled(K: np.ndarray, by: np.ndarray, corner: tuple[int, int]) -> np.ndarray:
    """Of a part that begins at `corner` [px], its sides multiplied; a pixel's middle has whole coordinates."""
    scaled = K.copy()
    scaled[[0, 1], [0, 1]] *= by
    scaled[:2, 2] = (K[:2, 2] - corner + 0.5) * by - 0.5
    return scaled


def rgbd(stamp: float, color: Any, depth: Any, camera: CameraModel, depth_camera: CameraModel | None,
         T_map_camera: np.ndarray, instances: Any = None) -> CameraFrame:
    """Messages of one moment as one picture: straightened, depth and instances registered to colour.

    `depth_camera` counts where it is that of the depth picture's frame; without one, depth of another size is taken for
    the same view. Errors: NotUsable.
    """
    rgb, metres = pictures.color(color), _measured(depth)
    height, width = rgb.shape[:2]
    K = camera.at(width, height)
    of_depth, of_color = (message.header.frame_id.lstrip("/") for message in (depth, color))
    if of_depth and of_color and of_depth != of_color:
        raise NotUsable(f"depth is seen from {of_depth}, colour from {of_color}; have the driver align depth to colour "
                       "(realsense2_camera: align_depth.enable:=true)")
    own = depth_camera if depth_camera is not None and depth_camera.frame == of_depth else None
    metres = _registered(metres, _depth_matrix(metres, own, camera, K, (width, height)), K, (height, width))
    marks = None if instances is None else pictures.labels(instances)
    if marks is not None and marks.shape != (height, width):
        raise NotUsable(f"instances are {marks.shape[1]} x {marks.shape[0]}, colour is {width} x {height}")
    rgb, metres = _straight(rgb, camera, K, cv2.INTER_LINEAR), _straight(metres, camera, K, cv2.INTER_NEAREST)
    return CameraFrame(stamp, rgb, metres, K, T_map_camera, marks)


def depth_alone(stamp: float, depth: Any, camera: CameraModel | None, depth_camera: CameraModel | None,
                T_map_camera: np.ndarray) -> CameraFrame:
    """A depth picture without colour, rgb (H, W, 0); by the camera that is of its frame. Errors: NotUsable."""
    frame = depth.header.frame_id.lstrip("/")
    own = next((model for model in (depth_camera, camera) if model is not None and model.frame in (frame, "")), None)
    if own is None:
        known = choices(model.frame for model in (depth_camera, camera) if model is not None)
        raise NotUsable(f"depth is seen from {frame}, and calibrated are: {known}")
    metres = _measured(depth)
    K = own.at(metres.shape[1], metres.shape[0])
    metres = _straight(metres, own, K, cv2.INTER_NEAREST)
    return CameraFrame(stamp, np.zeros((*metres.shape, 0), np.uint8), metres, K, T_map_camera)


def looks_up(T_map_camera: np.ndarray, frame: str) -> str:
    """That a picture's frame is rather the camera's body than its optics, in a sentence; empty where it is not.

    Simulators give that one by mistake, whose z axis is up: all that is seen would be put above the robot.
    """
    return "" if T_map_camera[2, 2] < _STEEP else (
        f"the camera looks straight up: is {frame} its optical frame, z ahead, x to the right and y down (REP 103)?")


def _measured(depth: Any) -> np.ndarray:
    """float32 (H, W) [m]. Errors: NotUsable, also where not one pixel was measured: nobody would be told."""
    metres = pictures.depth(depth)
    if not metres.any():
        raise NotUsable("the depth picture holds not one reading: is the camera covered, or its projector off?")
    return metres


def _depth_matrix(metres: np.ndarray, own: CameraModel | None, camera: CameraModel, K: np.ndarray,
                  size: tuple[int, int]) -> np.ndarray:
    """K (3, 3) of a depth picture, seen from where the colour picture of `size` is. Errors: NotUsable."""
    height, width = metres.shape
    if own is not None:
        return own.at(width, height)
    if (width, height) == size:
        return K
    if abs(width * size[1] / (height * size[0]) - 1) > _SHAPE:
        raise NotUsable(f"depth is {width} x {height}, colour {size[0]} x {size[1]}, and nobody tells how one lies in "
                       "the other; give the depth picture's own camera_info, or have the driver align depth to colour")
    return _scaled(K, np.array((width, height)) / size, (0, 0))


def _registered(metres: np.ndarray, K_depth: np.ndarray, K: np.ndarray, shape: tuple[int, int]) -> np.ndarray:
    """float32 of `shape` (H, W): for each pixel of colour the depth along its ray, 0 where depth was not looked for.

    Both look from one place: a pixel's ray is the same in both, at another pixel. Nearest, for edges are no slopes.
    """
    columns = np.rint((np.arange(shape[1]) - K[0, 2]) * K_depth[0, 0] / K[0, 0] + K_depth[0, 2]).astype(int)
    rows = np.rint((np.arange(shape[0]) - K[1, 2]) * K_depth[1, 1] / K[1, 1] + K_depth[1, 2]).astype(int)
    if metres.shape == shape and columns[0] == rows[0] == 0 and (columns[-1] + 1, rows[-1] + 1) == shape[::-1]:
        return metres
    inside = np.ix_((rows >= 0) & (rows < metres.shape[0]), (columns >= 0) & (columns < metres.shape[1]))
    registered = np.zeros(shape, np.float32)
    registered[inside] = metres[rows.clip(0, metres.shape[0] - 1)][:, columns.clip(0, metres.shape[1] - 1)][inside]
    return registered


def _straight(pixels: np.ndarray, camera: CameraModel, K: np.ndarray, interpolation: int) -> np.ndarray:
    """The picture as a pinhole of matrix `K` would give it; itself where the lens hardly bends it."""
    if not camera.distortion:
        return pixels
    maps = _unbending(camera.lens, camera.distortion, tuple(K.ravel().tolist()), pixels.shape[1], pixels.shape[0])
    return pixels if maps is None else cv2.remap(pixels, *maps, interpolation, borderMode=cv2.BORDER_CONSTANT)


@lru_cache(maxsize=4)
def _unbending(lens: str, distortion: tuple[float, ...], matrix: tuple[float, ...], width: int, height: int
               ) -> tuple[np.ndarray, np.ndarray] | None:
    """Columns and rows (H, W) [px] that a straight picture's pixels are taken from; None: hardly others. Errors:
    NotUsable for a distortion that no lens has."""
    K, d = np.array(matrix).reshape(3, 3), np.array(distortion)
    unbend = cv2.fisheye.initUndistortRectifyMap if lens == "equidistant" else cv2.initUndistortRectifyMap
    across, down = unbend(K, d, np.eye(3), K, (width, height), cv2.CV_32FC1)
    bent = max(float(np.abs(across - np.arange(width)).max()), float(np.abs(down - np.arange(height)[:, None]).max()))
    if not bent < max(width, height):
        raise NotUsable(f"the lens's distortion {lens} {distortion} would move pixels by {bent:.0f}")
    return (across, down) if bent > _UNSEEN else None
