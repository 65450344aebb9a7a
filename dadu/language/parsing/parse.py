"""An instruction in English to frames."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from dadu.language.frames.frame import Ask, Frame, IfFrame, LookFrame, MoveFrame, Utterance
from dadu.language.parsing.account import lost
from dadu.language.parsing.names import Names, catalogue_names
from dadu.language.parsing.rules.parts import Otherwise, SaidStep, Sentence
from dadu.language.parsing.rules.sentences import SentenceRules, in_order
from dadu.language.parsing.tokens import Word, sentences
from dadu.language.parsing.trees import NoTree, Tree, best_tree
from dadu.language.refusal import Refusal
from dadu.skills.outcome import Code


def parse(instruction: str, names: Names | None = None) -> Utterance:
    """What `instruction` asks for. The same words mean the same, whatever was said before.

    `names`: what things are called; None: names of the catalogue. Errors: Refusal naming the words that fit nowhere.
    """
    rules = SentenceRules(names or catalogue_names())
    steps: list[SaidStep] = []
    for words in sentences(instruction, rules.names):
        for step in _read(words, rules).steps:
            _add(steps, step)
    if not steps:
        raise Refusal("there is nothing to do in these words", [instruction], Code.UNKNOWN_ACTION)
    return Utterance(in_order(tuple(steps)), tuple(rules.notes))


def _read(words: Sequence[Word], rules: SentenceRules) -> Sentence:
    text = " ".join(word.said for word in words)
    try:
        tree = best_tree(words)
    except NoTree as none:
        if none.at == len(words):
            raise Refusal(f"something is missing behind {text!r}", [words[-1].said], Code.UNKNOWN_ACTION) from none
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


def _add(steps: list[SaidStep], step: SaidStep | Otherwise) -> None:
    """An "otherwise" in a sentence of its own belongs to the condition before it. Errors: Refusal where none is."""
    if isinstance(step, SaidStep):
        steps.append(step)
        return
    before = steps[-1].frames[-1] if steps and steps[-1].frames else None
    if isinstance(before, IfFrame):
        answered: Frame = replace(before, then=before.then + step.frames) if step.holds else replace(
            before, otherwise=before.otherwise + step.frames)
        steps[-1] = replace(steps[-1], frames=(*steps[-1].frames[:-1], answered))
    elif isinstance(before, MoveFrame) and not step.holds and before.what:
        ask = Ask(before.what[0], before.source)
        steps[-1] = replace(steps[-1], frames=(*steps[-1].frames[:-1], IfFrame(ask, (before,), step.frames)))
    elif isinstance(before, LookFrame) and before.answer in ("exists", "state", "find") and before.what is not None:
        ask = Ask(before.what, before.at, before.state, negated=not step.holds)
        steps.append(SaidStep((IfFrame(ask, step.frames),)))
    else:
        raise Refusal("I do not know which question an 'otherwise' answers", ["otherwise"], Code.UNKNOWN_ACTION)
