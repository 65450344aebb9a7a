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

from dadu.core.geometry import Pose2, Vector3, vector3
from dadu.navigation.route import Leg
from dadu.skills.outcome import Code, SkillResult

TO_WORK = "to_work"
"""a goal's `behavior_tree` by which a drive ends without a look round: what is done there looks by itself. A point may
follow, ``to_work 1.20 3.40 0.85`` [m, map], to which head and hand are led on arrival"""


def encode_work_point(point: Vector3 | None) -> str:
    """`behavior_tree` of a drive to where something is done, at `point` [m, map] where that is known."""
    return " ".join([TO_WORK, *(f"{value:.3f}" for value in point or ())])


def work_of(behavior_tree: str) -> tuple[bool, Vector3 | None]:
    """Is something done at the goal, and at which point, if that is told? What is no point is left out."""
    first, *rest = behavior_tree.split() or [""]
    try:
        values = np.array(rest, float)
    except ValueError:
        values = np.zeros(0)
    told = values.shape == (3,) and bool(np.isfinite(values).all())
    return first == TO_WORK, vector3(values) if told else None


def navigate_result(result: SkillResult) -> NavigateToPose.Result:
    """error_code is the outcome's code, which is 0 for success here as in Nav2; error_msg is ``DETAIL: MESSAGE``."""
    text = f"{result.detail}: {result.message}" if result.detail else result.message
    return NavigateToPose.Result(error_code=int(result.code), error_msg="" if result.ok else text)


def navigate_through_result(result: SkillResult) -> NavigateThroughPoses.Result:
    """As `navigate_result`."""
    same = navigate_result(result)
    return NavigateThroughPoses.Result(error_code=same.error_code, error_msg=same.error_msg)


def drive_result(message: NavigateToPose.Result, target: str) -> SkillResult:
    """The inverse; of another navigator's error codes, which are no outcome codes, only the text is understood."""
    if message.error_code == NavigateToPose.Result.NONE:
        return SkillResult(Code.SUCCEEDED, f"stands at {target}", target=target)
    known = message.error_code in {int(code) for code in Code}
    code = Code(message.error_code) if known else Code.EXECUTION_FAILED
    detail, separator, text = message.error_msg.partition(": ")
    if not separator or " " in detail:
        detail, text = "", message.error_msg
    return SkillResult(code, text, detail, target)


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
