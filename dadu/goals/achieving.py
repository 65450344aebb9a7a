"""Which skills of the table make a predicate true by themselves: those that set the state that it speaks of."""

from __future__ import annotations

from dadu.goals.predicates import opposite_of
from dadu.skills.table import setting
from dadu.world.graph import Kind


def achieving(predicate: str, kind: Kind | None = None) -> tuple[str, ...]:
    """Skills that make a state of an entity of `kind` (None: of any) be as `predicate` says: is_powered_off by
    power_off, which sets is_powered_on to False. Where none takes such a thing, those that do it to others: when tried,
    they say why not to this one. Empty for predicates that take more than one skill."""
    return _setting(predicate, kind) or _setting(predicate, None)


def _setting(predicate: str, kind: Kind | None) -> tuple[str, ...]:
    return setting(predicate, True, kind) + setting(opposite_of(predicate), False, kind)
