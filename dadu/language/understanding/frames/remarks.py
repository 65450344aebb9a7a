"""What is said beside an instruction: remarks, what is given, what is to be told at the end."""

from __future__ import annotations

from dataclasses import replace

from dadu.language.reading.syntax import Clause, Noun, Prep, nouns_among
from dadu.language.refusal import Refusal
from dadu.language.understanding.announced import rooms_of
from dadu.language.understanding.draft import Draft
from dadu.language.understanding.things.attachment import Group, Placed
from dadu.skills.outcome import Code
from dadu.world.graph import Kind

_GENERAL = 2
"""tier of a more general word; above it names are only similar"""


def remark(draft: Draft, clause: Clause, part: Group) -> None:
    """Said beside the instruction; taken for a wish where it is like one and nothing else is asked for."""
    draft.note(f"not taken as a task: {clause.text!r}")
    subject = next((n for n in part.nouns if clause.text.startswith(n.text)), None)
    if subject is not None and draft.things.kind_of(subject) is Kind.ROOM:  # the bathroom is a mess
        draft.setting = rooms_of(draft, clause)
    for noun in part.nouns:
        _mention(draft, noun, noun.places)


def meant(draft: Draft, clause: Clause, part: Group) -> None:
    """``it is for the desk`` says where to; ``it is for my aunt`` does not."""
    from dadu.language.understanding.frames.moving import bring

    if any(p.relation == "to" for p in part.preps):
        bring(draft, clause, part)
        return
    draft.note(f"not taken as a task: {clause.text!r}")


def _mention(draft: Draft, noun: Noun, where: tuple[Prep, ...] = ()) -> None:
    """What was spoken of, where it is plainly called so: ``it`` may stand for it later. A mess is nothing."""
    if noun.words[-1:] and noun.words[-1] in draft.vocabulary.lexicon.plain_nouns:
        return
    try:
        literal = draft.things.nouns.meaning(noun.words, noun.text).tier <= _GENERAL
        if literal:
            narrowed = all(p.noun is not noun for p in where) and _there(draft, Placed(noun, where))
            draft.things.resolve(Placed(noun, where if narrowed else ()))
    except Refusal:
        if where:  # it is elsewhere
            _mention(draft, noun)


def _there(draft: Draft, placed: Placed) -> bool:
    """Whether it may be there: it is, or was not seen yet."""
    return not draft.complete or all(t.term.ids for t in draft.things.resolve(placed, mention=False))


def report(draft: Draft, clause: Clause, part: Group) -> None:
    """``tell me``: the report at the end says what was found. Errors: Refusal where something else is to be told."""
    if part.nouns:
        raise Refusal(f"I can tell what I did and found, not {part.nouns[0].text!r}", [clause.verb.split()[0]],
                      Code.UNKNOWN_ACTION)
    draft.note(f"{clause.text!r}: the report says it")


def prepare(draft: Draft, clause: Clause, part: Group) -> None:
    """``prepare the desk for homework``: what follows has to say how that is meant."""
    named = [n for n in part.nouns if not n.uses and n.words[-1:] != ("everything",)]
    served = named and all(n in named and draft.things.kind_of(n) is Kind.OBJECT for n in part.nouns) and any(
        draft.things.kind_of(p.noun) is Kind.FURNITURE for p in part.preps)
    if served:  # prepare a plate and a glass on the table
        from dadu.language.understanding.frames.moving import put

        draft.note(f"{clause.verb!r} is taken as put")
        put(draft, clause, Group(part.nouns, [p for p in part.preps if p.relation != "for"]))
        return
    if named and not part.preps and _made_so(draft, clause, named):
        return
    used = tuple(noun.holding for noun in part.nouns if noun.holding is not None)  # the room with the candle
    for noun in (*(p.noun for p in part.preps), *used, *part.nouns):
        _mention(draft, noun, tuple(p for p in part.preps if p.relation in ("in", "at", "on", "next_to")))
    draft.unexplained = clause
    if clause.verb in ("set", "lay") and [draft.things.kind_of(n) for n in part.nouns] == [Kind.FURNITURE]:
        table = draft.things.resolve(Placed(part.nouns[0], tuple(part.preps)), (Kind.FURNITURE,), mention=False)[0]
        draft.laid = table.term  # set the coffee table: put an apple and a cup


def _made_so(draft: Draft, clause: Clause, nouns: list[Noun]) -> bool:
    """``prepare warm bread``, ``prepare a sliced apple``: things are brought into that state; False where none is
    said."""
    from dadu.language.understanding.frames.states import make

    state_of, choosing = draft.vocabulary.lexicon.state_of, draft.vocabulary.lexicon.choosing
    states = [state_of.get(n.words[0], "") if len(n.words) > 1 else "" for n in nouns]
    if not all(state and state not in choosing for state in states):
        return False
    for noun, state in zip(nouns, states):
        make(draft, clause, state, Group([replace(noun, words=noun.words[1:])], []))
    return True


def given(draft: Draft, clause: Clause, part: Group) -> None:
    """What the instruction says of the house: what is lacking, what stands for it, where things are."""
    nouns = draft.things.nouns
    if clause.verb == "asker":
        return
    if clause.verb == "there":
        for noun in part.nouns:
            if noun.indefinite and noun.plural and noun.number is None:  # there are some toys: all of them
                noun = replace(noun, indefinite=False, every=True)
            try:
                draft.things.resolve(Placed(noun, tuple(part.preps)))
            except Refusal as refusal:
                draft.note(f"{clause.text!r}: {refusal}")
        return
    nouns_said = [noun for _, noun in nouns_among(clause.items)]
    lacking = nouns_said[0]
    called = {entry.category for entry, tier in draft.vocabulary.named(lacking.words) if tier == 0}
    if clause.verb == "broken":
        _mention(draft, lacking)
        nouns.broken |= called
        draft.note(f"as you say: {clause.text!r}")
        return
    places = [" ".join(p.noun.words) for p in clause.items[1:] if isinstance(p, Prep)]
    if clause.verb == "lacking" and set(places) - set(draft.vocabulary.lexicon.house):  # not there; perhaps elsewhere
        draft.note(f"as you say: {clause.text!r}")
        for noun in (*(p.noun for p in clause.items[1:] if isinstance(p, Prep)), lacking):
            _mention(draft, noun)
        return
    nouns.lacking |= called
    if clause.verb == "instead":
        instead = nouns_said[1]
        if draft.things.kind_of(instead) is not None and draft.things.kind_of(lacking) in (
                None, draft.things.kind_of(instead)):
            draft.things.instead[lacking.words] = instead
            draft.things.resolve(Placed(instead))
    draft.note(f"as you say, there is no {' '.join(lacking.words)}")
