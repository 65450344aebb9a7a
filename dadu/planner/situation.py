"""What the steps taken so far say of the robot: where it stands and for what, what failed, where it has looked."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from copy import copy
from dataclasses import dataclass, field, replace

from dadu.knowledge.odds import Odds
from dadu.planner.step import Step
from dadu.planner.ways import WayCosts
from dadu.skills.call import SkillCall
from dadu.skills.outcome import Code, Detail, SkillResult
from dadu.skills.specification import Puts, Takes
from dadu.skills.table import does

TRIES = 3
"""how often one call may fail before another way is looked for"""
_COUNTS = {Detail.UNSEEN: TRIES, Detail.TOO_WIDE: TRIES - 1}
"""failures that count for more than one: at once it is no better; seen from another side once more it may be"""
LOOKS_AGAIN = 2
"""how often a thing that slipped so often is looked at anew, to be tried as often again"""
UNKNOWN = "unknown"
"""what `explore` takes instead of a room: wherever the map ends"""
_FRUITLESS = 2
"""how often exploring the unknown may show no new room and no new furniture, until it counts as seen"""
ANYWHERE = SkillCall("place", ())
"""where failures are counted that another place would not have spared, in `misfits`"""
_NOT_ITS_FAULT = (Code.CANCELLED, Code.OPERATOR_OVERRIDE, Code.SAFETY_STOP, Code.UNREACHABLE_BACKEND)

_OF_THE_HAND = (Code.HAND_EMPTY, Code.EXECUTION_FAILED, Code.TIMED_OUT)
"""failures to put something down that say nothing of the place, unless a detail does"""


@dataclass(frozen=True)
class Loss:
    """When an object was missed: number of the step, and time [s]."""

    step: int
    stamp: float


@dataclass
class Situation:
    """Derived from a history alone, so that a restarted planner continues from what memory holds."""

    at: tuple[str, str] | None = None
    """target and purpose of the last go_to, while the robot still stands there"""
    failures: Counter[SkillCall] = field(default_factory=Counter)
    """how often a call failed since it last worked; placing by what was placed, in `misfits`"""
    picked: str = ""
    """object that was in the hand last"""
    misfits: dict[str, Counter[SkillCall]] = field(default_factory=lambda: defaultdict(Counter))
    """object: where it could not be placed, and how often"""
    last_failure: dict[SkillCall, SkillResult] = field(default_factory=dict)
    opened: Counter[str] = field(default_factory=Counter)
    """how many parts of a container were opened, less those that were closed again"""
    looked: dict[str, int] = field(default_factory=dict)
    """room explored, or furniture looked at or into: number of the step"""
    looks_again: Counter[str] = field(default_factory=Counter)
    """how often a thing that could not be picked was looked at anew"""
    lost: dict[str, Loss] = field(default_factory=dict)
    """object that was not where it should have been, until it is picked again"""
    ways: WayCosts = field(default_factory=WayCosts)
    """at what each of a skill's ways failed"""
    odds: Odds = Odds()
    """what searches draw on; what of it is taken away, no history tells"""
    steps: int = 0
    extent: int = 0
    """number of rooms and pieces of furniture known"""
    fruitless: int = 0
    """how often the unknown was explored since the newest of them"""

    @classmethod
    def from_history(cls, history: Iterable[Step]) -> Situation:
        situation = cls()
        for step in history:
            if step.result is not None:
                situation.take(step.call, step.decision.purpose, step.result, step.end)
        return situation

    def copy(self) -> Situation:
        """One that goes its own way from here on."""
        own = copy(self)
        for name, value in vars(self).items():
            if isinstance(value, dict):
                setattr(own, name, copy(value))
        own.ways = self.ways.copy()
        own.misfits = defaultdict(Counter, {id: Counter(calls) for id, calls in self.misfits.items()})
        return own

    def extend(self, extent: int) -> None:
        """So many rooms and pieces of furniture are known now; where there are more of them than before, there may be
        more still."""
        if extent > self.extent:
            self.extent, self.fruitless = extent, 0
            self.looked.pop(UNKNOWN, None)

    def take(self, call: SkillCall, purpose: str, result: SkillResult, stamp: float = 0.0) -> None:
        """One more outcome, at `stamp` [s]."""
        self.steps += 1
        self.ways.take(call, result)
        if result.ok:
            self._worked(call, purpose, result.target, result.detail)
        else:
            self._failed(call, result, stamp)

    def _worked(self, call: SkillCall, purpose: str, target: str, detail: str) -> None:
        for counted in (call, ANYWHERE):
            self._counted(call).pop(counted, None)
        if detail in (Detail.SEEN, Detail.NEARER):
            self.at = None  # it broke off, or is not there yet; what it did not look at may hold other things
        elif call.skill == "go_to":
            self.at = (call.arguments[0], purpose)
            if purpose == "look":
                id = call.arguments[0]
                self.looked[id] = self.steps
                if self.failures[SkillCall("pick", (id,))] >= TRIES:  # it may be seen better now: they count anew
                    self.looks_again[id] += 1
                    del self.failures[SkillCall("pick", (id,))]
        elif call.skill == "explore":
            self.at = None
            self._explored(call.arguments[0], target)
        elif call.skill == "open":
            self.opened[call.arguments[0]] += 1
        elif call.skill == "close":
            self.opened[call.arguments[0]] = max(0, self.opened[call.arguments[0]] - 1)
            self._out_of_the_way(call.arguments[0])
        elif does(call.skill, Takes):
            self.picked = call.arguments[0]
            self.odds = replace(self.odds, moved=self.odds.moved | {call.arguments[0]})
            self.lost.pop(call.arguments[0], None)

    def _out_of_the_way(self, id: str) -> None:
        """What stood open where the robot had to stand does so no more; opened again, it has to be met with again, so
        that opening and closing do not go on for ever."""
        for call, failure in self.last_failure.items():
            if failure.detail == Detail.OPEN_IN_THE_WAY and failure.target == id:
                self.last_failure[call] = replace(failure, detail="")

    def _counted(self, call: SkillCall) -> Counter[SkillCall]:
        """Where failures of a call are counted: whether there is room depends on what is in the hand."""
        return self.misfits[self.picked] if does(call.skill, Puts) else self.failures

    def _explored(self, place: str, room: str) -> None:
        """`place` is what was asked for, `room` where that was, if known. Where too little had been seen to say where
        to stand, there may be a place now."""
        for call in [c for c, failure in self.last_failure.items() if failure.detail == Detail.UNSEEN]:
            self.failures.pop(call, None)
        if place != UNKNOWN:
            self.looked[place] = self.steps
            return
        if room:
            self.looked[room] = self.steps
        self.fruitless += 1
        if self.fruitless >= _FRUITLESS:
            self.looked[UNKNOWN] = self.steps

    def _failed(self, call: SkillCall, result: SkillResult, stamp: float) -> None:
        self.at = None  # come again: the base placement may choose another side
        if result.code is Code.OBJECT_LOST:
            self.lost[result.target or call.arguments[0]] = Loss(self.steps, stamp)
        elif result.code not in _NOT_ITS_FAULT:
            self._counted(call)[call] += _COUNTS.get(result.detail, 1)
            self.last_failure[call] = result
            if does(call.skill, Puts) and result.code in _OF_THE_HAND and result.detail in ("", Detail.POLICY_UNUSABLE):
                self._counted(call)[ANYWHERE] += 1
        if result.code is Code.HAND_FULL:
            self.picked = ""  # something else, or it is in the hand still
        missing = result.code is Code.UNKNOWN_TARGET and does(call.skill, Takes)
        if missing and (result.detail == Detail.NOT_THERE or self.failures[call] > 1):
            self.lost[call.arguments[0]] = Loss(self.steps, stamp)
        if call.skill in ("explore", "go_to") and self.failures[call] >= (TRIES if call.skill == "go_to" else 2):
            self.looked[call.arguments[0]] = self.steps  # as far as it can be looked at
