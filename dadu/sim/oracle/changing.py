"""What skills need that give states of things a value, as the table has it: most robots of this project cannot, a
person can."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dadu.house.states import affordances_of
from dadu.sim.oracle import checks
from dadu.sim.oracle.checks import Failed
from dadu.sim.oracle.sight import AgentView
from dadu.skills.outcome import Code
from dadu.skills.specification import Argument, Hand, SkillSpec, StateValue
from dadu.skills.table import setting


def check(spec: SkillSpec, view: AgentView, arguments: Sequence[str]) -> None:
    """Errors: Failed, with the first condition that does not hold."""
    if spec.hand is Hand.EMPTY:
        checks.empty_hand(view, spec.name)
    if spec.hand is Hand.FULL:
        checks.full_hand(view)
    given = spec.named(arguments)
    for argument in spec.arguments:
        _check(view, argument, given[argument.name])


def _check(view: AgentView, argument: Argument, id: str) -> None:
    """Checks that the thing is what the argument asks for, can be got at, and affords it."""
    entity = checks.known(view, id, argument.kinds)
    if argument.held:
        checks.require_in_hand(view, id)
    piece = view.world.pieces.get(id)
    if piece is None:
        thing = checks.present(view, id)
        category, affordances, states = thing.category, thing.affordances, thing.states
    else:
        category, affordances, states = entity.category, affordances_of(entity.category), piece.states
    if argument.affordance:
        checks.affords(view, id, argument.affordance, category, affordances)
    if piece is not None and argument.stand:
        checks.require_within_reach(view, checks.nearest_point(view, piece), id)
    if argument.must_be is not None:
        _must_be(id, argument.must_be, states)


def _must_be(id: str, wanted: StateValue, states: Mapping[str, bool]) -> None:
    if states.get(wanted.name, False) != wanted.value:
        first = " or ".join(setting(wanted.name, wanted.value))
        raise Failed(Code.NOT_INTERACTIVE, f"{id} is not {wanted.word}; {first} it first", target=id)
