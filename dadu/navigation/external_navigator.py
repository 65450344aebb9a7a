"""Where somebody else drives: what is asked of him, and what became of it in our outcomes."""

from __future__ import annotations

import math
from collections.abc import Generator
from typing import Protocol

from dadu.core.geometry import Pose2
from dadu.core.robot import Command, Observation
from dadu.navigation.arm_while_driving import ArmMotionWhileDriving
from dadu.skills.outcome import Code, Detail, SkillFailed, SkillResult
from dadu.skills.scene import Scene

_ELSEWHERE = "try another target, or another side of it"
_LOST = Code.UNREACHABLE_BACKEND, "", "Nav2 misses a transform, so it does not know where the robot is; try again soon"
_BLOCKED = Code.EXECUTION_FAILED, Detail.PATH_BLOCKED
_LATE = Code.TIMED_OUT, "", "Nav2 was too slow to find a way; try again, or another target"
_PLANNER = {
    2: _LOST,
    3: (*_BLOCKED, "the robot stands outside Nav2's map; it cannot drive from here"),
    4: (*_BLOCKED, f"the place is outside Nav2's map; {_ELSEWHERE}"),
    5: (*_BLOCKED, f"the robot stands too close to an obstacle to plan from here; {_ELSEWHERE}"),
    6: (*_BLOCKED, f"the place is too close to an obstacle; {_ELSEWHERE}"),
    7: _LATE,
    8: (*_BLOCKED, f"no way is wide enough; {_ELSEWHERE}"),
}
_CONTROLLER = {
    2: _LOST,
    4: (*_BLOCKED, f"the controller gave up waiting for the way to be clear; {_ELSEWHERE}"),
    5: (*_BLOCKED, f"the robot made no progress; {_ELSEWHERE}"),
    6: (*_BLOCKED, f"what is in the way leaves no room to drive on; {_ELSEWHERE}"),
    7: _LATE,
}
_HEMMED_IN = (*_BLOCKED, f"something is too close to back off or turn; {_ELSEWHERE}")
# Nav2 numbers its errors by who failed: 1xx controller, 2xx and 3xx planner (one goal, several), 5xx smoother, 7xx
# behaviours, 9xxx navigator; the same from Jazzy to Lyrical.
_MEANINGS = {
    **{100 + n: meaning for n, meaning in _CONTROLLER.items()},
    **{base + n: meaning for base in (200, 300) for n, meaning in _PLANNER.items()},
    **dict.fromkeys((702, 712, 722, 9002, 9102), _LOST),
    **dict.fromkeys((703, 714, 723), _HEMMED_IN),
    **dict.fromkeys((9003, 9103), _LATE),
}


def failure_of(code: int, text: str) -> SkillResult:
    """Of a drive that Nav2 aborted with `code`; `text` is its own, for people who read logs, often empty."""
    says = f" (Nav2: {code}{f' {text}' if text else ''})"
    if code == 0:
        return SkillResult(Code.EXECUTION_FAILED, "Nav2 broke the drive off without a reason, as it does where it gets "
                           f"another goal; try again{says}")
    outcome, detail, sentence = _MEANINGS.get(
        code, (Code.EXECUTION_FAILED, "", f"Nav2 could not drive there; {_ELSEWHERE}"))
    return SkillResult(outcome, sentence + says, detail)


_FAR = 0.5
"""[m] from the goal at which nobody has arrived, whatever he says"""


class Navigator(Protocol):
    """Who drives: one goal at a time, and none of these calls waits."""

    def send(self, pose: Pose2) -> None:
        """Begins a drive of base_link to `pose` in map."""

    def result(self) -> SkillResult | None:
        """What became of the drive; None while it is under way."""

    def cancel(self) -> None:
        """Ends the drive; after its end, nothing."""


def drive_by(navigator: Navigator, scene: Scene, pose: Pose2, arm_motion: ArmMotionWhileDriving
             ) -> Generator[Command, Observation, None]:
    """Has `navigator` drive base_link to `pose` in map, once the lift is down. Whoever breaks off earlier cancels it.

    Errors: SkillFailed, as the navigator fails, and with EXECUTION_FAILED where the robot is said to have arrived and
    stands half a metre off.
    """
    while arm_motion.lift_moves((yield Command())):
        pass
    scene.phase = "drive"
    navigator.send(pose)
    try:
        while (result := navigator.result()) is None:
            yield Command()
    finally:
        navigator.cancel()
    if not result.ok:
        raise SkillFailed(result.code, result.message, result.detail)
    off = math.dist((yield Command()).base_pose[:2], pose[:2])
    if off > _FAR:
        raise SkillFailed(Code.EXECUTION_FAILED, f"the navigator says that it has arrived, {off:.1f} m from the goal; "
                          "try again, or another target")
