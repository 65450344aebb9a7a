"""Things are to be somewhere: put, bring, fetch, take; and trading places."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from dadu.goals.goal import Proposition
from dadu.language.discourse import SUPPORTS, Discourse, Referent, Role
from dadu.language.frames.frame import GoFrame, MoveFrame, SwapFrame
from dadu.language.frames.noun import NounPhrase, PlacePhrase
from dadu.language.grounding.attachment import reattach_modifiers, taken_apart
from dadu.language.grounding.go import go
from dadu.language.grounding.nouns.holding import holds_things
from dadu.language.grounding.nouns.phrases import text_of
from dadu.language.grounding.nouns.resolve import may_be_unknown, resolve, resolve_all, stated_contents, tried
from dadu.language.grounding.partial_goal import PartialGoal, ready
from dadu.language.grounding.places.placing import put
from dadu.language.grounding.places.usual import elsewhere, stood
from dadu.language.grounding.scene import Setting
from dadu.language.grounding.temperature import change_by_staying
from dadu.language.parsing.rules.moving import ME
from dadu.language.refusal import Refusal
from dadu.world.graph import Kind

_LAST = ("together", "next_to", "between")
"""what stands together is brought to its place first"""


def move(frame: MoveFrame, scene: Setting, said: Discourse) -> PartialGoal:
    """What is named, from where it is said to be, to each of the places: all of them must hold."""
    if frame.respectively:
        names = " and ".join(text_of(np) for np in frame.what)
        raise Refusal(f"say for each of {names!r} where it goes", [names])
    frames = taken_apart(frame, scene, said)
    if len(frames) > 1:
        return _one_by_one(frames, scene, said)
    if not said.mentions and _is_left_out(frame):
        return go(GoFrame(frame.to[0]), scene, said)  # move to the table
    frame = reattach_modifiers(frames[0], scene, said)
    aims = [p for p in frame.to if p.text.startswith("for ") and not any(tried(np, scene, said) for np in p.nouns)]
    if aims:  # for the movie: no place
        frame = replace(frame, to=tuple(p for p in frame.to if p not in aims) or (ME,))
    things, said = _subjects(frame, scene, said)
    _check_holder(things, frame, scene, said)
    part = ready(things, PartialGoal(said).told(things), scene)
    part = part.note(*(f"not taken as part of the task: {p.text!r}" for p in aims))
    part = _on_the_way(things, frame, part, scene)
    for i, place in enumerate(sorted(frame.to, key=lambda p: p.special in _LAST or p.preposition in _LAST)):
        if i and not (place.special in _LAST or place.preposition in _LAST):  # to the fridge and back to the table
            part = _on_the_way(things, frame, part, scene)
        part = _put(things, _in_the_same(place, frame), frame, part, scene)
    if not frame.to:
        part = _taken(things, frame, part, scene)
    return part.now(replace(part.said, moved=_as_moved(things, said), filled=_filled(part, len(said.mentions))))


def _check_holder(things: Sequence[Referent], frame: MoveFrame, scene: Setting, said: Discourse) -> None:
    """``a pan on the table with a fork on it``: the fork may be on either. Errors: Refusal where it is not known to be
    on the table."""
    for noun in (n for place in frame.to for n in place.nouns[-1:] if any(holds_things(t, scene) for t in things)):
        for other in stated_contents(noun):
            ids = resolve(replace(other, places=()), scene, said)[0].term.ids
            if not {scene.holder(id) for id in ids} & {*resolve(replace(noun, places=()), scene, said)[0].term.ids}:
                names = f"{text_of(noun)!r} or {things[-1].term.name!r}"
                raise Refusal(f"is {text_of(other)!r} on {names}? Say it in two sentences", [text_of(other)])


def _is_left_out(frame: MoveFrame) -> bool:
    """``move to the table``: what is to be moved is not said, and nothing was spoken of."""
    left_out = len(frame.to) == 1 and all(np.pronoun == "it" and not np.text for np in frame.what)
    return left_out and frame.to[0].preposition != "on" and not any(n.pronoun or n.purpose for n in frame.to[0].nouns)


def _on_the_way(things: Sequence[Referent], frame: MoveFrame, part: PartialGoal, scene: Setting) -> PartialGoal:
    """What staying where they are by now has done to things that move on."""
    for thing in things if frame.to else ():
        part = change_by_staying(thing, part, scene)
    return part


def _put(things: Sequence[Referent], place: PlacePhrase, frame: MoveFrame, part: PartialGoal, scene: Setting
         ) -> PartialGoal:
    """``on the table next to the toaster``, where nobody knows of a toaster: on the table. Errors: Refusal."""
    try:
        return put(things, place, part, scene)
    except Refusal as refusal:
        if place.preposition not in _LAST or len(frame.to) == 1 or not may_be_unknown(place, scene):
            raise
        return part.note(f"not {place.text!r}: {refusal}")


def _filled(part: PartialGoal, before: int) -> Referent | None:
    """The object in or on which things were put by this frame."""
    inside = {w.proposition.object for w in part.wants if w.proposition.predicate in ("is_inside", "is_on_top")}
    spoken = part.said.mentions[before:]
    return next((t for t in reversed(spoken) if t.kind is Kind.OBJECT and t.term in inside), None)


def _with_what_is_in_it(np: NounPhrase, said: Discourse) -> Referent | None:
    """``put the pen in a bowl and move it (them) to the desk``: the bowl, with the pen."""
    last = said.filled
    return last if np.pronoun in ("it", "them") and last is not None and last.turn == said.turn - 1 else None


def _one_by_one(frames: Sequence[MoveFrame], scene: Setting, said: Discourse) -> PartialGoal:
    part, moved = PartialGoal(said), tuple[Referent, ...]()
    for frame in frames:
        one = move(frame, scene, part.said)
        part, moved = part.then(one), moved + one.said.moved
    return part.now(replace(part.said, moved=moved))


def _taken(things: Sequence[Referent], frame: MoveFrame, part: PartialGoal, scene: Setting) -> PartialGoal:
    """Into the hand; more than that holds, from somewhere, goes where else it belongs."""
    several = len(things) > 1 or any(not t.single for t in things)
    if several and frame.source is not None and (taken := _away(things, part, scene)) is not None:
        start = len(part.wants)
        return replace(taken, wants=(*taken.wants[:start], *(replace(w, tentative=True) for w in taken.wants[start:])))
    for thing in things:
        part = part.want("is_held", thing)
    return part


def _away(things: Sequence[Referent], part: PartialGoal, scene: Setting) -> PartialGoal | None:
    """Where else such things belong; None where that is not known: what follows may say where to."""
    try:
        return elsewhere(things, part, scene)
    except Refusal:
        return None


def _in_the_same(place: PlacePhrase, frame: MoveFrame) -> PlacePhrase:
    """Several things to one table mean one and the same, unless it is any of several."""
    if not frame.same_place or len(place.nouns) != 1 or not place.nouns[0].plural:
        return place
    return replace(place, nouns=(replace(place.nouns[0], plural=False),))


def _as_moved(things: tuple[Referent, ...], said: Discourse) -> tuple[Referent, ...]:
    return tuple(replace(t, turn=said.turn) for t in things)


def _subjects(frame: MoveFrame, scene: Setting, said: Discourse) -> tuple[tuple[Referent, ...], Discourse]:
    """The things to be moved."""
    source = frame.source
    holder = _with_what_is_in_it(frame.what[0], said) if len(frame.what) == 1 and frame.to else None
    if holder is not None:
        return (holder,), said.mention([holder])
    if source is None or source.special:
        return resolve_all(frame.what, scene, said, (Kind.OBJECT,))
    places, said = _sources(source, scene, said)
    if not places:
        things, said = resolve_all(frame.what, scene, said, (Kind.OBJECT,))
        note = f"'from {text_of(source.nouns[0])}' does not help to tell which: I know of no such place"
        return (replace(things[0], notes=(*things[0].notes, note)), *things[1:]), said
    if any(n.quantity.amount == "each" for n in source.nouns):
        raise Refusal(f"say how many to take from where, not {source.text!r}", [source.text])
    out: list[Referent] = []
    for np in frame.what:
        there = replace(source, preposition="in" if source.preposition == "in" else "from")
        found = resolve(replace(np, places=(*np.places, there)), scene, said, (Kind.OBJECT,))
        said = said.mention(found)
        out += found
    return tuple(out), said


def _sources(source: PlacePhrase, scene: Setting, said: Discourse) -> tuple[tuple[Referent, ...], Discourse]:
    """Where things are to be taken from; empty for the floor, and a desk that nobody knows of. Errors: NotSeen;
    Refusal."""
    try:
        return resolve_all(source.nouns, scene, said, (*SUPPORTS, Kind.OBJECT), Role.SOURCE)
    except Refusal:
        if not may_be_unknown(source, scene):
            raise
        return (), said


def swap(frame: SwapFrame, scene: Setting, said: Discourse) -> PartialGoal:
    """Each goes to where the other one is. Errors: NotSeen; Refusal where one of them has no place, or several."""
    things, said = resolve_all(frame.what, scene, said, (Kind.OBJECT,))
    places = [{*stood(t, scene).values()} for t in things[:2]]
    part = PartialGoal(said).told(things)
    for thing, there in zip(things, reversed(places)):
        if len(there) > 1:
            raise Refusal(f"say for each of {thing.term.name!r} where it goes", [thing.term.name])
        [(predicate, holder)] = there
        part = part.put(Proposition(predicate, thing.term, scene.entity(holder).term))
    return part.now(replace(part.said, moved=_as_moved(things, said)))
