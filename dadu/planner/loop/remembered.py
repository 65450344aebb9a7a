"""What was so already, as far as memory knows, is looked at before it is told as done: somebody may have changed it
since. Found by `dadu chaos`: a towel that a person had taken away 25 tasks before was still told to be on the desk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dadu.goals.belief import satisfying
from dadu.goals.predicates.predicate import Family
from dadu.goals.predicates.table import PREDICATES
from dadu.goals.progress import Progress
from dadu.knowledge.vocabulary import Vocabulary
from dadu.planner.regression.knowledge import Knowledge
from dadu.planner.situation import Situation
from dadu.planner.step import Decision, Step
from dadu.skills.call import SkillCall
from dadu.skills.table import SKILLS
from dadu.world.graph import ROBOT, Kind, Relation, WorldGraph

CHOOSER = "making_sure"
"""who has chosen these steps, in place of a policy's name"""
RECENT = 30.0
"""[s] before a task in which what was seen counts as seen for it"""
_TRIES = 2
_SEEN = (Family.WHEREABOUTS, Family.PART)
"""what a look can tell"""


@dataclass(frozen=True)
class Remembered:
    """A thing that is as it should be, unless that has changed since it was seen."""

    thing: str
    place: str
    """where to look"""

    def __str__(self) -> str:
        return f"{self.thing} was so already when it was last seen, and could not be looked at"


def remembered(progress: Progress, graph: WorldGraph, situation: Situation, vocabulary: Vocabulary,
               steps: Sequence[Step], since: float) -> list[Remembered]:
    """Of what makes a goal true that is achieved, what neither this task has done nor anybody has seen after `since`
    [s]. What is shut away is taken for granted: nobody but who opens it takes it. A look to make sure has shown how
    furniture is, but of things only those that were seen."""
    know, looked_at = Knowledge(graph, situation, vocabulary), _touched(steps)
    worked_at = _touched([step for step in steps if step.decision.policy != CHOOSER])
    found: dict[str, Remembered] = {}
    for p in [p for p in progress.goal.propositions if p.subject.key != ROBOT
              and PREDICATES[p.predicate].family in _SEEN]:
        doubtful = [id for id in satisfying(p, graph) if not _seen(graph, id, since)
                    and id not in (looked_at if graph[id].kind is Kind.FURNITURE else worked_at)]
        if len(doubtful) <= len(satisfying(p, graph)) - p.needed:
            continue
        for id in doubtful:
            place = _place(id, graph, know)
            if place and place not in worked_at:
                found[id] = Remembered(id, place)
    return list(found.values())


def make_sure(doubted: Sequence[Remembered], steps: Sequence[Step]) -> Decision | None:
    """The next step to see the first of them; None where each was tried often enough."""
    for doubt in doubted:
        call = SkillCall("go_to", (doubt.place,))
        if sum(step.call == call and step.decision.policy == CHOOSER for step in steps) < _TRIES:
            return Decision(call, f"{doubt.thing} is so already, as far as is known; making sure", CHOOSER, "look",
                            (call,))
    return None


def _touched(steps: Sequence[Step]) -> set[str]:
    """What this task has looked at, taken, put down, opened or closed."""
    worked = [s for s in steps if s.result is not None and s.result.ok and s.call.skill in SKILLS]
    acted = [s for s in worked if SKILLS[s.call.skill].changes_world or s.decision.purpose == "look"]
    return {name for s in acted for name in (*s.call.arguments, s.outcome.target)}


def _seen(graph: WorldGraph, id: str, since: float) -> bool:
    """Furniture is confirmed by any part of it: of its doors that says nothing."""
    return graph[id].kind is not Kind.FURNITURE and graph[id].stamp >= since


def _place(id: str, graph: WorldGraph, know: Knowledge) -> str:
    """Where a look would show it; empty: nowhere."""
    if graph[id].kind is Kind.FURNITURE:
        return id
    edge = graph.support(id)
    if edge is None or edge.object not in graph:
        return ""
    if edge.relation is Relation.IN and know.shut(edge.object, edge.part):
        return ""
    return edge.object if graph[edge.object].kind is Kind.FURNITURE else id
