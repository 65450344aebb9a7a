"""A goal as a suite file has it: propositions, dependencies between them, constraints on how they come true."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Annotated, Any, Literal

from pydantic import Field, GetJsonSchemaHandler, NonNegativeInt, PositiveInt, model_validator

from dadu.core.config import Settings, parse
from dadu.core.errors import ConfigError, choices
from dadu.goals.predicates.predicate import Predicate
from dadu.goals.predicates.table import PREDICATES
from dadu.world.graph import Kind

Argument = Annotated[tuple[str, ...], Field(min_length=1)]
Indices = Annotated[tuple[NonNegativeInt, ...], Field(min_length=1)]


class SuiteProposition(Settings):
    """``{is_on_top: [[a, b], [t]], number: 2, same_target: true}``: `number` of a, b are on t.

    ``is_clustered`` takes one list of things, all of which (or `number` of which) lie together; or several lists, of
    each of which one lies with the others, or as many as `number` says, one figure a list.
    """

    predicate: str
    arguments: Annotated[tuple[Argument, ...], Field(min_length=1)]
    number: PositiveInt | tuple[PositiveInt, ...] = 1
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
            raise ValueError(f"needs exactly one predicate, got {choices(named)}; valid: {choices(PREDICATES, 40)}")
        arguments = data[named[0]]
        if not isinstance(arguments, list):
            raise ValueError(f"{named[0]} takes a list of arguments")
        arguments = [[a] if isinstance(a, str) else a for a in arguments]
        rest = {key: value for key, value in data.items() if key != named[0]}
        if PREDICATES[named[0]].lists and len(arguments) == 1 and isinstance(arguments[0], list):
            rest.setdefault("number", max(1, len(arguments[0])))
        return {"predicate": named[0], "arguments": arguments, **rest}

    @model_validator(mode="after")
    def _fits(self) -> SuiteProposition:
        if self.predicate not in PREDICATES:
            raise ValueError(f"unknown predicate {self.predicate!r}; valid: {choices(PREDICATES, 40)}")
        arity, lists = self.definition.arity, self.definition.lists
        if not lists and len(self.arguments) != arity:
            raise ValueError(f"{self.predicate} takes {arity} argument(s), got {len(self.arguments)}")
        if not lists and not isinstance(self.number, int):
            several = choices(name for name, p in PREDICATES.items() if p.lists)
            raise ValueError(f"{self.predicate}: number is one figure; only {several} takes one for each argument")
        if isinstance(self.number, tuple) and len(self.number) != len(self.arguments):
            raise ValueError(f"{self.predicate}: {len(self.number)} numbers for {len(self.arguments)} arguments")
        for wanted, argument in zip(self.numbers, self.arguments):
            if wanted > len(set(argument)):
                raise ValueError(f"{self.predicate}: number {wanted} of {len(set(argument))} cannot hold")
        if self.same_target and not lists and arity == 1:
            raise ValueError(f"{self.predicate} has no second argument for same_target")
        return self

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: Any, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        """As written in a suite, not as kept."""
        name = {"type": "string"}
        argument = {"anyOf": [name, {"type": "array", "items": name, "minItems": 1}]}
        predicates = {name: {"type": "array", "items": argument, "minItems": p.arity,
                             **({} if p.lists else {"maxItems": p.arity})} for name, p in PREDICATES.items()}
        figure = {"type": "integer", "minimum": 1}
        number = {"anyOf": [figure, {"type": "array", "items": figure}]}
        return {"type": "object", "properties": {**predicates, "number": number, "same_target": {"type": "boolean"}},
                "additionalProperties": False, "minProperties": 1, "title": "Proposition",
                "description": "One predicate with its arguments; a list in an argument means any of."}

    def problems(self, kinds: Mapping[str, Kind]) -> Iterator[str]:
        """What can be no argument of it, of all things by name."""
        for at, argument in enumerate(self.arguments):
            for name in argument:
                if name not in kinds:
                    yield f"nothing is called {name!r}; there are: {choices(kinds, 80)}"
                elif not self.definition.fits(name, kinds[name], at):
                    what = f"a part of {name.split('/')[0]}" if "/" in name else f"of kind {kinds[name].value}"
                    yield f"{name!r} is {what}; argument {at} is {self.definition.takes(at)}"

    @property
    def definition(self) -> Predicate:
        """What the table of predicates says of it."""
        return PREDICATES[self.predicate]

    @property
    def numbers(self) -> tuple[int, ...]:
        """How many things of each first argument, or of each list of a cluster."""
        if isinstance(self.number, tuple):
            return self.number
        return (self.number,) * (len(self.arguments) if self.definition.lists else 1)

    def __str__(self) -> str:
        number = self.number if isinstance(self.number, int) else 1
        every = self.definition.lists and number == len(self.arguments[0])
        count = f"{number} of " if number > 1 and not every else ""
        return f"{self.predicate}({count}{', '.join((' and ' if every else ' or ').join(a) for a in self.arguments)})"


class Dependency(Settings):
    """When propositions count at all."""

    propositions: Indices
    depends_on: Indices
    relation: Literal["after_satisfied", "after_unsatisfied", "while_satisfied", "before_satisfied"]
    mode: Literal["all", "any"] = "all"


class Link(Settings):
    """Propositions whose argument number `arg` must be the same, or must differ."""

    propositions: Indices
    arg: NonNegativeInt | tuple[NonNegativeInt, ...]
    """counted from 0; one for all of them, or one for each"""

    @property
    def args(self) -> tuple[int, ...]:
        """One for each proposition."""
        return self.arg if isinstance(self.arg, tuple) else (self.arg,) * len(self.propositions)


class Constraint(Settings):
    """One of its fields."""

    temporal: tuple[tuple[NonNegativeInt, NonNegativeInt], ...] | None = None
    """pairs (earlier, later)"""
    same_arg: Link | None = None
    different_arg: Link | None = None
    terminal: tuple[NonNegativeInt, ...] | None = None
    """those that must hold at the end"""

    @property
    def links(self) -> tuple[Link, ...]:
        return tuple(link for link in (self.same_arg, self.different_arg) if link is not None)


class SuiteGoal(Settings):
    """All of it. Indices count from 0."""

    propositions: Annotated[tuple[SuiteProposition, ...], Field(min_length=1)]
    dependencies: tuple[Dependency, ...] = ()
    constraints: tuple[Constraint, ...] = ()

    @model_validator(mode="after")
    def _fits(self) -> SuiteGoal:
        count = len(self.propositions)
        bad = sorted(i for i in self._indices() if i >= count)
        if bad:
            raise ValueError(f"proposition {bad[0]} does not exist; there are {count}, from 0")
        for link in (link for c in self.constraints for link in c.links):
            self._check_link(link)
        for pairs in (c.temporal or () for c in self.constraints):
            if any(i in before for i, before in ancestors(pairs).items()):
                raise ValueError(f"temporal {[list(pair) for pair in pairs]} goes in a circle")
        return self

    def _check_link(self, link: Link) -> None:
        if len(link.args) != len(link.propositions):
            raise ValueError(f"{len(link.args)} arg for {len(link.propositions)} propositions")
        for i, arg in zip(link.propositions, link.args):
            if arg >= len(self.propositions[i].arguments):
                raise ValueError(f"proposition {i}, {self.propositions[i]}, has no argument {arg}")

    def _indices(self) -> set[int]:
        found = {i for d in self.dependencies for i in (*d.propositions, *d.depends_on)}
        for c in self.constraints:
            found |= {i for pair in c.temporal or () for i in pair} | set(c.terminal or ())
            found |= {i for link in c.links for i in link.propositions}
        return found

    @property
    def names(self) -> set[str]:
        """Every thing that it speaks of."""
        return {name for p in self.propositions for argument in p.arguments for name in argument}

    def terminal(self) -> set[int]:
        """Indices that must hold at the end."""
        return {i for c in self.constraints for i in c.terminal or ()}

    def held_to_the_end(self) -> SuiteGoal:
        """The same goal; where it does not say what must hold at the end, all must."""
        if any(c.terminal is not None for c in self.constraints):
            return self
        everything = Constraint(terminal=tuple(range(len(self.propositions))))
        return self.model_copy(update={"constraints": (*self.constraints, everything)})


def ancestors(edges: Collection[tuple[int, int]]) -> dict[int, frozenset[int]]:
    """Every node of a graph of (earlier, later) to all that come before it; a node in a circle is among its own."""
    direct = {node: {a for a, b in edges if b == node} for edge in edges for node in edge}
    found = {node: set(before) for node, before in direct.items()}
    for _ in direct:  # each round reaches at least one step further back
        found = {node: before.union(*(found[b] for b in before)) for node, before in found.items()}
    return {node: frozenset(before) for node, before in found.items()}


def parse_goal(data: Any, source: str, names: Collection[str] | None = None) -> SuiteGoal:
    """Reads a goal and, where `names` is given, checks everything that it speaks of against them.

    Errors: ConfigError naming `source`, the field and the valid choices.
    """
    goal = parse(SuiteGoal, data, source)
    unknown = sorted(goal.names - set(names)) if names is not None else []
    if unknown:
        raise ConfigError(f"{source}: nothing is called {choices(unknown)}; there are: {choices(names or (), 60)}")
    return goal
