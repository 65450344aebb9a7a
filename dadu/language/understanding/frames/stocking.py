"""So many of a thing at a place: keeping in stock, and making sure of what should be."""

from __future__ import annotations

from dataclasses import replace

from dadu.goals.goal import Term, Where
from dadu.knowledge.usual_places import usual
from dadu.language.reading.syntax import Clause, Noun, Prep
from dadu.language.refusal import NotSeen, Refusal
from dadu.language.understanding.draft import Draft, Vague, narrowed
from dadu.language.understanding.frames.moving import move
from dadu.language.understanding.frames.staying import spare, stays
from dadu.language.understanding.frames.tidying import amiss, destination
from dadu.language.understanding.frames.usual import to_usual
from dadu.language.understanding.things.attachment import Group, Placed
from dadu.language.understanding.things.things import SUPPORTS, Thing
from dadu.world.graph import Kind, Relation


def refill(draft: Draft, clause: Clause, part: Group) -> None:
    """``replenish the apples on the table to three``: so many there in the end."""
    number = next((n.number for n in [*(p.noun for p in part.preps if p.relation == "to"), *part.nouns,
                                      *(p.noun for p in part.preps if p.relation == "with")] if n.number), None)
    nouns = [*(p.noun for p in part.preps if p.relation in ("with", "to") and p.noun.words), *part.nouns]
    things = [n for n in nouns if draft.things.kind_of(n) is Kind.OBJECT]
    places = [*(p for p in part.preps if p.relation in ("on", "in", "at", "next_to")),
              *(Prep("to", n) for n in part.nouns if draft.things.kind_of(n) in SUPPORTS)]
    sources = tuple(p for p in part.preps if p.relation == "from")
    if number is None and things and sources and places:  # all that there is of it there
        thing = draft.things.resolve(Placed(replace(things[0], every=True), sources), (Kind.OBJECT,))[0]
        predicate, term = destination(draft, places[0])
        draft.add(predicate, thing, term, same_target=True)
        return
    if number is None and sources and places:
        _what_belongs_there(draft, sources, places[0])
        return
    if number is None and _said_already(draft, part):
        draft.note(f"{clause.text!r} was said already")
        return
    if number is None:
        raise Refusal(f"up to how many is not said in {clause.text!r}", [clause.verb])
    if not things or not places:
        raise Refusal(f"what to {clause.verb} and where is not said in {clause.text!r}", [clause.verb])
    for noun in things:  # with two drinks and two toys
        in_stock(draft, replace(noun, number=noun.number or number, every=False, indefinite=True), places[0])


def _said_already(draft: Draft, part: Group) -> bool:
    """``there should be four apples on the table. Replenish them``"""
    if not part.nouns or part.preps or not all(n.pronoun for n in part.nouns):
        return False
    keys = {t.term.key for n in part.nouns for t in draft.things.resolve(Placed(n), mention=False)}
    return any(e.proposition.subject.key in keys and e.proposition.predicate in ("is_on_top", "is_inside")
               for e in draft.entries)


def _what_belongs_there(draft: Draft, sources: tuple[Prep, ...], place: Prep) -> None:
    """``restock the drinks table from the receiving shelf``. Errors: Refusal where nothing there belongs on it."""
    everything = Noun(("everything",), f"everything for {place.noun.text}", every=True)
    thing = draft.things.resolve(Placed(everything, sources), (Kind.OBJECT,))[0]
    predicate, term = destination(draft, place)
    ids = tuple(id for id in thing.term.ids
                if set(term.ids) & set(usual((draft.graph[id].category,), draft.graph, draft.vocabulary)))
    if not thing.term.ids:
        raise NotSeen(f"I do not know yet what there is for {place.noun.text!r}", ["restock"], thing.term.description)
    if not ids:
        raise Refusal(f"I know of nothing there that belongs on {place.noun.text!r}; say what to bring", ["restock"])
    description = replace(thing.description, categories=(), ids=ids, where=())
    draft.add(predicate, replace(thing, term=Term(f"{everything.text}#", ids, description)), term, same_target=True)


def in_stock(draft: Draft, noun: Noun, place: Prep) -> None:
    """So many of a thing at a place, those included that are there already."""
    thing = draft.things.resolve(Placed(noun), (Kind.OBJECT,))[0]
    predicate, term = destination(draft, place)
    draft.require(thing)
    if _only(noun):
        _at_most(draft, thing, predicate, term)
        return
    p = draft.add(predicate, thing, term, same_target=True)
    draft.entries[-1] = replace(draft.entries[-1], proposition=narrowed(p, thing.term.ids))


def _only(noun: Noun) -> bool:
    return " only " in f" {noun.text} " or noun.text.startswith("at most")


def _bare_number(noun: Noun) -> bool:
    return noun.pronoun == "one" and not (noun.words or noun.other or noun.every)


def _so_many(draft: Draft, noun: Noun) -> Noun:
    """``we are low on bananas, there should be | two | there``: of what was spoken of."""
    spoken = draft.things.last(Kind.OBJECT)
    model = spoken.noun if spoken is not None else None
    return replace(noun, pronoun="", words=model.words if model is not None else (), number=noun.number or 1)


def _at_most(draft: Draft, thing: Thing, predicate: str, term: Term) -> None:
    """What is too many goes to where it belongs."""
    there = [id for id in thing.term.ids if (e := draft.graph.support(id)) is not None and e.object in term.ids]
    excess = there[thing.number:]
    if not thing.term.ids:
        wanted = replace(thing.description, where=(Where(Relation.ON, term.ids),))
        raise NotSeen(f"I do not know yet how many {thing.term.name!r} are there", [thing.term.name], wanted)
    kept = replace(thing.term, ids=tuple(there[:thing.number]) or thing.term.ids)
    draft.add(predicate, replace(thing, term=kept), term)
    if excess:
        rest = replace(thing, term=Term(f"{thing.term.key}+", tuple(excess), thing.term.description), every=True)
        start = len(draft.entries)
        try:
            to_usual(draft, rest, exclude=term.ids)
        except Refusal as refusal:
            draft.unplaced = refusal
        draft.vague = Vague(range(start, len(draft.entries)), (rest,))  # and put the rest in the fridge


def ensure(draft: Draft, clause: Clause, part: Group) -> None:
    """``make sure there are three cups on the table``, ``keep the fridge closed``, ``keep five apples there``."""
    from dadu.language.understanding.frames.states import make

    condition = clause.condition
    if condition is not None:
        nouns, preps, state = [condition.noun], list(condition.preps), condition.state
        if condition.negated and not state and preps and nouns[0].words:  # that there are no books on the desk
            gone = replace(nouns[0], every=True, indefinite=False)
            amiss(draft, clause, Group([gone], [replace(p, relation="from") for p in preps]))
            return
        if condition.negated:
            raise Refusal(f"I do not understand 'not' in {clause.text!r}; say where the thing is to go", ["not"])
    else:
        nouns, preps, state = part.nouns, part.preps, ""
    lexicon = draft.vocabulary.lexicon
    if nouns and not state and nouns[0].words and nouns[0].words[-1] in lexicon.state_of and len(nouns[0].words) > 1:
        state = lexicon.state_of[nouns[0].words[-1]]
        nouns = [replace(nouns[0], words=nouns[0].words[:-1])]
    if state:
        make(draft, clause, state, Group(nouns, preps))
    elif nouns and preps and _bare_number(nouns[0]) and draft.things.last(Kind.OBJECT) is not None:
        in_stock(draft, _so_many(draft, nouns[0]), preps[0])
    elif nouns and preps and clause.verb in ("keep", "keeping") and not (
            nouns[0].other or _only(nouns[0])) and stays(draft, draft.read(Group(nouns, preps), moves=True)):
        return
    elif nouns and preps and nouns[0].number and not nouns[0].pronoun:
        for noun in nouns:
            in_stock(draft, noun, preps[0])
    elif nouns and preps:
        move(draft, draft.read(Group(nouns, preps), moves=True), clause)
    else:
        as_it_is = " where " in clause.text or clause.text.endswith(" there")
        if nouns and clause.verb in ("keep", "keeping") and as_it_is:
            spare(draft, clause, part)  # keep the lemon where it is
            return
        raise Refusal(f"what to make sure of is not said in {clause.text!r}", [clause.verb])
