"""Planning without a simulator: what an instruction asks for in a house, and the steps that it would take."""

from __future__ import annotations

from typing import Any

from dadu.planner.language.interpret import interpret
from dadu.planner.language.refusal import Refusal
from dadu.planner.lookahead import plan
from dadu.planner.progress import Progress
from dadu.planner.situation import Situation
from dadu.planner.vocabulary import default_vocabulary
from dadu.sim.house import House
from dadu.sim.layout import build_graph


def plan_offline(instruction: str, house: House, known: str = "layout") -> dict[str, Any]:
    """``goal`` (as in a suite), ``plan`` (lists of skill and arguments), ``refused`` (None or a sentence) and
    ``substitutions``.

    With ``known="layout"`` a thing that has first to be found appears in the plan by its category's name. The words of
    the house's own categories are understood even so, as by a robot whose detector was taught them.
    """
    vocabulary = default_vocabulary().extended(build_graph(house, "all"))
    graph = build_graph(house, known)
    try:
        progress = Progress(interpret(instruction, graph, vocabulary))
    except Refusal as refusal:
        return {"goal": None, "plan": [], "refused": str(refusal), "substitutions": []}
    substitutions, goal = list(progress.goal.substitutions), progress.goal.to_suite()
    steps = plan(progress, graph, Situation(), vocabulary)
    done = bool(steps) and steps[-1].call.skill == "done"
    return {"goal": goal, "plan": [step.call.as_list() for step in steps],
            "refused": None if done else progress.report(graph), "substitutions": substitutions}
