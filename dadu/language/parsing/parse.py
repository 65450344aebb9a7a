"""An instruction in English to frames."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

from dadu.knowledge.nouns import nearest_text
from dadu.language.frames.frame import (
    Ask,
    ChangeFrame,
    Frame,
    IfFrame,
    LookFrame,
    MoveFrame,
    RemarkFrame,
    Utterance,
    WishFrame,
)
from dadu.language.parsing.account import lost
from dadu.language.parsing.announced import announced, comments, is_remark, orders, tells
from dadu.language.parsing.asides import is_aside, parted
from dadu.language.parsing.classes import word_classes
from dadu.language.parsing.names import Names, catalogue_names
from dadu.language.parsing.rules.parts import Otherwise, SaidStep, Sentence
from dadu.language.parsing.rules.sentences import SentenceRules, in_order
from dadu.language.parsing.tokens import Spoken, Word, sentences
from dadu.language.parsing.trees import NoTree, Tree, best_tree
from dadu.language.refusal import Refusal
from dadu.skills.outcome import Code

_LONGEST, _MOST, _RUN = 100, 300, 12
"""words of a sentence, of all, and of nouns that nothing stands between: 80 of these would take ten seconds"""
_NEAR = 0.5
"""similarity of a verb that may be meant by another; to act on it would be too much: to defrost is nearest to freeze"""


def parse(instruction: str, names: Names | None = None) -> Utterance:
    """What `instruction` asks for. The same words mean the same, whatever was said before.

    `names`: what things are called; None: names of the catalogue. Errors: Refusal naming the words that fit nowhere.
    """
    rules = SentenceRules(names or catalogue_names())
    steps: list[SaidStep] = []
    said = sentences(instruction, rules.names)
    _check_length([spoken.words for spoken in said])
    listing = False
    for i, spoken in enumerate(said):
        rules.notes += spoken.slips
        if steps and spoken.words[-1].may_be("INSTEAD"):
            raise Refusal(f"say it again without what {spoken.text!r} takes back", [spoken.words[-1].said])
        list_ = _listed(steps, spoken, rules) if listing else None
        listing = spoken.announces or list_ is not None
        if list_ is not None:
            steps[-1] = replace(steps[-1], frames=(*steps[-1].frames[:-1], *list_))
            continue
        for step in _sentence(spoken, said[:i], said[i + 1:], rules).steps:
            _add(steps, step)
    if not steps:
        raise Refusal("there is nothing to do in these words", [instruction], Code.UNKNOWN_ACTION)
    frames = in_order(tuple(steps))
    if all(isinstance(frame, RemarkFrame) for frame in frames):  # my nose is running
        frames = tuple(WishFrame(frame.text) for frame in frames if isinstance(frame, RemarkFrame))
    return Utterance(frames, tuple(rules.notes))


def _check_length(said: Sequence[Sequence[Word]]) -> None:
    """Errors: Refusal of what would take long to read."""
    runs = (len(list(of)) for words in said for noun, of in groupby(words, lambda w: w.may_be("NOUN")) if noun)
    found = (max(runs, default=0), max(map(len, said), default=0), sum(map(len, said)))
    for words, most, what in zip(found, (_RUN, _LONGEST, _MOST), ("a name", "a sentence", "an instruction")):
        if words > most:
            raise Refusal(f"{what} of {words} words is too long for me; say it in several", [], Code.UNKNOWN_ACTION)


def _sentence(spoken: Spoken, before: Sequence[Spoken], behind: Sequence[Spoken], rules: SentenceRules) -> Sentence:
    """What it asks for; only a remark where it says no more than what the sentences beside it say in full."""
    remark = Sentence((SaidStep((RemarkFrame(spoken.text),)),))
    if comments(spoken) and (before or any(map(orders, behind))):
        return remark
    if (ordered := _beside_aside(spoken, rules, sure=True)) is not None:
        return ordered
    try:
        sentence = _read(spoken.words, rules)
    except Refusal:
        if (ordered := _beside_aside(spoken, rules)) is not None:
            return ordered
        if is_remark(spoken, behind) or not tells(spoken) and is_remark(spoken, before):
            return Sentence((SaidStep((WishFrame(spoken.text),)),)) if tells(spoken) else remark
        raise
    return remark if announced(spoken, sentence, behind) else sentence


def _beside_aside(spoken: Spoken, rules: SentenceRules, sure: bool = False) -> Sentence | None:
    """An order with what is said beside it and changes nothing of it; None where there is no such thing."""
    for parts in parted(spoken.source, sure):
        aside, order = (sentences(part, rules.names) for part in parts)
        if not (len(aside) == len(order) == 1 and is_aside(aside[0].words, rules.names)):
            continue
        read = _beside_aside(order[0], rules, sure=True)
        try:
            read = _read(order[0].words, rules) if read is None and orders(order[0]) else read
        except Refusal:
            pass
        read = read or _beside_aside(order[0], rules)
        if read is not None:
            return Sentence((SaidStep((RemarkFrame(aside[0].text),)), *read.steps))
    return None


def _read(words: Sequence[Word], rules: SentenceRules) -> Sentence:
    text = " ".join(word.said for word in words)
    try:
        tree = best_tree(words)
    except NoTree as none:
        if none.at == len(words):
            raise Refusal(f"something is missing behind {text!r}", [words[-1].said], Code.UNKNOWN_ACTION) from none
        before = words[none.at - 1]
        if none.at and before.may_be("UNKNOWN") and words[none.at].may_be("DET"):  # divide the apple
            verb, similarity = nearest_text(before.said, tuple(word_classes().frame_of))
            near = f"; the nearest that I know is to {verb}" if similarity >= _NEAR else ""
            raise Refusal(f"I do not know how to {before.said}{near}", [before.said], Code.UNKNOWN_ACTION) from none
        word = words[none.at].said
        raise Refusal(f"I do not understand {word!r} in {text!r}", [word], Code.UNKNOWN_ACTION) from none
    sentence: Sentence = _made(tree, rules)
    missing = lost(words, (sentence, tuple(rules.notes)))
    if missing:
        raise Refusal(f"I do not know what to make of {missing[0]!r} in {text!r}", missing, Code.UNKNOWN_ACTION)
    return sentence


def _made(tree: Tree, rules: SentenceRules) -> Any:
    """Of each rule what its method makes of its parts."""
    parts = [_made(child, rules) if isinstance(child, Tree) else child for child in tree.children]
    return getattr(rules, tree.rule)(parts, " ".join(word.said for word in tree.words()))


def _listed(steps: list[SaidStep], spoken: Spoken, rules: SentenceRules) -> tuple[Frame, ...] | None:
    """What a list behind a colon asks for, with what stands before it; None where it is no list."""
    first = spoken.words[0]
    if not (steps and steps[-1].frames) or first.may_be("PREP", "I") or str(first) != "each" and orders(spoken):
        return None
    try:
        read = _read([Word.of(("move",), frozenset({"VERB"}), "move"), *spoken.words], rules).steps
    except Refusal:
        return None
    frames = tuple(frame for step in read for frame in step.frames)
    made = tuple(frame for frame in frames if isinstance(frame, MoveFrame))
    return listed(steps[-1].frames[-1], made) if len(made) == len(frames) else None


def _add(steps: list[SaidStep], step: SaidStep | Otherwise) -> None:
    """An "otherwise" in a sentence of its own belongs to the condition before it, what would do instead to the thing
    that was to be moved. Errors: Refusal where none is."""
    if isinstance(step, SaidStep):
        steps.append(step)
        return
    before = steps[-1].frames[-1] if steps and steps[-1].frames else None
    if (wider := _widened(before, step)) is not None:
        steps[-1] = replace(steps[-1], frames=(*steps[-1].frames[:-1], wider))
    elif isinstance(before, IfFrame) and not step.offered:
        answered: Frame = replace(before, then=before.then + step.frames) if step.holds else replace(
            before, otherwise=before.otherwise + step.frames)
        steps[-1] = replace(steps[-1], frames=(*steps[-1].frames[:-1], answered))
    elif not (step.holds or step.offered) and (sought := _sought(before, step)) is not None and before is not None:
        steps[-1] = replace(steps[-1], frames=(*steps[-1].frames[:-1], IfFrame(sought, (before,), step.frames)))
    elif isinstance(before, LookFrame) and (asked := _asked(before, step)) is not None:
        steps.append(SaidStep((IfFrame(asked, step.frames),)))
    else:
        raise Refusal("I do not know which question an 'otherwise' answers", ["otherwise"], Code.UNKNOWN_ACTION)


def _widened(frame: Frame | None, step: Otherwise) -> MoveFrame | None:
    """``bring me a cup; if there is no cup, a mug``: what else would do in the place of the thing to be moved."""
    if not (step.offered and isinstance(frame, MoveFrame)):
        return None
    *others, last = frame.what
    if any(np.name != last.name for np in step.lacking):
        return None
    return replace(frame, what=(*others, replace(last, alternatives=last.alternatives + step.offered)))


def _asked(frame: LookFrame, step: Otherwise) -> Ask | None:
    """``is there milk in the fridge? if so, ...``: what was asked before."""
    if frame.answer not in ("exists", "state", "find") or frame.what is None or step.offered:
        return None
    return Ask(frame.what, frame.at, frame.state, negated=not step.holds)


def _sought(frame: Frame | None, none: Otherwise) -> Ask | None:
    """``look for a lime in the fridge; if there is none, ...``: whether there is what was to be moved or found."""
    named = none.at is not None and not any(np.pronoun for np in none.at.nouns)
    if isinstance(frame, MoveFrame) and frame.what:
        return Ask(frame.what[0], none.at if named else frame.source)
    if isinstance(frame, LookFrame) and frame.answer == "find" and frame.what is not None:
        return Ask(frame.what, none.at if named else frame.at)
    return None


def listed(old: Frame, made: tuple[MoveFrame, ...]) -> tuple[Frame, ...] | None:
    """What `old`, said before the colon, and the list ask for together; `made` is the list as if "move" stood there.
    None where they do not belong together."""
    what = tuple(np for frame in made for np in frame.what)
    if any(frame.to for frame in made):
        return (replace(old, to=made[0].to),) if isinstance(old, MoveFrame) and all(np.pronoun for np in what) else made
    if isinstance(old, WishFrame) and old.at is not None:  # set the table: a plate, a cup
        return (MoveFrame(what, (old.at,)),)
    if not isinstance(old, (MoveFrame, ChangeFrame)):
        return None
    return (replace(old, what=what if all(  # these, two toys: the list says which
        np.plural or np.pronoun or np.quantity.number for np in old.what) else old.what + what),)
