"""Places and company said once for several clauses: ``first the cup, then the pen to the desk``, ``move the cup and the
pen. Put them next to each other on the desk``."""

from __future__ import annotations

from dataclasses import replace

from dadu.language.reading.syntax import Clause, Noun, Prep

_THEM = Noun(pronoun="them", text="them")
_MOVES = ("put", "bring")
_TO_SOMEBODY = ("bring", "deliver", "send", "return", "take", "gather")
"""verbs that need no place"""


def share_places(clauses: list[Clause]) -> list[Clause]:
    """Every clause with the place that was said for it and others."""
    out = [_spoken_of(c) if _placed_later(c, clauses[i + 1:]) else c for i, c in enumerate(clauses)]
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


def _placed_later(here: Clause, rest: list[Clause]) -> bool:
    """``move the lamp and the cup. The lamp goes to the desk, the cup on the shelf``"""
    placed = {i.words for c in rest if c.frame in _MOVES and _places(c) for i in c.items if isinstance(i, Noun)}
    named = [i for i in here.items if isinstance(i, Noun)]
    usual = all(p.relation in ("from", "usual") for p in here.items if isinstance(p, Prep))
    return _moves(here) and usual and bool(named) and all(n.words and n.words in placed for n in named)


def _spoken_of(clause: Clause) -> Clause:
    return replace(clause, frame="remark", items=tuple(i for i in clause.items if isinstance(i, Noun)))


def _moves(clause: Clause) -> bool:
    return clause.frame in _MOVES and clause.verb.split()[0] not in _TO_SOMEBODY and not clause.recipient


def _told_next(here: Clause, after: Clause) -> bool:
    """``move the bowls | put them on the shelf``, ``the pen after it | put them there``"""
    bare = not any(isinstance(i, Prep) and i.relation != "from" for i in here.items)
    named = any(isinstance(i, Noun) and not i.pronoun for i in here.items)
    first = next((i for i in after.items if isinstance(i, Noun)), None)
    spoken_of = first is not None and (first.pronoun == "them" or first.pronoun == "it" and not here.elliptical
                                       or first.each and first.words in (("item",), ("thing",), ("object",)))
    return _moves(here) and bare and named and spoken_of and after.frame in _MOVES and bool(_places(after))


def _together_at_last(clause: Clause, before: list[Clause], behind: list[Clause]) -> list[Clause]:
    """``first the cup, then the pen on the desk, next to each other``: all of them, once they are there."""
    chained = any(c.elliptical for c in (clause, *behind)) and _together(clause)
    if not chained:
        return [clause]
    apart = replace(clause, items=tuple(
        i for i in clause.items if not (isinstance(i, Prep) and i.relation == "together")))
    last = clause.elliptical and not any(c.elliptical for c in behind)
    return [apart, *([Clause("put", "place", (_THEM, Prep("together")), text=clause.text)] if last else [])]
