"""What is moved: which things a verb's nouns mean after all that was said before."""

from __future__ import annotations

from dataclasses import replace

from dadu.goals.candidates import candidates
from dadu.goals.goal import Where
from dadu.language.reading.syntax import Noun
from dadu.language.refusal import Refusal
from dadu.language.understanding.draft import IT, Draft
from dadu.language.understanding.frames.several import one_each
from dadu.language.understanding.needs import meant_by_it
from dadu.language.understanding.things.attachment import Placed, Reading
from dadu.language.understanding.things.things import Thing
from dadu.world.graph import Kind, Relation

_FITTING = {"suitable", "fitting", "appropriate", "adequate"}
"""for what was wished for"""


def subjects(draft: Draft, reading: Reading) -> list[Thing]:
    """The things to be moved, in the state that is asked for."""
    out = [replace(t, noun=replace(t.noun, each=True)) if placed.noun.each and t.noun is not None else t
           for placed in reading.objects or (Placed(IT),) for t in resolved(draft, placed)]
    out = one_each(out)
    for thing in out:
        draft.require(thing)
    draft.things.moved, draft.things.together = out, out if len(out) > 1 else []
    return out


_ANYTHING = (("item",), ("everything",), ("thing",), ("object",), ("stuff",), ("something",), ("anything",))


def resolved(draft: Draft, placed: Placed) -> list[Thing]:
    """The objects of a noun. ``All items`` after ``clear the table`` are those on the table, ``something`` after ``I am
    thirsty`` is something to drink."""
    noun, about = placed.noun, draft.vague
    if noun.pronoun == "it" and noun.text.endswith("s") and len(cut := _sliced(draft)) > 1:  # the slices
        return cut
    if noun.pronoun == "it" and (vessel := _just_filled(draft)) is not None:
        return [vessel]
    if noun.words in _ANYTHING and noun.text.split()[0] in ("both", "these", "those", "each") and not placed.where:
        spoken = draft.things.resolve(Placed(Noun(pronoun="them", text=noun.text)), (Kind.OBJECT,), mention=False)
        if len(spoken) > 1:  # take the cup and the fork; put both items on the table
            return spoken
    if about is not None and about.things and noun.other and noun.text.split()[-1] == "rest":
        return [_rest_of(draft, about.things[0], noun)]
    plain = noun.words in _ANYTHING and not placed.where and (
        not noun.uses or about is not None and bool(about.use) and not noun.joined)
    if set(noun.words) & _FITTING and (about is None or not about.use):
        raise Refusal(f"I do not know what for in {noun.text!r}; say what it is needed for", [noun.text])
    if noun.words == ("everything",) and about is None and not placed.where and (spoken := _all_spoken_of(draft)):
        return spoken
    general = noun.words[-1:] and noun.words[-1] in (*draft.vocabulary.lexicon.vague_nouns, "drink", "fruit", "toy")
    if about is not None and about.use and general and not placed.where and not noun.uses:  # thirsty: two drinks
        fit = any(draft.vocabulary.is_a(c, noun.words[-1]) for c in draft.things.nouns.good_for(about.use))
        own = draft.vocabulary.lexicon.vague_nouns.get(noun.words[-1])
        kinds = any(tier == 2 for _, tier in draft.vocabulary.named(noun.words))  # a snack is one of several kinds
        both = (about.use, own) if own is not None and kinds else (about.use,)
        try:
            return draft.things.resolve(
                replace(placed, noun=replace(noun, uses=both) if fit else noun), (Kind.OBJECT,))
        except Refusal:  # what was said last counts
            return draft.things.resolve(placed, (Kind.OBJECT,))
    last = draft.things.last(Kind.OBJECT)
    if noun.pronoun == "it" and about is not None and about.use and last is not None and not last.implied and (
            last.clause == draft.things.clause - 1 and last not in about.things):
        return draft.things.resolve(placed, (Kind.OBJECT,))  # I spilled tea on my shirt; take it to the washer
    if about is not None and (about.things or about.use) and (plain or noun.pronoun in ("them", "it", "needed")):
        return draft.things.less(meant_by_it(draft, noun, about), noun)
    found = draft.things.resolve(placed, (Kind.OBJECT,))
    if not any(t.every for t in found) and any(p.relation == "from" and p.noun.each for p in placed.where):
        return [one for thing in found for one in _from_each(draft, thing)]
    return found


def _rest_of(draft: Draft, about: Thing, noun: Noun) -> Thing:
    """``clear the desk: the books go on the shelf and the rest in the box``. Errors: Refusal where nothing is left."""
    named = {id for t in draft.things.mentions if t.clause >= draft.things.clause and t.term.key != about.term.key
             for id in t.term.ids}
    ids = tuple(id for id in about.term.ids if id not in named)
    if not ids or about.term.description is None:
        raise Refusal(f"nothing is left for {noun.text!r}", [noun.text])
    description = replace(about.term.description, categories=(), ids=ids, alternatives=())
    term = replace(about.term, key=f"{about.term.key} {noun.text}", ids=ids, description=description)
    return replace(about, term=term)


def _sliced(draft: Draft) -> list[Thing]:
    """All that was sliced."""
    keys = {e.proposition.subject.key for e in draft.entries if e.proposition.predicate == "is_sliced"}
    return list({t.term.key: t for t in draft.things.mentions if t.term.key in keys}.values())


def _from_each(draft: Draft, thing: Thing) -> list[Thing]:
    """``one item from each shelf``: another one for each place; where nothing is, that is said.
    Errors: Refusal where nothing is anywhere."""
    description, out = thing.description, []
    places = description.where[-1] if description.where else Where(Relation.ON, ())
    for id in places.ids:
        there = replace(description, where=(*description.where[:-1], replace(places, ids=(id,))))
        ids = tuple(e.id for e in candidates(there, draft.graph))
        if not ids and draft.complete:
            draft.note(f"there is none of {thing.term.name!r} at {id}")
            continue
        term = replace(thing.term, key=f"{thing.term.key}/{id}", ids=ids, description=there)
        out.append(replace(thing, term=term))
    if not out:
        raise Refusal(f"there is none of {thing.term.name!r} at {', '.join(places.ids)}", [thing.term.name])
    return out


def _all_spoken_of(draft: Draft) -> list[Thing]:
    """``put the potato on a plate and bring everything to the table``: what was done something with, less what lies on
    or in another of them."""
    on = {e.proposition.subject.key for e in draft.entries if e.proposition.object is not None and any(
        id in draft.graph and draft.graph[id].kind is Kind.OBJECT for id in e.proposition.object.ids)
          and e.proposition.predicate in ("is_inside", "is_on_top")}
    about = {t.key for e in draft.entries for t in (e.proposition.subject, e.proposition.object) if t is not None}
    spoken = {t.term.key: t for t in draft.things.mentions if t.kind is Kind.OBJECT and t.term.key in about - on}
    return list(spoken.values())


def _just_filled(draft: Draft) -> Thing | None:
    """``rinse the mug, put the fork in it and place it on the cart``: the mug, which was ``it`` before."""
    last = draft.entries[-1].proposition if draft.entries else None
    if last is None or last.predicate not in ("is_inside", "is_on_top") or not all(
            id in draft.graph and draft.graph[id].kind is Kind.OBJECT for id in last.place.ids):
        return None
    spoken = [t for t in draft.things.mentions if t.clause == draft.things.clause - 1]
    before = [t for t in draft.things.mentions if t.clause < draft.things.clause - 1]
    return next((t for t in before if t.term.key == last.place.key and not any(
        s.term.key == t.term.key and s.noun is not None and s.noun.words and s in spoken for s in spoken)), None)
