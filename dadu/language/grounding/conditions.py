"""Conditions: answered at once where memory knows, else questions for the robot to look into."""

from __future__ import annotations

from dataclasses import dataclass, replace

from dadu.goals.belief import holds
from dadu.goals.goal import Description, Proposition, Question
from dadu.language.discourse import SUPPORTS, Discourse, Referent, Role
from dadu.language.frames.frame import Ask
from dadu.language.frames.noun import NounPhrase, PlacePhrase
from dadu.language.grounding.nouns.naming import known
from dadu.language.grounding.nouns.phrases import text_of, words_of
from dadu.language.grounding.nouns.resolve import kind_of, resolve, resolve_all, tried
from dadu.language.grounding.scene import Setting
from dadu.language.refusal import NotSeen, Refusal
from dadu.world.graph import Kind


@dataclass(frozen=True)
class KnownAnswer:
    """What memory knows of a condition."""

    yes: bool
    text: str
    thing: Referent | None = None


def answer(ask: Ask, scene: Setting, said: Discourse) -> tuple[KnownAnswer | Question, Discourse]:
    """And what was spoken of by it. Errors: Refusal naming words that are not understood."""
    there = _of_what_is_there(ask, scene, said)
    if there is not ask:  # what is in it was not spoken of
        return _exists(there, scene, said)[0], _places(there, scene, said)
    return _in_state(ask, scene, said) if ask.state is not None else _exists(ask, scene, said)


def _of_what_is_there(ask: Ask, scene: Setting, said: Discourse) -> Ask:
    """``if the drawer is empty``: whether there is nothing in it; ``it``, the place that was looked at before."""
    last = said.mentions[-1] if said.mentions else None
    if ask.state != "empty" or ask.at is not None:
        return ask
    if ask.what.pronoun == "it" and last is not None and last.kind is Kind.FURNITURE:
        at = last.phrase if last.phrase.name else NounPhrase(last.term.ids[0])
    elif not ask.what.pronoun and kind_of(ask.what, scene, said) is Kind.FURNITURE:
        at = ask.what
    else:
        return ask
    anything = NounPhrase("thing", determiner="indefinite", text=f"anything in or on {text_of(at)}")
    return replace(ask, what=anything, at=PlacePhrase("at", (at,)), state=None, negated=not ask.negated)


def _there(ask: Ask) -> NounPhrase:
    return replace(ask.what, places=(*ask.what.places, *((ask.at,) if ask.at is not None else ())))


def _in_state(ask: Ask, scene: Setting, said: Discourse) -> tuple[KnownAnswer, Discourse]:
    """States are not seen by looking; memory is asked."""
    thing = resolve(_there(ask), scene, said)[0]
    if thing.kind in SUPPORTS and ask.state in ("empty", "filled"):  # a room, or full
        raise Refusal(f"I cannot tell whether {text_of(ask.what)!r} is {ask.state}", [text_of(ask.what)])
    said = said.mention([thing])
    text = ask.text or f"{thing.term.name} is {ask.state}"
    if not thing.term.ids and thing.kind is Kind.OBJECT and not scene.complete:
        raise NotSeen(f"I do not know yet whether {text!r}", [text], thing.term.description, every=False)
    so = holds(Proposition(f"is_{ask.state}", replace(thing.term, ids=thing.term.ids)), scene.graph)
    yes = so != ask.negated
    return KnownAnswer(yes, f"{text}: as far as I know, {'yes' if yes else 'no'}", thing), said


def _exists(ask: Ask, scene: Setting, said: Discourse) -> tuple[KnownAnswer | Question, Discourse]:
    """Is there such a thing there; at the place that was just looked at, where none is named."""
    ask = _at_what_was_looked_at(ask, said)
    text = ask.text or text_of(ask.what)
    if ask.what.pronoun == "it" and ask.at is None and ask.what.attributes:
        raise Refusal(f"I cannot choose by what it looks like: {text!r}", [text])
    try:
        thing = _of_last(ask, scene, said) or resolve(_any(_there(ask)), scene, said)[0]
    except Refusal as refusal:
        if not (scene.complete and _is_known(ask, scene)):
            raise
        return KnownAnswer(ask.negated, str(refusal).partition(";")[0]), _spoken_of(ask, scene, said)
    said = _places(ask, scene, said).mention([thing])
    if thing.kind is not Kind.OBJECT or thing.term.description is None:
        return KnownAnswer(bool(thing.term.ids) != ask.negated, f"{text}: {', '.join(thing.term.ids)}", thing), said
    return _counted(ask, thing, thing.term.description, scene), said


def _counted(ask: Ask, thing: Referent, wanted: Description, scene: Setting) -> KnownAnswer | Question:
    """Are there as many as are asked for?"""
    text, number = ask.text or text_of(ask.what), ask.what.quantity.number or 1
    found = scene.ids(wanted)
    if len(found) >= number:
        return KnownAnswer(not ask.negated, f"{text}: there is {', '.join(found)}", thing)
    if scene.complete or scene.not_there(wanted):
        return KnownAnswer(ask.negated, f"{text}: there is none of {thing.term.name!r} there", thing)
    return Question(text, wanted, number, None, ask.negated)


def _is_known(ask: Ask, scene: Setting) -> bool:
    """True if there are such things somewhere, whatever is here."""
    words = words_of(ask.what, scene)
    return bool(known(words, scene) or known(words[-1:], scene))


def _at_what_was_looked_at(ask: Ask, said: Discourse) -> Ask:
    """``check the cupboard: if there is soda``, in it."""
    looked = next(iter(said.mentions[-1:]), None)
    named = ask.at is not None or ask.what.pronoun or ask.what.places
    if named or looked is None or looked.role is not Role.PLACE or looked.turn != said.turn - 1:
        return ask
    return replace(ask, at=PlacePhrase("at", (looked.phrase,)))


def _places(ask: Ask, scene: Setting, said: Discourse) -> Discourse:
    """The place that is asked about is what "there" is."""
    return resolve_all(ask.at.nouns, scene, said, role=Role.PLACE)[1] if ask.at is not None else said


def _spoken_of(ask: Ask, scene: Setting, said: Discourse) -> Discourse:
    """``unless the bowl is on the table, put it there``: spoken of, wherever it is."""
    said = _places(ask, scene, said)
    return said.mention(tried(ask.what, scene, said))


def _any(np: NounPhrase) -> NounPhrase:
    """Asks for any: one will do."""
    return replace(np, quantity=replace(np.quantity, amount=""), determiner="indefinite", plural=False,
                   text=text_of(np)) if not np.pronoun else np


def _of_last(ask: Ask, scene: Setting, said: Discourse) -> Referent | None:
    """``any`` and ``it`` are what was spoken of last, here at the place now named."""
    if ask.what.pronoun not in ("it", "them", "any", "none", "one"):
        return None
    last = said.last(Kind.OBJECT)
    if last is None or last.term.description is None:
        raise Refusal(f"I do not know what {text_of(ask.what)!r} stands for", [text_of(ask.what)])
    if not last.phrase.name or ask.at is None and not ask.what.attributes:
        return last
    described = replace(last.phrase, attributes=(*last.phrase.attributes, *ask.what.attributes),
                        places=(ask.at,) if ask.at is not None else last.phrase.places)
    return resolve(_any(described), scene, said)[0]
