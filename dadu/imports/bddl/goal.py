"""BDDL goals as DaDu's suites have them: quantifiers over lists of things become any-of arguments with a number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from dadu.core.errors import DaduError
from dadu.goals.suite_goal import SuiteGoal, parse_goal
from dadu.imports.bddl.source import FLOOR, BddlProblem, Expression

PREDICATES = {"ontop": "is_on_top", "inside": "is_inside", "nextto": "is_next_to", "open": "is_open",
              "toggled_on": "is_powered_on", "hot": "is_hot"}
"""what both have"""
NEGATED = {"open": "is_closed", "toggled_on": "is_powered_off"}


class Untranslatable(DaduError):
    """A goal that DaDu's predicates or goals cannot say; the same words for the same reason."""


@dataclass
class SaidGoal:
    """Propositions and what ties them, by name of things as in the problem."""

    floors: Mapping[str, str]
    """the problem's floors, and the rooms that they are of"""
    propositions: list[dict[str, Any]] = field(default_factory=list)
    constraints: list[dict[str, Any]] = field(default_factory=list)

    def to_suite(self) -> dict[str, Any]:
        """All of it holds at the end, as theirs is judged."""
        terminal = {"terminal": list(range(len(self.propositions)))}
        return {"propositions": self.propositions, "constraints": [*self.constraints, terminal]}


def translate(goal: Sequence[Expression], objects: Mapping[str, Sequence[str]], rooms: Mapping[str, str]) -> SaidGoal:
    """`objects`: the problem's things by category; `rooms`: which of them are in which. Errors: Untranslatable."""
    found = SaidGoal({floor: rooms.get(floor, "") for floor in objects.get(FLOOR, ())})
    for expression in goal:
        _add(found, expression, objects, {})
    if not found.propositions:
        raise Untranslatable("it asks for nothing")
    return found


def goal_in(problem: BddlProblem) -> SuiteGoal:
    """A problem's, with its names. Errors: Untranslatable."""
    return parse_goal(translate(problem.goal, problem.objects, problem.rooms).to_suite(), problem.name)


def _add(goal: SaidGoal, expression: Expression, objects: Mapping[str, Sequence[str]],
         bound: Mapping[str, tuple[str, ...]]) -> None:
    """`bound`: what a variable may be; of a ``forall`` the proposition's number says that each is meant."""
    head, *body = expression
    if head == "and":
        for part in body:
            _add(goal, part, objects, bound)
    elif head == "forall":
        name, things = _variable(body[0], objects)
        for thing in things if _several(body[1]) else (None,):
            _add(goal, body[1], objects, {**bound, name: (thing,) if thing is not None else (*things, _ALL)})
    elif head == "exists":
        _add_some(goal, body, objects, bound)
    elif head == "forn":
        name, things = _variable(body[1], objects)
        if int(body[0][0]) != len(things):
            raise Untranslatable("forn: exactly so many, and no more, of a larger number")
        _add(goal, ["forall", body[1], body[2]], objects, bound)
    elif head == "forpairs":
        _add_pairs(goal, body, objects, bound)
    elif head == "not":
        _add_atom(goal, body[0], bound, NEGATED, "not ")
    else:
        _add_atom(goal, expression, bound, PREDICATES, "")


_ALL = ""
"""at the end of what a variable may be: each of them"""
_CONNECTIVES = ("or", "imply", "fornpairs")


def _add_atom(goal: SaidGoal, atom: Expression, bound: Mapping[str, tuple[str, ...]], names: Mapping[str, str],
              negation: str) -> None:
    head, *words = atom
    if head in _CONNECTIVES or isinstance(words[0], list):
        raise Untranslatable(f"{negation}{head}")
    if head not in names:
        raise Untranslatable(f"predicate {negation}{head}")
    arguments = [bound[word] if word in bound else (word.lstrip("?"),) for word in words]
    every = [given[-1] == _ALL for given in arguments]
    given = [[thing for thing in argument if thing != _ALL] for argument in arguments]
    if head == "ontop" and set(given[1]) <= set(goal.floors):
        _put_on_floor(goal, given, every)
        return
    predicate = names[head]
    if every[1:] == [True] and len(given[1]) > 1:
        for thing in given[1]:  # each of the places, by one of the things or by each
            _propose(goal, predicate, [given[0], [thing]], every[0])
        return
    _propose(goal, predicate, given, every[0])


def _put_on_floor(goal: SaidGoal, given: list[list[str]], every: list[bool]) -> None:
    """DaDu has one floor: where a certain one is meant, the thing is in its room besides."""
    if every[1:] == [True] and len(given[1]) > 1:
        raise Untranslatable("each of several floors")
    start = len(goal.propositions)
    _propose(goal, "is_on_floor", given[:1], every[0])
    if set(given[1]) < set(goal.floors):
        rooms = sorted({goal.floors[floor] for floor in given[1]})
        _propose(goal, "is_in_room", [given[0], rooms], every[0])
        if len(given[0]) > 1 and not every[0]:
            goal.constraints.append({"same_arg": {"propositions": [start, start + 1], "arg": 0}})


def _propose(goal: SaidGoal, predicate: str, given: list[list[str]], every: bool) -> None:
    proposition: dict[str, Any] = {predicate: given}
    if every and len(given[0]) > 1:
        proposition["number"] = len(given[0])
    goal.propositions.append(proposition)


def _add_pairs(goal: SaidGoal, body: Sequence[Any], objects: Mapping[str, Sequence[str]],
               bound: Mapping[str, tuple[str, ...]]) -> None:
    """Each of the fewer with another one of the more; who stands first in the predicate stays first."""
    (first, ones), (second, others) = _variable(body[0], objects), _variable(body[1], objects)
    if _several(body[2]) or ones == others:
        raise Untranslatable("forpairs over more than one condition, or within one category")
    few, name, many, other = (ones, first, others, second) if len(ones) <= len(others) else (
        others, second, ones, first)
    start = len(goal.propositions)
    for thing in few:
        _add(goal, body[2], objects, {**bound, name: (thing,), other: many})
    added = list(range(start, len(goal.propositions)))
    if len(added) > 1:
        arg = int(any(thing in goal.propositions[start][key][0] for key in goal.propositions[start] for thing in few))
        goal.constraints.append({"different_arg": {"propositions": added, "arg": arg}})


def _add_some(goal: SaidGoal, body: Sequence[Any], objects: Mapping[str, Sequence[str]],
              bound: Mapping[str, tuple[str, ...]]) -> None:
    """There is one: where several things are said of it, it is the same in all of them."""
    name, things = _variable(body[0], objects)
    parts = list(body[1][1:]) if _several(body[1]) else [body[1]]
    if any(part[0] in _QUANTIFIERS for part in parts) and (len(parts) > 1 or parts[0][0] not in ("exists", "forall")):
        raise Untranslatable("a quantifier within exists")
    start = len(goal.propositions)
    for part in parts:
        _add(goal, part, objects, {**bound, name: things})
    added = list(range(start, len(goal.propositions)))
    if parts[0][0] == "forall":  # all of them at the same one
        if len(added) > 1:
            raise Untranslatable("a quantifier within exists")
        goal.propositions[start]["same_target"] = True
    if len(parts) > 1 and len(things) > 1:
        args = [list((part[1] if part[0] == "not" else part)[1:]).index(name) for part in parts]
        goal.constraints.append({"same_arg": {"propositions": added, "arg": args}})


_QUANTIFIERS = ("forall", "exists", "forn", "forpairs", "fornpairs")


def _several(expression: Expression) -> bool:
    """True if more than one condition stands in it, so that a variable ties them."""
    if expression[0] == "exists":
        return _several(expression[-1])
    return expression[0] == "and" and len(expression) > 2


def _variable(given: Sequence[str], objects: Mapping[str, Sequence[str]]) -> tuple[str, tuple[str, ...]]:
    name, _, category = given
    things = tuple(objects.get(category, ()))
    if not things:
        raise Untranslatable("a quantifier over no things")
    return name, things
