"""What people take back while they speak: ``bring the banana, no wait, the apple``."""

from __future__ import annotations

from collections.abc import Sequence

from dadu.language.parsing.tokens import Word

_BEFORE_NOUN = ("DET", "NUMBER", "QUANTITY", "ADJECTIVE")


def restated(words: list[Word]) -> list[Word]:
    """With the new words in the place of those that they correct; a word of correction that corrects nothing is left
    out."""
    at = next((i for i, word in enumerate(words) if word.may_be("CORRECTION")), None)
    if at is None:
        return words
    said, new = words[:at], restated(words[at + 1:])
    while said and str(said[-1]) == ",":
        said = said[:-1]
    if not said or not new or begins_anew(new):
        return [*said, *new]
    if new[0].may_be("PREP", "TO"):
        old = max((i for i, word in enumerate(said) if word.may_be("PREP", "TO")), default=len(said))
        return [*said[:old], *new]
    nouns = _nouns(said)
    if not nouns:
        return [*said, *new]
    if str(new[-1]) in ("one", "ones"):  # the red one: what was to be moved
        start, end = nouns[0]
        return [*said[:start], *new[:-1], *said[end - 1:]]
    return [*said[:nouns[-1][0]], *new]


def begins_anew(words: Sequence[Word]) -> bool:
    """Whether a whole order stands there: ``put it on the shelf``."""
    first = words[0]
    return first.may_be("VERB", "APART", "OPENING", "MODAL", "I", "NOT", "DO", "IF") and not first.may_be(*_BEFORE_NOUN)


def _nouns(words: Sequence[Word]) -> list[tuple[int, int]]:
    """Where noun phrases begin and end."""
    out: list[tuple[int, int]] = []
    start = None
    for i, word in enumerate((*words, None)):
        if word is not None and word.may_be(*_BEFORE_NOUN, "NOUN") and not (start is None and word.may_be("VERB")):
            start = i if start is None else start
            if word.may_be("DET") and start < i:
                start = i
        elif start is not None:
            out, start = [*out, (start, i)], None
    return out
