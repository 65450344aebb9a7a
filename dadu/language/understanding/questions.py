"""Conditions: answered at once where memory knows, else questions for the robot to look into."""

from __future__ import annotations

from dataclasses import dataclass, replace

from dadu.goals.belief import holds
from dadu.goals.candidates import candidates
from dadu.goals.goal import Proposition, Question, Term, Where
from dadu.language.reading.syntax import Condition, Noun, Prep
from dadu.language.refusal import NotSeen, Refusal
from dadu.language.understanding.draft import Draft
from dadu.language.understanding.things.attachment import Placed
from dadu.language.understanding.things.things import SUPPORTS, Thing
from dadu.world.graph import Kind, Relation


@dataclass(frozen=True)
class Answer:
    """What memory knows of a condition."""

    yes: bool
    text: str
    thing: Thing | None = None


def answer(draft: Draft, condition: Condition) -> Answer | Question:
    """Errors: Refusal naming words that are not understood."""
    if condition not in draft.answers:
        draft.answers[condition] = _answer(draft, condition)
    return draft.answers[condition]


def _answer(draft: Draft, condition: Condition) -> Answer | Question:
    noun, state = condition.noun, condition.state
    if state in ("is_filled", "is_empty") and noun.pronoun == "it" and _of_anything(draft):
        piece = draft.things.resolve(Placed(noun), (Kind.FURNITURE,))[0]  # anything in the microwave? It is empty
        noun = Noun(draft.vocabulary.lexicon.normal(piece.term.ids[0]), noun.text)
    if state == "is_filled" and _is_place(draft, noun):
        raise Refusal(f"I cannot tell whether {noun.text!r} is full; I can tell whether it is empty", [noun.text])
    if state == "is_empty" and _is_place(draft, noun):
        nothing = Condition("exists", Noun(("thing",), "anything", indefinite=True), (Prep("in", noun),),
                            negated=not condition.negated, text=condition.text)
        spoken = len(draft.things.mentions)
        found = answer(draft, nothing)
        del draft.things.mentions[spoken:]  # of the place it was spoken, not of what is there
        draft.things.resolve(Placed(noun))
        return found
    if state:
        return _state(draft, condition)
    if condition.look:
        return _look(draft, condition)
    return _existence(draft, condition)


def _of_anything(draft: Draft) -> bool:
    """Whether no thing in particular was spoken of last, but where it would be."""
    last, piece = draft.things.last(Kind.OBJECT), draft.things.last(Kind.FURNITURE)
    general = last is not None and last.noun is not None and last.noun.words[-1:] and (
        last.noun.words[-1] in draft.vocabulary.lexicon.plain_nouns)
    return bool(general) and piece is not None and len(piece.term.ids) == 1


def _is_place(draft: Draft, noun: Noun) -> bool:
    return draft.things.kind_of(noun) in SUPPORTS


def _state(draft: Draft, condition: Condition) -> Answer:
    """States are not seen by looking; memory is asked."""
    thing = draft.things.resolve(Placed(condition.noun, condition.preps))[0]
    if not thing.term.ids and thing.kind is Kind.OBJECT and not draft.complete:
        raise NotSeen(f"I do not know yet whether {condition.text!r}", [condition.noun.text], thing.term.description,
                      every=False)
    p = Proposition(condition.state, Term(thing.term.key, thing.term.ids, thing.term.description))
    unseen = not thing.term.ids and thing.kind is Kind.OBJECT  # dirty, as what is seen and not known to be clean is
    yes = (condition.state == "is_dirty" if unseen else holds(p, draft.graph)) != condition.negated
    return Answer(yes, f"as far as I know, {'yes' if yes else 'no'}", thing)


def _look(draft: Draft, condition: Condition) -> Answer | Question:
    """``the bowl on the sofa is blue``, of the bowl that is spoken of."""
    kinds = (Kind.OBJECT,) if condition.noun.pronoun else ()  # take it to the sink; if it is red, wash it: not the sink
    thing = draft.things.resolve(Placed(condition.noun, condition.preps), kinds)[0]
    described = replace(thing.description, attributes=(*thing.description.attributes, condition.look))
    found = [e.id for e in candidates(described, draft.graph) if e.id in thing.term.ids]
    if not thing.term.ids:
        return Question(condition.text, described, 1, None, condition.negated)
    return Answer(bool(found) != condition.negated, f"as far as I know, {'yes' if found else 'no'}", thing)


def _existence(draft: Draft, condition: Condition) -> Answer | Question:
    """Whether there is such a thing there."""
    noun = condition.noun
    asked = list(draft.answers.values())[-1:]
    if noun.pronoun == "any" and draft.things.last(Kind.OBJECT) is None and asked and isinstance(asked[0], Answer):
        return replace(asked[0], yes=asked[0].yes != condition.negated)  # check the fridge for milk; if there is any
    try:
        thing = _thing(draft, noun, condition.preps, condition.kind == "is")
    except Refusal as refusal:
        if not draft.complete or not _is_known(draft, noun) or any(p.noun.pronoun for p in condition.preps):
            raise
        return Answer(condition.negated, str(refusal).partition(";")[0])
    if thing.kind is not Kind.OBJECT:
        there = ", ".join(thing.term.ids)
        return Answer(bool(there) != condition.negated, f"{thing.term.name}: {there}", thing)
    number = noun.number or 1
    found = candidates(thing.description, draft.graph)
    if len(found) >= number:
        names = ", ".join(e.id for e in found)
        return Answer(not condition.negated, f"there is {names}", thing)
    if draft.complete:
        return Answer(condition.negated, f"there is none of {thing.term.name!r} there", thing)
    return Question(condition.text, thing.term.description, number, None, condition.negated)


def _thing(draft: Draft, noun: Noun, preps: tuple[Prep, ...], located: bool) -> Thing:
    """The thing asked for; ``any`` and ``it`` are what was spoken of last, here at the place now named. Where it is
    asked whether a certain thing is `located` somewhere, it is spoken of as such, be it there or not."""
    if located or noun.pronoun in ("any", "it", "them", "one"):
        kinds = (Kind.OBJECT,) if noun.pronoun and preps and draft.things.last(Kind.OBJECT) is not None else ()
        last = draft.things.resolve(Placed(noun), kinds)[0] if located else draft.things.last(Kind.OBJECT)
        if last is None or last.term.description is None:
            raise Refusal(f"I do not know what {noun.text!r} stands for", [noun.text])
        if not preps or last.kind is not Kind.OBJECT:
            return last
        where = tuple(_where_it_was(draft, p) or draft.things.where(p) for p in preps)
        description = replace(last.term.description, where=where)
        ids = tuple(e.id for e in candidates(description, draft.graph))
        return replace(last, term=replace(last.term, ids=ids, description=description))
    return draft.things.resolve(Placed(noun, preps))[0]


def _where_it_was(draft: Draft, prep: Prep) -> Where | None:
    """``from the fridge to the table; if it is not there``: in the fridge; None where it comes from nowhere."""
    spoken = [t for t in draft.things.mentions if t.clause >= draft.things.clause - 1]
    source = next((t for t in spoken if t.source), None) if prep.noun.pronoun == "there" else None
    if source is None or source.kind is Kind.ROOM:
        return None
    return Where(Relation.ON, source.term.ids)


def _is_known(draft: Draft, noun: Noun) -> bool:
    """Whether the words are understood, be there such a thing or not."""
    try:
        draft.things.nouns.meaning(noun.words, noun.text, (), noun.uses)
    except Refusal:
        return False
    return True
