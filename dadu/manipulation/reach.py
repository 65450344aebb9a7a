"""Carrying out what was planned: the arm from folded to a pose in front of it."""

from __future__ import annotations

from dadu.core.robot import Observation
from dadu.motion.plan import NARROW, ReachEntry
from dadu.robots import hand
from dadu.robots.body import Manipulator
from dadu.robots.motion import Motion, move, pass_through


def reach(body: Manipulator, observation: Observation, entry: ReachEntry, opening: float | None = None) -> Motion:
    """From folded to the entry pose; an empty hand opens to `opening` [m] on the way.

    Errors: SkillFailed (arm_stalled).
    """
    unfolding = [[posture] for posture in entry.unfolding]
    if opening is None:
        return (yield from pass_through(body, observation, (*unfolding, entry.inward), entry.origin))
    # No wider than what room was looked for: beside an open door a wide hand does not turn.
    observation = yield from hand.set_opening(observation, min(opening, NARROW))
    observation = yield from pass_through(body, observation, unfolding, entry.origin)
    observation = yield from hand.set_opening(observation, opening)
    observation = yield from move(body, observation, entry.inward, entry.origin)
    return (yield from hand.open_hand(body, observation, opening))
