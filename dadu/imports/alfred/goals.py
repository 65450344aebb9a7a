"""From ALFRED's ``pddl_params`` to goals as suites have them.

They are those of the corpus: heated, then placed; two in one place; the thing in the vessel, and the vessel at its
place; *examined in light*: in the hand, the lamp on. Any thing and any furniture of the wanted classes will do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

from dadu.core.errors import ConfigError
from dadu.house.catalogue import Affordance, object_category
from dadu.imports.alfred.kinds import kinds
from dadu.imports.alfred.source import AlfredTrial
from dadu.imports.procthor.home import kinds as thor_kinds

_STATES = {"pick_clean_then_place_in_recep": "is_clean", "pick_heat_then_place_in_recep": "is_hot",
           "pick_cool_then_place_in_recep": "is_cold"}
_TWO = "pick_two_obj_and_place"

Names = Mapping[str, Sequence[str]]
"""of what is in the house, by ALFRED's class"""


def goals_of(trial: AlfredTrial, things: Names, furniture: Names, at: Mapping[str, str]
             ) -> list[dict[str, Any]]:
    """The corpus's goal, and after it what else may be meant by it here: what the corpus does not tell apart, a thing
    in a sink or on it, is no mistake. What is there from the start (`at`: things' furniture) does not count as brought,
    as long as there are others: a judge that looks for the first thing in the cupboard would take it for the one meant.
    Where something is to be done to it besides, it counts as the corpus counts it, each in a goal of its own: else a
    judge may see one sliced and the other there.

    Errors: ConfigError where the room has not what it is about.
    """
    wanted = _there(things, trial.object, trial)
    if trial.lamp:
        lamps = _there(furniture if furniture.get(trial.lamp) else things, trial.lamp, trial)
        near = [{"is_held": [wanted]}, {"is_next_to": [wanted, lamps]}]
        return [{"propositions": [{"is_powered_on": [lamps]}, one], "constraints": [{"terminal": [0, 1]}]}
                for one in near]
    count = _count(trial)
    if count > len(wanted):
        raise ConfigError(f"{trial.id}: there are not {count} of {trial.object}")
    holders = _there(things, trial.movable, trial) if trial.movable else wanted
    known = kinds().furniture.get(trial.parent)
    if known is None:
        raise ConfigError(f"{trial.id}: there is no counterpart to a {trial.parent}")
    parents = _there({trial.parent: [name for kind in (trial.parent, *known.also) for name in furniture.get(kind, ())]},
                     trial.parent, trial)
    ways = ("is_on_top", "is_inside") if known.both else ("is_inside",) if known.inside else ("is_on_top",)
    brought = _elsewhere(holders, count, parents, at)
    more = trial.kind in _STATES or trial.sliced or trial.movable
    there = [[name] for name in holders if trial.kind == _TWO or name not in brought] if more else []
    into = _into(trial.movable) if trial.movable else ("",)
    two = {"number": 2, "same_target": True} if count == 2 else {}
    return [_goal(trial, wanted if trial.movable else of, [
        *([{inner: [wanted, of]}] if inner else []), {way: [of, parents], **two}])
        for of in (brought, *there) if of for way, inner in product(ways, into)]


def _goal(trial: AlfredTrial, things: list[str], placed: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """What is changed first, then placed; it stays where it was placed."""
    number = {"number": 2} if _count(trial) == 2 else {}
    before: list[dict[str, Any]] = [{"is_sliced": [things]}] if trial.sliced else []
    if trial.kind in _STATES:
        before.append({_STATES[trial.kind]: [things]})
    propositions, count = [*before, *placed], len(before)
    after = list(range(count, len(propositions)))
    goal: dict[str, Any] = {"propositions": propositions, "constraints": [{"terminal": after}]}
    if trial.kind in _STATES:
        goal["dependencies"] = [{"propositions": after, "depends_on": [count - 1], "relation": "after_satisfied"}]
    of_thing = [i for i, p in enumerate(propositions) if next(iter(p.values()))[0] == things]
    if len(of_thing) > 1 and not number:
        goal["constraints"].append({"same_arg": {"propositions": of_thing, "arg": 0}})
    return goal


def _count(trial: AlfredTrial) -> int:
    """How many things are placed: what is sliced stays one thing here, its two slices go together."""
    return 2 if trial.kind == _TWO and not trial.sliced else 1


def _elsewhere(names: list[str], count: int, parents: Sequence[str], at: Mapping[str, str]) -> list[str]:
    """Without those that are where `count` are to be brought, as long as there are enough others; where fewer are
    there, they count."""
    found = [name for name in names if at.get(name) not in parents]
    return found if len(found) >= count and len(names) - len(found) >= count else names


def _into(vessel: str) -> tuple[str, str]:
    """How a thing is with a vessel, the usual way first: in it, or on what is flat."""
    inside = Affordance.PLACE_IN in object_category(thor_kinds().object(vessel).category).affordances
    return ("is_inside", "is_on_top") if inside else ("is_on_top", "is_inside")


def _there(names: Names, kind: str, trial: AlfredTrial) -> list[str]:
    if not names.get(kind):
        raise ConfigError(f"{trial.id}: there is no {kind}")
    return list(names[kind])
