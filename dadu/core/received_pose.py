"""A pose that comes from outside: brought into a frame of ours, or refused in a sentence."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dadu.core.errors import NotUsable
from dadu.core.geometry import FARTHEST, UNIT, Pose2, rotation, transform
from dadu.core.transforms import NotYet, TransformError, TransformTree


class PoseRefused(NotUsable):
    """Why a pose cannot be used."""


class PoseNotYet(PoseRefused):
    """It is of a time after the newest transforms; it may be of use once others have come."""


def received_pose(tree: TransformTree, target: str, frame: str, position: Sequence[float],
                  orientation: Sequence[float], stamp: float | None = None) -> Pose2:
    """The planar pose in frame `target` of a `position` (3,) [m] and `orientation` (x, y, z, w) given in `frame`.

    At `stamp` [s] where the frames move against each other; None: by the newest transforms. Errors: PoseRefused for
    numbers that are not finite, a quaternion that is no rotation, and frames that are not known or not connected;
    PoseNotYet for a stamp after the newest.
    """
    if not np.isfinite(position).all() or not np.isfinite(orientation).all():
        raise PoseRefused("the pose holds a number that is not finite")
    if max(map(abs, position)) > FARTHEST:
        raise PoseRefused("the pose is nowhere on Earth")
    length = float(np.linalg.norm(orientation))
    if abs(length - 1.0) > UNIT:
        raise PoseRefused(f"the orientation's quaternion has length {length:.3g}, not 1")
    if not frame:
        raise PoseRefused(f"the pose names no frame; set header.frame_id, for example to {target!r}")
    if frame == target:
        return Pose2.from_matrix(transform(rotation(orientation), position))
    try:
        T_target_frame = tree.lookup(target, frame, stamp)
    except TransformError as error:
        raise (PoseNotYet if isinstance(error, NotYet) else PoseRefused)(str(error)) from None
    return Pose2.from_matrix(T_target_frame @ transform(rotation(orientation), position))
