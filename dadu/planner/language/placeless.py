"""Places and company said once for several clauses: ``first the cup, then the pen to the desk``, ``move the cup and the
pen. Put them next to each other on the desk``."""

from __future__ import annotations

from dataclasses import replace

from dadu.planner.language.syntax import Clause, Noun, Prep

_THEM = Noun(pronoun="them", text="them")
_MOVES = ("put", "bring")
_TO_SOMEBODY = ("bring", "deliver", "send", "return", "take", "gather")
"""verbs that need no place"""


def share_places(clauses: list[Clause]) -> list[Clause]:
    """Every clause with the place that was said for it and others."""
    out = list(clauses)
    for i in range(len(out) - 2, -1, -1):
        here, after = out[i], out[i + 1]
        if after.elliptical and not _places(here) and _places(after) and here.frame == after.frame:
            out[i] = replace(here, items=(*here.items, *(p for p in after.items if isinstance(p, Prep))))
        elif _told_next(here, after):
            out[i] = replace(here, items=(*here.items, *_places(after)))
    for i in range(1, len(out)):  # put the milk on the table, then the juice
        before, here = out[i - 1], out[i]
        if here.elliptical and here.frame == before.frame and not any(isinstance(item, Prep) for item in here.items):
            out[i] = replace(here, items=(*here.items, *_places(before)))
    return [c for i, clause in enumerate(out) for c in _together_at_last(clause, out[i - 1:i], out[i + 1:i + 2])]


def _places(clause: Clause) -> list[Prep]:
    return [i for i in clause.items if isinstance(i, Prep) and i.relation not in ("from", "together", "with", "for")]


def _together(clause: Clause) -> bool:
    return any(isinstance(i, Prep) and i.relation == "together" for i in clause.items)


def _told_next(here: Clause, after: Clause) -> bool:
    """``move the bowls | put them on the shelf``, ``the pen after it | put them there``"""
    plain = here.frame in _MOVES and here.verb.split()[0] not in _TO_SOMEBODY and not here.recipient
    bare = not any(isinstance(i, Prep) and i.relation != "from" for i in here.items)
    named = any(isinstance(i, Noun) and not i.pronoun for i in here.items)
    first = next((i for i in after.items if isinstance(i, Noun)), None)
    spoken_of = first is not None and (first.pronoun == "them" or first.pronoun == "it" and not here.elliptical
                                       or first.each and first.words in (("item",), ("thing",), ("object",)))
    return plain and bare and named and spoken_of and after.frame in _MOVES and bool(_places(after))


def _together_at_last(clause: Clause, before: list[Clause], behind: list[Clause]) -> list[Clause]:
    """``first the cup, then the pen on the desk, next to each other``: all of them, once they are there."""
    chained = any(c.elliptical for c in (clause, *behind)) and _together(clause)
    if not chained:
        return [clause]
    apart = replace(clause, items=tuple(
        i for i in clause.items if not (isinstance(i, Prep) and i.relation == "together")))
    last = clause.elliptical and not any(c.elliptical for c in behind)
    return [apart, *([Clause("put", "place", (_THEM, Prep("together")), text=clause.text)] if last else [])]
