"""Taking, bringing, putting: things to places."""

from __future__ import annotations

from dataclasses import replace

from dadu.memory.graph import Kind
from dadu.planner.commonsense.query import by_role
from dadu.planner.goal import Proposition, Term
from dadu.planner.language.attachment import Destination, Group, Placed, Reading
from dadu.planner.language.draft import ASKED, IT, ROBOT, Draft, needs_object
from dadu.planner.language.frames.former import back
from dadu.planner.language.refusal import Refusal
from dadu.planner.language.syntax import Clause, Noun, Prep
from dadu.planner.language.things import SUPPORTS, Thing
from dadu.skills.outcome import Code

_TO_ME = ("bring", "deliver", "bring over", "bring along", "send")
"""verbs that need no place: to whoever asked"""


def take(draft: Draft, clause: Clause, part: Group) -> None:
    """Into the hand, or to where the clause says."""
    reading = draft.read(part, moves=False)
    if reading.destination is not None or reading.usual or reading.former or reading.together:
        move(draft, reading, clause)
        return
    if clause.recipient:
        fetch(draft, clause, part)
        return
    if clause.verb == "remove" and any(p.relation == "from" for p in part.preps):
        _remove(draft, reading)
        return
    if any(n.words == ("everything",) for n in part.nouns):  # get everything off the sofa
        from dadu.planner.language.frames.tidying import clear

        clear(draft, clause, part)
        return
    for placed in needs_object(reading, clause):
        for thing in draft.things.resolve(placed, (Kind.OBJECT,)):
            draft.require(thing)
            draft.add("is_held", thing)


def _remove(draft: Draft, reading: Reading) -> None:
    """``remove the cushion from the sofa``: to where such things may be otherwise."""
    from dadu.planner.language.frames.tidying import places_of, to_usual

    for placed in reading.objects:
        for thing in draft.things.resolve(placed, (Kind.OBJECT,)):
            to_usual(draft, thing, exclude=places_of(thing))


def fetch(draft: Draft, clause: Clause, part: Group) -> None:
    """To whoever asked: in the hand, back where the instruction was given."""
    reading = draft.read(part, moves=False)
    if reading.destination is not None or reading.usual or reading.former:
        move(draft, reading, clause)
    elif clause.verb.startswith(("i want", "i need", "i would like", "we ")) and _wanted_there(draft, part):
        move(draft, draft.read(part, moves=True), clause)
    else:
        for placed in needs_object(reading, clause):
            for thing in resolved(draft, placed):
                hand_over(draft, thing)


def hand_over(draft: Draft, thing: Thing) -> None:
    """Into the hand and to the room where the robot was asked, or to where the person says to be."""
    draft.require(thing)
    asker = draft.asker
    if asker is not None and asker.kind is Kind.FURNITURE:
        predicate, term = surface(draft, asker.term, "to")
        draft.note(f"brought to where you are: {asker.term.name}")
        draft.add(predicate, thing, term)
        return
    draft.add("is_held", thing)
    room = draft.graph.room_of("robot") if "robot" in draft.graph else None
    if asker is not None:
        room = draft.graph[asker.term.ids[0]]
    if room is not None:
        draft.put(Proposition("is_in_room", ROBOT, Term(thing.term.key + ASKED, (room.id,))))


def _wanted_there(draft: Draft, part: Group) -> bool:
    """``I want the book on the desk``: there is none there yet."""
    if not any(p.relation in ("on", "in", "next_to") for p in part.preps):
        return False
    reading = draft.read(part, moves=False)
    return not all(t.term.ids for placed in reading.objects for t in draft.things.resolve(placed, mention=False))


def put(draft: Draft, clause: Clause, part: Group) -> None:
    reading = draft.read(part, moves=True)
    if reading.destination is None and not (reading.together or reading.usual or reading.former):
        if clause.verb in ("leave", "stay"):
            spare(draft, clause, part)
            return
        if clause.verb == "add" and draft.things.last(Kind.FURNITURE) is not None:
            put(draft, clause, Group(part.nouns, [*part.preps, Prep("in", Noun(pronoun="there", text="there"))]))
            return
        raise Refusal(f"where to is not said in {clause.text!r}; name a place, such as: "
                      f"{draft.things.nouns.alternatives((Kind.FURNITURE,))}", [clause.verb])
    move(draft, reading, clause)


def bring(draft: Draft, clause: Clause, part: Group) -> None:
    reading = draft.read(part, moves=False)
    special = reading.usual or reading.former
    if draft.laid is not None and reading.destination is None and not special:  # set the table: bring two plates
        for thing in subjects(draft, reading):
            draft.add("is_on_top", thing, draft.laid, same_target=True)
        return
    if clause.recipient and reading.destination is None and not special:
        fetch(draft, clause, part)
    elif clause.verb == "gather" and reading.destination is None and not (special or reading.together):
        take(draft, clause, part)
    elif clause.elsewhere and reading.destination is None:
        draft.note(f"{clause.text!r}: what is not there is looked for elsewhere")
    elif reading.destination is None and clause.verb in _TO_ME and not special:
        fetch(draft, clause, part)
    else:
        put(draft, clause, part)


def ship(draft: Draft, clause: Clause, part: Group) -> None:
    """To the table for goods that leave, where the house has one."""
    reading = draft.read(part, moves=False)
    if reading.destination is not None:
        move(draft, reading, clause)
        return
    places = by_role("shipping", draft.graph, draft.vocabulary)
    if not places and clause.recipient:
        fetch(draft, clause, part)
        return
    if not places:
        raise Refusal(f"there is no shipping table here for {clause.text!r}; say where to put it", [clause.verb])
    to_places(draft, reading, places)


def discard(draft: Draft, clause: Clause, part: Group) -> None:
    """Into the bin."""
    reading = draft.read(part, moves=False)
    if reading.destination is not None:
        move(draft, reading, clause)
        return
    places = by_role("trash", draft.graph, draft.vocabulary)
    if not places:
        raise Refusal(f"there is no trash can here to {clause.verb} things; say where to put them", [clause.verb])
    to_places(draft, reading, places)


def spare(draft: Draft, clause: Clause, part: Group) -> None:
    """Left where it is, whatever "all" and "everything" include otherwise."""
    for noun in part.nouns:
        for thing in draft.things.resolve(Placed(noun), (Kind.OBJECT,)):
            if thing.term.description is not None:
                draft.things.spared.append(thing.term.description)
            moved = [e for e in draft.entries if set(e.proposition.subject.ids) & set(thing.term.ids)]
            if any(not e.proposition.every for e in moved):
                raise Refusal(f"{noun.text!r} is both to be moved and to be left alone", [noun.text])
            draft.entries = [_without(e, thing) for e in draft.entries]
            draft.note(f"{thing.term.name} is left where it is")


def _without(entry, thing: Thing):
    p, description = entry.proposition, entry.proposition.subject.description
    if not p.every or description is None or thing.term.description is None:
        return entry
    ids = tuple(id for id in p.subject.ids if id not in thing.term.ids)
    description = replace(description, without=(*description.without, thing.term.description))
    return replace(entry, proposition=replace(p, subject=replace(p.subject, ids=ids, description=description)))


def to_places(draft: Draft, reading: Reading, places: tuple[str, ...]) -> None:
    """All objects of a reading to any of these pieces of furniture."""
    predicate, term = surface(draft, Term("|".join(places), places), "home")
    for placed in reading.objects or (Placed(IT),):
        for thing in draft.things.resolve(placed, (Kind.OBJECT,)):
            draft.require(thing)
            draft.add(predicate, thing, term, same_target=True)


def move(draft: Draft, reading: Reading, clause: Clause) -> None:
    """The objects of a reading to its destination."""
    if reading.usual and reading.destination is None:
        from dadu.planner.language.frames.tidying import to_usual

        for thing in subjects(draft, reading):
            to_usual(draft, thing, lenient=thing.every)
        return
    things = subjects(draft, reading)
    if reading.former and reading.destination is None:
        back(draft, things)
        return
    _pack(draft, reading, things)
    if reading.destination is not None:
        _place(draft, things, reading.destination)
    if reading.together:
        cluster(draft, things)


def subjects(draft: Draft, reading: Reading) -> list[Thing]:
    """The things to be moved, in the state that is asked for."""
    out = [t for placed in reading.objects or (Placed(IT),) for t in resolved(draft, placed)]
    for thing in out:
        draft.require(thing)
    return out


_ANYTHING = (("item",), ("everything",), ("thing",), ("object",), ("stuff",), ("something",), ("anything",))


def resolved(draft: Draft, placed: Placed) -> list[Thing]:
    """The objects of a noun. ``All items`` after ``clear the table`` are those on the table, ``something`` after ``I am
    thirsty`` is something to drink."""
    noun, about = placed.noun, draft.vague[1] if draft.vague else None
    plain = noun.words in _ANYTHING and not placed.where and not noun.uses
    if about is not None and (plain or noun.pronoun in ("them", "it")):
        return [about]
    return draft.things.resolve(placed, (Kind.OBJECT,))


def _pack(draft: Draft, reading: Reading, things: list[Thing]) -> None:
    """``a bowl with a spoon in it``: the spoon goes into the bowl first."""
    for prep in reading.carried:
        for thing in draft.things.resolve(Placed(prep.noun), (Kind.OBJECT,)):
            draft.require(thing)
            draft.add("is_inside" if prep.relation == "in" else "is_on_top", thing, things[0].term)


def _place(draft: Draft, things: list[Thing], destination: Destination) -> None:
    noun = destination.place.noun
    if destination.relation == "between":
        both = [destination.place, *([destination.second] if destination.second else [])]
        beside = [t for placed in both for t in draft.things.resolve(placed, (Kind.OBJECT,))]
        draft.note(f"between: next to {' and '.join(t.term.name for t in beside)}")
        for thing in things:
            for reference in beside:
                draft.add("is_next_to", thing, reference.term)
        return
    if noun.words and noun.words[-1] in draft.vocabulary.lexicon.floor and draft.things.kind_of(noun) is None:
        for thing in things:
            draft.add("is_on_floor", thing)
        return
    if noun.own:
        _each_its_own(draft, things, destination)
        return
    if noun.each or (noun.every and noun.pronoun != "them"):
        _to_each(draft, things, destination)
        return
    predicate, target, beside = _target(draft, destination, things)
    if target is not None and beside is not None:
        _join(draft, predicate, beside, target)
    for thing in things:
        if target is not None:
            draft.add(predicate, thing, target, same_target=True)
        if beside is not None:
            draft.add("is_next_to", thing, beside)


def _join(draft: Draft, predicate: str, beside: Term, target: Term) -> None:
    """``next to the pear on the table``, where the pear is known to be elsewhere: it has to come, too."""
    moved = {id for e in draft.entries for id in e.proposition.subject.ids if e.proposition.predicate == predicate}
    places = [draft.graph.support(id) for id in beside.ids]
    if len(beside.ids) == 1 and places[0] is not None and places[0].object not in target.ids and not (
            moved & set(beside.ids)) and draft.graph[beside.ids[0]].kind is Kind.OBJECT:
        draft.note(f"{beside.ids[0]} is on {places[0].object} so far, and is brought to {target.name} as well")
        draft.put(Proposition(predicate, beside, target))


def _to_each(draft: Draft, things: list[Thing], destination: Destination) -> None:
    """``an apple in every room``: another one for each place."""
    place = draft.things.resolve(destination.place)[0]
    if any(t.every for t in things):
        raise Refusal(f"all of {things[0].term.name!r} cannot go to {place.term.name!r} at once; say how many to each",
                      [destination.place.noun.text])
    if not place.term.ids:
        raise Refusal(f"I have not seen {place.term.name!r} yet; let me look for them first",
                      [destination.place.noun.text])
    for thing in things:
        if draft.complete and len(thing.term.ids) < thing.number * len(place.term.ids):
            raise Refusal(f"there are not enough of {thing.term.name!r} for {destination.place.noun.text!r}: "
                          f"{len(thing.term.ids)} for {len(place.term.ids)} places", [destination.place.noun.text])
        group = []
        for i, id in enumerate(place.term.ids):
            one = replace(thing, term=replace(thing.term, key=f"{thing.term.key}/{i}"))
            term = Term(id, (id,))
            if place.kind is Kind.ROOM:
                predicate = "is_in_room"
            elif place.kind is Kind.OBJECT or destination.relation == "next_to":
                predicate = "is_next_to"
            else:
                predicate, term = surface(draft, term, destination.relation)
            p = Proposition(predicate, one.term, term, one.number)
            draft.put(p)
            group.append(p)
        draft.different.append(group)


def _each_its_own(draft: Draft, things: list[Thing], destination: Destination) -> None:
    """``each candle on its own table``: one place a thing."""
    place = draft.things.resolve(destination.place, SUPPORTS)[0]
    ids = [id for thing in things for id in thing.term.ids]
    if not ids or len(place.term.ids) < len(ids):
        count = len(ids) or "an unknown number"
        raise Refusal(f"there are {len(place.term.ids)} of {place.term.name!r} for {count} of {things[0].term.name!r}",
                      [destination.place.noun.text])
    for id, target in zip(ids, place.term.ids):
        predicate, term = surface(draft, Term(target, (target,)), destination.relation)
        draft.put(Proposition(predicate, Term(id, (id,)), term))


def cluster(draft: Draft, things: list[Thing]) -> None:
    """Next to each other."""
    if len(things) == 1:
        thing = things[0]
        count = thing.number if not thing.every else max(2, len(thing.term.ids))
        draft.put(Proposition("is_clustered", thing.term, None, count, thing.every))
        return
    for before, after in zip(things, things[1:]):
        draft.add("is_next_to", after, before.term)


def _spoken(draft: Draft, placed: Placed, moved: list[Thing], beside: bool = False) -> Thing:
    """The place; ``it`` is what was spoken of last and is not what is moved."""
    keys = {t.term.key for t in moved}
    others = [t for t in reversed(draft.things.mentions) if t.term.key not in keys and not t.every]
    if beside:  # the glass on the table and the bottle next to it: the glass
        others.sort(key=lambda t: t.kind is not Kind.OBJECT or t.clause < draft.things.clause - 1)
    if placed.noun.pronoun == "it" and others:
        return others[0]
    return draft.things.resolve(placed, (*SUPPORTS, Kind.OBJECT))[0]


def _target(draft: Draft, d: Destination, moved: list[Thing]) -> tuple[str, Term | None, Term | None]:
    """Predicate and term of the place, and what to stand next to."""
    beside = draft.things.resolve(d.beside)[0].term if d.beside else None
    if d.relation == "next_to":
        thing = _spoken(draft, d.place, moved, True) if d.place.noun.pronoun == "it" else draft.things.resolve(
            d.place, (Kind.OBJECT, Kind.FURNITURE))[0]
        return ("is_next_to", thing.term, None) if thing.kind is Kind.FURNITURE else ("is_next_to", None, thing.term)
    thing = _spoken(draft, d.place, moved)
    if thing.kind is Kind.OBJECT:
        if d.relation in ("in", "on") and holds_things(draft, thing):
            return ("is_inside" if d.relation == "in" else "is_on_top"), thing.term, beside
        if d.relation in ("in", "on"):
            raise Refusal(f"nothing can be put {d.relation} {thing.term.name!r}; things can go next to it",
                          [d.place.noun.text], Code.NOT_INTERACTIVE)
        return "is_next_to", None, thing.term
    if thing.kind is Kind.ROOM:
        return "is_in_room", thing.term, beside
    return (*surface(draft, thing.term, d.relation), beside)


def holds_things(draft: Draft, thing: Thing) -> bool:
    """Whether an object can take others: a bowl, a plate, a box."""
    categories = [draft.graph[id].category for id in thing.term.ids if id in draft.graph] or list(
        thing.term.description.categories if thing.term.description else ())
    words = ("container", "dish", "box", "tray", "bag", "basket", "pan", "pot", "plate", "bowl")
    return any(draft.vocabulary.is_a(c, word) for c in categories for word in words)


def surface(draft: Draft, term: Term, relation: str) -> tuple[str, Term]:
    """On or in, as the furniture has it: what has no inside takes things on it. At home means inside where that can be.
    Errors: Refusal."""
    entities = [draft.graph[id] for id in term.ids]
    on = tuple(e.id for e in entities if any(not s.inside for s in e.surfaces) or not e.surfaces)
    inside = tuple(e.id for e in entities if any(s.inside for s in e.surfaces) or not e.surfaces)
    if relation == "on" and not on:
        raise Refusal(f"nothing can stand on {term.name!r}; things can go in it", [term.name], Code.NOT_INTERACTIVE)
    if relation in ("in", "home") and inside or not on:
        return "is_inside", replace(term, ids=inside)
    if relation == "in":
        draft.note(f"{term.name}: it has no inside, so things go on it")
    return "is_on_top", replace(term, ids=on)
