"""Transition modelling: the table of actions, written as operators of PDDL in the predicates of their domain."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from dadu.bench.eai.actions import ACTIONS, ANY, FREE_HAND, ActionModel, Facts, Pattern
from dadu.bench.eai.prompt import PromptError
from dadu.core.errors import choices
from dadu.world.graph import ROBOT

_HANDLE = re.compile(r"\(:action (\w+)\s+:parameters \(([^)]*)\)")
_THEIRS = {"walk_towards": "WALK", "walk_into": "WALK", "put_on": "PUTBACK", "put_inside": "PUTIN",
           "put_on_character": "PUTON"}
"""their names that are not those of the same actions in the other modules"""
_RELATIONS: Mapping[str, tuple[str, str, str]] = {
    "ON": ("obj_ontop", "ontop", "on_char"), "INSIDE": ("obj_inside", "inside", ""),
    "NEAR": ("obj_next_to", "next_to", ""), "FACING": ("", "facing", "")}
"""of two things; of the character to a thing; of a thing to the character. Empty: their domain has none"""
_RIGHT = "(exists (?held - object) (holds_rh ?char ?held))"
_HELD = ("(holds_rh ?char {0})", "(holds_lh ?char {0})")
_NEEDS: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(("near", "near by"), ("(next_to ?char {0})",)), "held": _HELD, "facing": ("(facing ?char {0})",),
    "reachable": ("(not (exists (?in - object) (and (obj_inside {0} ?in) (closed ?in))))",),
    "upright": ("(and (not (sitting ?char)) (not (lying ?char)))",), "resting": ("(sitting ?char)", "(lying ?char)"),
    "hand free": (f"(not {_RIGHT})", f"(not {_RIGHT.replace('_rh', '_lh')})"),
    "open": ("(open {0})", "(not (can_open {0}))"), "on": ("(on {0})",), "off": ("(not (on {0}))",),
    "plugged in": ("(not (plugged_out {0}))",), "worn": ("(on_char {0} ?char)",)}
"""what a condition of the table is in their predicates: one of these"""
_WALKED = ("(forall (?other - object) (when (or (holds_rh ?char ?other) (holds_lh ?char ?other) (obj_ontop {0} ?other) "
           "(and (can_open {0}) (obj_inside ?other {0}))) (next_to ?char ?other)))")
"""what else one is near after a walk"""


def operators(prompt: str) -> str:
    """The answer to a prompt for transition modelling. Errors: PromptError, also for an action that is not known."""
    handles = _HANDLE.findall(prompt.rpartition("\nInput:\n")[2])
    if not handles:
        raise PromptError("no actions to be finished in the prompt")
    return json.dumps({"output": "\n".join(_operator(name, parameters) for name, parameters in handles)})


def _operator(name: str, parameters: str) -> str:
    known = _THEIRS.get(name, name.replace("_", "").upper())
    if known not in ACTIONS:
        raise PromptError(f"unknown action {name!r}; valid: {choices([*_THEIRS, *ACTIONS])}")
    action, variables = ACTIONS[known], re.findall(r"\?\w+", parameters)[1:]
    change, near = action.change, ""
    if not isinstance(change, Facts):  # walking, the one action that does more than a pattern says
        into = "INSIDE" if variables == ["?room"] else "NEAR"
        change = Facts(((into, ROBOT, 0),), tuple((lost, ROBOT, ANY) for lost in ("INSIDE", "NEAR", "FACING")))
        near = _WALKED.format(*variables) if into == "NEAR" else ""
    effects = [*_effects(change, variables), *filter(None, (near,))]
    return (f"(:action {name} :parameters ({parameters}) :precondition {_precondition(action, variables)} "
            f":effect {_joined('and', effects)})")


def _precondition(action: ActionModel, variables: Sequence[str]) -> str:
    """In disjunctive normal form."""
    able = [[f"({one.lower()} {variable})" for one in any_of]
            for any_of, variable in zip(action.properties, variables) if any_of]
    needs = ([clause.format(*variables[need.of:]) for clause in _NEEDS[need.kind]] for need in action.needs)
    return _joined("or", [_joined("and", of) for of in product(*able, *needs)])


def _effects(change: Facts, variables: Sequence[str]) -> Iterator[str]:
    gains = [clause for gain in change.gains if gain[0] != FREE_HAND for clause in _clauses(gain, variables)]
    if len(gains) < len(change.gains):
        right, left = (clause.format(variables[0]) for clause in _HELD)
        yield from (f"(when (not {_RIGHT}) {right})", f"(when {_RIGHT} {left})")
    yield from gains
    for clause in (clause for loss in change.losses for clause in _clauses(loss, variables) if clause not in gains):
        yield f"(forall (?other - object) (not {clause}))" if "?other" in clause else f"(not {clause})"


def _clauses(pattern: Pattern, variables: Sequence[str]) -> Iterator[str]:
    """The fact in their predicates, which tell characters and things apart; whatever stands there may be either."""
    name, *parts = pattern
    for given in product(*(("?char", "?other") if part == ANY else (
            "?char" if part == ROBOT else variables[int(part)],) for part in parts)):
        kind = 1 if given[0] == "?char" else 2 * (given[-1] == "?char")
        theirs = str(name).lower() if name not in _RELATIONS or len(given) == 1 else _RELATIONS[str(name)][kind]
        if theirs and given.count("?char") < 2:
            yield f"({theirs} {' '.join(given)})"


def _joined(word: str, clauses: Sequence[str]) -> str:
    """Of one clause that clause alone, as they ask for."""
    return f"({' '.join((word, *clauses))})" if len(clauses) > 1 else "".join(clauses) or "()"
