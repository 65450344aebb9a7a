"""``together``: tasks for a robot and a simulated person in one home, in PARTNR's four types.

Constraint-free, spatial (things belong beside each other), temporal (first this, then that), heterogeneous (something
has to be done that only the person can).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from dadu.house.catalogue import object_categories
from dadu.house.format import House, Object
from dadu.tasks.generate import homes

ABOUT = "PARTNR's four types of task, for a robot and a simulated person in generated homes."
DEFAULTS = {"known": "layout", "steps": 50, "sim_seconds": 2400, "person": True}

Draft = dict[str, Any]
_Maker = Callable[[House, np.random.Generator], Draft | None]
_STATES = {"clean": ("is_clean", "Wash"), "fill": ("is_filled", "Fill"), "power_on": ("is_powered_on", "Switch on")}
"""Affordance to predicate and verb"""


def episodes(sites: Iterable[homes.SuiteHome], each: int, rng: np.random.Generator) -> Iterator[Draft]:
    """The types in turn, up to `each` episodes in every home."""
    makers = (_free, _spatial, _temporal, _heterogeneous)
    number = 0
    for site in sites:
        for _ in range(each):
            episode = _tried(makers[number % 4], site, rng)
            if episode is None:
                break
            yield {"id": f"together-{site.id}-{number:03d}", "house": site.reference, **episode}
            number += 1


def _tried(maker: _Maker, site: homes.SuiteHome, rng: np.random.Generator) -> Draft | None:
    """A feasible draft, or None after some that are not."""
    for _ in range(8):
        draft = maker(site.house, rng)
        if draft is not None and homes.feasible({"id": "draft", "house": site.reference, **draft}, DEFAULTS):
            return draft
    return None


def _free(house: House, rng: np.random.Generator) -> Draft | None:
    """Two things to two places, in any order; the second is the person's."""
    things, (a, b) = _things(house, rng, 2), _targets(house, rng, 2)
    if len(things) < 2:
        return None
    propositions = [_on(things[0], house, a), _on(things[1], house, b)]
    words = f"Put the {_name(things[0])} on the {homes.words(a)} and the {_name(things[1])} on the {homes.words(b)}."
    return _draft("constraint-free", words, propositions, [], person=[1])


def _spatial(house: House, rng: np.random.Generator) -> Draft | None:
    """Two things beside each other on the same piece."""
    things, (a,) = _things(house, rng, 2), _targets(house, rng, 1)
    if len(things) < 2:
        return None
    x, y = things
    propositions = [_on(x, house, a), _on(y, house, a), {"is_next_to": [[y.name], [x.name]]}]
    goal = {"dependencies": [{"propositions": [2], "depends_on": [0, 1], "relation": "while_satisfied"}]}
    words = f"Put the {_name(x)} on the {homes.words(a)} and the {_name(y)} next to it."
    same = [{"same_arg": {"propositions": [0, 1], "arg": 1}}]
    return _draft("spatial", words, propositions, same, **goal)


def _temporal(house: House, rng: np.random.Generator) -> Draft | None:
    """First one thing, then the other."""
    things, (a, b) = _things(house, rng, 2), _targets(house, rng, 2)
    if len(things) < 2:
        return None
    x, y = things
    words = (f"First put the {_name(x)} on the {homes.words(a)}. After that put the {_name(y)} on the "
             f"{homes.words(b)}.")
    return _draft("temporal", words, [_on(x, house, a), _on(y, house, b)], [{"temporal": [[0, 1]]}])


def _heterogeneous(house: House, rng: np.random.Generator) -> Draft | None:
    """The person changes a thing's state, and it has to be brought somewhere."""
    able = [(t, kind) for t in homes.loose(house) for kind in _STATES
            if kind in object_categories()[t.category].affordances and not t.states]
    if not able:
        return None
    thing, kind = able[int(rng.integers(len(able)))]
    predicate, verb = _STATES[kind]
    (a,) = _targets(house, rng, 1)
    propositions = [{predicate: [[thing.name]]}, _on(thing, house, a)]
    words = f"{verb} the {_name(thing)} and put it on the {homes.words(a)}."
    return _draft("heterogeneous", words, propositions, [{"temporal": [[0, 1]]}])


def _draft(level: str, instruction: str, propositions: list[Draft], constraints: list[Draft], person: Any = True,
           **goal: Any) -> Draft:
    return {"level": level, "instruction": instruction, "person": person,
            "goal": {"propositions": propositions, **goal,
                     "constraints": [*constraints, homes.held_to_the_end(propositions)]}}


def _things(house: House, rng: np.random.Generator, wanted: int) -> list[Object]:
    things = homes.loose(house)
    return [things[i] for i in rng.permutation(len(things))[:wanted]]


def _targets(house: House, rng: np.random.Generator, wanted: int) -> list[str]:
    """Categories of furniture."""
    categories = sorted({e.category for e in homes.surfaces(house)})
    return [str(c) for c in rng.choice(categories, wanted, replace=len(categories) < wanted)]


def _on(thing: Object, house: House, category: str) -> Draft:
    return {"is_on_top": [[thing.name], homes.all_of(house, category)]}


def _name(thing: Object) -> str:
    return homes.words(thing.category)
