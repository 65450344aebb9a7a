"""What is seen now: fresh pictures, the right detection for an entity, and the cloud of everything in the way."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from dadu.core.geometry import apply
from dadu.core.robot import Command, Observation, Twist
from dadu.robots.motion import Motion
from dadu.skills.scene import Scene
from dadu.world.detection import DEPTH_STRIDE, Detection, DetectionFrame
from dadu.world.graph import Entity

OTHER_COLOR = 0.15
"""a detection of another colour than remembered counts as this much farther away [m]"""


def fresh(observation: Observation, scene: Scene, since: float, longest: float,
          enough: Callable[[DetectionFrame], bool] = lambda frame: True) -> Motion:
    """Waits for a picture taken at or after `since` [s] that is `enough`, at most `longest` [s]."""
    end = observation.stamp + longest
    while observation.stamp < end:
        if scene.frame is not None and scene.frame.stamp >= since and enough(scene.frame):
            break
        observation = yield Command(base=Twist())
    return observation


def current(scene: Scene, since: float) -> DetectionFrame | None:
    """The newest picture, if taken at or after `since` [s]."""
    return scene.frame if scene.frame is not None and scene.frame.stamp >= since else None


def match(frame: DetectionFrame | None, entity: Entity, distance: float) -> Detection | None:
    """The detection that is `entity`: within `distance` [m] of where it should be, the nearest that is called so; else
    the nearest that may be it, or is called what other views have called the entity."""
    if frame is None:
        return None

    def away(detection: Detection) -> float:
        color, expected = detection.attributes.get("color"), entity.attributes.get("color")
        penalty = OTHER_COLOR if color and expected and color != expected else 0.0
        return float(np.linalg.norm(detection.centroid - entity.position)) + penalty

    near = [d for d in frame.detections
            if (d.may_be(entity.category) or d.label in entity.may_be) and away(d) <= distance]
    return min(near, key=lambda d: (d.label != entity.category, away(d)), default=None)


def cloud(frame: DetectionFrame) -> np.ndarray:
    """(N, 3) [m], map: everything in the picture, from its coarse depth and its detections."""
    v, u = np.nonzero(frame.depth > 0)
    z = frame.depth[v, u].astype(float)
    pixel = np.stack([u, v], axis=1) * DEPTH_STRIDE + DEPTH_STRIDE // 2
    rays = (pixel - frame.K[:2, 2]) / (frame.K[0, 0], frame.K[1, 1])
    coarse = apply(frame.T_map_camera, np.column_stack([rays * z[:, None], z]))
    return np.concatenate([coarse, *(d.points.astype(float) for d in frame.detections)])
