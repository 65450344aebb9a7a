"""Sentences that only say what the next ones say in full: ``help me tidy the den. Bring the doll to the bed``; and such
as ask for nothing: ``my sister is coming over``."""

from __future__ import annotations

from collections.abc import Sequence

from dadu.language.frames.frame import ChangeFrame, Frame, LookFrame, MoveFrame, SwapFrame, TidyFrame, WishFrame
from dadu.language.frames.noun import NounPhrase
from dadu.language.parsing.classes import word_classes
from dadu.language.parsing.names import room_names
from dadu.language.parsing.rules.parts import SaidStep, Sentence
from dadu.language.parsing.tokens import Spoken, Word

_TOGETHER = ("help me", "help us", "let us", "we need to", "we have to", "i need help", "i have to", "we want to")
"""how somebody begins who means to say more"""
_POINTED_AT = ("these", "those", "the following", "some")
_ASKS = ("VERB", "APART", "OPENING", "MODAL", "GERUND", "TO", "NOT", "DO", "ENSURE", "IF", "UNLESS", "NEEDS", "WANT",
         "GOES")


def announced(spoken: Spoken, sentence: Sentence, behind: Sequence[Spoken]) -> bool:
    """True if `sentence` only announces what the sentences behind it ask for."""
    if not any(map(orders, behind)):
        return False
    frames = [f for step in sentence.steps if isinstance(step, SaidStep) for f in step.frames]
    frame = frames[0] if len(frames) == len(sentence.steps) == 1 else None
    if frame is None or _is_vague(frame):
        return frame is not None
    more = spoken.announces or spoken.text.startswith(_TOGETHER) or _states(behind[0])
    unplaced = isinstance(frame, MoveFrame) and not frame.to
    if isinstance(frame, LookFrame):
        return spoken.announces and frame.answer == "what" and not behind[0].words[0].may_be(
            "IF", "UNLESS", "WHETHER", "IF_NONE", "IF_SO")
    return more and (unplaced or isinstance(frame, (TidyFrame, WishFrame)))


def is_remark(spoken: Spoken, behind: Sequence[Spoken]) -> bool:
    """True if a sentence that fits no rule says nothing that is to be done: it tells of somebody or something, or the
    sentences behind it say what it is about."""
    if not any(map(orders, behind)) or spoken.words[0].may_be("IF", "UNLESS", "IF_NONE"):
        return False
    asking = ("WANT", "NEEDS") if tells(spoken) else ("MODAL", "NEEDS", "GOES")
    told = [word for word, after in zip(spoken.words[1:], spoken.words[2:]) if word.may_be(*asking) and not (
        after.may_be("TO") or word.may_be("HAVE"))]
    first, *rest = spoken.words
    states = first.may_be("DET", "PRONOUN", "I", "PERSONS", "THERE") or bool(rest) and rest[0].may_be("BE", "MODAL")
    plans = not first.known and first.endswith("ing")  # planning a party?
    return spoken.announces or spoken.text.startswith(_TOGETHER) or (
        states or plans) and not orders(spoken) and not told


def comments(spoken: Spoken) -> bool:
    """True if it says of what was asked for what it brings or how good it is: ``it saves time``, ``it is a fine spot to
    keep them``; not where or in which state something is, or is to be."""
    first, *rest = spoken.words
    if str(first) not in ("it", "this", "that", "they") or not rest:
        return False
    if rest[0].may_be("BE"):
        return len(rest) > 1 and (rest[1].may_be("PRAISE", "DET") or not rest[1].known)
    return rest[0].endswith("s") and not rest[0].may_be("HAVE", "NEEDS", "GOES", "STAYS", "MODAL")


def tells(spoken: Spoken) -> bool:
    """True if it says how somebody is, or what is the matter with them."""
    return spoken.words[0].may_be("I", "PERSONS") or str(spoken.words[0]) == "my"


def orders(spoken: Spoken) -> bool:
    """True if it begins as an order does, or says where something is to be."""
    first = spoken.words[0]
    begins = first.may_be(*_ASKS, "THEN", "FIRST", "YOU") and not first.may_be("DET")
    return begins or _states(spoken) or any(w.may_be("VERB") and not w.may_be("NOUN") for w in spoken.words[:4])


def _states(spoken: Spoken) -> bool:
    """``the books go on the desk``, ``the mug should be washed``"""
    words: Sequence[Word] = spoken.words
    return words[0].may_be("DET", "NOUN", "QUANTITY", "SOMETHING", "PRONOUN") and any(
        word.may_be("GOES", "MODAL") and not word.may_be("NOUN") for word in words[1:])


def _is_vague(frame: Frame) -> bool:
    """``move these objects around``, ``swap these``, ``rearrange the den``: nothing that can be found, or no place."""
    if isinstance(frame, (MoveFrame, SwapFrame, ChangeFrame)):
        return all(map(_is_pointed_at, frame.what)) or isinstance(frame, MoveFrame) and not frame.to and all(
            tuple(np.name.split()) in room_names() for np in frame.what)
    return isinstance(frame, WishFrame) and any(
        frame.purpose.startswith(verb) for verb in word_classes().verbs["prepare"])


def _is_pointed_at(np: NounPhrase) -> bool:
    plain = np.name in ("thing", "item", "object", "toy", "") and not np.attributes and not np.places
    return plain and np.text.startswith(_POINTED_AT)
