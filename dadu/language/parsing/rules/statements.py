"""Statements that ask for something: the books should be on the desk, I left my keys there."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from dadu.language.frames.frame import (
    ChangeFrame,
    EnsureFrame,
    Frame,
    LeaveFrame,
    RemarkFrame,
    ToldFrame,
)
from dadu.language.frames.noun import NounPhrase, PlacePhrase
from dadu.language.parsing.rules.claims import state_of
from dadu.language.parsing.rules.commands import PERHAPS, CommandRules
from dadu.language.parsing.rules.orders import frames_of
from dadu.language.parsing.rules.parts import (
    Complement,
    Due,
    SaidStep,
    Stated,
)
from dadu.language.parsing.tokens import Word
from dadu.language.refusal import Refusal
from dadu.skills.outcome import Code


class StatementRules(CommandRules):
    """Rules that make of what is to be so, or is so, what it asks for."""

    def resulting(self, parts: list[Any], text: str) -> SaidStep:
        return SaidStep(ensured(parts[-1], text))

    def left_there(self, parts: list[Any], text: str) -> tuple[Frame, ...]:
        """I left my keys on the desk."""
        tuples = [part for part in parts[1:] if isinstance(part, tuple)]
        at = tuples[1][0] if len(tuples) > 1 else None
        return (RemarkFrame(text), *(ToldFrame(replace(what, places=()), at or next(iter(what.places), None))
                                     for what in tuples[0]))

    def desired(self, parts: list[Any], text: str) -> tuple[Frame, ...]:
        """It would be nice to have the candle on the table."""
        return ensured(parts[-1] if isinstance(parts[-1], Stated) else Stated(parts[-2], parts[-1]), text)

    def whereabouts(self, parts: list[Any], text: str) -> ToldFrame:
        """I am in the kitchen; we are out of juice."""
        if parts[-1][0].preposition == "from":
            return ToldFrame(parts[-1][0].nouns[0], exists=False)
        return ToldFrame(NounPhrase(pronoun="me", text="i"), parts[-1][0])

    def ensure(self, parts: list[Any], text: str) -> tuple[Frame, ...]:
        claim = parts[-1]
        if isinstance(claim, Stated):
            return tuple(frame for part in parts if isinstance(part, Stated) for frame in ensured(part, text))
        if isinstance(claim, tuple) and not isinstance(claim[0], (NounPhrase, PlacePhrase)):
            return claim
        things, places = (parts[-1], ()) if isinstance(claim[0], NounPhrase) else (parts[-2], parts[-1])
        return Due(ensured(Stated(things, places), text))

    def passive(self, parts: list[Any], text: str) -> tuple[Frame, ...]:
        """The books should be moved to the desk."""
        verb = next(part for part in parts if isinstance(part, Word) and part.may_be("PARTICIPLE", "GERUND"))
        groups = parts[-1] if isinstance(parts[-1], tuple) and parts[-1] and isinstance(parts[-1][0], Complement) else (
            Complement(),)
        particles = tuple(str(p) for p in parts if isinstance(p, Word) and p.may_be("PARTICLE") and p is not verb)
        subject = next(part for part in parts if isinstance(part, tuple))
        first = replace(groups[0], things=subject + groups[0].things, particles=particles + groups[0].particles)
        return frames_of(verb.verb, (first, *groups[1:]), text)

    def due(self, parts: list[Any], text: str) -> tuple[Frame, ...]:
        """The keys go in the drawer; the lamp should be off."""
        if isinstance(parts[-1], Word) and parts[-1].may_be("PRAISE"):  # a mug on the desk would be nice
            *things, last = parts[0]
            return ensured(Stated((*things, replace(last, places=last.places[:-1])), last.places[-1:]), text)
        if isinstance(parts[-1], Word):
            return ensured(Stated(parts[0], (), str(parts[-1])), text)
        first = next(part for part in parts[1:] if isinstance(part, tuple))
        if str(parts[1]) in PERHAPS:  # the keys may be in the drawer
            return tuple(ToldFrame(what, first[0]) for what in parts[0])
        more = tuple(part for part in parts if isinstance(part, Complement))
        return Due(frames_of("put", (Complement(parts[0], first), *more), text))

    def stays(self, parts: list[Any], text: str) -> tuple[Frame, ...]:
        """The pen stays where it is."""
        return (LeaveFrame(parts[0]),)

    def more_due(self, parts: list[Any], text: str) -> Complement:
        return Complement(parts[1], parts[2])


def ensured(claim: Stated, text: str) -> tuple[Frame, ...]:
    """What is to be so in the end."""
    if claim.negated:
        raise Refusal(f"I cannot see to it that something is not so: {text!r}", [text], Code.UNKNOWN_ACTION)
    state = state_of(claim.becoming)
    if state is not None:
        return (ChangeFrame(claim.things, state),)
    if claim.becoming or not claim.places:
        raise Refusal(f"I do not know how to see to {text!r}", [text], Code.UNKNOWN_ACTION)
    if all(t.determiner in ("indefinite", "none") for t in claim.things) and not claim.places[0].special:
        return tuple(EnsureFrame(t, claim.places[0]) for t in claim.things)
    return frames_of("put", (Complement(claim.things, claim.places),), text)
