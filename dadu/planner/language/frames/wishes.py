"""What people say instead of instructions: wishes, what is given, and remarks."""

from __future__ import annotations

from dadu.memory.graph import Kind
from dadu.planner.commonsense.knowledge import uses
from dadu.planner.grounding import nearest_text
from dadu.planner.language.attachment import Group, Placed
from dadu.planner.language.draft import Draft
from dadu.planner.language.frames.moving import hand_over
from dadu.planner.language.refusal import Refusal
from dadu.planner.language.syntax import Clause, Noun
from dadu.skills.outcome import Code

_GENERAL = 2
"""tier of a more general word; above it names are only similar"""
_ALIKE = 0.66
"""cosine above which a remark is taken for a wish"""


def wish(draft: Draft, clause: Clause, part: Group) -> None:
    """``I am hungry``: something that is good for it is brought."""
    try:
        fulfil(draft, clause.verb, clause.text)
    except Refusal as refusal:  # what follows may be plainer: I am exhausted, bring me a drink
        draft.unfulfilled = refusal
        draft.note(str(refusal))


def fulfil(draft: Draft, use: str, text: str) -> None:
    start = len(draft.entries)
    noun = Noun(("thing",), f"something for {text!r}", indefinite=True, uses=(use,))
    thing = draft.things.resolve(Placed(noun), (Kind.OBJECT,))[0]
    hand_over(draft, thing)
    what = ", ".join(thing.term.ids or thing.term.description.categories)
    good_for = uses()[use].phrases[0] if uses()[use].phrases else "for it"
    draft.note(f"{text!r}: something {good_for} is brought, any of {what}")
    draft.vague = (range(start, len(draft.entries)), thing)


def remark(draft: Draft, clause: Clause, part: Group) -> None:
    """Said beside the instruction; taken for a wish where it is like one and nothing else is asked for."""
    draft.note(f"not taken as a task: {clause.text!r}")
    for noun in part.nouns:
        _mention(draft, noun)


def _mention(draft: Draft, noun: Noun) -> None:
    """What was spoken of, where it is plainly called so: ``it`` may stand for it later."""
    try:
        literal = draft.things.nouns.meaning(noun.words, noun.text).tier <= _GENERAL
        if literal:
            draft.things.resolve(Placed(noun))
    except Refusal:
        return


def report(draft: Draft, clause: Clause, part: Group) -> None:
    """``tell me``: the report at the end says what was found. Errors: Refusal where something else is to be told."""
    if part.nouns:
        raise Refusal(f"I can tell what I did and found, not {part.nouns[0].text!r}", [clause.verb.split()[0]],
                      Code.UNKNOWN_ACTION)
    draft.note(f"{clause.text!r}: the report says it")


def understood_remark(draft: Draft, text: str) -> None:
    """The wish that a remark is nearest to. Errors: Refusal where it is like none."""
    wishes = {wish: name for name, use in uses().items() for wish in use.wishes}
    nearest, similarity = nearest_text(text, tuple(wishes))
    if similarity < _ALIKE:
        raise Refusal(f"I do not know what to do about {text!r}; say for instance: bring me an apple", [text],
                      Code.UNKNOWN_ACTION)
    draft.note(f"{text!r} was taken as {nearest!r}")
    fulfil(draft, wishes[nearest], text)


def given(draft: Draft, clause: Clause, part: Group) -> None:
    """What the instruction says of the house: what is lacking, what stands for it, where things are."""
    nouns = draft.things.nouns
    if clause.verb == "asker":
        return
    if clause.verb == "there":
        for noun in part.nouns:
            try:
                draft.things.resolve(Placed(noun, tuple(part.preps)))
            except Refusal as refusal:
                draft.note(f"{clause.text!r}: {refusal}")
        return
    lacking = clause.items[0]
    normal = draft.vocabulary.entries.values()
    nouns.lacking |= {e.category for e in normal if e.tier(lacking.words) == 0}
    if clause.verb == "instead":
        instead = clause.items[1]
        if draft.things.kind_of(instead) is not None and draft.things.kind_of(lacking) in (
                None, draft.things.kind_of(instead)):
            draft.things.instead[lacking.words] = instead
            draft.things.resolve(Placed(instead))
    draft.note(f"as you say, there is no {' '.join(lacking.words)}")
