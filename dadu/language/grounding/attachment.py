"""Which place belongs to what: the words alone do not say whether ``the cup on the table in the kitchen`` is there or
is to go there. Of the readings that the words allow, the first one in which everything is found counts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from dadu.goals.candidates import candidates
from dadu.language.discourse import Discourse
from dadu.language.frames.frame import MoveFrame
from dadu.language.frames.noun import NounPhrase, PlacePhrase
from dadu.language.grounding.nouns.resolve import is_before, kind_of, resolve, tried
from dadu.language.grounding.scene import Setting
from dadu.language.parsing.rules.complements import leads
from dadu.language.refusal import NotSeen, Refusal
from dadu.world.graph import Kind

_GOES = ("on", "in", "at")
_SURE = ("that ", "which ", "lying ", "standing ")
"""how a place is told of what is there already"""


def taken_apart(frame: MoveFrame, scene: Setting, said: Discourse) -> list[MoveFrame]:
    """``the remote on the sofa and the pillow | on the bed``: nothing is on a pillow, which is to go there; ``the
    dishwasher | with the plates``: they go in it. Else as it stands."""
    frame = _which_piece(frame, scene, said)
    kinds = {kind_of(np, scene, said) for np in frame.what}
    if [p.preposition for p in frame.to] == ["with"] and kinds == {Kind.FURNITURE}:
        return [replace(frame, what=frame.to[0].nouns, to=(PlacePhrase("in", frame.what),))]
    for i, place in enumerate(frame.to):
        left, right = _parted(place, scene, said)
        if right:
            return [replace(frame, to=(*frame.to[:i], left)),
                    replace(frame, what=right, to=frame.to[i + 1:] or (left,), source=None)]
    last = frame.what[-1]
    if frame.to and last.places:
        left, right = _parted(last.places[-1], scene, said)
        if right:
            return [replace(frame, what=(*frame.what[:-1], replace(last, places=last.places[:-1])), to=(left,)),
                    replace(frame, what=right, source=None)]
    return [frame]


def _which_piece(frame: MoveFrame, scene: Setting, said: Discourse) -> MoveFrame:
    """``on the counter | next to the fridge``, ``next to the sink on the counter``: what stands by furniture says which
    counter is meant."""
    to = frame.to
    if len(to) == 1 and to[0].preposition == "next_to" and len(to[0].nouns) == 1 and to[0].nouns[0].places:
        *others, inner = to[0].nouns[0].places
        to = (replace(to[0], nouns=(replace(to[0].nouns[0], places=tuple(others)),)), inner)
    by, place = sorted(to, key=lambda p: p.preposition != "next_to") if len(to) == 2 else (None, None)
    if by is None or place is None or by.preposition != "next_to" or by.special or place.preposition not in _GOES or (
            len(place.nouns) != 1):
        return frame
    if {kind_of(np, scene, said) for np in (*place.nouns, *by.nouns)} != {Kind.FURNITURE}:
        return frame
    noun = place.nouns[0]
    return replace(frame, to=(replace(place, nouns=(replace(noun, places=(*noun.places, by)),)),))


def _parted(place: PlacePhrase, scene: Setting, said: Discourse) -> tuple[PlacePhrase, tuple[NounPhrase, ...]]:
    """Where furniture and rooms come first and things behind them: the place, and the things."""
    if place.preposition not in _GOES or len(place.nouns) < 2:
        return place, ()
    kinds = [kind_of(np, scene, said) for np in place.nouns]
    at = next((i for i, kind in enumerate(kinds) if kind is Kind.OBJECT), 0)
    if at == 0 or any(kind is not Kind.OBJECT for kind in kinds[at:]):
        return place, ()
    return replace(place, nouns=place.nouns[:at]), place.nouns[at:]


def taken_from_list(np: NounPhrase, scene: Setting, said: Discourse) -> tuple[NounPhrase, ...]:
    """``the lamp on the side table and the floor lamp``: nothing is on a lamp, which is one more of them."""
    place = np.places[-1] if np.places else None
    if place is None or len(place.nouns) < 2 or place.preposition not in ("on", "in"):
        return (np,)
    at = next((i for i, n in enumerate(place.nouns) if _takes_nothing(n, scene, said)), 0)
    if at == 0:
        return (np,)
    return (replace(np, places=(*np.places[:-1], replace(place, nouns=place.nouns[:at]))), *place.nouns[at:])


def _takes_nothing(np: NounPhrase, scene: Setting, said: Discourse) -> bool:
    places = tried(np, scene, said)
    return bool(places) and all(t.kind is Kind.FURNITURE and t.term.ids and not any(
        p.surfaces for p in scene.furniture(t.term.ids)) for t in places)


def reattach_modifiers(frame: MoveFrame, scene: Setting, said: Discourse) -> MoveFrame:
    """As it stands, unless the world speaks against it and for another reading. Errors: NotSeen."""
    readings = [r for r in _others(frame, scene, said) if not _is_nowhere(r, scene, said)]
    if not readings:
        return frame
    if any(np.pronoun in ("it", "them") for np in frame.what) and not frame.to:
        return readings[0]  # put it on a plate: not the one that is there
    if not frame.to:
        _looked_at_first(frame, scene, said)
    readings.insert(0, frame)
    found = (r for r in readings if _is_found(r, scene, said))
    return next(found, None) or min((r for r in readings if _is_understood(r, scene, said)),
                                    key=lambda r: _held_by_another(r, scene, said), default=frame)


def _is_nowhere(frame: MoveFrame, scene: Setting, said: Discourse) -> bool:
    """True if it says of what is moved that it is at a place that is known not to be here: ``put the cup on the blue
    shelf in the den``, where no shelf is, asks for no cup that is on it."""
    try:
        for noun in (n for np in frame.what for place in np.places for n in place.nouns):
            resolve(noun, scene, said)
    except NotSeen:
        return False
    except Refusal:
        return True
    return False


def _looked_at_first(frame: MoveFrame, scene: Setting, said: Discourse) -> None:
    """``take the toy on the shelves``, which nobody has looked at yet: a toy that is known to be elsewhere does not
    show that it is to go there. Errors: NotSeen."""
    things = [t for np in frame.what if np.places for t in tried(np, scene, said, (Kind.OBJECT,))]
    for thing in things if not scene.complete else ():
        told = thing.term.description
        ids = [id for where in told.where for id in where.ids] if told is not None else []
        if not thing.term.ids and ids and scene.furniture(ids) and not scene.not_there(told):
            name = thing.term.name
            raise NotSeen(f"I do not know yet whether {name!r} is there", [name], told, every=False)


def _held_by_another(frame: MoveFrame, scene: Setting, said: Discourse) -> bool:
    """True if it says of what is moved, which was not seen yet, that it is in or on an object: rather it is to go
    there."""
    on = [p for np in frame.what for p in np.places if p.preposition in ("on", "in")]
    return any(kind_of(np, scene, said) is Kind.OBJECT for p in on for np in p.nouns)


def _others(frame: MoveFrame, scene: Setting, said: Discourse) -> Iterator[MoveFrame]:
    yield from _less_said_of_it(frame, frame.what[-1])
    if len(frame.to) == 1 and len(frame.to[0].nouns) == 1:
        yield from _more_said_of_it(frame, frame.what[-1], frame.to[0], scene, said)


def _less_said_of_it(frame: MoveFrame, np: NounPhrase) -> Iterator[MoveFrame]:
    """``fetch | the cup on the table``: on the table is where it is to go, where none is there."""
    if np.places and not frame.to and np.places[-1].preposition in (*_GOES, "next_to", "between") and not (
            np.places[-1].text.startswith(_SURE)):
        less = (*frame.what[:-1], replace(np, places=np.places[:-1]))
        yield replace(frame, what=less, to=(np.places[-1],))


def _more_said_of_it(frame: MoveFrame, np: NounPhrase, to: PlacePhrase, scene: Setting, said: Discourse
                     ) -> Iterator[MoveFrame]:
    """``put the cup | on the plate on the table``: the cup that is on the plate; ``the cup on the plate | on the
    table``: the plate on the table is where it goes. ``the cup on the desk | to the sink`` speaks of no desk by it."""
    noun = to.nouns[0]
    if len(frame.what) == 1 and noun.places and noun.places[-1].preposition in _GOES and not (
            np.pronoun or is_before(noun.places[-1])):
        of_it = replace(to, nouns=(replace(noun, places=noun.places[:-1]),))
        yield replace(frame, what=(replace(np, places=(*np.places, of_it)),), to=(noun.places[-1],))
    if np.places and np.places[-1].preposition in _GOES and to.preposition in _GOES and np.places[-1].nouns and not (
            np.places[-1].text.startswith(_SURE)
            or leads(to) and kind_of(np.places[-1].nouns[-1], scene, said) is not Kind.OBJECT):
        inner = np.places[-1]
        last = replace(inner.nouns[-1], places=(*inner.nouns[-1].places, to))
        yield replace(frame, what=(*frame.what[:-1], replace(np, places=np.places[:-1])),
                      to=(replace(inner, nouns=(*inner.nouns[:-1], last)),))


def _is_found(frame: MoveFrame, scene: Setting, said: Discourse) -> bool:
    """True if each thing and each place that it names is known."""
    places = [tried(np, scene, said) for p in frame.to for np in p.nouns if np.pronoun in ("", "one")]
    named = (*(tried(np, scene, said, (Kind.OBJECT,)) for np in frame.what), *places)
    return all(things and all(t.term.ids for t in things) for things in named)


def _is_understood(frame: MoveFrame, scene: Setting, said: Discourse) -> bool:
    """True if the words are; the things may not have been seen yet, but none is known to be elsewhere."""
    things = [tried(np, scene, said, (Kind.OBJECT,)) for np in frame.what]
    told = [t.term.description for of in things for t in of if not t.term.ids and t.term.description is not None]
    elsewhere = any(d.where and candidates(d.anywhere(), scene.graph) for d in told)
    return all(things) and not elsewhere and all(tried(np, scene, said) for p in frame.to for np in p.nouns)
