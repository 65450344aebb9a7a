"""Planning without a simulator: what an instruction asks for in a house, and the steps that it would take."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from dadu.goals.goal import Goal
from dadu.goals.progress import Progress
from dadu.goals.refusal import NotSeen, Refusal
from dadu.house.files import House
from dadu.house.layout import build_graph
from dadu.knowledge.vocabulary import Vocabulary, taught
from dadu.language.interpret import interpret
from dadu.planner.regression.lookahead import plan, revealed
from dadu.planner.regression.options import Choice
from dadu.planner.situation import Situation
from dadu.planner.survey import read
from dadu.skills.effects import apply
from dadu.skills.outcome import Code, SkillResult
from dadu.skills.table import SKILLS
from dadu.world.graph import WorldGraph

_SEEN = SkillResult(Code.SUCCEEDED, "as it is")


@dataclass
class _Plan:
    """What came of one way to plan."""

    goal: Goal
    steps: list[Choice]
    refused: str | None
    answers: dict[int, bool]
    nothing_left: set[int]

    @property
    def not_asked(self) -> set[int]:
        """Indices of propositions that the answers leave out, or the others; where a question is open, what it asks
        about is there."""
        out = set(self.nothing_left)
        for i, b in enumerate(self.goal.branches):
            yes = self.answers.get(i, True) is not b.question.negated
            out |= set(b.otherwise if yes else b.then)
        return out


def plan_offline(instruction: str, house: House, known: str = "layout") -> dict[str, Any]:
    """``goal`` (as in a suite), ``plan`` (lists of skill and arguments), ``refused`` (None or a sentence),
    ``substitutions``, and ``notes`` on what was read into the words.

    With ``known="layout"`` a thing that has first to be found appears in the plan by its category's name, as if it were
    in the first place to look; where that says too little (all that is on the table, half of the books, if there is
    milk), the plan looks around and finds what there is. The words of the house's own categories are understood even
    so, as by a robot whose detector was taught them. With ``known="all"`` what the house lacks does not exist. The
    robot has all skills.
    """
    truth, graph = build_graph(house, "all"), build_graph(house, known)
    vocabulary = taught(house)
    try:
        found = _as_if_there(instruction, graph, vocabulary, complete=known == "all")
        says_little = found is None or found.refused or found.goal.branches or Progress(found.goal).incomplete
        if known != "all" and says_little:
            seen = _looking_around(instruction, graph, truth, vocabulary)
            found = seen if found is None or not seen.refused else found
    except Refusal as refusal:
        return {"goal": None, "plan": [], "refused": str(refusal), "substitutions": [], "notes": []}
    return {"goal": found.goal.to_suite(found.not_asked), "plan": [step.call.as_list() for step in found.steps],
            "refused": found.refused, "substitutions": list(found.goal.substitutions), "notes": list(found.goal.notes)}


def _as_if_there(instruction: str, graph: WorldGraph, vocabulary: Vocabulary, complete: bool) -> _Plan | None:
    """What is not known is taken to be in the first place to look; None where that cannot be said before things were
    seen. Errors: Refusal."""
    try:
        goal = interpret(instruction, graph, vocabulary, complete=complete)
    except NotSeen:
        if complete:
            raise
        return None
    elsewhere = complete and any(not p.subject.ids for p in goal.propositions)  # than where the words say
    return _planned(goal, graph, Situation(), vocabulary, graph if elsewhere else None)


def _planned(goal: Goal, graph: WorldGraph, situation: Situation, vocabulary: Vocabulary,
             truth: WorldGraph | None = None) -> _Plan:
    progress = Progress(goal, unseen=truth is not None)
    steps = plan(progress, graph, situation, vocabulary, capabilities=tuple(SKILLS), keep=True, truth=truth)
    refused = None if steps and steps[-1].call.skill == "done" else progress.report(graph)
    if truth is None:
        return _Plan(goal, steps, refused, {}, set())
    return _Plan(progress.goal, steps, refused, progress.answers, progress.nothing_left)


def _looking_around(instruction: str, graph: WorldGraph, truth: WorldGraph, vocabulary: Vocabulary) -> _Plan:
    """As the robot would do it that finds things where they are. Errors: Refusal."""
    situation, first = Situation(), []
    while not isinstance(found := read(instruction, graph, situation, vocabulary), Goal):
        first.append(found)
        graph, truth = apply(graph, found.call), apply(truth, found.call)
        graph = revealed(graph, truth, found.call)
        situation.take(found.call, found.purpose, _SEEN)
    rest = _planned(found, graph, situation, vocabulary, truth)
    return replace(rest, steps=first + rest.steps)
