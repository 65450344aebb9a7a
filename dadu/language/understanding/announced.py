"""What is only announced, and how the next sentences say it is meant: ``rearrange the living room``, ``move these
objects around``, ``create a play area in the den``."""

from __future__ import annotations

from dadu.language.reading.syntax import Clause, Noun, Prep
from dadu.language.refusal import Refusal
from dadu.language.understanding.draft import Draft
from dadu.language.understanding.things.attachment import Placed
from dadu.language.understanding.things.things import SUPPORTS
from dadu.world.graph import Kind

_ARRANGES = ("rearrange", "arrange", "set", "lay", "exchange", "swap")
"""verbs of which a whole place may be the object"""
_POINTED_AT = ("these ", "those ", "the following ")


def only_announces(draft: Draft, clause: Clause, behind: Clause | None) -> bool:
    """Whether a clause names neither what is to be moved nor where to, or things that have yet to be named, such as in
    the clause `behind` it."""
    nouns = [i for i in clause.items if isinstance(i, Noun)]
    left = clause.verb in ("leave", "keep", "stay")
    if clause.frame not in ("put", "bring", "swap") or left or clause.recipient or clause.elliptical:
        return False
    if not nouns:  # pack for a trip
        return not draft.entries and all(isinstance(i, Prep) and i.relation == "for" for i in clause.items)
    general = all(_general(draft, n) for n in nouns)
    placed = any(isinstance(i, Prep) and i.relation not in ("for", "with", "from") for i in clause.items)
    if general and placed:
        sources = tuple(i for i in clause.items if isinstance(i, Prep) and i.relation == "from")
        known = draft.things.last(Kind.OBJECT) is not None or bool(sources) and not _ids(
            draft, nouns, sources) & _ids(draft, [i for i in behind.items if isinstance(i, Noun)] if behind else [])
        return nouns[0].text.startswith(_POINTED_AT) and not known
    whole = clause.verb in _ARRANGES and all(not n.pronoun and draft.things.kind_of(n) in SUPPORTS for n in nouns)
    return not placed and (general or whole)


def _ids(draft: Draft, nouns: list[Noun], where: tuple[Prep, ...] = ()) -> set[str]:
    try:
        found = [t for n in nouns for t in draft.things.resolve(Placed(n, where), (Kind.OBJECT,), mention=False)]
    except Refusal:
        return set()
    return {id for t in found for id in t.term.ids}


def only_orders(draft: Draft, clause: Clause) -> bool:
    """``and arrange them neatly``, once it is said where they go."""
    nouns = [i for i in clause.items if isinstance(i, Noun)]
    placed = any(isinstance(i, Prep) for i in clause.items)
    return clause.verb in _ARRANGES and not placed and bool(draft.entries) and all(
        n.pronoun in ("them", "it") for n in nouns)


def _general(draft: Draft, noun: Noun) -> bool:
    """``some objects``, ``things``: nothing that can be found."""
    plain = noun.words[-1:] and noun.words[-1] in draft.vocabulary.lexicon.plain_nouns
    return bool(plain) and not (noun.pronoun or noun.other or noun.uses or noun.holding) and len(noun.words) == 1 and (
        noun.words != ("everything",))


def rooms_of(draft: Draft, clause: Clause) -> frozenset[str]:
    """The rooms that a clause speaks of: what is said after it is meant to be there."""
    nouns = [i if isinstance(i, Noun) else i.noun for i in clause.items if isinstance(i, (Noun, Prep))]
    things = [t for n in nouns if n.words and draft.things.kind_of(n) is Kind.ROOM
              for t in draft.things.resolve(Placed(n), mention=False)]
    return frozenset(id for t in things for id in t.term.ids)
