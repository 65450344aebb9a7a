"""Setting tables, preparing breakfast: what belongs to an occasion and is in the house."""

from __future__ import annotations

from dataclasses import replace

from dadu.goals.goal import Term
from dadu.knowledge.commonsense import occasions
from dadu.knowledge.usual_places import by_role
from dadu.language.reading.syntax import Clause, Noun
from dadu.language.refusal import Refusal
from dadu.language.understanding.draft import Draft, Vague
from dadu.language.understanding.frames.placing import surface
from dadu.language.understanding.things.attachment import Group, Placed
from dadu.language.understanding.things.things import SUPPORTS, Thing
from dadu.world.graph import Kind


def occasion(draft: Draft, clause: Clause, part: Group) -> None:
    """``set the table for two``: what belongs to it and is in the house."""
    start, what = len(draft.entries), occasions().occasions[clause.verb]
    people = next((p.noun.number for p in part.preps if p.noun.number), None) or _people(clause)
    draft.people = people
    target = draft.laid = _occasion_place(draft, part, what.place)
    table = Thing(target, Kind.FURNITURE, noun=Noun(("table",), "the table"), clause=draft.things.clause)
    draft.things.mentions.append(table)
    draft.one_place.add(target.key)
    named = [*(p.noun for p in part.preps if p.relation == "with"), *part.nouns]
    if named:  # lay the table with a plate, a fork and a knife
        _named(draft, named, target, people)
        draft.vague = Vague(range(start, len(draft.entries)))
        return
    missing = []
    for count, slot in [*((people, s) for s in what.each), *((1, s) for s in what.shared)]:
        names = (slot,) if isinstance(slot, str) else slot
        thing = next((t for name in names if (t := _thing(draft, name, count)) is not None), None)
        if thing is None:
            missing.append(" or ".join(names))
        else:
            draft.add("is_on_top", thing, target, same_target=True)
    draft.things.mentions.append(table)  # put the flowers on it: not on a plate that was only thought of
    if len(draft.entries) == start:
        raise Refusal(f"nothing of what belongs to {clause.text!r} is here: {', '.join(missing)}", [clause.text])
    if missing:
        draft.note(f"{clause.text}: not here, or not enough: {', '.join(missing)}")
    draft.vague = Vague(range(start, len(draft.entries)), loose=True)


def _named(draft: Draft, nouns: list[Noun], target: Term, people: int) -> None:
    """What is said to belong to it; so many for so many people."""
    for noun in nouns:
        each = noun.plural and noun.number is None and not noun.every and people > 1
        noun = replace(noun, number=people, plural=True) if each else noun
        for thing in draft.things.resolve(Placed(noun), (Kind.OBJECT,)):
            draft.require(thing)
            draft.add("is_on_top", thing, target, same_target=True)


def _people(clause: Clause) -> int:
    words = " ".join((clause.text, *clause.remarks)).split()
    numbers = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
    return next((numbers.get(w) or int(w) for w in words if w in numbers or w.isdigit()), 1)


def _occasion_place(draft: Draft, part: Group, role: str) -> Term:
    for prep in part.preps:
        if prep.relation in ("in", "on", "at"):
            thing = draft.things.resolve(Placed(prep.noun), SUPPORTS)[0]
            if thing.kind is Kind.FURNITURE:
                return surface(draft, thing.term, "on")[1]
            rooms = set(thing.term.ids)
            tables = tuple(p.id for p in draft.graph.of(Kind.FURNITURE) if draft.vocabulary.is_a(p.category, "table")
                           and (room := draft.graph.room_of(p.id)) is not None and room.id in rooms)
            if tables:
                return Term("|".join(tables), tables)
    tables = by_role(role, draft.graph, draft.vocabulary)
    if not tables:
        raise Refusal("there is no table here; say where to put things", ["table"])
    return Term("|".join(tables), tables)


def _thing(draft: Draft, name: str, count: int) -> Thing | None:
    """So many of a category, or None where the house is known to lack them."""
    words = draft.vocabulary.lexicon.normal(name)
    try:
        noun = Noun(words, name.replace("_", " "), indefinite=True)
        thing = draft.things.resolve(Placed(noun), (Kind.OBJECT,))[0]
    except Refusal:
        return None
    exact = {draft.graph[id].category for id in thing.term.ids}
    if draft.complete and len(thing.term.ids) < count:
        draft.note(f"{len(thing.term.ids)} instead of {count} of {noun.text}")
        count = len(thing.term.ids)
    thing = replace(thing, number=count)
    return thing if not exact or any(draft.vocabulary.is_a(c, name) for c in exact) else None
