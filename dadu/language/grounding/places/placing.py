"""Things to a place: on, in, beside, between; one at each of several; all at one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from dadu.goals.belief import next_to
from dadu.goals.goal import Description, Proposition, Term
from dadu.knowledge.commonsense import occasions
from dadu.knowledge.usual_places import things_of_category
from dadu.language.discourse import SUPPORTS, Discourse, Referent, Role
from dadu.language.frames.noun import NounPhrase, PlacePhrase
from dadu.language.grounding.nouns.holding import is_flat, takes_in
from dadu.language.grounding.nouns.modifiers import is_somebody
from dadu.language.grounding.nouns.phrases import text_of
from dadu.language.grounding.nouns.quantities import is_indefinite
from dadu.language.grounding.nouns.resolve import resolve, resolve_all
from dadu.language.grounding.partial_goal import PartialGoal, less, not_so_yet
from dadu.language.grounding.places.handing import hand_to_speaker
from dadu.language.grounding.places.surfaces import target
from dadu.language.grounding.places.usual import elsewhere, return_to_former_places, return_to_usual_places
from dadu.language.grounding.scene import Setting
from dadu.language.refusal import NotSeen, Refusal
from dadu.skills.outcome import Code
from dadu.world.graph import Kind
from dadu.world.names import PERSON


def next_to_each_other(things: Sequence[Referent], part: PartialGoal, scene: Setting) -> PartialGoal:
    """Things of a kind, or of several, of which it is known which they are, all together; else each next to the one
    before."""
    if len(things) == 1:
        thing = things[0]
        count = thing.number if not thing.every else max(2, len(thing.term.ids))
        return part.put(Proposition("is_clustered", thing.term, None, max(2, count), thing.every))
    ids = tuple(dict.fromkeys(id for t in things for id in t.term.ids))
    if not all(t.single for t in things) and all(
            t.term.ids and (t.every or len(t.term.ids) == t.number) for t in things):
        names = " and ".join(t.term.name for t in things)
        return part.put(Proposition("is_clustered", Term(f"{names}#{len(part.wants)}", ids, Description(
            names, Kind.OBJECT, (), ids=ids)), None, len(ids)))
    for before, after in zip(things, things[1:]):
        part = part.want("is_next_to", after, before.term)
    return part


_SPECIAL: dict[str, Callable[[Sequence[Referent], PartialGoal, Setting], PartialGoal]] = {
    "usual": return_to_usual_places, "former": return_to_former_places, "elsewhere": elsewhere,
    "together": next_to_each_other}


def put(things: Sequence[Referent], place: PlacePhrase, part: PartialGoal, scene: Setting) -> PartialGoal:
    """All of the things to the place. Errors: Refusal."""
    if place.special and not place.nouns:
        return _SPECIAL[place.special](things, part, scene)
    if place.special == "former":
        return _where_another_was(things, place, part, scene)
    nouns = place.nouns
    if len(nouns) == 1 and (nouns[0].pronoun == "me" or PERSON in scene.graph and is_somebody(nouns[0].name)):
        return hand_to_speaker(things, part, scene)
    if place.preposition in ("next_to", "between", "with"):
        return _beside_or_there(things, place, part, scene)
    if place.preposition in ("under", "behind"):
        return _below(things, place, part, scene)
    if len(nouns) > 1:
        names = " and ".join(map(text_of, nouns))
        raise Refusal(f"things cannot be at both {names}; say what goes where", [names])
    noun = nouns[0]
    if len(things) > 1 and noun.quantity.number == len(things):
        return _to_different(things, place, part, scene)
    if noun.determiner == "own":
        raise Refusal(f"I do not know which is {text_of(noun)!r}; say what goes where", [text_of(noun)])
    if noun.quantity.amount in ("each", "all", "both") and noun.pronoun != "them":
        return _to_all_of_them(things, place, part, scene)
    where = _spoken(noun, things, part.said, scene, place.preposition)
    where = _in_the_room_brought_to(where, things, part.said, scene)
    where = _new_place(where, noun, things, part.said, scene)
    part = _there(things, where, place, part, scene)
    return _onward(where, noun, part, scene)


def _to_different(things: Sequence[Referent], place: PlacePhrase, part: PartialGoal, scene: Setting) -> PartialGoal:
    """``the cup and the vase on two different tables``: each has its own to choose from."""
    where = resolve(place.nouns[0], scene, part.said, SUPPORTS)[0]
    if len(where.term.ids) < len(things):
        raise Refusal(f"there are not enough of {where.term.name!r} for {len(things)} things", [where.term.name])
    for i, thing in enumerate(things):
        part = _there([thing], where.of(where.term.ids[i::len(things)]), place, part, scene)
    return part


def _in_the_room_brought_to(where: Referent, things: Sequence[Referent], said: Discourse, scene: Setting) -> Referent:
    """``to the kitchen, and put them on the table``: the one there, where one is."""
    bare = where.kind is Kind.FURNITURE and len(where.term.ids) > 1 and not where.description.where
    rooms = {scene.room(id) for t in things for id in said.place_of(t.term.key)} if bare else set()
    any_room = all(scene.graph[id].kind is Kind.ROOM for t in things for id in said.place_of(t.term.key))
    inside = scene.within(where.term.ids, rooms) if len(rooms) == 1 or rooms and any_room else ()
    return where.of(inside) if inside else where


def _onward(where: Referent, noun: NounPhrase, part: PartialGoal, scene: Setting) -> PartialGoal:
    """``on a plate on the table``, where no plate is on the table yet: it goes there with what is put on it."""
    to = [p for p in noun.places if p.preposition in ("on", "in", "at") and p.nouns]
    if where.kind is not Kind.OBJECT or not to or where.term.ids and where.description.where:
        return part
    anywhere = where.description.anywhere()
    holder = replace(where, term=replace(where.term, ids=scene.ids(anywhere), description=anywhere))
    wants = [w if w.proposition.object != where.term else replace(w, proposition=replace(
        w.proposition, object=holder.term)) for w in part.wants]
    return put([holder], to[-1], replace(part, wants=tuple(wants)), scene)


def _there(things: Sequence[Referent], where: Referent, place: PlacePhrase, part: PartialGoal, scene: Setting
           ) -> PartialGoal:
    """All of them to this place, which is one."""
    to = target(_elsewhere_of_it(where, things, scene), place.preposition, scene)
    part = part.note(to.note) if to.note else part
    part = part.told([where]).now(part.said.mention([where], Role.PLACE))
    start = len(part.wants)
    for thing in things:
        if set(thing.term.ids) & set(to.term.ids):
            term = less(thing.term, to.term)  # "put the plates on the blue plate": the others
            if not term.ids:
                raise Refusal(f"{thing.term.name} cannot be on, in or beside itself", [to.term.name])
            thing = replace(thing, term=term, number=min(thing.number, len(term.ids)))
        part = part.want(to.predicate, thing, to.term, same_target=not where.phrase.plural)
        last = part.wants[-1]
        part = replace(part, wants=(*part.wants[:-1], replace(
            last, proposition=not_so_yet(last.proposition, scene), one_place=not where.phrase.plural)))
    return part if where.phrase.plural else part.one_place(start)


def _elsewhere_of_it(where: Referent, things: Sequence[Referent], scene: Setting) -> Referent:
    """``move the pens to the table``, where several are called so and all the pens are on one: to another."""
    if not where.substitution:
        return where
    unseen = next((t for t in things if not t.term.ids and not scene.complete), None)
    if unseen is not None and len(scene.categories(where.term.ids)) > 1:
        raise NotSeen(f"I do not know yet where {unseen.term.name!r} is", [unseen.term.name], unseen.term.description,
                      every=False)
    here = {scene.holder(id) for t in things for id in t.term.ids}
    left = tuple(id for id in where.term.ids if id not in here)
    return where.of(left) if here and left and here <= set(where.term.ids) else where


def _spoken(noun: NounPhrase, things: Sequence[Referent], said: Discourse, scene: Setting, preposition: str
            ) -> Referent:
    """The place; ``it`` is what was spoken of last that suits the preposition, and is not what is moved."""
    if noun.pronoun not in ("it", "them"):
        return resolve(noun, scene, said, SUPPORTS if noun.pronoun in ("there", "one") else (*SUPPORTS, Kind.OBJECT))[0]
    keys = {t.term.key for t in things}
    others = [t for t in reversed(said.mentions) if t.term.key not in keys and t.role is not Role.SOURCE
              and (not t.every or len(t.term.ids) == 1)]
    if not others:
        raise Refusal(f"I do not know what {text_of(noun)!r} stands for; name the place", [text_of(noun)])
    return next((t for t in others if _suits(t, preposition, scene)), others[0])


def _suits(thing: Referent, preposition: str, scene: Setting) -> bool:
    """True if ``it`` may be this thing in ``on it`` or ``in it``."""
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
    if not _is_another(noun) and not rooms_differ or where.kind is Kind.OBJECT:
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


def _is_another(noun: NounPhrase) -> bool:
    """``another table``, ``a new bed``"""
    return noun.determiner == "other" or "new" in noun.attributes and is_indefinite(noun)


def _not_here(where: Referent, here: set[str], rooms_differ: bool, scene: Setting) -> tuple[str, ...]:
    """Places that none of the things is at; in a room where none of them is, if that is to differ."""
    rooms = {scene.room(id) for id in here}
    taken = rooms if where.kind is Kind.ROOM else {scene.holder(id) for id in here}
    left = tuple(id for id in where.term.ids if id not in taken)
    return tuple(id for id in left if scene.room(id) not in rooms) if rooms_differ else left


def _beside_or_there(things: Sequence[Referent], place: PlacePhrase, part: PartialGoal, scene: Setting) -> PartialGoal:
    """``by the mug on the table``, where no mug is: on the table. Errors: Refusal."""
    try:
        return _beside(things, place, part, scene)
    except Refusal as refusal:
        to = [p for p in place.nouns[-1].places if p.preposition in ("on", "in", "at") and p.nouns]
        if not to or not scene.complete:
            raise
        return put(things, to[-1], part.note(f"not {place.text!r}: {refusal}"), scene)


def _beside(things: Sequence[Referent], place: PlacePhrase, part: PartialGoal, scene: Setting) -> PartialGoal:
    """Next to all that is named: ``between A and B`` is next to both. Errors: Refusal where nothing can be."""
    part, place = _with_it_there(things, place, part, scene)
    references, part = _references(things, place, part, scene)
    rooms = [t.term.name for t in references if t.kind is not Kind.OBJECT]
    if place.preposition == "between" and rooms:
        raise Refusal(f"between {' and '.join(rooms)} there is only the floor; I can put things between two objects "
                      "that stand close together", rooms, Code.NOT_INTERACTIVE)
    if len(references) == 2:
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


def _with_it_there(things: Sequence[Referent], place: PlacePhrase, part: PartialGoal, scene: Setting
                   ) -> tuple[PartialGoal, PlacePhrase]:
    """``next to the vase on the table`` is on the table, too; where the vase was brought to the room before, or is
    known to be elsewhere, both go there. ``next to the clock and the mug on the chair``: all three are there then."""
    noun = place.nouns[-1]
    to = next((p for p in noun.places[-1:] if p.nouns and p.preposition in ("on", "in") and not noun.pronoun), None)
    if to is None:
        return part, place
    nouns = (*place.nouns[:-1], replace(noun, places=noun.places[:-1]))
    others, said = resolve_all(nouns, scene, part.said)
    other, there = others[-1], {*resolve(to.nouns[0], scene, said)[0].term.ids}
    bound = part.said.place_of(other.term.key)
    stands_there = any({scene.holder(id), scene.room(id)} & there for id in other.term.ids)
    if len(nouns) > 1 or (not there & {*bound} if bound else (
            other.kind is Kind.OBJECT and other.term.ids and not stands_there)):
        return put([*others, *things], to, part, scene), replace(place, nouns=nouns)
    return (put(things, to, part, scene), place) if stands_there and not bound and scene.furniture(there) else (
        part, place)


def _references(things: Sequence[Referent], place: PlacePhrase, part: PartialGoal, scene: Setting
                ) -> tuple[list[Referent], PartialGoal]:
    keys = {t.term.key for t in things}
    references: list[Referent] = []
    for noun in place.nouns:
        several = noun.pronoun == "them"
        found = resolve(noun, scene, part.said) if noun.pronoun != "it" else (
            _spoken(noun, things, part.said, scene, "next_to"),)
        references += [t for t in found if t.term.key not in keys][:None if several else 1]
        part = part.told(found).now(part.said.mention(found, Role.PLACE))
    if not references:
        names = " and ".join(t.term.name for t in things)
        raise Refusal(f"{names} cannot be on, in or beside itself", [place.text])
    return references, part


def _below(things: Sequence[Referent], place: PlacePhrase, part: PartialGoal, scene: Setting) -> PartialGoal:
    """``under the spout``: on what has one; ``under the sink``: in what has doors there. Errors: Refusal."""
    where = resolve(place.nouns[0], scene, part.said)[0]
    spouts, basins = (things_of_category(of, scene.graph, scene.vocabulary)
                      for of in (occasions().beneath, occasions().above_storage))
    if where.term.ids and set(where.term.ids) <= set(spouts):
        return put(things, replace(place, preposition="at"), part.note(f"{place.text!r} is taken as on it"), scene)
    words = place.text or f"{place.preposition} {' and '.join(text_of(n) for n in place.nouns)}"
    doors = tuple(e.id for e in scene.graph.of(Kind.FURNITURE) if e.parts and place.preposition == "under" and any(
        id in basins and id != e.id and next_to(scene.graph, e.id, id) for id in where.term.ids))
    if not doors:
        raise Refusal(f"I can put things on, in and next to something, not {words!r}", [words], Code.UNKNOWN_ACTION)
    below = replace(where, term=Term(words, doors, Description(words, Kind.FURNITURE, (), ids=doors)))
    part = part.note(f"{words!r} is taken as in {' or '.join(doors)}")
    return _there(things, below, replace(place, preposition="in"), part, scene)


def _to_all_of_them(things: Sequence[Referent], place: PlacePhrase, part: PartialGoal, scene: Setting) -> PartialGoal:
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


def _where_another_was(things: Sequence[Referent], place: PlacePhrase, part: PartialGoal, scene: Setting
                       ) -> PartialGoal:
    """``where the pillow is (was)``, ``where the other books are``; by furniture, next to it. Errors: Refusal where
    that is not known, or at several places."""
    other = resolve(place.nouns[0], scene, part.said)[0]
    if other.kind is not Kind.OBJECT:
        return put(things, PlacePhrase("next_to", place.nouns, text=place.text), part, scene)
    part = part.told([other]).now(part.said.mention([other], Role.PLACE))
    moved = {id for t in things if len(t.term.ids) == 1 for id in t.term.ids}
    holders = sorted({h for id in other.term.ids if id not in moved and (h := scene.holder(id))})
    message = f"I do not know where {other.term.name!r} was; name the place"
    if not holders:
        raise NotSeen(message, [other.term.name], other.term.description, every=False)
    if len(holders) > 1:
        raise Refusal(f"{message}: {', '.join(holders)}", [other.term.name])
    return _there(things, scene.entity(holders[0]), place, part, scene)
