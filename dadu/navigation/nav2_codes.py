"""What Nav2's error codes mean here. It numbers them by who failed: 1xx controller, 2xx and 3xx planner (one goal,
several), 5xx smoother, 7xx behaviours, 9xxx navigator; the same from Jazzy to Lyrical."""

from __future__ import annotations

from dadu.skills.outcome import Code, Detail, SkillResult

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
