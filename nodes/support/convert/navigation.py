"""Routes, corrections and the outcome of a drive between the library and nav2_msgs, nav_msgs and tf2_msgs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from dadu_nodes.support.clock import stamp
from dadu_nodes.support.convert.geometry import planar_pose, tf
from geometry_msgs.msg import PoseStamped, TransformStamped
from nav2_msgs.action import NavigateThroughPoses, NavigateToPose
from nav_msgs.msg import Path
from std_msgs.msg import Header
from tf2_msgs.msg import TFMessage

from dadu.core.geometry import Pose2
from dadu.navigation.route import Leg
from dadu.skills.outcome import SkillResult


def navigate_result(result: SkillResult) -> NavigateToPose.Result:
    """error_code is the outcome's code, which is 0 for success here as in Nav2; error_msg is ``DETAIL: MESSAGE``."""
    text = f"{result.detail}: {result.message}" if result.detail else result.message
    return NavigateToPose.Result(error_code=int(result.code), error_msg="" if result.ok else text)


def navigate_through_result(result: SkillResult) -> NavigateThroughPoses.Result:
    same = navigate_result(result)
    return NavigateThroughPoses.Result(error_code=same.error_code, error_msg=same.error_msg)


def path_message(route: Sequence[Leg], header: Header) -> Path:
    """All legs as one path; each pose looks to the next."""
    points = np.concatenate([leg.points for leg in route]) if route else np.zeros((0, 2))
    ahead = np.diff(points, axis=0, append=points[-1:])
    yaws = np.arctan2(ahead[:, 1], ahead[:, 0])
    return Path(header=header, poses=[PoseStamped(header=header, pose=planar_pose(Pose2(float(x), float(y), float(a))))
                                      for (x, y), a in zip(points, yaws)])


def correction_message(map_odom: Pose2, time: float) -> TFMessage:
    """The transform map -> odom at `time` [s]."""
    header = Header(stamp=stamp(time), frame_id="map")
    correction = TransformStamped(header=header, child_frame_id="odom", transform=tf(map_odom.matrix()))
    return TFMessage(transforms=[correction])
