"""A goal as a suite file has it: propositions, dependencies between them, constraints on how they come true."""

from __future__ import annotations

from collections.abc import Collection
from typing import Annotated, Any, Literal

from pydantic import Field, NonNegativeInt, PositiveInt, model_validator

from dadu.config import Settings, parse
from dadu.errors import ConfigError, choices
from dadu.planner.goal import PREDICATES

Argument = Annotated[tuple[str, ...], Field(min_length=1)]
Indices = Annotated[tuple[NonNegativeInt, ...], Field(min_length=1)]


class Proposition(Settings):
    """``{is_on_top: [[a, b], [t]], number: 2, same_target: true}``: `number` of a, b are on t."""

    predicate: str
    arguments: tuple[Argument, ...]
    number: PositiveInt = 1
    same_target: bool = False
    """all of them at the same second argument"""

    @model_validator(mode="before")
    @classmethod
    def _from_suite(cls, data: Any) -> Any:
        """Takes the one key that is a predicate apart; a bare name stands for a list of one."""
        if not isinstance(data, dict) or "predicate" in data:
            return data
        named = [key for key in data if key not in ("number", "same_target")]
        if len(named) != 1 or named[0] not in PREDICATES:
            raise ValueError(f"needs exactly one predicate, got {choices(named)}; valid: {choices(PREDICATES, 30)}")
        arguments = data[named[0]]
        if not isinstance(arguments, list):
            raise ValueError(f"{named[0]} takes a list of arguments")
        rest = {key: value for key, value in data.items() if key != named[0]}
        return {"predicate": named[0], "arguments": [[a] if isinstance(a, str) else a for a in arguments], **rest}

    @model_validator(mode="after")
    def _fits(self) -> Proposition:
        arity = PREDICATES.get(self.predicate)
        if arity is None:
            raise ValueError(f"unknown predicate {self.predicate!r}; valid: {choices(PREDICATES, 30)}")
        if len(self.arguments) != arity:
            raise ValueError(f"{self.predicate} takes {arity} argument(s), got {len(self.arguments)}")
        if self.number > len(self.arguments[0]):
            raise ValueError(f"{self.predicate}: number {self.number} of {len(self.arguments[0])} cannot hold")
        return self

    def __str__(self) -> str:
        count = f"{self.number} of " if self.number > 1 else ""
        return f"{self.predicate}({count}{', '.join(' or '.join(argument) for argument in self.arguments)})"


class Dependency(Settings):
    """When propositions count at all."""

    propositions: Indices
    depends_on: Indices
    relation: Literal["after_satisfied", "after_unsatisfied", "while_satisfied", "before_satisfied"]
    mode: Literal["all", "any"] = "all"


class Link(Settings):
    """Propositions whose argument number `arg` must be the same, or must differ."""

    propositions: Indices
    arg: Literal[0, 1]


class Constraint(Settings):
    """One of its fields."""

    temporal: tuple[tuple[NonNegativeInt, NonNegativeInt], ...] | None = None
    """pairs (earlier, later)"""
    same_arg: Link | None = None
    different_arg: Link | None = None
    terminal: tuple[NonNegativeInt, ...] | None = None
    """those that must hold at the end"""


class Goal(Settings):
    """All of it. Indices count from 0."""

    propositions: Annotated[tuple[Proposition, ...], Field(min_length=1)]
    dependencies: tuple[Dependency, ...] = ()
    constraints: tuple[Constraint, ...] = ()

    @model_validator(mode="after")
    def _indices_exist(self) -> Goal:
        bad = sorted(i for i in self._indices() if i >= len(self.propositions))
        if bad:
            raise ValueError(f"proposition {bad[0]} does not exist; there are {len(self.propositions)}, from 0")
        return self

    def _indices(self) -> set[int]:
        found = {i for d in self.dependencies for i in (*d.propositions, *d.depends_on)}
        for c in self.constraints:
            found |= {i for pair in c.temporal or () for i in pair} | set(c.terminal or ())
            found |= {i for link in (c.same_arg, c.different_arg) if link for i in link.propositions}
        return found

    @property
    def names(self) -> set[str]:
        """Every thing that it speaks of."""
        return {name for p in self.propositions for argument in p.arguments for name in argument}

    def terminal(self) -> set[int]:
        """Indices that must hold at the end."""
        return {i for c in self.constraints for i in c.terminal or ()}

    def held_to_the_end(self) -> Goal:
        """The same goal; where it does not say what must hold at the end, all must."""
        if any(c.terminal is not None for c in self.constraints):
            return self
        everything = Constraint(terminal=tuple(range(len(self.propositions))))
        return self.model_copy(update={"constraints": (*self.constraints, everything)})


def parse_goal(data: Any, source: str, names: Collection[str] | None = None) -> Goal:
    """Reads a goal and, where `names` is given, checks everything that it speaks of against them.

    Errors: ConfigError naming `source`, the field and the valid choices.
    """
    goal = parse(Goal, data, source)
    unknown = sorted(goal.names - set(names)) if names is not None else []
    if unknown:
        raise ConfigError(f"{source}: nothing is called {choices(unknown)}; there are: {choices(names or (), 60)}")
    return goal
