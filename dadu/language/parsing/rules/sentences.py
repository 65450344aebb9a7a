"""Steps, their order and conditions: a whole sentence."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from dadu.language.frames.frame import (
    ChangeFrame,
    EnsureFrame,
    Frame,
    IfFrame,
    LeaveFrame,
    LookFrame,
    MoveFrame,
    RemarkFrame,
    SequenceFrame,
)
from dadu.language.frames.noun import NounPhrase, PlacePhrase
from dadu.language.parsing.rules.claims import ClaimRules, placed, state_of
from dadu.language.parsing.rules.orders import frames_of
from dadu.language.parsing.rules.parts import Complement, Excluded, Otherwise, Premise, SaidStep, Sentence, Stated
from dadu.language.parsing.tokens import Word
from dadu.language.refusal import Refusal
from dadu.skills.outcome import Code


class SentenceRules(ClaimRules):
    """Rules that make groups, steps and sentences."""

    def arguments(self, parts: list[Any], text: str) -> tuple[Complement, ...]:
        return tuple(part for part in parts if isinstance(part, Complement))

    def full(self, parts: list[Any], text: str) -> Complement:
        group = Complement()
        for part in parts:
            group = _grown(group, part)
        return group

    bare = full

    def more_full(self, parts: list[Any], text: str) -> Complement:
        group: Complement = parts[-1]
        return group

    more_bare = more_full

    def becoming(self, parts: list[Any], text: str) -> str:
        return str(parts[0])

    def command(self, parts: list[Any], text: str) -> tuple[Frame, ...]:
        if isinstance(parts[0], tuple):
            return parts[0]
        word: Word = parts[0]
        return frames_of(word.verb, parts[1] if len(parts) > 1 else (), text)

    def both(self, parts: list[Any], text: str) -> tuple[Frame, ...]:
        """Clean and return a sponge to the shelf: the first of both without the places."""
        first, _, second, groups = parts
        things = tuple(thing for group in groups for thing in group.things)
        it = NounPhrase(pronoun="them" if len(things) > 1 or things[:1] and things[0].plural else "it", text="it")
        rest = (replace(groups[0], things=(it,)), *groups[1:]) if len(groups) == 1 and things else groups
        return frames_of(first.verb, (Complement(things),), text) + frames_of(second.verb, rest, text)

    def inquire(self, parts: list[Any], text: str) -> tuple[Frame, ...]:
        frames: tuple[Frame, ...] = parts[-1]
        return frames

    def wanted(self, parts: list[Any], text: str) -> tuple[Frame, ...]:
        """I would like a mug on the table."""
        things, places = _things_and_places(parts)
        if isinstance(parts[0], tuple):  # the lady wants a lemon
            things = next(part for part in parts[1:] if isinstance(part, tuple))
        return frames_of("bring", (Complement(things, places, recipient=not places),), text)

    def undertaken(self, parts: list[Any], text: str) -> tuple[Frame, ...]:
        """Complete the shipment of the lemon."""
        action = next(part for part in parts if isinstance(part, Word) and part.may_be("ACTION"))
        things, places = _things_and_places(parts)
        return frames_of(action.verb, (Complement(things, places),), text)

    def by_means(self, parts: list[Any], text: str) -> tuple[Frame, ...]:
        """Use the lamp to look at the book, the microwave to heat it."""
        means = parts[1]
        place = PlacePhrase("with", means, text=f"with {means[0].text}")
        return tuple(replace(f, using=means[0]) if isinstance(f, LookFrame) else
                     replace(f, using=place) if isinstance(f, ChangeFrame) else f for f in parts[-1])

    def excepting(self, parts: list[Any], text: str) -> tuple[Excluded, ...]:
        return tuple(Excluded(noun) for noun in parts[-1])

    def you_find(self, parts: list[Any], text: str) -> str:
        return text

    def verbless(self, parts: list[Any], text: str) -> tuple[Frame, ...]:
        """All drinks to the side table."""
        return frames_of("put", (Complement(parts[0], (parts[1],)),), text)

    def polite(self, parts: list[Any], text: str) -> None:
        return None

    def order(self, parts: list[Any], text: str) -> tuple[Frame, ...]:
        frames: tuple[Frame, ...] = parts[-1]
        return frames

    def forbidden(self, parts: list[Any], text: str) -> tuple[Frame, ...]:
        """Do not touch the vase, do not put anything on the sofa."""
        out: list[Frame] = []
        for frame in parts[-1]:
            if not isinstance(frame, (MoveFrame, ChangeFrame, LeaveFrame)):
                raise Refusal(f"I do not know what to leave alone in {text!r}", [text], Code.UNKNOWN_ACTION)
            to = frame.to[0] if isinstance(frame, MoveFrame) and frame.to and not frame.to[0].special else None
            out.append(LeaveFrame(frame.what, to))
        return tuple(out)

    def spared(self, parts: list[Any], text: str) -> tuple[Frame, ...]:
        """Do not touch the vase on the table."""
        things, places = _things_and_places(parts)
        return (LeaveFrame((*things[:-1], placed(things[-1], places))),)

    def ensure(self, parts: list[Any], text: str) -> tuple[Frame, ...]:
        claim = parts[-1]
        if isinstance(claim, Stated):
            return _ensured(claim, text)
        if isinstance(claim, tuple) and not isinstance(claim[0], (NounPhrase, PlacePhrase)):
            return claim
        things, places = (parts[-1], ()) if isinstance(claim[0], NounPhrase) else (parts[-2], parts[-1])
        return _ensured(Stated(things, places), text)

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
        if isinstance(parts[-1], Word):
            return _ensured(Stated(parts[0], (), str(parts[-1])), text)
        first = next(part for part in parts[1:] if isinstance(part, tuple))
        more = tuple(part for part in parts if isinstance(part, Complement))
        return frames_of("put", (Complement(parts[0], first), *more), text)

    def more_due(self, parts: list[Any], text: str) -> Complement:
        return Complement(parts[1], parts[2])

    def ought(self, parts: list[Any], text: str) -> str:
        return text

    def joint(self, parts: list[Any], text: str) -> SaidStep:
        return SaidStep((), ordered=any(word.may_be("THEN") for word in parts))

    def purpose(self, parts: list[Any], text: str) -> SaidStep:
        """To cool it. What is done *by* something else is said in that."""
        frames: tuple[Frame, ...] = parts[-1]
        return SaidStep(frames, explains=parts[0].may_be("BY"))

    def chain(self, parts: list[Any], text: str) -> tuple[SaidStep | Otherwise, ...]:
        steps: list[SaidStep | Otherwise] = []
        ordered = False
        for part in parts:
            if isinstance(part, SaidStep) and part.frames:
                steps = [SaidStep((RemarkFrame(text.partition(" by ")[0]),))] if part.explains else steps
                steps.append(part)
            elif isinstance(part, SaidStep):
                ordered = part.ordered
            elif isinstance(part, Otherwise):
                steps.append(part)
            elif not isinstance(part, Word):
                steps.append(SaidStep(part if isinstance(part, tuple) else (part,), ordered))
                ordered = False
        return tuple(steps)

    def conditional(self, parts: list[Any], text: str) -> Any:
        """If, then, otherwise."""
        condition = next(part for part in parts if isinstance(part, Premise))
        then = next(_in_order(part) for part in parts if isinstance(part, tuple))
        otherwise = next((part.frames for part in parts if isinstance(part, Otherwise)), ())
        if not condition.asks:
            return Otherwise(then, holds=not condition.none)
        return (conditioned(condition, then, otherwise),)

    def otherwise(self, parts: list[Any], text: str) -> Otherwise:
        return Otherwise(() if isinstance(parts[-1], Word) else _in_order(parts[-1]))

    def timed_first(self, parts: list[Any], text: str) -> tuple[Frame, ...]:
        """After washing the plate, put it away."""
        return _timed(parts[0], parts[1], _in_order(parts[-1]))

    def timed_last(self, parts: list[Any], text: str) -> tuple[Frame, ...]:
        """Put it away after washing it."""
        return _timed(parts[-2], parts[-1], _in_order(parts[0]))

    def holding(self, parts: list[Any], text: str) -> tuple[Frame, ...]:
        """Turn on the lamp while holding the book; with the book in hand."""
        things = next((part for part in parts if isinstance(part, tuple) and isinstance(part[0], NounPhrase)), ())
        held = (MoveFrame(things),) if things else parts[-1]
        return (*held, *_in_order(parts[0]))

    def done(self, parts: list[Any], text: str) -> tuple[Frame, ...]:
        """What is done before or after."""
        if isinstance(parts[0], tuple) and isinstance(parts[0][0], NounPhrase):
            word = next(part for part in reversed(parts) if isinstance(part, Word) and not part.may_be("BE", "HAVE"))
            places = parts[-1] if isinstance(parts[-1], tuple) else ()
            if word.verb:
                return frames_of(word.verb, (Complement(parts[0], places),), text)
            return _ensured(Stated(parts[0], places, str(word)), text)
        verb = next((part for part in parts if isinstance(part, Word) and part.verb), None)
        if verb is not None:
            return frames_of(verb.verb, parts[-1] if isinstance(parts[-1], tuple) else (), text)
        frames: tuple[Frame, ...] = parts[-1]
        return frames

    def sentence(self, parts: list[Any], text: str) -> Sentence:
        chain: tuple[SaidStep | Otherwise, ...] = parts[-1]
        if isinstance(parts[0], SaidStep) and parts[0].ordered and isinstance(chain[0], SaidStep):
            chain = (replace(chain[0], ordered=True), *chain[1:])
        return Sentence(chain)


def conditioned(condition: Premise, then: tuple[Frame, ...], otherwise: tuple[Frame, ...]) -> Frame:
    """Where each of several must hold, one condition within the other."""
    frame: tuple[Frame, ...] = then
    for ask in reversed(condition.asks):
        frame = (IfFrame(ask, frame, otherwise),)
    return frame[0]


def in_order(steps: tuple[SaidStep, ...]) -> tuple[Frame, ...]:
    """The frames of the steps, in a sequence where some come only after others."""
    if not any(step.ordered for step in steps[1:]):
        return tuple(frame for step in steps for frame in step.frames)
    groups: list[tuple[Frame, ...]] = [()]
    for step in steps:
        if step.ordered and groups[-1]:
            groups.append(())
        groups[-1] = groups[-1] + step.frames
    return (SequenceFrame(tuple(groups)),)


def _in_order(chain: Any) -> tuple[Frame, ...]:
    if not isinstance(chain, tuple):
        return (chain,)
    if chain and all(isinstance(step, SaidStep) for step in chain):
        return in_order(chain)
    if any(isinstance(step, (SaidStep, Otherwise)) for step in chain):
        raise Refusal("I do not know to what an 'otherwise' belongs", ["otherwise"], Code.UNKNOWN_ACTION)
    frames: tuple[Frame, ...] = tuple(chain)
    return frames


def _things_and_places(parts: list[Any]) -> tuple[tuple[NounPhrase, ...], tuple[PlacePhrase, ...]]:
    """Those among the parts, which are tuples of either."""
    tuples = [part for part in parts if isinstance(part, tuple) and part]
    things = next((part for part in tuples if isinstance(part[0], NounPhrase)), ())
    return things, next((part for part in tuples if isinstance(part[0], PlacePhrase)), ())


def _timed(word: Word, done: tuple[Frame, ...], then: tuple[Frame, ...]) -> tuple[Frame, ...]:
    return (SequenceFrame((then, done) if word.may_be("BEFORE") else (done, then)),)


def _ensured(claim: Stated, text: str) -> tuple[Frame, ...]:
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


def _grown(group: Complement, part: Any) -> Complement:
    """The group with another part of it."""
    if isinstance(part, tuple):
        if part and isinstance(part[0], NounPhrase):
            return replace(group, things=group.things + part)
        if part and isinstance(part[0], Excluded) and group.things:
            *others, last = group.things
            last = replace(last, excluded=last.excluded + tuple(one.noun for one in part))
            return replace(group, things=(*others, last))
        return replace(group, places=group.places + part)
    if isinstance(part, Word):
        return _with_word(group, part)
    return replace(group, becoming=part) if isinstance(part, str) else group


def _with_word(group: Complement, word: Word) -> Complement:
    if word.may_be("ME"):
        return replace(group, recipient=True)
    if word.may_be("RESPECTIVELY"):
        return replace(group, respectively=True)
    if word.may_be("ALONE"):
        return replace(group, alone=True)
    return replace(group, particles=(*group.particles, str(word))) if word.may_be("PARTICLE") else group


