"""Conditions: answered at once where memory knows, else questions for the robot to look into."""

from __future__ import annotations

from dataclasses import dataclass, replace

from dadu.goals.belief import holds
from dadu.goals.goal import Proposition, Question
from dadu.language.discourse import SUPPORTS, Discourse, Referent, Role
from dadu.language.frames.frame import Ask
from dadu.language.frames.noun import NounPhrase, PlacePhrase
from dadu.language.grounding.nouns.naming import known
from dadu.language.grounding.nouns.phrases import text_of, words_of
from dadu.language.grounding.nouns.resolve import resolve
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
    if ask.state in ("empty", "filled") and (place := _place(ask.what, scene, said)) is not None:
        if ask.state == "filled":
            raise Refusal(f"I cannot tell whether {text_of(ask.what)!r} is full; I can tell whether it is empty",
                          [text_of(ask.what)])
        anything = NounPhrase("thing", determiner="indefinite", text="anything")
        inside = Ask(anything, PlacePhrase("in", (ask.what,)), None, not ask.negated, ask.text)
        return _exists(inside, scene, said)[0], said.mention([place], Role.PLACE)
    return _in_state(ask, scene, said) if ask.state is not None else _exists(ask, scene, said)


def _place(np: NounPhrase, scene: Setting, said: Discourse) -> Referent | None:
    try:
        thing = resolve(np, scene, said)[0]
    except Refusal:
        return None
    return thing if thing.kind in SUPPORTS else None


def _there(ask: Ask) -> NounPhrase:
    return replace(ask.what, places=(*ask.what.places, *((ask.at,) if ask.at is not None else ())))


def _in_state(ask: Ask, scene: Setting, said: Discourse) -> tuple[KnownAnswer, Discourse]:
    """States are not seen by looking; memory is asked."""
    thing = resolve(_there(ask), scene, said)[0]
    said = said.mention([thing])
    text = ask.text or f"{thing.term.name} is {ask.state}"
    if not thing.term.ids and thing.kind is Kind.OBJECT and not scene.complete:
        raise NotSeen(f"I do not know yet whether {text!r}", [text], thing.term.description, every=False)
    so = holds(Proposition(f"is_{ask.state}", replace(thing.term, ids=thing.term.ids)), scene.graph)
    yes = so != ask.negated
    return KnownAnswer(yes, f"{text}: as far as I know, {'yes' if yes else 'no'}", thing), said


def _exists(ask: Ask, scene: Setting, said: Discourse) -> tuple[KnownAnswer | Question, Discourse]:
    """Whether there is such a thing there."""
    text = ask.text or text_of(ask.what)
    try:
        thing = _of_last(ask, scene, said) or resolve(_any(_there(ask)), scene, said)[0]
    except NotSeen:
        raise
    except Refusal as refusal:
        words = words_of(ask.what, scene)
        if not scene.complete or not (known(words, scene) or known(words[-1:], scene)):
            raise
        return KnownAnswer(ask.negated, str(refusal).partition(";")[0]), said
    said = said.mention([thing])
    if thing.kind is not Kind.OBJECT or thing.term.description is None:
        return KnownAnswer(bool(thing.term.ids) != ask.negated, f"{text}: {', '.join(thing.term.ids)}", thing), said
    number = ask.what.quantity.number or 1
    found = scene.ids(thing.term.description)
    if len(found) >= number:
        return KnownAnswer(not ask.negated, f"{text}: there is {', '.join(found)}", thing), said
    if scene.complete or scene.not_there(thing.term.description):
        return KnownAnswer(ask.negated, f"{text}: there is none of {thing.term.name!r} there", thing), said
    return Question(text, thing.term.description, number, None, ask.negated), said


def _any(np: NounPhrase) -> NounPhrase:
    """Whether there are any: one will do."""
    return replace(np, quantity=replace(np.quantity, amount=""), determiner="indefinite", plural=False,
                   text=text_of(np)) if not np.pronoun else np


def _of_last(ask: Ask, scene: Setting, said: Discourse) -> Referent | None:
    """``any`` and ``it`` are what was spoken of last, here at the place now named."""
    if ask.what.pronoun not in ("it", "them", "any", "none", "one"):
        return None
    last = said.last(Kind.OBJECT)
    if last is None or last.term.description is None:
        raise Refusal(f"I do not know what {text_of(ask.what)!r} stands for", [text_of(ask.what)])
    if ask.at is None:
        return last
    bare = replace(last.phrase, places=(ask.at,), pronoun="") if last.phrase.name else None
    return resolve(_any(bare), scene, replace(said, mentions=said.mentions))[0] if bare is not None else last
