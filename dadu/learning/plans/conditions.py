"""Under what conditions an instruction is carried out: what the robot is told and can do, and what goes wrong."""

from __future__ import annotations

import random
from dataclasses import dataclass

from dadu.goals.suite_goal import SuiteGoal
from dadu.house.format import House
from dadu.learning.plans.settings import PlanSettings
from dadu.sim.backend import DisturbanceError
from dadu.skills.call import SkillCall
from dadu.skills.outcome import Code, Detail, SkillResult
from dadu.skills.table import BASE_CAPABILITIES, SKILLS
from dadu.stacks.oracle import OracleStack

_FIRST, _LAST = 1, 9
"""steps after which somebody meddles"""
_FAULTS: dict[str, tuple[tuple[str, str], ...]] = {
    "go_to": ((Detail.PATH_BLOCKED, "something stands in the way to {}; try again, or another target"),),
    "pick": ((Detail.GRASP_SLIPPED, "{} slipped from the fingers; try again"),
             (Detail.NO_GRASP, "the fingers closed on nothing; go_to {} and try again"),
             (Detail.COLLISION, "other things stand too close to {} for the fingers; go_to another side")),
    "place": ((Detail.COLLISION, "the arm would touch other things on {}; go_to it to stand elsewhere"),),
    "open": ((Detail.DOOR_STUCK, "{} did not move; go_to it and try again"),
             (Detail.NO_GRASP, "the fingers missed the handle of {}; try again")),
    "close": ((Detail.DOOR_STUCK, "{} did not move; go_to it and try again"),),
}
"""what physical skills say when they fail, by skill: detail and message"""


@dataclass(frozen=True)
class Conditions:
    """Of one episode."""

    known: str
    """what the robot is told of the home"""
    capabilities: tuple[str, ...]
    failing: float
    """share of skills that fail"""
    meddling: tuple[int, ...]
    """numbers of the steps after which somebody changes something"""


def draw_conditions(settings: PlanSettings, rng: random.Random) -> Conditions:
    """By chance."""
    known = rng.choices(list(settings.known), list(settings.known.values()))[0]
    able = tuple(SKILLS) if rng.random() < settings.skilled else BASE_CAPABILITIES
    failing = settings.failing if rng.random() < settings.clumsy else 0.0
    times = rng.choice((1, 1, 2)) if rng.random() < settings.disturbed else 0
    return Conditions(known, able, failing, tuple(sorted(rng.sample(range(_FIRST, _LAST + 1), times))))


class TriedStack(OracleStack):
    """The oracle's robot, whose skills fail now and then as physical ones do."""

    def __init__(self, house: House, conditions: Conditions, rng: random.Random) -> None:
        super().__init__(house, known=conditions.known)
        self.agent.capabilities = conditions.capabilities
        self._failing, self._chance = conditions.failing, random.Random(rng.getrandbits(32))

    async def _outcome(self, call: SkillCall) -> SkillResult:
        faults = _FAULTS.get(call.skill)
        if faults is None or self._chance.random() >= self._failing:
            return await super()._outcome(call)
        detail, message = self._chance.choice(faults)
        target = call.arguments[1] if call.skill == "place" else call.arguments[0]
        return SkillResult(Code.EXECUTION_FAILED, message.format(target), detail, target)


def meddle(stack: OracleStack, goal: SuiteGoal, rng: random.Random) -> str:
    """Somebody takes a thing of the goal elsewhere, knocks it out of the hand, or opens or shuts a door; says what was
    done, empty where it could not be done."""
    world = stack.world
    things = sorted((goal.names & world.things.keys()) - {stack.agent.held})
    tops = sorted(id for id, piece in world.pieces.items() if any(not s.inside for s in piece.surfaces))
    doors = sorted(id for id, piece in world.pieces.items() if piece.parts)
    try:
        if stack.agent.held and rng.random() < 0.5:
            return stack.disturb("drop")
        if doors and rng.random() < 0.2:
            return stack.disturb(rng.choice(("open", "close")), target=rng.choice(doors))
        return stack.disturb("move", rng.choice(things), rng.choice(tops)) if things and tops else ""
    except DisturbanceError:
        return ""
