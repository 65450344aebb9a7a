"""Typed outcomes: the one enum used by skills, nodes, planner, logs, bags and metrics.

Source: the error taxonomy L, D, F, E of EMMOE, extended; mirrored as constants in ``dadu_interfaces/msg/Outcome``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import IntEnum

from dadu.core.errors import DaduError, NotUsable, choices


class Code(IntEnum):
    """What became of a skill. Bands: 0 done, 10 logic, 20 distance, 30 format, 40 execution, 50 ended, 60 system."""

    SUCCEEDED = 0
    """Verified by sensing, not assumed."""
    UNCERTAIN = 1
    """Done, but sensing could not confirm it."""
    HAND_FULL = 10
    """L1: pick, open or close with something in the hand."""
    HAND_EMPTY = 11
    """L2: place with nothing in the hand."""
    CONTAINER_CLOSED = 12
    """L3: pick from or place into a closed container."""
    NOT_INTERACTIVE = 13
    """L4: the target cannot be opened, switched..."""
    TOO_FAR = 20
    """D1: target out of reach."""
    TOO_CLOSE = 21
    """D2: the arm cannot extend."""
    UNKNOWN_ACTION = 30
    """F1: not in the action set."""
    UNKNOWN_TARGET = 31
    """F2: not known or not seen."""
    EXECUTION_FAILED = 40
    """E1: see the detail."""
    OBJECT_LOST = 41
    """E2: the held or target object went missing."""
    TIMED_OUT = 50
    CANCELLED = 51
    OPERATOR_OVERRIDE = 52
    SAFETY_STOP = 53
    UNREACHABLE_BACKEND = 60
    """Planner, driver or simulator gone."""

    @property
    def ok(self) -> bool:
        """True if the plan may go on as if the skill had worked (verified, or done but unconfirmed)."""
        return self in (Code.SUCCEEDED, Code.UNCERTAIN)


class Detail:
    """Machine-readable reasons that accompany a code, mostly EXECUTION_FAILED."""

    GRASP_SLIPPED = "grasp_slipped"
    PATH_BLOCKED = "path_blocked"
    NO_GRASP = "no_grasp"
    TOO_WIDE = "too_wide"
    """for the gripper, as it is seen from here"""
    NO_FREE_SPACE = "no_free_space"
    IK_FAILED = "ik_failed"
    COLLISION = "collision"
    DOOR_STUCK = "door_stuck"
    NOT_SEEN = "not_seen"
    """no picture came; that says nothing of what is there"""
    NOT_THERE = "not_there"
    NOT_TAKEN = "not_taken"
    """what was held out to somebody is in the hand still"""
    ARM_STALLED = "arm_stalled"
    POLICY_UNUSABLE = "policy_unusable"
    """what a learned policy's server sent cannot be carried out: no numbers, a wrong shape, an error in words"""
    BODY_IN_USE = "body_in_use"
    OPEN_IN_THE_WAY = "open_in_the_way"
    """with TOO_FAR: the target of the outcome stands open where the robot would have to stand, or on the way there"""
    UNSEEN = "unseen"
    """with TOO_FAR: not enough was seen yet of the target, or of the floor about it, to say where to stand"""
    NEARER = "nearer"
    """with SUCCEEDED: the robot has come nearer, to see more; it has not arrived yet"""
    SEEN = "seen"
    """what was looked for is in sight, so the rest was not looked at"""


@dataclass(frozen=True)
class SkillResult:
    """How a skill ended: the code, a machine-readable detail and a sentence that a language model can act on."""

    code: Code
    message: str
    """What happened and what is possible now, naming valid alternatives."""
    detail: str = ""
    """One of `Detail`, or empty."""
    target: str = ""
    """Id of the object or receptacle concerned, as in the world graph; may differ from the argument's wording."""
    by: str = ""
    """Which of the skill's ways ran, by its name; empty where there is only one, planned, and where none began."""

    @property
    def ok(self) -> bool:
        return self.code.ok


class SkillFailed(DaduError):
    """Ends a skill from within: carries the result that the skill returns."""

    def __init__(self, code: Code, message: str, detail: str = "", target: str = "") -> None:
        super().__init__(message)
        self.result = SkillResult(code, message, detail, target)

    def about(self, target: str) -> SkillResult:
        """The result, naming the entity concerned."""
        return replace(self.result, target=self.result.target or target)


def known_code(number: int) -> Code:
    """Of a message. Errors: NotUsable for one that nobody knows."""
    try:
        return Code(number)
    except ValueError:
        raise NotUsable(f"{number} is no code of an outcome; valid: {choices(map(str, map(int, Code)), 40)}") from None
