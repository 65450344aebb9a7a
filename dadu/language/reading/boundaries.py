"""Where a clause ends: at a connector with another verb behind it, or where the next one begins without any."""

from __future__ import annotations

from dadu.language.reading.corrections import marked
from dadu.language.reading.nouns.phrases import ONLY_VERBS
from dadu.language.reading.reader import Reader
from dadu.language.reading.verbs import goes_on_passive
from dadu.language.reading.words.tokens import Token

_BEGINS = ("verb", "sequence", "before", "after", "end", "negation", "occasion", "condition", "unless", "otherwise",
           "if_so", "wish", "exists", "exists_not", "reasons")
"""what a clause, or the end of one, begins with"""
_INTRODUCES = ("determiners", "indefinite", "every", "preposition")


def ends(reader: Reader) -> bool:
    """Whether the clause ends here: a full stop, a sequence word, or a connector with another verb behind it."""
    tokens, i = reader.tokens, reader.at
    if reader.any("comma", "correction") and marked(reader) is not None:
        return True
    if reader.any("end", "before", "after", "sequence", "condition", "unless", "otherwise", "if_so", "circumstances",
                  "meanwhile"):
        return True
    if _purpose(tokens, i) or by_doing(tokens, i) or (tokens[i].text == "but" and not _noun_behind(tokens, i)):
        return True
    behind = tokens[i + 1:i + 2]
    if tokens[i].has("verb") and tokens[i].text.endswith("ing") and behind and behind[0].has("pronoun"):
        return True  # on the table | placing them next to each other
    if not reader.any("conjunctions", "comma"):
        return False
    while i < len(tokens) and (tokens[i].has("conjunctions", "comma", "fillers", "politeness")
                               or tokens[i].text in ("but", "so")):
        i += 1
    if i + 1 < len(tokens) and tokens[i].text in ("not", "but not") and tokens[i + 1].has(*_INTRODUCES):
        return False  # the red one, not the brown one
    if i >= len(tokens) or tokens[i].has(*_BEGINS, "belongs"):
        return True
    if goes_on_passive(reader, i) or _something_unknown(tokens, i):
        return True
    if tokens[i].has("split") or (tokens[i].has("subjects") and not tokens[i].has("determiners")):
        return True
    return _declares(tokens, i) or _fronts(tokens, i)


def _something_unknown(tokens: list[Token], i: int) -> bool:
    """``and iron the shirt``: an order, though nobody knows how to do that."""
    return i + 2 < len(tokens) and tokens[i - 1].has("conjunctions") and len(tokens[i].words) == 1 and (
        not tokens[i].tags) and tokens[i + 1].has("determiners") and not tokens[i + 1].has("pronoun")


def _purpose(tokens: list[Token], i: int) -> bool:
    """``go to the kitchen to get the milk``"""
    return tokens[i].text == "to" and i + 2 < len(tokens) and tokens[i + 1].has("verb") and tokens[i + 2].has(
        "determiners", "indefinite", "number", "every", "pronoun", "recipients")


def by_doing(tokens: list[Token], i: int) -> bool:
    """``tidy the desk | by moving the book to the shelf``"""
    behind = tokens[i + 1:i + 2]
    return tokens[i].text == "by" and bool(behind) and behind[0].has("verb") and behind[0].words[0].endswith("ing")


def _noun_behind(tokens: list[Token], i: int) -> bool:
    return i + 1 < len(tokens) and not tokens[i + 1].has("verb", "negation", "sequence", "politeness", "condition")


def _declares(tokens: list[Token], i: int) -> bool:
    """``and the cup as well as the bowl go ...``: a verb of belonging comes before anything else that ends a clause."""
    several = placed = False
    for token in tokens[i:]:
        if token.has("belongs"):
            return True
        joins = token.has("comma", "conjunctions")
        if token.has("end", "verb") or several and token.has("preposition") or placed and joins:
            return False
        several, placed = several or joins, placed or token.has("preposition")
    return False


def _fronts(tokens: list[Token], i: int) -> bool:
    """``and from the fridge take ...``: a preposition whose noun is followed by a verb."""
    if not tokens[i].has("preposition"):
        return False
    for before, token in zip(tokens[i:], tokens[i + 1:]):
        if token.has("verb") and not token.has("preposition") and not before.has("determiners", "indefinite"):
            return True
        if token.has("end", "conjunctions", "preposition", "sequence"):
            return False
    return False


def runs_on(reader: Reader) -> bool:
    """``get the cup | put it on the table``: the next clause, with nothing between."""
    token = reader.tokens[reader.at]
    own = reader.any("determiners", "pronoun", "indefinite", "number", offset=1)
    if token.text == "put" and not (reader.at + 1 < len(reader.tokens) and reader.tokens[reader.at + 1].tags):
        return True
    return token.has("verb") and not token.has("preposition", "fillers", "copula", "relatives") and (
        own or token.text in ONLY_VERBS)
