"""What was let go and not seen where it should stand is looked at again before success is told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dadu.goals.interpreter import LookFirst
from dadu.knowledge.vocabulary import Vocabulary
from dadu.planner.regression.lookahead import look_step
from dadu.planner.situation import Situation
from dadu.planner.step import Decision, Step
from dadu.skills.outcome import Code
from dadu.skills.specification import Puts
from dadu.skills.table import SKILLS, does
from dadu.world.graph import WorldGraph

CHOOSER = "looking_again"
"""who has chosen these steps, in place of a policy's name"""


@dataclass(frozen=True)
class Doubt:
    """A thing of which it is not certain that it stands where it was put."""

    thing: str
    receptacle: str
    step: int
    """number of the step that put it there"""

    def __str__(self) -> str:
        return f"{self.thing} was not seen at {self.receptacle} since it was put there"


@dataclass(frozen=True)
class Placing:
    """A step that put something somewhere."""

    step: Step
    at: str
    """id of the receptacle"""


def newest_placings(steps: Sequence[Step]) -> dict[str, Placing]:
    """By thing, the last step that put it down, and worked as far as is known."""
    newest: dict[str, Placing] = {}
    for step in steps:
        receptacle = _receptacle(step)
        if receptacle and step.outcome.ok and step.outcome.target:
            newest[step.outcome.target] = Placing(step, receptacle)
    return newest


def doubts(steps: Sequence[Step], graph: WorldGraph) -> list[Doubt]:
    """Of the things that were put down, those whose newest placing ended UNCERTAIN and that nobody has seen since."""
    return [Doubt(thing, placing.at, placing.step.index) for thing, placing in newest_placings(steps).items()
            if placing.step.outcome.code is Code.UNCERTAIN and not _seen_since(thing, placing.step, graph)]


def look_again(doubted: Sequence[Doubt], graph: WorldGraph, situation: Situation, vocabulary: Vocabulary
               ) -> Decision | None:
    """The next step to see whether the first of them is there that was not looked for yet; None where all were."""
    for doubt in doubted:
        if doubt.receptacle in graph and situation.looked.get(doubt.receptacle, 0) <= doubt.step:
            look = LookFirst(doubt.receptacle, f"{doubt}; looking again", None)
            step = look_step(look, graph, situation, vocabulary)
            return Decision(step.call, step.reason, CHOOSER, step.purpose, (step.call,))
    return None


def _receptacle(step: Step) -> str:
    """Where it put something; empty where it did not."""
    if not does(step.call.skill, Puts):
        return ""
    effect = next(effect for effect in SKILLS[step.call.skill].effects if isinstance(effect, Puts))
    return SKILLS[step.call.skill].named(step.call.arguments)[effect.receptacle]


def _seen_since(thing: str, step: Step, graph: WorldGraph) -> bool:
    entity = graph.entities.get(thing)
    return entity is not None and entity.provenance == "detection" and entity.stamp > step.end
