"""Text to sentences of words, each with the classes that it may have."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from dadu.knowledge.lexicon import Words, default_lexicon
from dadu.language.parsing.classes import Entry, word_classes
from dadu.language.parsing.names import Names
from dadu.language.parsing.spelling import meant
from dadu.language.refusal import Refusal

_CONTRACTIONS = {"can't": "can not", "cannot": "can not", "won't": "will not", "n't": " not", "let's": "let us",
                 "i'm": "i am", "'re": " are", "'ve": " have", "'ll": " will", "'d": " would", **{
                     f"{word}'s": f"{word} is" for word in ("it", "that", "there", "what", "where", "who", "he", "she",
                                                            "here", "how")}}
"""the first letter that fits decides, so that their order does not matter: none begins as another one does"""
_CONTRACTED = re.compile("|".join(short if short[0] in "'n" else rf"\b{short}" for short in _CONTRACTIONS))
_ENDS = re.compile(r"(?:[.!?;:]+(?:\s+\d+[.)])?(?=\s|$)|,\s*so\s(?!that\b)|\n+|^\s*[-*•])\s*", re.MULTILINE)
_STEP = re.compile(rf"(?:^|[.,;:!?]|\n)\s*(?:and\s+)?step\s+(?:\d+|{'|'.join(word_classes().numbers)})\b\s*[.:,)]*\s+")
"""``Step 1: ...``: each after the one before"""
_LISTED = re.compile(r"(?:^|[:\n])\s*1[.)]\s")
"""a list begins: numbers with a full stop or a bracket behind them begin its points, on one line, too"""
_POINT = re.compile(r"(?:^|\s)\d+[.)]\s+")
_NO_COUNT = re.compile(r"(?:(?<![\w.,)-])-\d[\d.,]*\b|\b\d+(?:[.,/]\d+\b|-\d+\b|%|x\b))"
                       rf"(?!\s*(?:{'|'.join(word_classes().times)}|degrees?|lit(?:er|re)s?)\b)")
"""numbers that nobody can count things by: ``-1``, ``1.5``, ``2-3``; times and measures are told, but not minded"""
_EITHER = re.compile("\\b({0}) or (?:{0}) (?=[a-z])".format("|".join((r"\d+", *word_classes().numbers))))
"""``two or three apples``: the first will do"""
_FLOATS = ("both", "all", "each")
_JOINING = frozenset({"AND", "THEN", "BUT"})


class Word(str):
    """A word, or several that are one: ``coffee table``, ``next to``."""

    classes: frozenset[str]
    """terminals of the grammar that it may be"""
    said: str
    """as it stands in the text, in lower case"""
    verb: str
    known: bool
    """a name, or a word of ``words.yaml``; False: taken for a noun because nobody knows it"""

    @classmethod
    def of(cls, words: Words, classes: frozenset[str], verb: str = "", known: bool = True) -> Word:
        word = cls(" ".join(words))
        word.classes = classes if classes <= _JOINING else classes | {"WORD"}
        word.said, word.verb, word.known = str(word), verb, known
        return word

    def may_be(self, *classes: str) -> bool:
        return not self.classes.isdisjoint(classes)


@dataclass(frozen=True)
class Spoken:
    """One sentence, less words that say nothing."""

    words: list[Word]
    announces: bool
    """a colon stands behind it"""
    slips: tuple[str, ...]
    """words that were read as others or passed over, for `Utterance.notes`"""
    source: str = ""
    """the sentence, in small letters, with all its words and commas"""

    @property
    def text(self) -> str:
        return " ".join(word.said for word in self.words)


def sentences(text: str, names: Names) -> list[Spoken]:
    out: list[Spoken] = []
    at, text = 0, _plain(text)
    for end in (*_ENDS.finditer(text), None):
        sentence, mark = (text[at:end.start()], end.group()) if end is not None else (text[at:], "")
        at = end.end() if end is not None else at
        spoken = _spoken(sentence, ":" in mark, names)
        out += [spoken] if spoken is not None else []
    return out


def _spoken(sentence: str, announces: bool, names: Names) -> Spoken | None:
    said = re.findall(r"[a-z0-9_]+(?:'[a-z]*)?|[,&]", sentence)
    around = zip(("", *said), said, (*said[1:], ""))
    read = [word if (before, word) in names else meant(word, names, behind) for before, word, behind in around]
    words = _joined(_less_floating(_tagged(read, names)))
    slips = (*(f"{a!r} is read as {b!r}" for a, b in zip(said, read) if a != b),
             *(f"{word!r} is passed over" for word in read if default_lexicon().says_how(word)
               and word not in names.words and (word,) not in word_classes().entries))
    return Spoken(words, announces, slips, sentence) if words else None


def _less_floating(words: list[Word]) -> list[Word]:
    """``the apple and the pear should all be there``: said already. ``..., will you?`` asks no more than please."""
    while len(words) > 2 and words[-1].may_be("YOU") and words[-2].may_be("MODAL"):
        words = words[:-2]
    verbal = ("GOES", "BE", "MODAL")
    return [word for i, word in enumerate(words) if not (str(word) in _FLOATS and 0 < i < len(words) - 1 and (
        words[i - 1].may_be("MODAL", "BE") or words[i + 1].may_be(*verbal) and words[i - 1].may_be("NOUN", "PRONOUN")))]


def _plain(text: str) -> str:
    text = re.sub("[‘’`]", "'", text.lower())
    if said := _NO_COUNT.search(text):
        raise Refusal(f"I cannot count things by {said.group()!r}; say a whole number", (said.group(),))
    text = _POINT.sub(". then ", text) if _LISTED.search(text) else text
    text = _EITHER.sub(r"\1 ", _STEP.sub(". then ", text.replace("-", " ")))
    text = re.sub(r"(?<![a-z0-9])'|(?<!s)'(?![a-z])|(?<=s)'(?=[.,;:!?]|$)", "", text)  # quotes, no apostrophes
    text = _CONTRACTED.sub(lambda short: _CONTRACTIONS[short[0]], text)
    text = re.sub(r"\b(the|an?|to|in|on|of) \1\b", r"\1", text)  # the the
    return re.sub(r"(?<=s)'(?=\s)", "", re.sub(r"(?<=[a-z])'s\b", "s", text))


def _tagged(said: Sequence[str], names: Names) -> list[Word]:
    out: list[Word] = []
    at = 0
    while at < len(said):
        word, length = _next_word(said, at, names, out)
        at += length
        if not word.may_be("FILLER"):
            out.append(word)
    out = [_as_adjective(word, out[i + 1:i + 2]) for i, word in enumerate(out)]
    return [_as_verb(word, out[max(i - 2, 0):i], out[i + 1:i + 2]) for i, word in enumerate(out)]


def _as_adjective(word: Word, behind: Sequence[Word]) -> Word:
    """``a round white table``: what nobody knows before an adjective is one, too."""
    if word.known or not behind or not behind[0].may_be("ADJECTIVE") or behind[0].may_be("NOUN", "PREP", "PARTICLE"):
        return word
    return Word.of((word.said,), word.classes | {"ADJECTIVE"}, known=False)


def _as_verb(word: Word, before: Sequence[Word], behind: Sequence[Word]) -> Word:
    """``pick up a knife, cut tomatoes``: behind a comma or "and", what may be a verb is one, where more follows."""
    joined = before and before[-1].may_be(*_JOINING) and behind and not behind[0].may_be(*_JOINING, "OF")
    if before and behind and before[-1].may_be("TO") and str(word) in word_classes().place_nouns:  # to place on a table
        return Word.of((word.said,), word.classes - {"NOUN"}, word.verb)
    did = joined and word.may_be("PAST") and behind[0].may_be("DET", "PRONOUN")  # and moved it
    if did:
        return Word.of(tuple(word.said.split()), frozenset({"VERB"}), word.verb)
    if not (joined and word.may_be("VERB")) or before[0].may_be("ADJECTIVE") and word.may_be("ADJECTIVE"):
        return word
    return Word.of(tuple(word.said.split()), word.classes - {"ADJECTIVE", "NOUN"}, word.verb)


def _next_word(said: Sequence[str], at: int, names: Names, before: Sequence[Word]) -> tuple[Word, int]:
    """The longest name or phrase that begins here."""
    table = word_classes()
    for length in range(min(max(table.longest, names.longest), len(said) - at), 0, -1):
        words = tuple(said[at:at + length])
        entry = table.entries.get(words)
        named = _is_name(words, names, not before)
        of = "THEN" in entry.classes and said[at + length:at + length + 1] == ["of"] if entry is not None else False
        if entry is not None and not of and not (named and "FILLER" in entry.classes):  # at the end of the table
            return Word.of(words, _in_context(entry, before) | ({"NOUN"} if named else set()), entry.verb), length
        if named:
            return Word.of(words, frozenset({"NOUN"})), length
    if said[at].isdigit():
        return Word.of((said[at],), frozenset({"NUMBER"})), 1
    if default_lexicon().says_how(said[at]):
        return Word.of((said[at],), frozenset({"FILLER"}), known=False), 1
    doing = said[at].endswith("ing") and before and before[-1].may_be("FOR")  # for drinking
    return Word.of((said[at],), frozenset({"NOUN", "UNKNOWN", *(("DOING",) if doing else ())}), known=False), 1


def _is_name(words: Words, names: Names, first: bool) -> bool:
    """A wash cloth is one; ``wash cloths``, with which a sentence begins, is not."""
    if len(words) == 1 and words[0] in names.ids:
        return True
    verb = word_classes().entries.get(words[:1]) if first and len(words) > 1 else None
    return tuple(map(default_lexicon().singular, words)) in names and (verb is None or "VERB" not in verb.classes)


def _in_context(entry: Entry, before: Sequence[Word]) -> frozenset[str]:
    """Behind a determiner stands no "then"; what else would be a verb is a noun there, if no adjective: the last drink,
    a clean and cold potato."""
    if not (before and before[-1].may_be("DET") and not before[-1].may_be("PRONOUN")):
        return entry.classes
    kept = entry.classes - {"THEN", "FIRST", "VERB"}
    return kept | ({"NOUN"} if kept != entry.classes and "ADJECTIVE" not in kept else frozenset())


def _joined(words: Sequence[Word]) -> list[Word]:
    """With ", and then" as one word, and without commas at the ends."""
    out: list[Word] = []
    for word in words:
        joining = word.classes & _JOINING
        if joining and out and out[-1].may_be(*_JOINING):
            before = out.pop()
            if str(before) == str(word):  # a word between two commas was passed over
                out.append(word)
                continue
            both = joining | before.classes
            strongest = next(c for c in ("THEN", "BUT", "AND") if c in both)
            text = str(word) if str(before) == str(word) else f"{before} {word}"
            word = Word.of((text,), frozenset({strongest}))
        out.append(word)
    return [word for i, word in enumerate(out) if str(word) != "," or _parts(out[max(i - 2, 0):i], out[i + 1:i + 2])]


def _parts(before: Sequence[Word], behind: Sequence[Word]) -> bool:
    """True if a comma stands between two things or clauses: not in ``a large, cold pot, on the table``."""
    if not before or not behind or behind[0].may_be("PREP", "WITH", "TO", "ALONE", "RELATIVE") and not (
            behind[0].may_be("DET")):
        return False
    adjective, first = before[-1].may_be("ADJECTIVE"), before[0].may_be("DET")
    if first and adjective and behind[0].may_be("NOUN"):  # a chilled, slice; not the orange, apple
        return before[-1].may_be("NOUN")
    return not ((adjective or first and not before[-1].known) and behind[0].may_be("ADJECTIVE", "REGION"))
