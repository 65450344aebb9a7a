"""What a wish or a purpose takes: one thing that is good for it, or all that it needs together."""

from __future__ import annotations

from dataclasses import replace

from dadu.knowledge.commonsense import uses
from dadu.language.reading.syntax import Noun
from dadu.language.refusal import Refusal
from dadu.language.understanding.draft import Draft, Vague
from dadu.language.understanding.things.attachment import Placed
from dadu.language.understanding.things.things import Thing
from dadu.world.graph import Kind


def wanted(draft: Draft, name: str, text: str) -> Thing:
    """One thing that is good for a use. Errors: Refusal where there is none."""
    noun = Noun(("thing",), f"something for {text!r}", indefinite=True, uses=(name,))
    return draft.things.resolve(Placed(noun), (Kind.OBJECT,))[0]


def needed(draft: Draft, name: str, extra: tuple[Noun, ...] = ()) -> list[Thing]:
    """All that a use takes together; what the house is known to lack is left out, which is said.
    Errors: Refusal where there is nothing of it."""
    out, missing = [], []
    for slot in uses()[name].needs:
        words = (slot,) if isinstance(slot, str) else slot
        found = _first(draft, words)
        out += [found] if found is not None else []
        missing += [] if found is not None else [" or ".join(words)]
    out += [thing for noun in extra for thing in draft.things.resolve(Placed(noun), (Kind.OBJECT,))]
    if not out:
        return [wanted(draft, name, name.replace("_", " "))]
    if missing:
        draft.note(f"not here: {', '.join(missing)}")
    return out


def _first(draft: Draft, words: tuple[str, ...]) -> Thing | None:
    """The first of these that is here; any of them, where none has been seen yet; None where the house lacks all."""
    things = [t for word in words if (t := _called(draft, word)) is not None]
    seen = next((t for t in things if t.term.ids), None)
    if seen is not None or len(things) < 2:
        return seen or next(iter(things), None)
    first, *others = (Noun(draft.vocabulary.lexicon.normal(w), w.replace("_", " "), indefinite=True) for w in words)
    noun = replace(first, alternatives=tuple(others), text=" or ".join(n.text for n in (first, *others)))
    return draft.things.resolve(Placed(noun), (Kind.OBJECT,))[0]


def _called(draft: Draft, word: str) -> Thing | None:
    """A thing called so, or None where the house is known to lack it."""
    words = draft.vocabulary.lexicon.normal(word)
    noun = Noun(words, word.replace("_", " "), indefinite=True, without=tuple(draft.things.unwanted))
    try:
        thing = draft.things.resolve(Placed(noun), (Kind.OBJECT,))[0]
    except Refusal:
        return None
    there = {draft.graph[id].category for id in thing.term.ids}
    return thing if not there or any(draft.vocabulary.is_a(c, word) for c in there) else None


def meant_by_it(draft: Draft, noun: Noun, about: Vague) -> list[Thing]:
    """``something`` after ``I am thirsty`` is something to drink, ``what I need`` is all that it takes."""
    all_of_it = noun.words == ("everything",) and bool(uses()[about.use].needs) if about.use else False
    if (noun.pronoun == "needed" or all_of_it) and about.use:  # I want cereal: put everything on the table
        return needed(draft, about.use, about.extra)
    if about.use and noun.uses and _to_do_with_it(noun, about.use):
        return [wanted(draft, about.use, about.text)]
    if about.use and (noun.uses or noun.without):
        try:
            return draft.things.resolve(Placed(replace(noun, uses=(about.use, *noun.uses))), (Kind.OBJECT,))
        except Refusal:  # nothing is good for both: what was said last counts
            return draft.things.resolve(Placed(noun), (Kind.OBJECT,))
    if not about.things and about.use:  # nothing here is good for it, which is told
        return [wanted(draft, about.use, about.text)]
    return list(about.things)


def _to_do_with_it(noun: Noun, use: str) -> bool:
    """``My hands are sticky: something to clean them``: whether that is what was wished for."""
    said = noun.text.split()
    return bool({"it", "them"} & set(said)) and all(uses()[u].any for u in noun.uses) and any(
        set(said[said.index("to") + 1:][:1]) & set(phrase.split()) for phrase in uses()[use].phrases if "to" in said)
