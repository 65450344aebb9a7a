"""A picture in, a `DetectionFrame` out."""

from __future__ import annotations

import numpy as np

from dadu.core.robot import CameraFrame
from dadu.perception.backprojection import BackprojectionSettings, backproject
from dadu.perception.bars import attach_bars
from dadu.perception.detector import Detector
from dadu.perception.states import StateReader
from dadu.world.detection import DEPTH_STRIDE, DetectionFrame


def perceive(frame: CameraFrame, detector: Detector,
             settings: BackprojectionSettings | None = None, states: StateReader | None = None) -> DetectionFrame:
    """Detects, reads the states of what is seen where there is a reader, finds handles, lifts all of it into the map,
    and keeps the coarse depth that tells "seen empty" from "not seen"."""
    height, width = frame.depth.shape
    found = detector.segment(frame)
    if states is not None:
        found = states.read(frame, found)
    found = attach_bars(frame, found)
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
