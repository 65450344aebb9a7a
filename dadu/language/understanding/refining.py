"""How something vague is meant, where the next words say so: ``clear the table and put everything in the sink``, ``tidy
the den and put the pen and the folder on the shelf``, ``set the table. Move the plate there``."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from dadu.goals.goal import Term, Where
from dadu.knowledge.lexicon import Words
from dadu.language.reading.syntax import Clause, Noun, Prep
from dadu.language.refusal import NotSeen, Refusal
from dadu.language.understanding.draft import ROBOT, Draft, Vague
from dadu.language.understanding.things.attachment import Placed
from dadu.language.understanding.things.things import SUPPORTS, Thing
from dadu.world.graph import Kind, Relation

VAGUE = ("wish", "avoid", "remedy")
_PLAINER = ("put", "bring", "take", "stow", "clear", "fetch", "ship")
"""verbs that say how a vague wish just before them is meant"""


def says_how(draft: Draft, clause: Clause, vague: Vague) -> bool:
    """Whether `clause` says how the vague one before it is meant."""
    if clause.frame in VAGUE or clause.ordered and not clause.details:
        return False
    if _left_alone(draft, clause, vague):
        return False  # tidy the sofa, but leave the cushions where they are
    if not vague.loose and not clause.details and _onto_it(draft, clause, vague):
        return False  # clear the table and put the books on it
    if vague.loose and not vague.things and not clause.details:
        return _of_what_it_takes(draft, clause, vague)
    return _refines(clause, bool(vague.use)) or _of_what_is_there(draft, clause, vague)


def as_wished(draft: Draft, clause: Clause) -> Clause:
    """What is said right after a wish: ``My hands are dirty. I want to wash them`` is no more than that; ``find
    something`` is for it."""
    nouns = [i for i in clause.items if isinstance(i, Noun)]
    if clause.frame == "clean" and nouns and all(n.pronoun in ("it", "them") for n in nouns) and (
            draft.things.last(Kind.FURNITURE) is None and (last := draft.things.last(Kind.OBJECT)) and last.implied):
        return replace(clause, frame="remark", items=())
    if clause.frame == "find" and nouns and all(n.words in (("something",), ("thing",)) and not n.uses for n in nouns):
        return replace(clause, frame="fetch")
    if clause.frame == "take" and nouns and all(n.pronoun == "needed" for n in nouns):  # choose something that helps
        return replace(clause, frame="fetch")
    return clause


def where_it_is(vague: Vague) -> tuple[Where, ...]:
    """The places of the things that something vague is about."""
    about = vague.things[0].term.description if vague.things and not vague.use else None
    return about.where if about is not None else ()


def gone_to(draft: Draft) -> Thing | None:
    """``go to the den | and wash the cups``: those there; None where no room was gone to just before."""
    last, room = draft.entries[-1].proposition if draft.entries else None, draft.things.last(Kind.ROOM)
    if last is None or room is None or last.subject != ROBOT or last.predicate != "is_in_room":
        return None
    return room if last.place.key == room.term.key and room.clause == draft.things.clause - 1 else None


def what_is_there(draft: Draft, asked: Clause, clause: Clause) -> tuple[Where, ...]:
    """``make the bed: the book goes on the shelf``, the one that is on it; where `clause` puts nothing there."""
    ids = {id for n in asked.items if isinstance(n, Noun) and draft.things.kind_of(n) is Kind.FURNITURE
           for id in _ids(draft, n)}
    onto = {id for item in clause.items if isinstance(item, Prep) for id in _ids(draft, item)}
    return (Where(Relation.ON, tuple(sorted(ids))),) if ids and not ids & onto else ()


def goes_on(clause: Clause) -> bool:
    """Whether more of what was said to be tidied may be named: ``... The mug goes in the sink. The pen goes ...``"""
    nouns = [i for i in clause.items if isinstance(i, Noun)]
    return clause.frame in ("put", "stow") and not clause.ordered and not any(n.indefinite or n.number for n in nouns)


def _refines(clause: Clause, wish: bool) -> bool:
    """``Clear the table and put everything in the sink``. What is asked for after a wish is what is wished for."""
    nouns = [i for i in clause.items if isinstance(i, Noun)]
    several = any(n.every or n.plural or n.number or n.indefinite or n.pronoun in ("them", "it")
                  or n.other or n.words == ("everything",) for n in nouns)
    switches = clause.frame in ("power_on", "power_off", "open", "close")
    plainer = clause.frame in _PLAINER or clause.details or wish and switches
    return plainer and not clause.ordered and (several or wish or clause.details)


def _of_what_it_takes(draft: Draft, clause: Clause, vague: Vague) -> bool:
    """``Set the table. Move the plates there``: what it was taken to need, or more of that sort, is named; flowers are
    put there as well. The fork to the left of the plate only says where on the table."""
    nouns = [i for i in clause.items if isinstance(i, Noun) and not (i.more or i.other)]
    places = [i.relation for i in clause.items if isinstance(i, Prep)]
    if clause.frame not in _PLAINER or places and set(places) <= {"next_to", "between", "together"}:
        return False
    entries = draft.entries[vague.entries.start:vague.entries.stop]
    taken = _sorts(draft, (e.proposition.subject for e in entries))
    return any(taken & _sorts(draft, _terms(draft, n)) for n in nouns)


def _sorts(draft: Draft, terms: Iterable[Term]) -> set[Words]:
    """What things are called: a plate, a dish; of what was not seen yet, what all that it may be is called."""
    names: set[Words] = set()
    for term in terms:
        names |= {name for id in term.ids if id in draft.graph
                  for name in draft.vocabulary.parents(draft.graph[id].category)}
        if not term.ids and term.description is not None and term.description.categories:
            names |= set.intersection(*(set(draft.vocabulary.parents(c)) for c in term.description.categories))
    return names - {("container",)}


def _of_what_is_there(draft: Draft, clause: Clause, vague: Vague) -> bool:
    """``Organize the study. Put the stapler on the desk``, ``tidy the desk and put the pen in the drawer``: it is about
    what is there; in the same sentence, of what is moved."""
    if clause.frame not in _PLAINER or not vague.things or vague.use or not (vague.loose or clause.opens):
        return False
    places = {id for w in where_it_is(vague) for id in w.ids}
    about = (Noun, Prep) if clause.opens else Noun
    meant = any(id in places or _within(draft, id, places) for item in clause.items
                if isinstance(item, about) for id in _ids(draft, item))
    if not meant:
        _seen(draft, clause, where_it_is(vague))
    return meant


def _seen(draft: Draft, clause: Clause, where: tuple[Where, ...]) -> None:
    """Errors: NotSeen, to be looked for `where` the clause before was about, where it is not known yet where the things
    are that a clause names."""
    if draft.complete:
        return
    for noun in (i for i in clause.items if isinstance(i, Noun) and i.words and not i.pronoun):
        try:
            found = draft.things.resolve(Placed(noun), (Kind.OBJECT,), mention=False)
        except Refusal:
            continue
        for thing in (t for t in found if not t.term.ids):
            description = thing.term.description
            wanted = replace(description, where=description.where or where) if description is not None else None
            if not draft.not_there(wanted):
                raise NotSeen(f"I do not know yet where {noun.text!r} is", [noun.text], wanted, every=False)


def _left_alone(draft: Draft, clause: Clause, vague: Vague) -> bool:
    """Whether it says what stays where something is to be tidied."""
    if clause.verb.partition(" ")[0] not in ("leave", "keep", "stay"):
        return False
    places = {id for i in clause.items if isinstance(i, Prep) and i.relation in ("on", "in", "to", "at", "next_to")
              for id in _ids(draft, i)}
    named = {id for i in clause.items if isinstance(i, Noun) and not (i.pronoun or i.words == ("everything",))
             for id in _ids(draft, i)}
    there = {id for id in named if (edge := draft.graph.support(id)) is not None and edge.object in places}
    return not places or bool(there) or _onto_it(draft, clause, vague)


def _onto_it(draft: Draft, clause: Clause, vague: Vague) -> bool:
    """Whether things are to go where nothing is to be left."""
    places = {id for w in where_it_is(vague) for id in w.ids}
    goes = [item for item in clause.items if isinstance(item, Prep) and item.relation in ("on", "in", "to", "at")]
    return any(set(_ids(draft, item)) & places for item in goes[-1:])  # what is on it on the shelf


def _ids(draft: Draft, item: Noun | Prep) -> tuple[str, ...]:
    return tuple(id for t in _terms(draft, item) for id in t.ids if id in draft.graph)


def _terms(draft: Draft, item: Noun | Prep) -> tuple[Term, ...]:
    noun = item if isinstance(item, Noun) else item.noun
    if not (noun.words or noun.pronoun):  # together, next to each other
        return ()
    kinds = SUPPORTS if noun is not item and noun.pronoun else ()  # put the vase on it: the table
    try:
        found = draft.things.resolve(Placed(noun), kinds, mention=False)
    except Refusal:
        return ()
    return tuple(t.term for t in found)


def _within(draft: Draft, id: str, places: set[str]) -> bool:
    room, edge = draft.graph.room_of(id), draft.graph.support(id)
    return room is not None and room.id in places or edge is not None and edge.object in places
