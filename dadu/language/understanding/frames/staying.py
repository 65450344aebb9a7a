"""What is to stay where it is."""

from __future__ import annotations

from dataclasses import replace

from dadu.goals.goal import Proposition, Term, Where
from dadu.language.reading.syntax import Clause
from dadu.language.refusal import NotSeen, Refusal
from dadu.language.understanding.draft import Draft
from dadu.language.understanding.entries import DraftEntry
from dadu.language.understanding.things.attachment import Group, Placed, Reading
from dadu.language.understanding.things.things import SUPPORTS, Thing
from dadu.world.graph import Kind, Relation


def spare(draft: Draft, clause: Clause, part: Group) -> None:
    """Left where it is, whatever "all" and "everything" include otherwise."""
    for noun in part.nouns:
        plain = not noun.words or noun.words[-1] in draft.vocabulary.lexicon.plain_nouns
        if noun.other and plain:  # keep the others where they are: nothing is asked of them
            continue
        for thing in draft.things.resolve(Placed(noun), (Kind.OBJECT,)):
            thing = _of_any_kind(thing)
            if thing.term.description is not None:
                draft.things.spared.append(thing.term.description)
            moved = [e for e in draft.entries if set(e.proposition.subject.ids) & set(thing.term.ids)]
            if any(not e.proposition.every for e in moved):
                raise Refusal(f"{noun.text!r} is both to be moved and to be left alone", [noun.text])
            _leave(draft, thing)
            draft.note(f"{thing.term.name} is left where it is")
    for prep in part.preps if clause.frame == "spare" else ():  # do not put it on the table: there, later on
        if draft.things.kind_of(prep.noun) in SUPPORTS:
            draft.things.resolve(Placed(prep.noun))


def _of_any_kind(thing: Thing) -> Thing:
    """``not the kettle``: no electric one either."""
    description = thing.term.description
    if description is None:
        return thing
    kinds = tuple(dict.fromkeys((*description.categories, *description.general)))
    return replace(thing, term=replace(thing.term, description=replace(description, categories=kinds, general=())))


def _leave(draft: Draft, thing: Thing) -> None:
    """Takes it out of all that is asked for so far."""
    left = [_without(e, thing) for e in draft.entries]
    gone = [i for i, (e, new) in enumerate(zip(draft.entries, left))
            if e.proposition.subject.ids and not new.proposition.subject.ids]
    draft.entries = [e for i, e in enumerate(left) if i not in gone]
    if draft.vague is not None:
        first, last = (n - sum(i < n for i in gone) for n in (draft.vague.entries.start, draft.vague.entries.stop))
        draft.vague = replace(draft.vague, entries=range(first, last))


def _without(entry: DraftEntry, thing: Thing) -> DraftEntry:
    p, description = entry.proposition, entry.proposition.subject.description
    if not p.every or description is None or thing.term.description is None:
        return entry
    ids = tuple(id for id in p.subject.ids if id not in thing.term.ids)
    description = replace(description, without=(*description.without, thing.term.description))
    return replace(entry, proposition=replace(p, subject=replace(p.subject, ids=ids, description=description)))


def stays(draft: Draft, reading: Reading) -> bool:
    """``leave one banana on the table``, ``leave the toy on the bed``: whether it is there, and so left alone."""
    destination = reading.destination
    if destination is None or destination.relation not in ("on", "in", "at") and (
            destination.place.noun.pronoun != "there"):
        return False
    place = draft.things.resolve(destination.place, mention=False)[0]
    counted = all(p.noun.number for p in reading.objects)
    if place.kind is not Kind.FURNITURE and not counted:  # keep two mugs in the kitchen
        return False
    if destination.place.noun.pronoun == "there":  # clear the shelf, the cup to the sink; leave the bowl there
        spoken = dict.fromkeys(id for t in draft.things.mentions if t.kind is Kind.FURNITURE for id in t.term.ids)
        place = replace(place, term=replace(place.term, ids=tuple(spoken)))
    found = [(thing, _there(draft, thing, place, bool(placed.noun.pronoun))) for placed in reading.objects
             for thing in draft.things.resolve(placed, (Kind.OBJECT,), mention=False)]
    for thing, _ in found:
        if thing.noun is not None and not thing.noun.pronoun and not thing.term.ids and not draft.complete:
            relation = Relation.IN_ROOM if place.kind is Kind.ROOM else Relation.ON
            wanted = replace(thing.description, where=(Where(relation, place.term.ids),))
            raise NotSeen(f"I do not know yet where {thing.term.name!r} is", [thing.term.name], wanted, every=False)
    if any(len(ids) < (len(thing.term.ids) if thing.every else thing.number) or not ids for thing, ids in found):
        return False
    draft.things.resolve(destination.place)
    for thing, ids in found:
        left = ids if thing.every else ids[:thing.number]
        description = replace(thing.description, categories=(), ids=left, where=(), alternatives=())
        term = replace(thing.term, ids=left, description=description)
        draft.things.mentions.append(replace(thing, term=term, clause=draft.things.clause, among=ids))
        draft.things.spared.append(description)
        _leave(draft, replace(thing, term=term))
        draft.put(_where_they_are(draft, term, place.term))
        draft.note(f"left where it is: {', '.join(left)}")
    return True


def _where_they_are(draft: Draft, things: Term, room: Term) -> Proposition:
    """All of them on or in what they are on or in now; in the room, where some of them lie on its floor."""
    edges = [edge for id in things.ids if (edge := draft.graph.support(id)) is not None]
    if len(edges) < len(things.ids):
        return Proposition("is_in_room", things, room, len(things.ids))
    predicate = "is_inside" if edges[0].relation is Relation.IN else "is_on_top"
    places = tuple(dict.fromkeys(edge.object for edge in edges))
    return Proposition(predicate, things, Term("|".join(places), places), len(things.ids))


def _there(draft: Draft, thing: Thing, place: Thing, chosen: bool) -> tuple[str, ...]:
    """Those that are there; a bed in another room is a bed as well, but not of what was `chosen` before: choose a toy
    and leave it on the bed."""
    name = place.term.description.words.split()[-1] if place.term.description else ""
    edges = [(id, draft.graph.support(id)) for id in thing.term.ids]
    if place.kind is Kind.ROOM:
        rooms = ((id, draft.graph.room_of(id)) for id in thing.term.ids)
        return tuple(id for id, room in rooms if room is not None and room.id in place.term.ids)
    here = tuple(id for id, edge in edges if edge is not None and edge.object in place.term.ids)
    return here or tuple(id for id, edge in edges if edge is not None and edge.object in draft.graph and not chosen
                         and draft.vocabulary.is_a(draft.graph[edge.object].category, name))
