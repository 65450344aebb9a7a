"""clean, fill, pour, switch and slice: what most robots of this project cannot do, and a person can."""

from __future__ import annotations

from dataclasses import replace

from dadu.house.states import affordances_of
from dadu.sim.oracle import checks, climate
from dadu.sim.oracle.failure import Failed
from dadu.sim.oracle.sight import View
from dadu.sim.oracle.state import Thing
from dadu.skills.outcome import Code, SkillResult
from dadu.world.graph import Kind


def clean(view: View, object: str) -> SkillResult:
    return _change(view, object, "clean", "is_clean", True, "clean")


def fill(view: View, object: str) -> SkillResult:
    return _change(view, object, "fill", "is_filled", True, "full")


def slice_(view: View, object: str) -> SkillResult:
    return _change(view, object, "slice", "is_sliced", True, "sliced")


def pour(view: View, object: str, receptacle: str) -> SkillResult:
    """What is in the held thing goes into another."""
    held = checks.full_hand(view)
    if held.name != checks.known(view, object, (Kind.OBJECT,)).id:
        raise Failed(Code.HAND_FULL, f"the hand holds {held.name}, not {object}; place it and pick {object}",
                     target=object)
    target = checks.present(view, receptacle)
    checks.affords(view, object, "pour", held.category, held.affordances)
    checks.affords(view, receptacle, "fill", target.category, target.affordances)
    if not held.states.get("is_filled", False):
        raise Failed(Code.NOT_INTERACTIVE, f"{object} is empty; fill it first", target=object)
    held.states["is_filled"], target.states["is_filled"] = False, True
    return SkillResult(Code.SUCCEEDED, f"{receptacle} is full", target=receptacle)


def power_on(view: View, object: str) -> SkillResult:
    return _switch(view, object, True)


def power_off(view: View, object: str) -> SkillResult:
    return _switch(view, object, False)


def _change(view: View, object: str, affordance: str, predicate: str, value: bool, done: str) -> SkillResult:
    thing = checks.present(view, object)
    checks.affords(view, object, affordance, thing.category, thing.affordances)
    thing.states[predicate] = value
    return SkillResult(Code.SUCCEEDED, f"{object} is {done}", target=object)


def _switch(view: View, name: str, on: bool) -> SkillResult:
    """An object or a piece of furniture."""
    checks.known(view, name, (Kind.OBJECT, Kind.FURNITURE))
    piece = view.world.pieces.get(name)
    verb = "power_on" if on else "power_off"
    if piece is None:
        thing: Thing = checks.present(view, name)
        checks.affords(view, name, "power_on", thing.category, thing.affordances)
        thing.states["is_powered_on"] = on
    else:
        checks.affords(view, name, "power_on", piece.category, affordances_of(piece.category))
        checks.within_reach(view, checks.nearest_point(view, piece), name)
        view.world.pieces[name] = replace(piece, states=piece.states | {"is_powered_on": on})
        climate.settle_in(view.world, name)
    return SkillResult(Code.SUCCEEDED, f"{name} is {'on' if verb == 'power_on' else 'off'}", target=name)
