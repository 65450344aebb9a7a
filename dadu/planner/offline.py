"""Planning without a simulator: what an instruction asks for in a house, and the steps that it would take."""

from __future__ import annotations

from typing import Any

from dadu.planner.goal import Goal
from dadu.planner.language.interpret import interpret
from dadu.planner.language.refusal import Refusal
from dadu.planner.lookahead import plan
from dadu.planner.progress import Progress
from dadu.planner.situation import Situation
from dadu.planner.vocabulary import default_vocabulary
from dadu.sim.house import House
from dadu.sim.layout import build_graph
from dadu.skills.call import SKILLS


def plan_offline(instruction: str, house: House, known: str = "layout") -> dict[str, Any]:
    """``goal`` (as in a suite), ``plan`` (lists of skill and arguments), ``refused`` (None or a sentence),
    ``substitutions``, and ``notes`` on what was read into the words.

    With ``known="layout"`` a thing that has first to be found appears in the plan by its category's name, and what is
    asked is taken to be there. The words of the house's own categories are understood even so, as by a robot whose
    detector was taught them. With ``known="all"`` what the house lacks does not exist. The robot has all skills.
    """
    vocabulary = default_vocabulary().extended(build_graph(house, "all"))
    graph = build_graph(house, known)
    try:
        goal = interpret(instruction, graph, vocabulary, complete=known == "all")
    except Refusal as refusal:
        return {"goal": None, "plan": [], "refused": str(refusal), "substitutions": [], "notes": []}
    progress = Progress(goal)
    steps = plan(progress, graph, Situation(), vocabulary, capabilities=tuple(SKILLS))
    done = bool(steps) and steps[-1].call.skill == "done"
    refused = None if done else _why_not(progress, graph, vocabulary)
    return {"goal": goal.to_suite(_not_taken(goal)), "plan": [step.call.as_list() for step in steps],
            "refused": refused, "substitutions": list(goal.substitutions), "notes": list(goal.notes)}


def _not_taken(goal: Goal) -> set[int]:
    """Indices of propositions that are not asked for if what is asked about is there, as the plan assumes."""
    return {i for b in goal.branches for i in (b.then if b.question.negated else b.otherwise)}


def _why_not(progress: Progress, graph, vocabulary) -> str:
    """Why the plan does not reach the goal."""
    plan(progress, graph, Situation(), vocabulary, capabilities=tuple(SKILLS), keep=True)
    return progress.report(graph)
