"""Planning without a simulator: what an instruction asks for in a house, and the steps that it would take."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from dadu.goals.goal import Goal
from dadu.goals.interpreter import AskBack, Context, Interpretation, Interpreter, LookFirst, Refused
from dadu.goals.progress import Progress
from dadu.house.files import House
from dadu.house.layout import build_graph
from dadu.knowledge.vocabulary import Vocabulary
from dadu.planner.interpreters import make_interpreter
from dadu.planner.regression.lookahead import look_ahead, look_step, revealed
from dadu.planner.regression.planned import PlannedSkill
from dadu.planner.settings import PlannerSettings
from dadu.planner.situation import Situation
from dadu.skills.effects import apply
from dadu.skills.outcome import Code, SkillResult
from dadu.skills.table import SKILLS
from dadu.stacks.priors import told_vocabulary
from dadu.world.graph import WorldGraph

_SEEN = SkillResult(Code.SUCCEEDED, "as it is")


@dataclass(frozen=True)
class _Words:
    """An instruction and what reads it."""

    instruction: str
    interpreter: Interpreter
    vocabulary: Vocabulary

    def read(self, graph: WorldGraph, situation: Situation, complete: bool = False,
             looking: LookFirst | None = None) -> Interpretation:
        context = Context(graph, self.vocabulary, situation.looked, looking, complete)
        return self.interpreter.read(self.instruction, context)


@dataclass
class _Plan:
    """What came of one way to plan."""

    goal: Goal
    steps: list[PlannedSkill]
    refused: str | None
    answers: dict[int, bool]
    nothing_left: set[int]

    @property
    def says_little(self) -> bool:
        """True if much depends on what there is."""
        return bool(self.refused or self.goal.branches or Progress(self.goal).incomplete)

    @property
    def not_asked(self) -> set[int]:
        """Indices of propositions that the answers leave out, or the others; where a question is open, what it asks
        about is there."""
        out = set(self.nothing_left)
        for i, b in enumerate(self.goal.branches):
            yes = self.answers.get(i, True) is not b.question.negated
            out |= set(b.otherwise if yes else b.then)
        return out


def plan_offline(instruction: str, house: House, known: str = "layout", interpreter: Interpreter | None = None
                 ) -> dict[str, Any]:
    """``goal`` (as in a suite), ``plan`` (lists of skill and arguments), ``refused`` (None or a sentence),
    ``substitutions``, and ``notes`` on what was read into the words.

    With ``known="layout"`` a thing that has first to be found appears in the plan by its category's name, as if it were
    in the first place to look; where that says too little (all that is on the table, half of the books, if there is
    milk), the plan looks around and finds what there is. The words of the house's own categories are understood
    then, as by a robot that was told its layout. With ``known="all"`` what the house lacks does not exist. The
    robot has all skills. `interpreter`: by default the one of `PlannerSettings`.
    """
    truth = build_graph(house, "all")
    graph = truth if known == "all" else build_graph(house, known)
    words = _Words(instruction, interpreter or make_interpreter(PlannerSettings().interpreter),
                   told_vocabulary(house, known))
    found = _as_if_there(words, graph, complete=known == "all")
    if found is None or known != "all" and isinstance(found, _Plan) and found.says_little:
        seen = _looking_around(words, graph, truth)
        found = found if found is not None and isinstance(seen, _Plan) and seen.refused else seen
    if not isinstance(found, _Plan):
        return {"goal": None, "plan": [], "refused": found.message, "substitutions": [], "notes": []}
    return {"goal": found.goal.to_suite(found.not_asked), "plan": [step.call.as_list() for step in found.steps],
            "refused": found.refused, "substitutions": list(found.goal.substitutions), "notes": list(found.goal.notes)}


def _as_if_there(words: _Words, graph: WorldGraph, complete: bool) -> _Plan | AskBack | Refused | None:
    """What is not known is taken to be in the first place to look; None where that cannot be said before things were
    seen."""
    goal = words.read(graph, Situation(), complete)
    if not isinstance(goal, Goal):
        return None if isinstance(goal, LookFirst) else goal
    elsewhere = complete and any(not p.subject.ids for p in goal.propositions)  # than where the words say
    return _planned(goal, graph, Situation(), words.vocabulary, graph if elsewhere else None)


def _planned(goal: Goal, graph: WorldGraph, situation: Situation, vocabulary: Vocabulary,
             truth: WorldGraph | None = None) -> _Plan:
    progress = Progress(goal, unseen=truth is not None)
    steps, after = look_ahead(progress, graph, situation, vocabulary, capabilities=tuple(SKILLS), keep=True,
                              truth=truth)
    refused = None if steps and steps[-1].call.skill == "done" else progress.report(after)
    if truth is None:
        return _Plan(goal, steps, refused, {}, set())
    return _Plan(progress.goal, steps, refused, progress.answers, progress.nothing_left)


def _looking_around(words: _Words, graph: WorldGraph, truth: WorldGraph) -> _Plan | AskBack | Refused:
    """As the robot would do it that finds things where they are."""
    situation, first = Situation(), []
    looking: LookFirst | None = None
    while isinstance(found := words.read(graph, situation, looking=looking), LookFirst):
        looking = found if found.wanted is not None else looking
        if found.place in situation.looked:
            return Refused(found.reason)
        step = look_step(found, graph, situation, words.vocabulary)
        first.append(step)
        graph, truth = apply(graph, step.call), apply(truth, step.call)
        graph = revealed(graph, truth, step.call)
        situation.take(step.call, step.purpose, _SEEN)
    if not isinstance(found, Goal):
        return found
    rest = _planned(found, graph, situation, words.vocabulary, truth)
    return replace(rest, steps=first + rest.steps)
