"""What is to stay where it is."""

from __future__ import annotations

from dataclasses import replace

from dadu.memory.graph import Kind, Relation
from dadu.planner.goal import Proposition, Term
from dadu.planner.language.reading.syntax import Clause
from dadu.planner.language.refusal import Refusal
from dadu.planner.language.understanding.attachment import Group, Placed, Reading
from dadu.planner.language.understanding.draft import Draft
from dadu.planner.language.understanding.things import SUPPORTS, Thing


def spare(draft: Draft, clause: Clause, part: Group) -> None:
    """Left where it is, whatever "all" and "everything" include otherwise."""
    for noun in part.nouns:
        plain = not noun.words or noun.words[-1] in draft.vocabulary.lexicon.plain_nouns
        if noun.other and plain:  # keep the others where they are: nothing is asked of them
            continue
        for thing in draft.things.resolve(Placed(noun), (Kind.OBJECT,)):
            if thing.term.description is not None:
                draft.things.spared.append(thing.term.description)
            moved = [e for e in draft.entries if set(e.proposition.subject.ids) & set(thing.term.ids)]
            if any(not e.proposition.every for e in moved):
                raise Refusal(f"{noun.text!r} is both to be moved and to be left alone", [noun.text])
            draft.entries = [_without(e, thing) for e in draft.entries]
            draft.note(f"{thing.term.name} is left where it is")
    for prep in part.preps if clause.frame == "spare" else ():  # do not put it on the table: there, later on
        if draft.things.kind_of(prep.noun) in SUPPORTS:
            draft.things.resolve(Placed(prep.noun))


def _without(entry, thing: Thing):
    p, description = entry.proposition, entry.proposition.subject.description
    if not p.every or description is None or thing.term.description is None:
        return entry
    ids = tuple(id for id in p.subject.ids if id not in thing.term.ids)
    description = replace(description, without=(*description.without, thing.term.description))
    return replace(entry, proposition=replace(p, subject=replace(p.subject, ids=ids, description=description)))


def stays(draft: Draft, reading: Reading) -> bool:
    """``leave one banana on the table``, ``leave the toy on the bed``: whether it is there, and so left alone."""
    destination = reading.destination
    if destination is None or destination.relation not in ("on", "in", "at"):
        return False
    place = draft.things.resolve(destination.place, mention=False)[0]
    if place.kind is not Kind.FURNITURE:
        return False
    found = [(thing, _there(draft, thing, place)) for placed in reading.objects
             for thing in draft.things.resolve(placed, (Kind.OBJECT,), mention=False)]
    if any(len(ids) < (len(thing.term.ids) if thing.every else thing.number) or not ids for thing, ids in found):
        return False
    for thing, ids in found:
        left = ids if thing.every else ids[:thing.number]
        description = replace(thing.term.description, categories=(), ids=left, where=(), alternatives=())
        term = replace(thing.term, ids=left, description=description)
        draft.things.mentions.append(replace(thing, term=term, clause=draft.things.clause))
        draft.things.spared.append(description)
        draft.entries = [_without(e, replace(thing, term=term)) for e in draft.entries]
        predicate = "is_inside" if draft.graph.support(left[0]).relation is Relation.IN else "is_on_top"
        places = tuple(dict.fromkeys(draft.graph.support(id).object for id in left))
        draft.put(Proposition(predicate, term, Term("|".join(places), places), len(left)))
        draft.note(f"left where it is: {', '.join(left)}")
    return True


def _there(draft: Draft, thing: Thing, place: Thing) -> tuple[str, ...]:
    """Those that are there; a bed in another room is a bed as well."""
    name = place.term.description.words.split()[-1] if place.term.description else ""
    edges = [(id, draft.graph.support(id)) for id in thing.term.ids]
    here = tuple(id for id, edge in edges if edge is not None and edge.object in place.term.ids)
    return here or tuple(id for id, edge in edges if edge is not None and edge.object in draft.graph
                         and draft.vocabulary.is_a(draft.graph[edge.object].category, name))
