"""Going, finding, looking, checking."""

from __future__ import annotations

from dataclasses import replace

from dadu.goals.goal import Proposition, Question, Term
from dadu.language.reading.syntax import Clause, Condition, Noun, Prep
from dadu.language.refusal import Refusal
from dadu.language.understanding.draft import ROBOT, Draft, nouns_of
from dadu.language.understanding.questions import Answer, answer
from dadu.language.understanding.things.attachment import Group, Placed
from dadu.language.understanding.things.things import SUPPORTS, Thing
from dadu.world.graph import Kind


def go(draft: Draft, clause: Clause, part: Group) -> None:
    nouns = [*part.nouns, *(p.noun for p in part.preps)]
    if not nouns and (clause.verb in ("come back", "go back", "come", "return", "head back") or clause.recipient):
        _come_back(draft)
        return
    if not nouns and clause.verb in ("wait", "waiting"):
        draft.note(f"{clause.text!r}: in the end the robot stays where it is")
        return
    if not nouns:
        raise Refusal(f"where to go is not said in {clause.text!r}", [clause.verb])
    carried = [p.noun for p in part.preps if p.relation == "with" and draft.things.kind_of(p.noun) is Kind.OBJECT]
    if carried:
        _go_with(draft, clause, part, carried)
        return
    where = tuple(p for p in part.preps[1:] if not part.nouns) or tuple(part.preps if part.nouns else ())
    approach(draft, Placed(nouns[0], where))
    for noun in nouns[1:] if len(part.nouns) > 1 else ():
        draft.group += 1
        approach(draft, Placed(noun))


def _go_with(draft: Draft, clause: Clause, part: Group, carried: list[Noun]) -> None:
    """``go to the table with the cup``: in the hand; several are put down there."""
    from dadu.language.understanding.frames.moving import bring

    things = [n for n in part.nouns if draft.things.kind_of(n) is Kind.OBJECT]
    carried = [*carried, *things]
    places = [*(Prep("to", n) for n in part.nouns if n not in things), *(p for p in part.preps if p.relation != "with")]
    if len(carried) > 1 or carried[0].every or carried[0].plural:
        draft.note(f"{clause.text!r}: they are put down there, the hand holds one")
        bring(draft, clause, Group(carried, places))
        return
    for thing in draft.things.resolve(Placed(carried[0]), (Kind.OBJECT,)):
        draft.add("is_held", thing)
    if places:
        approach(draft, Placed(places[0].noun, tuple(places[1:])))


def _come_back(draft: Draft) -> None:
    room = draft.graph.room_of("robot") if "robot" in draft.graph else None
    if room is None:
        raise Refusal("I do not know which room I am in", ["back"])
    draft.put(Proposition("is_in_room", ROBOT, Term(room.id, (room.id,))))


def find(draft: Draft, clause: Clause, part: Group) -> None:
    """The robot is beside it; ``look for A in B``."""
    looked_for = [p.noun for p in part.preps if p.relation == "for"]
    where = tuple(p for p in part.preps if p.relation not in ("for", "to"))
    nouns = part.nouns or looked_for  # find a box for the apples
    if not nouns:
        raise Refusal(f"what to {clause.verb} is not said in {clause.text!r}", [clause.verb])
    for noun in nouns:
        approach(draft, Placed(noun, where))


def inspect(draft: Draft, clause: Clause, part: Group) -> None:
    """``check the fridge for milk`` asks for the milk; ``check the fridge`` is a look at it."""
    lamp = next((i for i, p in enumerate(part.preps) if _gives_light(draft, part, p)), None)
    if lamp is not None and part.nouns:
        _by_light(draft, part, lamp)
        return
    part = Group(part.nouns, _without_tools(draft, part.preps))
    looked_for = [p.noun for p in part.preps if p.relation == "for"]
    places = [*(Prep("in", n) for n in part.nouns), *(p for p in part.preps if p.relation != "for")]
    if looked_for and places:
        for noun in looked_for:
            _ask(draft, clause, Condition("exists", replace(noun, every=False), tuple(places), text=clause.text))
        return
    if looked_for:
        find(draft, clause, part)
        return
    nouns = part.nouns or [p.noun for p in part.preps]
    if not nouns:
        raise Refusal(f"what to {clause.verb} is not said in {clause.text!r}", [clause.verb])
    where = tuple(part.preps) if part.nouns else tuple(part.preps[1:])
    for noun in nouns[:1] if not part.nouns else nouns:
        approach(draft, Placed(noun, where))


def _gives_light(draft: Draft, part: Group, prep: Prep) -> bool:
    """``by the light of the lamp``, ``with a lamp``, ``by a lit lamp``; not ``the book by the lamp``, where it is."""
    if prep.relation in ("light", "under"):
        return True
    try:
        lamps = draft.things.resolve(Placed(_unlit(draft, prep.noun)), mention=False) if prep.noun.words else []
    except Refusal:
        return False
    if not all(_is_lamp(draft, t) for t in lamps) or not lamps or prep.relation not in ("with", "next_to", "in", "at"):
        return False
    where = (prep,) if prep.relation == "next_to" and _unlit(draft, prep.noun) == prep.noun else ()
    return not where or not any(t.term.ids for n in part.nouns for t in _known(draft, Placed(n, where)))


def _known(draft: Draft, placed: Placed) -> list[Thing]:
    try:
        return draft.things.resolve(placed, mention=False)
    except Refusal:
        return []


def _unlit(draft: Draft, noun: Noun) -> Noun:
    """``a lit lamp`` is any lamp: it is switched on."""
    states = draft.vocabulary.lexicon.state_of
    return replace(noun, words=tuple(w for w in noun.words if states.get(w) != "is_powered_on"))


def _is_lamp(draft: Draft, thing: Thing) -> bool:
    categories = {draft.graph[id].category for id in thing.term.ids if id in draft.graph} or set(
        thing.term.description.categories if thing.term.description else ())
    return bool(categories) and all(draft.vocabulary.is_a(c, "lamp") for c in categories)


def _without_tools(draft: Draft, preps: list[Prep]) -> list[Prep]:
    for prep in (p for p in preps if p.relation == "with"):
        words = f"with {prep.noun.text}"
        draft.note(f"not taken as part of the task: {words!r}")
    return [p for p in preps if p.relation != "with"]


def _by_light(draft: Draft, part: Group, at: int) -> None:
    """``look at the book under the lamp`` (ALFRED): with the book in the hand, beside the lamp, which is on."""
    where = tuple(p for p in part.preps[:at] if p.relation in ("on", "in", "from"))
    for thing in draft.things.resolve(Placed(part.nouns[0], where), (Kind.OBJECT,)):
        draft.add("is_held", thing)
    behind = tuple(p for p in part.preps[at + 1:] if p.relation in ("on", "in", "next_to"))
    light = draft.things.resolve(Placed(_unlit(draft, part.preps[at].noun), behind))[0]
    draft.put(Proposition("is_next_to", ROBOT, light.term))
    draft.add("is_powered_on", light)


def explore(draft: Draft, clause: Clause, part: Group) -> None:
    """``search the kitchen for a cup`` finds the cup; else a room is visited, or all of them."""
    looked_for = [p.noun for p in part.preps if p.relation == "for"]
    places = [*part.nouns, *(p.noun for p in part.preps if p.relation != "for")]
    if looked_for:
        where = tuple(Prep("in", n) for n in places if not _whole_house(draft, n))
        for noun in looked_for:
            approach(draft, Placed(noun, where))
        return
    if not places or _whole_house(draft, places[0]):
        for room in draft.graph.of(Kind.ROOM):
            draft.put(Proposition("is_in_room", ROBOT, Term(room.id, (room.id,))))
        return
    for noun in places:
        approach(draft, Placed(noun))


def _whole_house(draft: Draft, noun: Noun) -> bool:
    return " ".join(noun.words) in draft.vocabulary.lexicon.house


def approach(draft: Draft, placed: Placed) -> None:
    """Into a room, or beside a thing; every one of several rooms or pieces of furniture."""
    for thing in draft.things.resolve(placed):
        predicate = "is_in_room" if thing.kind is Kind.ROOM else "is_next_to"
        if placed.noun.every and thing.kind in SUPPORTS:
            for id in thing.term.ids:
                draft.put(Proposition(predicate, ROBOT, Term(id, (id,))))
        else:
            draft.put(Proposition(predicate, ROBOT, thing.term))


def check(draft: Draft, clause: Clause, part: Group) -> None:
    """Something to find out; the robot goes where it can be seen."""
    if clause.condition is not None:
        _ask(draft, clause, clause.condition)


def _ask(draft: Draft, clause: Clause, condition: Condition) -> None:
    found = answer(draft, condition)
    place = _place_of(draft, condition) if condition.state != "is_empty" else None
    if isinstance(found, Answer) and found.thing is not None:
        draft.things.mentions.append(found.thing)  # check the fridge for eggs; if there are any, ...
    place = place or _place_of(draft, condition)  # check if the bin is empty; if it is, ...
    if place is not None:
        draft.put(place)
    if isinstance(found, Answer):
        draft.note(f"{clause.text!r}: {found.text}")
        if place is None and found.thing is not None and found.yes:
            predicate = "is_in_room" if found.thing.kind is Kind.ROOM else "is_next_to"
            draft.put(Proposition(predicate, ROBOT, found.thing.term))
    else:
        draft.questions.setdefault(found, len(draft.entries))
        if place is None and isinstance(found, Question) and found.description is not None:
            draft.when = (found, found.negated)
            draft.put(Proposition("is_next_to", ROBOT, Term(f"{found.text}?", (), found.description)))


def count(draft: Draft, clause: Clause, part: Group) -> None:
    """``how many apples are on the table``: memory says; the robot goes where it can be seen."""
    pieces = len(part.preps) > 1 and all(draft.things.kind_of(p.noun) is Kind.FURNITURE for p in part.preps)
    for where in [(p,) for p in part.preps] if pieces else [tuple(part.preps)]:  # on the shelf and on the desk
        for noun in nouns_of(clause, part):
            asked = Condition("exists", replace(noun, every=False), where, text=clause.text)
            _ask(draft, clause, asked)
            found = answer(draft, asked)
            if isinstance(found, Answer):
                ids = found.thing.term.ids if found.yes and found.thing is not None else ()
                there = "".join(f" {p.relation} {p.noun.text}" for p in where)
                draft.note(f"{' '.join(noun.words)}{there}: {len(ids)} as far as I know")


def _place_of(draft: Draft, condition: Condition) -> Proposition | None:
    """Where the robot has to be to see it."""
    nouns = [p.noun for p in condition.preps] or ([condition.noun] if condition.state else [])
    for noun in nouns:
        try:
            thing = draft.things.resolve(Placed(noun), (*SUPPORTS, Kind.OBJECT))[0]
        except Refusal:
            continue
        predicate = "is_in_room" if thing.kind is Kind.ROOM else "is_next_to"
        return Proposition(predicate, ROBOT, thing.term)
    return None
