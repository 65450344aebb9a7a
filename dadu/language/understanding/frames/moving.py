"""Taking, bringing, putting: things to places."""

from __future__ import annotations

from dataclasses import replace

from dadu.goals.goal import Proposition, Term
from dadu.knowledge.usual_places import by_role
from dadu.language.reading.syntax import Clause, Noun, Prep
from dadu.language.refusal import NotSeen, Refusal
from dadu.language.understanding.draft import IT, ROBOT, Draft, Vague, needs_object
from dadu.language.understanding.frames.company import pack, where_with, with_others
from dadu.language.understanding.frames.former import back, former_place
from dadu.language.understanding.frames.placing import by_place, cluster, place, surface
from dadu.language.understanding.frames.staying import spare, stays
from dadu.language.understanding.frames.subjects import resolved, subjects
from dadu.language.understanding.frames.usual import left_behind, places_of, to_usual
from dadu.language.understanding.handed import ASKED
from dadu.language.understanding.things.attachment import Destination, Group, Placed, Reading
from dadu.language.understanding.things.things import SUPPORTS, Thing
from dadu.world.graph import Kind

_WISHES = ("i ", "we ")
"""how a wish for a thing begins; the next clause may say what to do with it"""
_OFFERS = (*_WISHES, "offer", "serve")
"""how what is wanted somewhere is said"""
_IN_A_ROW = ("line up", "group", "group up", "cluster")
"""verbs that also mean next to each other"""
_TO_ME = ("bring", "deliver", "bring over", "bring along", "send")
"""verbs that need no place: to whoever asked"""
_IN_HAND = ("carry", "carrying")
"""verbs that may mean no more than to have it: carry a book while ..."""


def take(draft: Draft, clause: Clause, part: Group) -> None:
    """Into the hand, or to where the clause says."""
    part = _out_of_it(draft, clause, part)
    reading = draft.read(part, moves=False)
    if reading.destination is not None or reading.usual or reading.former or reading.together:
        move(draft, reading, clause)
        return
    if clause.recipient:
        fetch(draft, clause, part)
        return
    if clause.verb == "remove" and (any(p.relation == "from" for p in part.preps) or _several(draft, reading)):
        _remove(draft, reading)
        return
    if (clause.verb == "collect" or len(part.nouns) > 1) and _not_there_yet(draft, part):
        move(draft, draft.read(part, moves=True), clause)
        return
    if any(n.words == ("everything",) for n in part.nouns):  # get everything off the sofa
        draft.frame("clear", clause, part)
        return
    for placed in needs_object(reading, clause):
        for thing in draft.things.resolve(placed, (Kind.OBJECT,)):
            draft.require(thing)
            draft.add("is_held", thing)


def _out_of_it(draft: Draft, clause: Clause, part: Group) -> Group:
    """``check the drawer ... take out the spoons``: those that are in it."""
    container = draft.things.last(Kind.FURNITURE)
    if container is None or "out" not in clause.text.split() or any(p.relation == "from" for p in part.preps):
        return part
    there = Prep("from", Noun(pronoun="there", text="there"))
    inside = [t for n in part.nouns if n.words
              for t in draft.things.resolve(Placed(n, (there,)), (Kind.OBJECT,), mention=False)]
    return Group(part.nouns, [*part.preps, there]) if inside and all(t.term.ids for t in inside) else part


def _several(draft: Draft, reading: Reading) -> bool:
    """More than a hand can hold."""
    return any(t.every or t.number > 1 for p in reading.objects for t in draft.things.resolve(p, mention=False))


def _remove(draft: Draft, reading: Reading) -> None:
    """``remove the cushion from the sofa``: to where such things may be otherwise."""
    start, things = len(draft.entries), [
        thing for placed in reading.objects for thing in draft.things.resolve(placed, (Kind.OBJECT,))]
    for thing in things:
        here = tuple(edge.object for id in thing.term.ids if (edge := draft.graph.support(id)) is not None)
        to_usual(draft, thing, exclude=places_of(thing) or here)
    draft.vague = Vague(range(start, len(draft.entries)), tuple(things))  # and put it all on the desk


def fetch(draft: Draft, clause: Clause, part: Group) -> None:
    """To whoever asked: in the hand, back where the instruction was given."""
    reading = draft.read(part, moves=False)
    if reading.destination is not None or reading.usual or reading.former:
        move(draft, reading, clause)
    elif draft.laid is not None and clause.verb.startswith(_WISHES):  # set the table, I need two plates
        _lay(draft, reading, part)
    elif clause.verb.startswith(_OFFERS) and (_vague_there(draft, part) or _wanted_there(draft, part)):
        move(draft, draft.read(part, moves=True), clause)
    else:
        start = len(draft.entries)
        things = [thing for placed in needs_object(reading, clause) for thing in resolved(draft, placed)]
        if clause.verb.startswith(_WISHES) and len(things) == 1 and _taken_for_it(draft, things[0]):
            draft.note(f"{clause.text!r} is taken as the reason for what was said before")
            return
        things += pack(draft, reading, things)
        draft.things.together = things
        for thing in things:
            hand_over(draft, thing)
        if clause.verb.startswith(_WISHES) and len(things) == 1:
            draft.things.wished = things[0].term.key
        noun = things[-1].noun
        if noun is not None and noun.uses and clause.verb.startswith((*_WISHES, "fetch")):
            draft.vague = Vague(range(start, len(draft.entries)), (things[-1],), noun.uses[0], clause.text)


def _taken_for_it(draft: Draft, thing: Thing) -> bool:
    """``grab the candy; I feel like something sweet``: what was just taken is that."""
    last = draft.entries[-1].proposition if draft.entries else None
    return last is not None and thing.noun is not None and bool(thing.noun.uses) and last.subject.key != "robot" and (
        bool(last.subject.ids) and set(last.subject.ids) <= set(thing.term.ids))


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


def _vague_there(draft: Draft, part: Group) -> bool:
    """``I would like something to read in the living room``: whatever it is, it is to be brought there."""
    general = draft.vocabulary.lexicon.vague_nouns
    vague = bool(part.nouns) and all(n.uses or n.words[-1:] and n.words[-1] in general for n in part.nouns)
    return vague and any(p.relation in ("in", "at") and draft.things.kind_of(p.noun) is Kind.ROOM for p in part.preps)


def _wanted_there(draft: Draft, part: Group) -> bool:
    """``I want the book on the desk``: there is none there yet."""
    if not any(p.relation in ("on", "in", "at", "next_to", "between") for p in part.preps):
        return False
    if part.nouns and all(n.indefinite for n in part.nouns) and any(p.relation == "on" for p in part.preps):
        return True  # I would like a cold drink on the nightstand
    reading = draft.read(part, moves=False)
    try:
        return not all(t.term.ids for placed in reading.objects for t in draft.things.resolve(placed, mention=False))
    except Refusal:  # everything from the table in the fridge: nothing is both there and here
        return True


def _not_there_yet(draft: Draft, part: Group) -> bool:
    """``bring the toy beside them``, ``gather the cups on the table``: they are known, and are elsewhere.
    Errors: NotSeen where several are asked for and that is not known."""
    if not part.nouns or not any(p.relation in ("on", "in", "at", "next_to", "between") for p in part.preps):
        return False
    plain = [t for n in part.nouns for t in draft.things.resolve(Placed(n), (Kind.OBJECT,), mention=False)]
    unseen = next((t for t in plain if not t.term.ids), None)
    if unseen is None:
        return _wanted_there(draft, part)
    if draft.complete or len(plain) == 1 and not unseen.every and unseen.number == 1:
        return False
    seen = [n for n, t in zip(part.nouns, plain) if t.term.ids]
    if seen and _wanted_there(draft, Group(seen, part.preps)):
        return True  # of several things one is elsewhere
    there = tuple(p for p in part.preps if p.relation in ("on", "in", "at"))
    named = unseen.noun if unseen.noun is not None else part.nouns[0]
    wanted = draft.things.resolve(Placed(named, there), (Kind.OBJECT,), mention=False)[0].description
    if draft.not_there(wanted):
        return True
    raise NotSeen(f"I do not know yet where {unseen.term.name!r} is", [unseen.term.name], wanted, every=unseen.every)


def put(draft: Draft, clause: Clause, part: Group) -> None:
    contents = [each.noun for p in part.preps if p.relation == "with" for each in p.each()]
    if clause.verb == "load" and contents and [draft.things.kind_of(n) for n in part.nouns] == [Kind.FURNITURE]:
        move(draft, draft.read(Group(contents, [Prep("in", part.nouns[0])]), moves=True), clause)
        return  # load the dishwasher with the plates
    reading = draft.read(part, moves=True)
    vessel = _poured_into(draft, reading)
    if vessel is not None:
        draft.frame("fill", clause, Group([vessel.noun], list(vessel.where)))
        return
    if reading.destination is None and not (reading.together or reading.usual or reading.former):
        if draft.laid is not None and clause.verb in ("put", "place", "add") and part.nouns and all(
                p.relation == "for" for p in part.preps):
            _lay(draft, reading, part)
            return
        company = [p.noun for p in part.preps if p.relation == "with"]
        if company and part.nouns:
            with_others(draft, subjects(draft, reading), company[0])
            return
        if "back" in clause.text.split():  # put it back
            back(draft, subjects(draft, reading))
            return
        if clause.verb in ("leave", "stay"):
            spare(draft, clause, part)
            return
        if contents:  # the apple with the lemon: next to it
            beside(draft, reading, contents)
            return
        if clause.verb == "add" and draft.things.last(Kind.FURNITURE) is not None:
            put(draft, clause, Group(part.nouns, [*part.preps, Prep("in", Noun(pronoun="there", text="there"))]))
            return
        raise Refusal(f"where to is not said in {clause.text!r}; name a place, such as: "
                      f"{draft.things.nouns.alternatives((Kind.FURNITURE,))}", [clause.verb])
    if clause.verb.split()[0] in ("leave", "keep", "stay") and stays(draft, reading):
        return
    move(draft, reading, clause)


def _as_well(draft: Draft, clause: Clause) -> bool:
    """``bring the case over as well``: where the others went."""
    placed = draft.entries and draft.entries[-1].proposition.predicate in ("is_on_top", "is_inside", "is_next_to")
    return bool(placed) and clause.text.endswith((" as well", " too")) and draft.things.last(*SUPPORTS) is not None


def _poured_into(draft: Draft, reading: Reading) -> Placed | None:
    """``put some water in the vase``, the vase; None for ``put the water in the fridge``, which is a bottle."""
    if reading.destination is None or reading.destination.relation not in ("in", "to") or len(reading.objects) != 1:
        return None
    noun, liquids = reading.objects[0].noun, draft.vocabulary.lexicon.liquids
    bare = noun.indefinite or noun.text == " ".join(noun.words)
    vessel = reading.destination.place
    liquid = bare and " ".join(noun.words) in liquids
    return vessel if liquid and draft.things.kind_of(vessel.noun) is Kind.OBJECT else None


def beside(draft: Draft, reading: Reading, others: list[Noun]) -> None:
    """``put the apple with the lemon``: next to it."""
    for noun in others:
        draft.note(f"'with {noun.text}' is taken as next to it")
        place(draft, subjects(draft, reading), Destination("next_to", Placed(noun)))


def _lay(draft: Draft, reading: Reading, part: Group) -> None:
    """On the table that is being set: so many, or so many for each person."""
    each = any(p.relation == "for" and p.noun.each for p in part.preps)
    for thing in subjects(draft, reading):
        number = thing.number * (draft.people if each and not thing.every else 1)
        if draft.complete and not thing.every and len(thing.term.ids) < number:
            raise Refusal(f"there are not enough of {thing.term.name!r} for {draft.people} people", [thing.term.name])
        draft.add("is_on_top", replace(thing, number=number), draft.laid, same_target=True)


def bring(draft: Draft, clause: Clause, part: Group) -> None:
    reading = draft.read(part, moves=False)
    special = reading.usual or reading.former
    placed = reading.destination is not None or special or _not_there_yet(draft, part)
    beside_it = any(p.relation in ("next_to", "between") and p.noun.pronoun for p in part.preps)
    if draft.laid is not None and not (placed or beside_it):  # set the table: bring two plates
        _lay(draft, reading, part)
        return
    last = draft.entries[-1].proposition if draft.entries else None
    likewise = clause.text.endswith((" too", " as well", " also")) and not clause.recipient
    if likewise and reading.destination is None and not special and last is not None and last.object is not None and (
            last.predicate in ("is_on_top", "is_inside")):
        for thing in subjects(draft, reading):  # ... on the table, and bring the teapot, too
            draft.add(last.predicate, thing, last.object)
        return
    if clause.recipient and reading.destination is None and not special:
        fetch(draft, clause, part)
    elif reading.destination is None and not special and _not_there_yet(draft, part):
        move(draft, draft.read(part, moves=True), clause)
    elif clause.verb == "gather" and reading.destination is None and not (special or reading.together):
        take(draft, clause, part)
    elif clause.elsewhere and reading.destination is None:
        draft.note(f"{clause.text!r}: what is not there is looked for elsewhere")
    elif reading.destination is None and not special and _as_well(draft, clause):
        put(draft, clause, Group(part.nouns, [*part.preps, Prep("to", Noun(pronoun="there", text="there"))]))
    elif reading.destination is None and clause.verb in _TO_ME and not special:
        fetch(draft, clause, part)
    elif reading.destination is None and clause.verb in _IN_HAND and not (special or reading.together) and part.nouns:
        take(draft, clause, part)
    else:
        put(draft, clause, part)


def ship(draft: Draft, clause: Clause, part: Group) -> None:
    """To the table for goods that leave, where the house has one."""
    reading = draft.read(part, moves=False)
    if reading.destination is not None:
        move(draft, reading, clause)
        return
    places = by_role("shipping", draft.graph, draft.vocabulary)
    if clause.recipient and (not places or "delivery" in clause.verb.split()):
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


def to_places(draft: Draft, reading: Reading, places: tuple[str, ...]) -> None:
    """All objects of a reading to any of these pieces of furniture."""
    predicate, term = surface(draft, Term("|".join(places), places), "home")
    for placed in reading.objects or (Placed(IT),):
        for thing in resolved(draft, placed):
            draft.require(thing)
            draft.add(predicate, thing, term, same_target=True)


def move(draft: Draft, reading: Reading, clause: Clause) -> None:
    """The objects of a reading to its destination."""
    reading = where_with(draft, reading)
    instead = _in_its_place(draft, reading, clause)
    if instead is not None:
        for thing in subjects(draft, reading):
            draft.add(instead[0], thing, instead[1])
        return
    if reading.usual and reading.destination is None:
        for thing in subjects(draft, reading):
            to_usual(draft, thing, exclude=left_behind(draft, thing), lenient=thing.every)
        return
    things = subjects(draft, reading)
    if reading.former and reading.destination is None:
        back(draft, things)
        return
    things += pack(draft, reading, things)
    if reading.destination is not None:
        place(draft, things, reading.destination)
    tray = draft.things.last(Kind.OBJECT)  # what they were put on or in
    if reading.onward is not None and tray is not None:
        place(draft, [tray], reading.onward)
    if (reading.together or clause.verb in _IN_A_ROW) and not _in_a_vessel(draft):
        for row in by_place(draft, things):
            cluster(draft, row)


def _in_its_place(draft: Draft, reading: Reading, clause: Clause) -> tuple[str, Term] | None:
    """``take the cup away and put the vase in its place``: where the cup was; None where its own place is meant."""
    named = reading.objects and all(not placed.noun.pronoun for placed in reading.objects)
    if not (reading.usual and named and reading.destination is None and clause.text.endswith("in its place")):
        return None
    keys = {t.term.key for p in reading.objects for t in draft.things.resolve(p, (Kind.OBJECT,), mention=False)}
    moved = {e.proposition.subject.key for e in draft.entries if e.proposition.object is not None}
    before = (t for t in reversed(draft.things.mentions) if t.clause == draft.things.clause - 1
              and t.kind is Kind.OBJECT and t.term.key in moved - keys)
    thing = next(before, None)
    return former_place(draft, thing) if thing is not None else None


def _in_a_vessel(draft: Draft) -> bool:
    """Whether what was just put somewhere is in a bowl or the like, where everything is together."""
    place = draft.entries[-1].proposition.object if draft.entries else None
    return place is not None and draft.entries[-1].proposition.predicate == "is_inside" and all(
        id in draft.graph and draft.graph[id].kind is Kind.OBJECT for id in place.ids)
