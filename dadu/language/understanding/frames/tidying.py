"""Clearing, putting where things belong."""

from __future__ import annotations

from dataclasses import replace

from dadu.goals.candidates import candidates
from dadu.goals.goal import Term, Where
from dadu.knowledge.usual_places import by_role, usual
from dadu.language.reading.syntax import Clause, Noun, Prep
from dadu.language.refusal import NotSeen, Refusal
from dadu.language.understanding.draft import Draft, Vague, nouns_of
from dadu.language.understanding.frames.moving import move
from dadu.language.understanding.frames.placing import surface
from dadu.language.understanding.frames.usual import _plain, left_behind, places_of, to_usual
from dadu.language.understanding.things.attachment import Group, Placed, Reading
from dadu.language.understanding.things.things import SUPPORTS, Thing
from dadu.world.graph import Kind, Relation

_TIDIES = ("tidy", "neaten", "straighten", "declutter")
"""verbs that leave in place what belongs there; to clear a table is to leave nothing on it"""
_EMPTIES = ("clear", "clean off", "clean out", "cleaning o", "empt", "unload", "free")
"""how verbs begin that say what is to come of it: nothing is left there"""


def stow(draft: Draft, clause: Clause, part: Group) -> None:
    """Where the clause says, else where each thing belongs."""
    part = _what_is_there(draft, part)
    reading = _sorted_from(draft, clause, part) or draft.read(
        part, moves=any(p.relation in ("in", "on") for p in part.preps))
    if reading.destination is not None:
        move(draft, reading, clause)
        return
    rooms = [n for n in part.nouns if draft.things.kind_of(n) in SUPPORTS]
    if rooms:
        clear(draft, clause, part)
        return
    start = len(draft.entries)
    things = [t for placed in reading.objects for t in draft.things.resolve(placed, (Kind.OBJECT,))]
    for thing in things:
        to_usual(draft, thing, exclude=left_behind(draft, thing), lenient=thing.every)
    if clause.verb.startswith("sort") and things:
        draft.vague = Vague(range(start, len(draft.entries)), tuple(things))


def _what_is_there(draft: Draft, part: Group) -> Group:
    """``a delivery arrived at the shelf; sort the goods``: those that are there."""
    plain = len(part.nouns) == 1 and part.nouns[0].words[-1:] and part.nouns[0].words[-1] in (
        draft.vocabulary.lexicon.plain_nouns)
    place = draft.things.last(*SUPPORTS)
    if not plain or any(p.relation == "from" for p in part.preps) or place is None or (
            place.clause < draft.things.clause - 1):
        return part
    draft.note(f"{part.nouns[0].text!r} is taken as what is there: {place.term.name}")
    return Group([replace(part.nouns[0], every=True)], [*part.preps, Prep("from", Noun(pronoun="there", text="there"))])


def _sorted_from(draft: Draft, clause: Clause, part: Group) -> Reading | None:
    """``sort the lemon on the counter``: it is there, and belongs elsewhere; None where none is there."""
    sorts = clause.verb.startswith(("sort", "organi", "categor", "put in order"))
    if not (sorts or clause.verb.endswith("away")) or any(p.directed for p in part.preps):
        return None
    reading = draft.read(part, moves=False)
    things = [t for placed in reading.objects if not placed.noun.pronoun
              for t in draft.things.resolve(placed, mention=False)]
    unseen = next((t for t in things if not t.term.ids and not _plain(draft, t)), None)
    if sorts and unseen is not None and not draft.complete and reading.destination is None and (
            not candidates(unseen.description.anywhere(), draft.graph)):
        raise NotSeen(f"I do not know yet where {unseen.term.name!r} is", [unseen.term.name], unseen.term.description,
                      every=False)
    home = not sorts and any(set(places_of(t)) & set(usual(
        {draft.graph[id].category for id in t.term.ids}, draft.graph, draft.vocabulary)) for t in things)
    there = all(t.term.ids or not draft.complete and _plain(draft, t) for t in things)
    return reading if things and there and not home else None


def amiss(draft: Draft, clause: Clause, part: Group) -> None:
    """``The shoes do not belong on the table``: to where they do; the next clause may say where that is."""
    start = len(draft.entries)
    reading = draft.read(part, moves=False)
    things = [t for placed in reading.objects for t in draft.things.resolve(placed, (Kind.OBJECT,))]
    try:
        for thing in things:
            to_usual(draft, thing, exclude=places_of(thing))
    except Refusal as refusal:
        draft.unplaced = refusal
    draft.vague = Vague(range(start, len(draft.entries)), (things[0],))


def receive(draft: Draft, clause: Clause, part: Group) -> None:
    """Goods that have come: from the table where they arrive to where they belong."""
    start, arrived = len(draft.entries), by_role("receiving", draft.graph, draft.vocabulary)
    for noun in nouns_of(clause, part):
        thing = draft.things.resolve(Placed(noun), (Kind.OBJECT,))[0]
        thing = replace(thing, every=thing.every or noun.every)
        if arrived and thing.term.description is not None:
            description = replace(thing.term.description, where=(Where(Relation.ON, arrived),))
            there = tuple(id for id in thing.term.ids
                          if (edge := draft.graph.support(id)) is not None and edge.object in arrived)
            ids = there or (thing.term.ids if draft.complete else ())  # what was not seen there yet may be
            thing = replace(thing, term=replace(thing.term, ids=ids, description=description))
            draft.things.mentions[-1] = replace(draft.things.mentions[-1], term=thing.term)  # and wash them: only these
        to_usual(draft, thing, exclude=arrived)
    draft.vague = Vague(range(start, len(draft.entries)), loose=True)  # and put them on the sale table


def clear(draft: Draft, clause: Clause, part: Group) -> None:
    """Everything off a piece of furniture, or all that is out of place in a room, to where it belongs; or to where the
    clause says."""
    start = len(draft.entries)
    nouns, preps = part.nouns, part.preps
    house = any(" ".join(n.words) in draft.vocabulary.lexicon.house for n in nouns)
    if not house and any(draft.things.kind_of(replace(n, without=())) is Kind.OBJECT for n in nouns):
        if clause.verb.startswith("empt"):
            _empty(draft, nouns)
            return
        reading = draft.read(part, moves=False)
        things = [t for placed in reading.objects for t in draft.things.resolve(placed, (Kind.OBJECT,))]
        if reading.destination is not None:
            move(draft, reading, clause)
            return
        about = things[0]
        for thing in things:
            to_usual(draft, thing, exclude=places_of(thing), lenient=_plain(draft, thing))
    else:
        where = [*nouns, *(p.noun for p in preps if p.relation in ("from", "in", "on", "at"))]
        goes = [p for p in preps if p.relation in ("to", "in", "on") and nouns and p.noun.pronoun != "there"]
        about = _all_at(draft, clause, where[:1] or [Noun(("house",), "the house")])
        if draft.complete and not about.term.ids:
            pass  # nothing is there, which is said
        elif goes and nouns:
            predicate, term = destination(draft, goes[-1])
            draft.add(predicate, about, term)
        else:
            stays = clause.verb.split()[0] in _TIDIES
            if stays and not about.term.ids and places_of(about):  # what is out of place there is a matter of all of it
                raise NotSeen(f"I do not know yet what is out of place: {about.term.name}", [clause.verb],
                              about.term.description)
            to_usual(draft, about, exclude=() if stays else places_of(about), lenient=True)
    draft.vague = Vague(range(start, len(draft.entries)), (about,), loose=not clause.verb.startswith(_EMPTIES))


def destination(draft: Draft, prep: Prep) -> tuple[str, Term]:
    thing = draft.things.resolve(Placed(prep.noun), SUPPORTS)[0]
    if thing.kind is Kind.ROOM:
        return "is_in_room", thing.term
    return surface(draft, thing.term, prep.relation)


def _empty(draft: Draft, nouns: list[Noun]) -> None:
    for noun in nouns:
        for thing in draft.things.resolve(Placed(noun)):
            draft.add("is_empty", thing)


def _all_at(draft: Draft, clause: Clause, nouns: list[Noun]) -> Thing:
    """Every object on, in or within the places; of a house, all there are."""
    lexicon = draft.vocabulary.lexicon
    noun = nouns[0]
    everything = Noun(("everything",), f"everything in {noun.text}", every=True, without=noun.without)
    if " ".join(noun.words) in lexicon.house:
        return draft.things.resolve(Placed(everything), (Kind.OBJECT,))[0]
    things = [t for n in nouns for t in draft.things.resolve(Placed(replace(n, without=())), SUPPORTS)]
    relation = Relation.IN_ROOM if things[0].kind is Kind.ROOM else Relation.ON
    if relation is Relation.ON and noun.words[-1] in lexicon.parts:  # empty the drawer: not what stands on the cabinet
        relation = Relation.IN
    where = Where(relation, _one_that_holds(draft, noun, tuple(id for t in things for id in t.term.ids), relation))
    thing = draft.things.resolve(Placed(everything), (Kind.OBJECT,), mention=False)[0]
    description = replace(thing.description, where=(where,))
    found = tuple(id for id in thing.term.ids if id in {e.id for e in candidates(description, draft.graph)})
    if draft.complete and not found:
        draft.note(f"there is nothing in or on {noun.text!r}")
    thing = replace(thing, term=Term(f"{everything.text}#{len(draft.things.mentions)}", found, description), every=True)
    draft.things.mentions.append(replace(thing, clause=draft.things.clause, implied=True))
    return thing


def _one_that_holds(draft: Draft, noun: Noun, ids: tuple[str, ...], relation: Relation) -> tuple[str, ...]:
    """``the drawer``, where several have one: that in which something is. Errors: Refusal where that is not one."""
    if relation is not Relation.IN or len(ids) < 2 or noun.every or noun.plural:
        return ids
    held = {e.object for e in draft.graph.edges if e.relation is Relation.IN and e.object in ids}
    if len(held) > 1 or not held and draft.complete:
        raise Refusal(f"I do not know which of {', '.join(ids)} is meant by {noun.text!r}", [noun.text])
    return tuple(sorted(held)) or ids


