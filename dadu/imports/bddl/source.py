"""Problems in BDDL as the package's own parser reads them, in an environment of its own; what it answers is checked."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from pydantic import Field, ValidationError, model_validator

from dadu.core.errors import DaduError
from dadu.imports.bddl import theirs
from dadu.imports.procthor.source import SourceRecord

Expression: TypeAlias = Sequence[Any]
"""A head and what follows, lists within lists."""
FLOOR = "floor.n.01"
_SEVERAL = {"forall": (1, 0), "exists": (1, 0), "forn": (1, 1), "forpairs": (2, 0), "fornpairs": (2, 1)}
"""quantifiers: how many variables, and numbers before them"""
_ARITY = {"ontop": 2, "inside": 2, "nextto": 2, "inroom": 2, "open": 1, "toggled_on": 1, "hot": 1}
"""of the predicates that are read here"""
_MOST = 5000
"""of anything"""


class BddlError(DaduError):
    """Their package is not there or does not end as it should."""


class SynsetKind(SourceRecord):
    """`above`: what it is a kind of, the nearest first."""

    above: tuple[str, ...] = ()
    abilities: tuple[str, ...] = ()


class BddlProblem(SourceRecord):
    """One activity."""

    name: str = Field(pattern=r"^[A-Za-z0-9][\w.'-]{0,90}$")
    objects: dict[str, tuple[str, ...]] = Field(max_length=_MOST)
    """things by category"""
    rooms: dict[str, str]
    init: list[Any] = Field(max_length=_MOST)
    goal: list[Any] = Field(min_length=1, max_length=_MOST)
    kinds: dict[str, SynsetKind] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _well_formed(self) -> BddlProblem:
        names = {name for things in self.objects.values() for name in things}
        for fact in self.init:
            negated = isinstance(fact, list) and len(fact) == 2 and fact[0] == "not"
            atom = fact[1] if negated else fact
            if not isinstance(atom, list) or not _is_atom(atom):
                raise ValueError(f"init: no fact: {str(fact)[:60]}")
            if atom[1] not in names or atom[0] != "inroom" and not set(atom[1:]) <= names:
                raise ValueError(f"init: things that are not declared: {str(fact)[:60]}")
        for expression in self.goal:
            _check(expression, names)
        return self

    @property
    def floors(self) -> dict[str, str]:
        """Those of its things, and the rooms that they are of."""
        return {floor: self.rooms.get(floor, "") for floor in self.objects.get(FLOOR, ())}

    @property
    def category_of(self) -> Mapping[str, str]:
        """Synset by thing."""
        return {name: synset for synset, names in self.objects.items() for name in names}


def read_problems(python: Path, given: Sequence[str]) -> tuple[list[BddlProblem], dict[str, str]]:
    """`given`: activities of the package or files, none for all; as `problems_of`. Errors: BddlError."""
    return problems_of(asked(python, ["read", *given]))


def problems_of(records: Sequence[Any]) -> tuple[list[BddlProblem], dict[str, str]]:
    """Those that can be read of what their parser made of them, and by name why the others cannot."""
    found, refused = [], {}
    for i, record in enumerate(records):
        name = str(record.get("name", i)) if isinstance(record, dict) else str(i)
        if isinstance(record, dict) and "error" in record:
            refused[name] = f"their parser: {record['error']}"
            continue
        try:
            found.append(BddlProblem.model_validate(record))
        except ValidationError as error:
            refused[name] = f"no problem in BDDL: {error.errors()[0]['msg']}"
    return found, refused


def judged(python: Path, problems: Sequence[BddlProblem], states: Sequence[Sequence[Sequence[Sequence[str]]]]
           ) -> list[list[bool]]:
    """Whether each problem's goal holds in each of its states, as their evaluation has it; a state is the list of the
    facts that hold in it. Errors: BddlError."""
    return asked(python, ["judge"], [{"objects": one.objects, "goal": one.goal, "states": of}
                                     for one, of in zip(problems, states, strict=True)])


def asked(python: Path, words: Sequence[str], question: Any = None) -> list[Any]:
    try:
        ran = subprocess.run([python, theirs.__file__, *words], input=json.dumps(question), capture_output=True,
                             text=True, check=False)
    except OSError as error:
        raise BddlError(f"{python} is no interpreter: {error.strerror}") from None
    if ran.returncode:
        raise BddlError(f"{python} needs bddl==3.6.0; it said: {ran.stderr.strip()[-300:]}")
    try:
        found: list[Any] = json.loads(ran.stdout)
    except ValueError:
        raise BddlError(f"{python} is no such interpreter; it said: {ran.stdout.strip()[:300]}") from None
    return found


def _check(expression: Any, names: set[str], depth: int = 20) -> None:
    """Errors: ValueError for what is no condition about things that are declared."""
    if not isinstance(expression, list) or len(expression) < 2 or not isinstance(expression[0], str) or not depth:
        raise ValueError(f"no condition: {str(expression)[:60]}")
    head, *body = expression
    if head in ("and", "or", "imply") or head == "not" and len(body) == 1:
        for part in body:
            _check(part, names, depth - 1)
    elif head in _SEVERAL:
        variables, numbers = _SEVERAL[head]
        bound = body[numbers:-1]
        if len(bound) != variables or not all(_is_variable(one) for one in bound) or not all(
                isinstance(n, list) and len(n) == 1 and str(n[0]).isdigit() for n in body[:numbers]):
            raise ValueError(f"{head} takes {variables} variable(s) and a condition: {str(expression)[:60]}")
        _check(body[-1], names | {one[0] for one in bound}, depth - 1)
    elif not _is_atom(expression):
        raise ValueError(f"no condition: {str(expression)[:60]}")
    elif unknown := [word for word in body if word not in names and word.lstrip("?") not in names]:
        raise ValueError(f"things that are not declared: {unknown[0]}")


def _is_atom(given: Sequence[Any]) -> bool:
    """``[predicate, thing]`` or ``[predicate, thing, thing]``"""
    return (2 <= len(given) <= 3 and all(isinstance(word, str) for word in given)
            and len(given) - 1 == _ARITY.get(given[0], len(given) - 1))


def _is_variable(given: Any) -> bool:
    """``[?x, -, category]``"""
    return (isinstance(given, list) and len(given) == 3 and all(isinstance(word, str) for word in given)
            and given[1] == "-")
