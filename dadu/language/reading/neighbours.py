"""What one clause leaves out because its neighbours say it: the place, the verb, what it is about."""

from __future__ import annotations

from dataclasses import replace

from dadu.language.reading.placeless import share_places
from dadu.language.reading.syntax import Clause, Noun, Prep

_MOVES = ("put", "bring", "take", "stow")
_BACK = ("go back", "come back", "head back")
_GATHERS = ("gather", "gathering", "collect", "collecting", "gather up", "collect up")
_TAKES = ("find", "take", "fetch")
_CHANGES = ("clean", "heat", "cool", "slice", "fill", "open", "power_on")
"""frames whose object may stand behind the next verb"""
_LOOKS = ("inspect", "open", "explore")


def completed(clauses: list[Clause]) -> list[Clause]:
    """The clauses with what they leave out."""
    clauses = _asked_where_one_looks(_gathered(_share_objects(_gone_to(_told(clauses)))))
    return _where_things_were(_all_that_was_taken(share_places(_named_in_turn(clauses))))


def _gone_to(clauses: list[Clause]) -> list[Clause]:
    """``then go back and close the fridge``: to the fridge, not to where the robot started."""
    out = list(clauses)
    for i in range(len(out) - 2, -1, -1):
        here, after = out[i], out[i + 1]
        back = here.frame == "go" and here.verb in _BACK and not here.items and not here.recipient
        if back and not (after.ordered or after.opens) and after.frame in (*_MOVES, *_CHANGES, "close", "power_off"):
            out[i:i + 2] = [replace(after, ordered=here.ordered, opens=here.opens)]
    return out


def _told(clauses: list[Clause]) -> list[Clause]:
    """``there should be some pills in the drawer, please bring them to the sofa``: where they are thought to be."""
    out = list(clauses)
    for i, (here, after) in enumerate(zip(clauses, clauses[1:])):
        said, places = here.condition, _places(after)
        elsewhere = places and all(p.noun.pronoun != "there" for p in places)  # put them there: they should be there
        picked_up = elsewhere and any(n.pronoun in ("it", "them") for n in _nouns(after)[:1])
        if here.frame == "ensure" and here.text.startswith("there") and said is not None and said.preps and (
                not said.negated and after.frame in _MOVES and picked_up):
            out[i] = Clause("given", "there", (said.noun, *said.preps), text=here.text)
    return out


def _gathered(clauses: list[Clause]) -> list[Clause]:
    """``gather the toys on the bed``: that is where to, unless the next clause says what becomes of them."""
    out = list(clauses)
    for i, (here, after) in enumerate(zip(clauses, [*clauses[1:], Clause("", "")])):
        named, places = _nouns(here), [item for item in here.items if isinstance(item, Prep)]
        again = any(n.pronoun or n.these or n.words in [m.words for m in named] for n in _nouns(after))
        several = len(named) > 1 or any(n.plural or n.every for n in named)
        there = [p.relation for p in places] in (["on"], ["on", "in"])  # on the bed in the den
        if here.verb in _GATHERS and several and not again and there:
            out[i] = replace(here, items=tuple(replace(item, directed=True) if item is places[0] else item
                                               for item in here.items))
    return out


def _asked_where_one_looks(clauses: list[Clause]) -> list[Clause]:
    """``check the fridge. If there is milk, ...``: in the fridge."""
    out = list(clauses)
    for before, here in zip(clauses, clauses[1:]):
        asked, place = here.condition, next((n for n in _nouns(before) if n.words), None)
        looks = before.frame in _LOOKS and before.condition is None
        plain = asked is not None and asked.kind == "exists" and asked.noun.words and not asked.preps
        if looks and asked is not None and plain and place is not None:
            there = replace(asked, preps=(Prep("in", place),))
            out = [replace(c, condition=there) if c.condition == asked else c for c in out]
    return out


def _where_things_were(clauses: list[Clause]) -> list[Clause]:
    """``put the cup where the vase is, and the vase on the shelf``: to the place of what is moved as well."""
    moved = {item.words for c in clauses if c.frame in _MOVES for item in _nouns(c)}
    return [replace(c, items=tuple(
        replace(item, relation="former_of", approximate="") if isinstance(item, Prep) and item.approximate == "where"
        and item.noun.words in moved else item for item in c.items)) for c in clauses]


def _named_in_turn(clauses: list[Clause]) -> list[Clause]:
    """``the cup, then the plates``: of both the same is said."""
    chain = [c.elliptical or i + 1 < len(clauses) and clauses[i + 1].elliptical for i, c in enumerate(clauses)]
    return [replace(c, items=tuple(replace(item, joined=True) if isinstance(item, Noun) else item for item in c.items))
            if named else c for c, named in zip(clauses, chain)]


def _share_objects(clauses: list[Clause]) -> list[Clause]:
    """``wash and slice the apple``: what it is about stands behind the second verb."""
    out = list(clauses)
    for i in range(len(out) - 2, -1, -1):
        here, after = out[i], out[i + 1]
        named = _nouns(after)
        if here.frame in _CHANGES and not here.items and named and all(n.words for n in named):
            said = "them" if len(named) > 1 or named[0].plural or named[0].every else "it"
            out[i] = replace(here, items=tuple(item for item in after.items if not isinstance(item, Prep)))
            rest = (item for item in after.items if isinstance(item, Prep))
            out[i + 1] = replace(after, items=(Noun(pronoun=said, text=said), *rest))
    return out


def _all_that_was_taken(clauses: list[Clause]) -> list[Clause]:
    """``find a lemon, an apple and put it on the table``, ``... and put on the table``: both of them."""
    out = list(clauses)
    for i, (before, here) in enumerate(zip(clauses, clauses[1:]), 1):
        nouns = _nouns(here)
        if len(_nouns(before)) < 2 or before.frame not in _TAKES or _places(before) or here.frame not in _MOVES:
            continue
        if nouns and nouns[0].pronoun == "it" and here.items[0] is nouns[0]:
            out[i] = replace(here, items=(replace(nouns[0], pronoun="them"), *here.items[1:]))
        elif not nouns and _places(here):
            out[i] = replace(here, items=(Noun(pronoun="them", text="them"), *here.items))
    return out


def _nouns(clause: Clause) -> list[Noun]:
    return [item for item in clause.items if isinstance(item, Noun)]


def _places(clause: Clause) -> list[Prep]:
    """Where to."""
    return [item for item in clause.items if isinstance(item, Prep) and item.relation != "from"]
