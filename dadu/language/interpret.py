"""From an instruction to a goal: clause by clause, what each verb asks for, in which order and on what condition."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from functools import partial

from dadu.goals.goal import Goal, Question, Where
from dadu.knowledge.vocabulary import Vocabulary, default_vocabulary
from dadu.language.reading.corrections import restated
from dadu.language.reading.nouns.phrases import LIGHTS
from dadu.language.reading.sentences import parse
from dadu.language.reading.syntax import BACKGROUND, Clause, Condition, Item, Noun, Prep
from dadu.language.reading.words.spelling import corrected
from dadu.language.refusal import NotSeen, Refusal
from dadu.language.understanding.announced import only_announces, only_orders, rooms_of
from dadu.language.understanding.apposition import explained
from dadu.language.understanding.draft import Draft
from dadu.language.understanding.frames import FRAMES
from dadu.language.understanding.frames.states import has_switch
from dadu.language.understanding.frames.wishes import understood_remark
from dadu.language.understanding.holders import told_by_content
from dadu.language.understanding.instead import one_or_the_other
from dadu.language.understanding.left_out import filled_in
from dadu.language.understanding.questions import Answer, answer
from dadu.language.understanding.refining import (
    VAGUE,
    as_wished,
    goes_on,
    gone_to,
    says_how,
    what_is_there,
    where_it_is,
)
from dadu.language.understanding.things.attachment import Group, Placed, groups
from dadu.language.understanding.things.things import SUPPORTS, Thing
from dadu.language.understanding.things.whose import speaks_of_child
from dadu.language.understanding.unlisted import with_commas
from dadu.skills.outcome import Code
from dadu.world.graph import Kind, Relation, WorldGraph


def interpret(instruction: str, graph: WorldGraph, vocabulary: Vocabulary | None = None, *, complete: bool = False,
              looked: Collection[str] = ()) -> Goal:
    """The goal of `instruction` in the world of `graph`, which is all there is where it is `complete`, and all there is
    in and on the rooms and furniture `looked` at.

    Errors: Refusal naming the words that cannot be understood, or what there is not.
    """
    vocabulary = vocabulary or default_vocabulary()
    instruction, slips = corrected(instruction, graph, vocabulary)
    clauses = parse(instruction, vocabulary.lexicon)
    draft = Draft(graph, vocabulary, complete, looked, FRAMES)
    draft.notes |= dict.fromkeys(slips)
    draft.asker = _asker(draft, clauses)
    for i, clause in enumerate(clauses):
        done, behind = len(draft.entries), clauses[i + 1] if i + 1 < len(clauses) else None
        try:
            _clause(draft, clause, behind)
        except Refusal as refusal:
            draft.note(str(refusal).partition(";")[0])
            if behind is not None and _made_up_for(clause, clauses[i + 1:]):  # bring the slippers; if there are none...
                del draft.entries[done:]
                asked = behind.condition
                clauses[i + 1:] = [replace(c, condition=None) if c.condition == asked else c for c in clauses[i + 1:]]
            elif clause.purpose and i and clauses[i - 1].frame not in ("go", "find", *BACKGROUND):
                del draft.entries[done:]
                draft.note(f"not taken as part of the task: 'to {clause.text}'")
            elif not _said_in_detail(clause, behind, first=i == 0):
                raise
            else:
                del draft.entries[done:]
    _explained(draft, None)
    if all(c.frame in BACKGROUND for c in clauses):
        understood_remark(draft, " ".join(c.text for c in clauses if c.frame == "remark"))
    if draft.unplaced is not None:
        raise draft.unplaced
    if draft.unfulfilled is not None and not draft.entries:
        raise draft.unfulfilled
    return draft.goal()


def _made_up_for(clause: Clause, rest: list[Clause]) -> bool:
    """Whether the next clause says what to do where there is none of it."""
    asked = rest[0].condition if rest else None
    if asked is None or asked.kind != "exists" or not asked.negated or clause.condition is not None:
        return False
    same = any(isinstance(i, Noun) and i.words == asked.noun.words for i in clause.items)
    back = same or asked.noun.pronoun in ("it", "them", "any", "none", "one")
    return back and not any(c.otherwise for c in rest)


def _said_in_detail(clause: Clause, behind: Clause | None, *, first: bool) -> bool:
    """``pack my bag: put the laptop on the bench``, ``move some toys to the den. First, take the car...``, ``restock
    the shop. Bring the towels...``"""
    if behind is None or clause.details or clause.frame not in ("put", "bring", "stow", "heat", "refill"):
        return False
    nouns = [i for i in clause.items if isinstance(i, Noun)]
    announced = first and behind.opens and behind.frame in ("put", "bring", "take") and (
        clause.frame == "refill" or all(n.indefinite for n in nouns))
    return behind.details or announced


def _asker(draft: Draft, clauses: list[Clause]) -> Thing | None:
    """Where the person says to be, before or after what is to be brought there."""
    said = next((c.items[0] for c in clauses if c.frame == "given" and c.verb == "asker"), None)
    if not isinstance(said, Prep):
        return None
    try:
        thing = draft.things.resolve(Placed(said.noun), SUPPORTS, mention=False)[0]
    except Refusal as refusal:
        draft.note(str(refusal))
        return None
    return thing if len(thing.term.ids) == 1 else None


def _clause(draft: Draft, clause: Clause, behind: Clause | None) -> None:
    if not clause.elliptical:  # the cup, then the plate: both are spoken of together
        draft.things.clause += 1
    draft.when = None
    draft.things.child |= speaks_of_child(clause.text)
    if clause.ordered:
        draft.group += 1
    for words in clause.remarks:
        draft.note(f"not taken as part of the task: {words!r}")
    clause = filled_in(draft, restated(clause, draft.things.kind_of))
    clause = told_by_content(draft, explained(draft, with_commas(draft, clause)))
    clause = _as_can_be(draft, clause)
    if not _applies(draft, clause):
        _speak_of_places(draft, clause)
        return
    if clause.frame not in BACKGROUND:
        _explained(draft, clause)
    if only_announces(draft, clause, behind):
        clause = replace(clause, frame="prepare")
    elif only_orders(draft, clause):
        clause = replace(clause, frame="remark", items=())
    vague = draft.vague
    if vague is not None and vague.use:
        clause = as_wished(draft, clause)
    if not (clause.explains or goes_on(clause)):
        room = gone_to(draft)
        draft.things.scope = (Where(Relation.IN_ROOM, room.term.ids),) if room is not None else ()
    if vague is not None and says_how(draft, clause, vague):
        del draft.entries[vague.entries.start:vague.entries.stop]
        draft.note(f"{clause.text!r} says how it is meant")
        draft.unplaced = None
        draft.setting = vague.rooms
        draft.things.scope = where_it_is(vague)
    elif vague is not None and clause.frame not in (*BACKGROUND, *VAGUE):
        if vague.text and not clause.ordered:
            del draft.entries[vague.entries.start:vague.entries.stop]
            draft.note(f"{vague.text!r} is taken as the reason for what follows")
        vague = draft.vague = None
    laid, moved, parts = draft.laid, draft.things.moved, _parts(draft, clause)
    rows = []
    for part in parts:
        FRAMES[_frame(clause, part)](draft, clause, part)
        rows += draft.things.moved
    if len(parts) > 1 and clause.frame in ("put", "bring"):  # A and B here, C and D there: all of them
        draft.things.moved = draft.things.together = rows
    if clause.elliptical:  # the cup, then the plate and the fork: all of them
        draft.things.moved = draft.things.together = [*moved, *draft.things.moved]
    if draft.vague is vague and clause.frame not in (*BACKGROUND, *VAGUE):
        draft.vague = None
    elif draft.vague is not None and draft.vague is not vague:
        draft.vague = replace(draft.vague, rooms=rooms_of(draft, clause))
    if draft.laid is laid and not clause.details:
        draft.laid = None


def _explained(draft: Draft, clause: Clause | None) -> None:
    """What was to be prepared is explained by the clause behind it. Errors: Refusal where none is, or where it only
    comes afterwards."""
    asked, draft.unexplained = draft.unexplained, None
    if asked is None:
        return
    if clause is None or clause.ordered:
        raise Refusal(f"I do not know how to {asked.verb} something; say which things go where for {asked.text!r}",
                      [asked.verb], Code.UNKNOWN_ACTION)
    draft.note(f"{asked.text!r} is taken as the reason for what follows")
    draft.setting = rooms_of(draft, asked)
    draft.things.scope = what_is_there(draft, asked, clause) if clause.explains else ()


def _speak_of_places(draft: Draft, clause: Clause) -> None:
    """``if there is no beer, take a cola to the bench, otherwise take the beer there``: there is the bench."""
    for item in clause.items:
        if isinstance(item, Prep) and item.noun.words and draft.things.kind_of(item.noun) in SUPPORTS:
            draft.things.resolve(Placed(item.noun))


def _as_can_be(draft: Draft, clause: Clause) -> Clause:
    """With its prepositions as the world knows them: on, in, next to. Errors: Refusal for the floor."""
    for item in clause.items:
        noun = item if isinstance(item, Noun) else item.noun if isinstance(item, Prep) else Noun()
        if draft.things.is_floor(noun):
            raise Refusal(f"I cannot reach {noun.text!r}: I take things from furniture, put them on it, and clean it",
                          [noun.text], Code.UNKNOWN_ACTION)
    items = tuple(_on_a_side(draft, _destined(draft, clause, item)) for item in clause.items)
    clause = replace(clause, items=_below(draft, items))
    for item in clause.items:
        if isinstance(item, Prep) and item.approximate:
            draft.note(f"{item.approximate!r} is taken as next to")
    return clause


def _destined(draft: Draft, clause: Clause, item: Item) -> Item:
    """``for the entry table`` is where to; for whom or what for is only told."""
    if not isinstance(item, Prep) or item.relation != "for" or clause.frame in ("find", "inspect", "explore", "check",
                                                                                        "swap"):
        return item
    if draft.things.kind_of(item.noun) in SUPPORTS:
        return replace(item, relation="to")
    if item.noun.each and draft.laid is not None or item.noun.number and clause.frame == "occasion":
        return item  # a plate for each person, the table for two people
    words = f"for {item.noun.text}"
    draft.note(f"not taken as part of the task: {words!r}")
    return item


def _on_a_side(draft: Draft, item: Item) -> Item:
    """``on the left side of the table`` is on it, which side is not told apart; of a plate, or of a fridge, it is by
    it."""
    if not isinstance(item, Prep) or item.approximate not in draft.vocabulary.lexicon.sides or (
            draft.things.kind_of(item.noun) is not Kind.FURNITURE):
        return item
    pieces = [draft.graph[id] for t in draft.things.resolve(Placed(item.noun), mention=False) for id in t.term.ids]
    if not all(any(not s.inside for s in piece.surfaces) for piece in pieces):
        return item
    draft.note(f"{item.approximate!r} is taken as on: which side is not told apart")
    return replace(item, relation="on", approximate="")


def _below(draft: Draft, items: tuple[Item, ...]) -> tuple[Item, ...]:
    """``the cabinet under the sink`` is by the sink. Errors: Refusal for what is under anything else."""
    out = list(items)
    for i, item in enumerate(items):
        if not isinstance(item, Prep) or item.relation != "under" or item.noun.words[-1:] in LIGHTS:
            continue
        before = items[i - 1]
        nouns = [before.noun if isinstance(before, Prep) else before, item.noun]
        if not all(isinstance(n, Noun) and draft.things.kind_of(n) is Kind.FURNITURE for n in nouns):
            words = item.approximate
            raise Refusal(f"I can put things on, in and next to something, not {words!r}", [words], Code.UNKNOWN_ACTION)
        out[i] = replace(item, relation="next_to")
    return tuple(out)


def _applies(draft: Draft, clause: Clause) -> bool:
    """Whether the clause's condition may hold; one that only looking can tell is kept with what the clause asks for."""
    if clause.condition is None or clause.frame in ("check", "ensure"):
        return True
    if clause.elsewhere:
        draft.note(f"{clause.text!r}: what is not there is looked for elsewhere")
        return False
    found = answer(draft, clause.condition)
    if not one_or_the_other(draft, clause, _asked_before(draft, found) if isinstance(found, Question) else found):
        return False
    if isinstance(found, Answer):
        if found.yes is clause.otherwise:
            draft.note(f"{clause.condition.text!r}: {found.text}, so {clause.text!r} is left out")
        return found.yes is not clause.otherwise
    asked = _asked_before(draft, found)
    draft.questions.setdefault(asked, _asked_after(draft, clause.condition, found))
    draft.when = (asked, clause.otherwise != (asked.negated is not found.negated))
    return True


def _asked_after(draft: Draft, condition: Condition, question: Question) -> int:
    """How many entries come before: what a thing looks like is seen where it is, before it is taken away."""
    if condition.look and question.description is not None:
        plain = replace(question.description, attributes=question.description.attributes[:-1])
        return next((i for i, e in enumerate(draft.entries) if e.proposition.subject.description == plain),
                    len(draft.entries))
    return len(draft.entries)


def _asked_before(draft: Draft, question: Question) -> Question:
    """The same question, or its opposite, where it was asked already."""
    return next((q for q in draft.questions if q.description == question.description and q.number == question.number
                 and q.proposition == question.proposition), question)


def _parts(draft: Draft, clause: Clause) -> list[Group]:
    if clause.frame in ("given", "occasion", "check", "go", "explore", "swap"):
        nouns = [i for i in clause.items if isinstance(i, Noun)]
        return [Group(nouns, [i for i in clause.items if isinstance(i, Prep)])]
    kind_of = partial(_switched, draft) if clause.frame.startswith("power") else draft.things.kind_of
    parts = groups(clause, kind_of, partial(_is_there, draft))
    if clause.respectively and len(parts) == 1:
        preps = [one for p in parts[0].preps for one in p.each()]
        if len(parts[0].nouns) == len(preps):
            return [Group([n], [p]) for n, p in zip(parts[0].nouns, preps)]
        raise Refusal(f"there are not as many places as things in {clause.text!r}", ["respectively"])
    return parts


def _is_there(draft: Draft, noun: Noun, place: Prep) -> bool:
    """Whether such a thing is known to be there."""
    try:
        there = draft.things.resolve(Placed(noun, (place,)), mention=False)
        unseen = next((t for t in draft.things.resolve(Placed(noun), mention=False) if not t.term.ids), None)
    except Refusal:
        return False
    if unseen is not None and not draft.complete:
        raise NotSeen(f"I do not know yet where {noun.text!r} is", [noun.text], unseen.term.description, every=False)
    return all(t.term.ids for t in there)


def _switched(draft: Draft, noun: Noun) -> Kind | None:
    """``the lamp on the table and the television``: what has a switch is no place."""
    kind = draft.things.kind_of(noun)
    if kind is Kind.FURNITURE and all(has_switch(draft, t) for t in draft.things.resolve(Placed(noun), mention=False)):
        return Kind.OBJECT
    return kind


def _frame(clause: Clause, part: Group) -> str:
    if clause.frame == "go" and any(n.pronoun in ("it", "them") for n in part.nouns) and part.preps:
        return "bring"  # roll it to the kitchen
    if clause.frame in ("bring", "put") and not part.nouns and clause.verb.split()[0] in ("move", "return"):
        return "go" if any(p.relation == "to" for p in part.preps) else clause.frame
    return clause.frame


