"""A picture in, a `DetectionFrame` out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from dadu.core.robot import CameraFrame
from dadu.incoming.pictures import shades
from dadu.perception.backprojection import BackprojectionSettings, backproject
from dadu.perception.bars import attach_bars
from dadu.perception.detector import Detector, Segmentation
from dadu.perception.states import StateReader
from dadu.world.detection import DEPTH_STRIDE, DetectionFrame

_STILL = 2e-3
"""by which no entry of T_map_camera changes for a camera that stands [m, or rad]: localisation breathes by less"""


class LastLook:
    """What was found in the newest picture: the same picture again, from the same place, is not searched anew.

    Only what is equal to the last bit counts as the same: a detector that says the same of the same cannot say anything
    else of it, so nobody knows less for it, however long a scene stands still. Whoever teaches the detector something
    calls `forget`.
    """

    def __init__(self) -> None:
        self._seen: tuple[Detector, CameraFrame, Segmentation] | None = None

    def forget(self) -> None:
        """The next picture is searched, whatever it shows."""
        self._seen = None

    def search(self, frame: CameraFrame, detector: Detector) -> Segmentation:
        """What `detector` finds in `frame`, with its handles."""
        if self._seen is not None and self._seen[0] is detector and _same(self._seen[1], frame):
            return self._seen[2]
        found = search(frame, detector)
        self._seen = detector, frame, found
        return found


def search(frame: CameraFrame, detector: Detector) -> Segmentation:
    """What `detector` finds in `frame`, with its handles."""
    return attach_bars(frame, detector.segment(frame))


def perceive(frame: CameraFrame, detector: Detector, settings: BackprojectionSettings | None = None,
             states: StateReader | None = None, last: LastLook | None = None) -> DetectionFrame:
    """Looks at a picture's `shades`, detects and finds handles, reads the states of what is seen where there is a
    reader, lifts all of it into the map, and keeps the coarse depth that tells "seen empty" from "not seen". `last`: of
    the pictures before this one."""
    frame = replace(frame, rgb=shades(frame.rgb))
    height, width = frame.depth.shape
    found = search(frame, detector) if last is None else last.search(frame, detector)
    if states is not None:
        found = states.read(frame, found)
    return DetectionFrame(
        stamp=frame.stamp, T_map_camera=frame.T_map_camera, K=frame.K, width=width, height=height,
        depth=coarse_depth(frame.depth), detections=backproject(frame, found, settings),
        detector=detector.name,
    )


def coarse_depth(depth: np.ndarray) -> np.ndarray:
    """float32 (H // 8, W // 8) [m]: the middle pixel of every 8x8 block, 0 where it has no reading."""
    height, width = depth.shape
    middle = depth[DEPTH_STRIDE // 2::DEPTH_STRIDE, DEPTH_STRIDE // 2::DEPTH_STRIDE]
    middle = middle[:height // DEPTH_STRIDE, :width // DEPTH_STRIDE]
    return np.where(np.isfinite(middle), middle, 0).astype(np.float32)


def _same(a: CameraFrame, b: CameraFrame) -> bool:
    """True if both show the same from the same place."""
    return (bool(np.abs(a.T_map_camera - b.T_map_camera).max() <= _STILL)
            and np.array_equal(a.K, b.K) and _alike(a.rgb, b.rgb) and _alike(a.depth, b.depth)
            and (a.instances is b.instances or (a.instances is not None and b.instances is not None
                                                and _alike(a.instances, b.instances))))


def _alike(a: np.ndarray, b: np.ndarray) -> bool:
    return a is b or np.array_equal(a, b, equal_nan=a.dtype.kind == "f")
