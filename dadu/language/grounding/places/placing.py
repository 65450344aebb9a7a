"""Things to a place: on, in, beside, between; one at each of several; all at one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from dadu.goals.goal import Description, Term
from dadu.language.discourse import SUPPORTS, Discourse, Referent, Role
from dadu.language.frames.noun import NounPhrase, PlacePhrase
from dadu.language.grounding.nouns.holding import is_flat, takes_in
from dadu.language.grounding.nouns.phrases import text_of
from dadu.language.grounding.nouns.quantities import is_indefinite
from dadu.language.grounding.nouns.resolve import kind_of, resolve
from dadu.language.grounding.places.handing import to_speaker
from dadu.language.grounding.places.nearness import check_close, next_to_each_other
from dadu.language.grounding.places.surfaces import target
from dadu.language.grounding.places.usual import elsewhere, to_former, to_usual
from dadu.language.grounding.scene import Setting
from dadu.language.grounding.wants import Asked, not_so_yet
from dadu.language.refusal import NotSeen, Refusal
from dadu.skills.outcome import Code
from dadu.world.graph import Kind

_SPECIAL: dict[str, Callable[[Sequence[Referent], Asked, Setting], Asked]] = {
    "usual": to_usual, "former": to_former, "elsewhere": elsewhere, "together": next_to_each_other}


def put(things: Sequence[Referent], place: PlacePhrase, part: Asked, scene: Setting) -> Asked:
    """All of the things to the place. Errors: Refusal."""
    if place.special and not place.nouns:
        return _SPECIAL[place.special](things, part, scene)
    if place.special == "former":
        return _where_another_was(things, place, part, scene)
    nouns = place.nouns
    if len(nouns) == 1 and nouns[0].pronoun == "me":
        return to_speaker(things, part, scene)
    if place.preposition in ("next_to", "between", "with"):
        return _beside(things, place, part, scene)
    if place.preposition in ("under", "behind"):
        return _below(things, place, part, scene)
    if len(nouns) > 1:
        return _one_to_each(things, [replace(place, nouns=(n,)) for n in nouns], part, scene)
    noun = nouns[0]
    if noun.determiner == "own":
        return _each_its_own(things, place, part, scene)
    if noun.quantity.amount in ("each", "all", "both") and noun.pronoun != "them":
        return _to_all_of_them(things, place, part, scene)
    where = _spoken(noun, things, part.said, scene, place.preposition)
    where = _in_the_room_brought_to(where, things, part.said, scene)
    where = _new_place(where, noun, things, part.said, scene)
    part = _there(things, where, place, part, scene)
    return _onward(where, noun, part, scene)


def _in_the_room_brought_to(where: Referent, things: Sequence[Referent], said: Discourse, scene: Setting) -> Referent:
    """``to the kitchen, and put them on the table``: the one there, where one is."""
    bare = where.kind is Kind.FURNITURE and len(where.term.ids) > 1 and not where.description.where
    rooms = {scene.room(id) for t in things for id in said.place_of(t.term.key)} if bare else set()
    inside = scene.within(where.term.ids, rooms) if len(rooms) == 1 else ()
    return where.of(inside) if inside else where


def _onward(where: Referent, noun: NounPhrase, part: Asked, scene: Setting) -> Asked:
    """``on a plate on the table``, where no plate is on the table yet: it goes there with what is put on it."""
    to = [p for p in noun.places if p.preposition in ("on", "in", "at") and p.nouns]
    if where.kind is not Kind.OBJECT or not to or where.term.ids and where.description.where:
        return part
    anywhere = where.description.anywhere()
    holder = replace(where, term=replace(where.term, ids=scene.ids(anywhere), description=anywhere))
    wants = [w if w.proposition.object != where.term else replace(w, proposition=replace(
        w.proposition, object=holder.term)) for w in part.wants]
    return put([holder], to[-1], replace(part, wants=tuple(wants)), scene)


def _there(things: Sequence[Referent], where: Referent, place: PlacePhrase, part: Asked, scene: Setting) -> Asked:
    """All of them to this place, which is one."""
    to = target(where, place.preposition, scene)
    part = part.note(to.note) if to.note else part
    part = part.told([where]).now(part.said.mention([where], Role.PLACE))
    start = len(part.wants)
    for thing in things:
        if set(thing.term.ids) & set(to.term.ids):
            thing = _less(thing, to.term)
        part = part.want(to.predicate, thing, to.term, same_target=not where.phrase.plural)
        last = part.wants[-1]
        part = replace(part, wants=(*part.wants[:-1], replace(
            last, proposition=not_so_yet(last.proposition, scene))))
    return part if where.phrase.plural else part.one_place(start)


def _less(thing: Referent, place: Term) -> Referent:
    """``put the plates on the blue plate``: the others. Errors: Refusal where a thing would have to be at itself."""
    ids = tuple(id for id in thing.term.ids if id not in place.ids)
    if not ids:
        raise Refusal(f"{thing.term.name} cannot be on, in or beside itself", [place.name])
    told = thing.term.description
    if told is not None:
        told = replace(told, without=(*told.without, Description(place.name, Kind.OBJECT, (), ids=place.ids)))
    return replace(thing, term=replace(thing.term, ids=ids, description=told), number=min(thing.number, len(ids)))


def _spoken(noun: NounPhrase, things: Sequence[Referent], said: Discourse, scene: Setting, preposition: str
            ) -> Referent:
    """The place; ``it`` is what was spoken of last that suits the preposition, and is not what is moved."""
    if noun.pronoun not in ("it", "them"):
        kinds = (*SUPPORTS, Kind.OBJECT)
        return resolve(noun, scene, said, SUPPORTS if noun.pronoun == "there" else kinds)[0]
    keys = {t.term.key for t in things}
    others = [t for t in reversed(said.mentions) if t.term.key not in keys and t.role is not Role.SOURCE
              and (not t.every or len(t.term.ids) == 1)]
    if not others:
        raise Refusal(f"I do not know what {text_of(noun)!r} stands for; name the place", [text_of(noun)])
    return next((t for t in others if _suits(t, preposition, scene)), others[0])


def _suits(thing: Referent, preposition: str, scene: Setting) -> bool:
    """Whether ``it`` may be this thing in ``on it`` or ``in it``."""
    if preposition == "next_to":
        return thing.kind is Kind.OBJECT
    if preposition == "in":
        return thing.kind is not Kind.ROOM and takes_in(thing, scene)
    return preposition == "at" or thing.kind is Kind.FURNITURE or thing.kind is Kind.OBJECT and is_flat(thing, scene)


def _new_place(where: Referent, noun: NounPhrase, things: Sequence[Referent], said: Discourse, scene: Setting
               ) -> Referent:
    """``another table``, ``the chair in the other bedroom``: not where the things are now. Errors: Refusal where
    nothing else is left; NotSeen where it is not known where they are."""
    rooms_differ = any(n.determiner == "other" for p in noun.places for n in p.nouns)
    if noun.determiner != "other" and not rooms_differ or where.kind is Kind.OBJECT:
        return where
    unseen = next((t for t in things if not t.term.ids), None)
    if unseen is not None:
        raise NotSeen(f"I do not know yet where {unseen.term.name!r} is, which is to go to {text_of(noun)!r}",
                      [unseen.term.name], unseen.term.description, every=False)
    here = {id for t in things for id in (t.term.ids if t.every else t.term.ids[:t.number])}
    left = _not_here(where, here, rooms_differ, scene)
    if not left and len(here) > 1:
        return where  # they stand on all that there are: each may stay where it is
    if not left:
        raise Refusal(f"there is no other place that is {text_of(noun)!r}", [text_of(noun)])
    return where.of(left)


def _not_here(where: Referent, here: set[str], rooms_differ: bool, scene: Setting) -> tuple[str, ...]:
    """Places that none of the things is at; in a room where none of them is, if that is to differ."""
    rooms = {scene.room(id) for id in here}
    taken = rooms if where.kind is Kind.ROOM else {scene.holder(id) for id in here}
    left = tuple(id for id in where.term.ids if id not in taken)
    return tuple(id for id in left if scene.room(id) not in rooms) if rooms_differ else left


def _beside(things: Sequence[Referent], place: PlacePhrase, part: Asked, scene: Setting) -> Asked:
    """Next to all that is named: ``between A and B`` is next to both. Errors: Refusal where nothing can be."""
    references, part = _references(things, place, part, scene)
    rooms = [t.term.name for t in references if t.kind is not Kind.OBJECT]
    if place.preposition == "between" and rooms:
        raise Refusal(f"between {' and '.join(rooms)} there is only the floor; I can put things between two objects "
                      "that stand close together", rooms, Code.NOT_INTERACTIVE)
    if len(references) == 2:
        check_close(references[0].term, references[1].term, part, scene)
        part = part.note(f"next to {' and '.join(t.term.name for t in references)}")
    noun = place.nouns[0]
    if noun.quantity.amount == "each":
        return _to_all_of_them(things, place, part, scene)
    for thing in things:
        for reference in references:
            if reference.kind is Kind.ROOM:
                part = part.note(f"by {reference.term.name!r} is taken as in it")
            part = part.want(target(reference, "next_to", scene).predicate, thing, reference.term)
    return part


def _references(things: Sequence[Referent], place: PlacePhrase, part: Asked, scene: Setting
                ) -> tuple[list[Referent], Asked]:
    keys = {t.term.key for t in things}
    references: list[Referent] = []
    for noun in place.nouns:
        several = noun.pronoun == "them"
        found = resolve(noun, scene, part.said) if noun.pronoun != "it" else (
            _spoken(noun, things, part.said, scene, "next_to"),)
        references += [t for t in found if t.term.key not in keys][:None if several else 1]
        part = part.told(found).now(part.said.mention(found, Role.PLACE))
    if not references:
        raise Refusal(f"I do not know what {place.text!r} is next to", [place.text])
    return references, part


def _below(things: Sequence[Referent], place: PlacePhrase, part: Asked, scene: Setting) -> Asked:
    words = place.text or f"{place.preposition} {' and '.join(text_of(n) for n in place.nouns)}"
    raise Refusal(f"I can put things on, in and next to something, not {words!r}", [words], Code.UNKNOWN_ACTION)


def _one_to_each(things: Sequence[Referent], places: list[PlacePhrase], part: Asked, scene: Setting) -> Asked:
    """``a plate on the table and the desk``: one on each. Errors: Refusal where it is not said how many go where."""
    kinds = [kind_of(p.nouns[0], scene, part.said) for p in places]
    if kinds[-1] is Kind.ROOM and Kind.FURNITURE in kinds:
        raise Refusal(f"I do not know what goes where: {' and '.join(text_of(p.nouns[0]) for p in places)}",
                      [text_of(places[0].nouns[0])])
    for thing in things:
        count = len(thing.term.ids) if thing.every and scene.complete else thing.number
        shared = is_indefinite(thing.phrase) and thing.number == 1 or count == len(places)
        names = " and ".join(text_of(p.nouns[0]) for p in places)
        if not shared:
            raise Refusal(f"{thing.term.name!r} cannot be at both {names}; say what goes where", [thing.term.name])
        if scene.complete and len(thing.term.ids) < len(places):
            raise Refusal(f"there are not enough of {thing.term.name!r} for {names}", [thing.term.name])
        start = len(part.wants)
        for i, place in enumerate(places):
            one = replace(thing, number=1, every=False, term=replace(thing.term, key=f"{thing.term.key}/{i}"))
            part = put([one], place, part, scene)
        part = part.apart(start)
    return part


def _to_all_of_them(things: Sequence[Referent], place: PlacePhrase, part: Asked, scene: Setting) -> Asked:
    """``an apple in every room``, ``a fork next to each plate``: another one for each. Errors: Refusal."""
    where = resolve(place.nouns[0], scene, part.said)[0]
    text = text_of(place.nouns[0])
    part = part.told([where]).now(part.said.mention([where], Role.PLACE))
    if not where.term.ids:
        raise NotSeen(f"I have not seen {text!r} yet", [text], where.term.description)
    if any(t.every and t.phrase.quantity.amount for t in things):
        raise Refusal(f"all of {things[0].term.name!r} cannot go to {text!r} at once; say how many to each", [text])
    for thing in things:
        thing = replace(thing, every=False)
        if scene.complete and len(thing.term.ids) < thing.number * len(where.term.ids):
            raise Refusal(f"there are not enough of {thing.term.name!r} for {text!r}: {len(thing.term.ids)} for "
                          f"{len(where.term.ids)} places", [text])
        start = len(part.wants)
        for i, id in enumerate(where.term.ids):
            to = target(where.only(id, (id,)), place.preposition, scene)
            one = replace(thing, term=replace(thing.term, key=f"{thing.term.key}/{i}"))
            part = part.want(to.predicate, one, Term(id, to.term.ids))
        part = part.apart(start)
    return part


def _each_its_own(things: Sequence[Referent], place: PlacePhrase, part: Asked, scene: Setting) -> Asked:
    """``each candle on its own table``: one place a thing. Errors: Refusal."""
    where = resolve(place.nouns[0], scene, part.said, SUPPORTS)[0]
    text = text_of(place.nouns[0])
    unseen = next((t for t in things if not t.single and not t.term.ids), None)
    if unseen is not None:
        raise NotSeen(f"I do not know yet how many {unseen.term.name!r} there are", [text], unseen.term.description)
    single = [one for t in things for one in ([t] if t.single else [
        t.only(id, (id,), number=1, every=False) for id in t.term.ids[:None if t.every else t.number]])]
    if len(where.term.ids) < len(single):
        raise Refusal(f"there are {len(where.term.ids)} of {text!r} for {len(single)} things", [text])
    part = part.told([where]).now(part.said.mention([where], Role.PLACE))
    for one, id in zip(single, where.term.ids):
        to = target(where.only(id, (id,)), place.preposition, scene)
        part = part.want(to.predicate, one, Term(id, to.term.ids))
    return part


def _where_another_was(things: Sequence[Referent], place: PlacePhrase, part: Asked, scene: Setting) -> Asked:
    """``where the pillow was``. Errors: Refusal where that is not known."""
    other = resolve(place.nouns[0], scene, part.said, (Kind.OBJECT,))[0]
    part = part.told([other]).now(part.said.mention([other], Role.PLACE))
    holder = scene.holder(other.term.ids[0]) if len(other.term.ids) == 1 else ""
    if not holder:
        message = f"I do not know where {other.term.name!r} was; name the place"
        raise NotSeen(message, [other.term.name], other.term.description, every=False)
    told = Description(holder, Kind.FURNITURE, (), ids=(holder,))
    return _there(things, Referent(Term(holder, (holder,), told), scene.graph[holder].kind), place, part, scene)
