"""Commands: verbs with things and places."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from dadu.knowledge.commonsense import occasions
from dadu.language.frames.frame import (
    ChangeFrame,
    Frame,
    LeaveFrame,
    LookFrame,
    MoveFrame,
    RemarkFrame,
    WishFrame,
)
from dadu.language.frames.noun import NounPhrase, PlacePhrase
from dadu.language.parsing.rules.claims import ClaimRules, placed
from dadu.language.parsing.rules.complements import merged
from dadu.language.parsing.rules.orders import frames_of
from dadu.language.parsing.rules.parts import (
    Complement,
    Excluded,
    Ordered,
)
from dadu.language.parsing.tokens import Word
from dadu.language.refusal import Refusal
from dadu.skills.outcome import Code

PERHAPS = ("may", "might", "will", "would", "may be", "might be", "could be", "will be", "would be")
"""what somebody believes or expects, and asks nobody for"""


class CommandRules(ClaimRules):
    """Rules that make commands of verbs with their things and places."""

    def arguments(self, parts: list[Any], text: str) -> tuple[Complement, ...]:
        groups = merged([part for part in parts if isinstance(part, Complement)], "next_to", _are_there)
        for i in range(len(groups) - 1):  # the cup on the table, the pen | and the book on the desk
            groups[i], more = self._less_things(groups[i])
            groups[i + 1] = replace(groups[i + 1], things=more + groups[i + 1].things)
        for i, group in enumerate(groups):  # put the cup on the desk, and the fork: there, too
            near = next((g for g in (*reversed(groups[:i]), *groups[i:]) if g.places), None)
            if near is not None and not group.places and not group.becoming and group.things:
                groups[i] = replace(group, places=near.places)
        return tuple(groups)

    def _less_things(self, group: Complement) -> tuple[Complement, tuple[NounPhrase, ...]]:
        """Without the things that stand behind its last place."""
        if not group.places or not group.places[-1].nouns:
            return group, ()
        first, *rest = group.places[-1].nouns
        things = [np for np in rest if tuple(np.name.split()) in self.names.objects]
        if not things or things != rest or tuple(first.name.split()) in self.names.objects:
            return group, ()
        return replace(group, places=(*group.places[:-1], replace(group.places[-1], nouns=(first,)))), tuple(rest)

    def instead_of(self, parts: list[Any], text: str) -> tuple[PlacePhrase, ...]:
        """On a chair instead, on the armchair: the second says it better."""
        self.notes.append(f"taken as where: {text!r}")
        places: tuple[PlacePhrase, ...] = parts[-1]
        return places

    def next_full(self, parts: list[Any], text: str) -> Complement:
        return replace(parts[-1], ordered=True)

    def full(self, parts: list[Any], text: str) -> Complement:
        group = Complement()
        for part in parts:
            group = _grown(group, part)
        return group

    bare = full

    def command(self, parts: list[Any], text: str) -> tuple[Frame, ...]:
        if isinstance(parts[0], tuple):
            return parts[0]
        word: Word = parts[0]
        return frames_of(word.verb, parts[1] if len(parts) > 1 else (), text)

    def both(self, parts: list[Any], text: str) -> tuple[Frame, ...]:
        """Clean and return a sponge to the shelf: the first of both without the places."""
        groups = parts[-1]
        first, *more = (part.verb for part in parts if isinstance(part, Word) and part.may_be("VERB"))
        things = tuple(thing for group in groups for thing in group.things)
        it = NounPhrase(pronoun="them" if len(things) > 1 or things[:1] and things[0].plural else "it", text="it")
        rest = (replace(groups[0], things=(it,)), *groups[1:]) if len(groups) == 1 and things else groups
        between = (frame for verb in more[:-1] for frame in frames_of(verb, (Complement((it,)),), text))
        return (*frames_of(first, (Complement(things),), text), *between, *frames_of(more[-1], rest, text))

    def wanted(self, parts: list[Any], text: str) -> tuple[Frame, ...]:
        """I would like a mug on the table; a guest at the bar waits for one."""
        things, places = things_and_places(parts)
        if isinstance(parts[0], tuple):  # the lady wants a lemon
            things, places = things_and_places(parts[1:])
            places = places or parts[0][0].places
            self.notes.append(f"for {parts[0][0].text}")
        meal = any(np.name in occasions().occasions for np in things) and not places
        if meal or any(place.text.startswith("for ") for place in places):  # breakfast; a present for a child
            return (WishFrame(text),)
        return frames_of("bring", (Complement(things, places, recipient=not places),), text)

    def causative(self, parts: list[Any], text: str) -> tuple[Frame, ...]:
        """Have a drink shipped."""
        return frames_of(parts[2].verb, (Complement(parts[1], parts[3] if len(parts) > 3 else ()),), text)

    def acted(self, parts: list[Any], text: str) -> tuple[Frame, ...]:
        """The parcel has to go out; the lights may go out."""
        if str(parts[1]) in PERHAPS:
            return (RemarkFrame(text),)
        return frames_of(parts[-1].verb, (Complement(parts[0]),), text)

    def undertaken(self, parts: list[Any], text: str) -> tuple[Frame, ...]:
        """Complete the shipment of the lemon."""
        action = next(part for part in parts if isinstance(part, Word) and part.may_be("ACTION"))
        things, places = things_and_places(parts)
        return frames_of(action.verb, (Complement(things, places),), text)

    def by_means(self, parts: list[Any], text: str) -> tuple[Frame, ...]:
        """Use the lamp to look at the book, the microwave to heat it."""
        means = parts[1]
        place = PlacePhrase("with", means, text=f"with {means[0].text}")
        return tuple(replace(f, using=means[0]) if isinstance(f, LookFrame) else
                     replace(f, using=place) if isinstance(f, ChangeFrame) else f for f in parts[-1])

    def fronted(self, parts: list[Any], text: str) -> tuple[Frame, ...]:
        """In the den, lay the book on the chair."""
        places, frames = parts[0], parts[-1]
        return (RemarkFrame(places[0].text), *frames)

    def fronted_thing(self, parts: list[Any], text: str) -> tuple[Frame, ...]:
        """Whatever you find there, bring it here. Errors: Refusal where it is no such pronoun that is spoken of."""
        frames: list[Frame] = [replace(frame, what=parts[0]) for frame in parts[-1] if isinstance(
            frame, (MoveFrame, ChangeFrame)) and all(np.pronoun in ("it", "them") for np in frame.what)]
        if len(frames) < len(parts[-1]):
            raise Refusal(f"I do not know what to do with {parts[0][0].text!r}", [text], Code.UNKNOWN_ACTION)
        return tuple(frames)

    def excepting(self, parts: list[Any], text: str) -> tuple[Excluded, ...]:
        return tuple(Excluded(noun) for noun in parts[-1])

    def verbless(self, parts: list[Any], text: str) -> tuple[Frame, ...]:
        """All drinks to the side table."""
        return frames_of("put", (Complement(parts[0], (parts[1],)),), text)

    def needed_thing(self, parts: list[Any], text: str) -> tuple[Frame, ...]:
        """Something to wake me up."""
        return (WishFrame(text),)

    def onward(self, parts: list[Any], text: str) -> tuple[Frame, ...]:
        """Then into the cupboard: it."""
        return frames_of("put", (Complement((), parts[0]),), text)

    def contrast(self, parts: list[Any], text: str) -> str:
        """Not on the shelf: it goes elsewhere anyhow."""
        self.notes.append(f"taken as said: {text!r}")
        return ""

    def polite(self, parts: list[Any], text: str) -> None:
        if any(part == "" for part in parts):  # words that are no others' than courtesy's
            self.notes.append(f"not taken as part of the task: {text!r}")

    def civil(self, parts: list[Any], text: str) -> str:
        return "" if parts[0].may_be("UNKNOWN") else text

    def forbidden(self, parts: list[Any], text: str) -> tuple[Frame, ...]:
        """Do not touch the vase, do not put anything on the sofa."""
        self.notes.append(f"taken as what to leave alone: {text!r}")
        out: list[Frame] = []
        for frame in parts[-1]:
            if not isinstance(frame, (MoveFrame, ChangeFrame, LeaveFrame)):
                raise Refusal(f"I do not know what to leave alone in {text!r}", [text], Code.UNKNOWN_ACTION)
            to = frame.to[0] if isinstance(frame, MoveFrame) and frame.to and not frame.to[0].special else None
            out.append(LeaveFrame(frame.what, to))
        return tuple(out)

    def spared(self, parts: list[Any], text: str) -> tuple[Frame, ...]:
        """Do not touch the vase on the table."""
        things, places = things_and_places(parts)
        return (LeaveFrame((*things[:-1], placed(things[-1], places))),)


def _are_there(before: Complement, group: Complement) -> bool:
    """``next to the lamp | and the book on the shelf``: next to both of them, which are on the shelf."""
    moved = {np.name for np in before.things}
    return group.places[0].text.split()[0] == "on" and all(
        p.text.split()[0] in ("on", "in") and not moved & {np.name for np in p.nouns} for p in group.places)


def things_and_places(parts: list[Any]) -> tuple[tuple[NounPhrase, ...], tuple[PlacePhrase, ...]]:
    """Those among the parts, which are tuples of either."""
    tuples = [part for part in parts if isinstance(part, tuple) and part]
    things = next((part for part in tuples if isinstance(part[0], NounPhrase)), ())
    return things, next((part for part in tuples if isinstance(part[0], PlacePhrase)), ())


def _grown(group: Complement, part: Any) -> Complement:
    """The group with another part of it."""
    if isinstance(part, tuple):
        if part and isinstance(part[0], NounPhrase):
            return replace(group, things=group.things + part, ordered=group.ordered or isinstance(part, Ordered))
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
    if word.may_be("ALONE"):
        return replace(group, alone=True)
    return replace(group, particles=(*group.particles, str(word))) if word.may_be("PARTICLE") else group
