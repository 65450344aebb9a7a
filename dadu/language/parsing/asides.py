"""What stands beside an order and changes nothing of it: ``even though it is late, wash the mug``, ``when tidying the
den, put the vase on the table``. Conditions and events are none: nobody may pass over what is to be waited for.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from dadu.knowledge.lexicon import default_lexicon
from dadu.language.parsing.names import Names
from dadu.language.parsing.tokens import Word

_HOLDS = ("although", "though", "even though", "even if", "even with", "despite", "in spite of", "regardless of",
          "in addition to", "besides", "because", "since", "given that", "now that", "as you", "while you",
          "in order to", r"to (?!the |my |your |an? )")
"""a concession, a reason, a purpose, or what somebody does meanwhile: whatever follows, the order holds"""
_SITUATES = ("for", "during", "after an?")
"""so where they are followed by nothing that is in the home, or happens there"""
_DOING = (r"(?:when|whenever|while|once) (?:(?:you are )?(?:done|finished) (?:with )?)?\w+ing\b",)
_READY = (r"(?:in order )?to (?:prepare|get ready) for",)
_THEN = (r"(?:after|before) \w+ing\b",)
"""so where nothing is done to a thing: who is to do something to it first asks for more than the order"""
_RESULTS = "ready|perfect|ideal|handy"
"""what an order ends in that says what comes of it"""
_BRINGS = r"helps?|ensures?|makes?|keeps?|lets?|allows?|saves?|means"
"""what somebody says of a deed that is asked for: putting the keys there saves time"""
_HOME = ("NOUN", "PRONOUN", "SOMETHING", "QUANTITY", "BE", "VERB", "PARTICIPLE", "PREDICATIVE", "PERSONS", "I", "YOU")
_BEFORE = r"\s*(?P<aside>(?:{})\b[^,]*),(?P<order>.*\w.*)"
_SURE = (_BEFORE.format("|".join((*_DOING, *_READY))), rf"(?P<order>.*\w.*),\s*(?P<aside>(?:{_RESULTS})\b[^,]*)",
         rf"(?P<order>\s*\w+ing\s.+?)\s(?P<aside>(?:{_BRINGS})\s.+)")
_ELSE = (_BEFORE.format("|".join((*_HOLDS, *_SITUATES, *_THEN))),)


def parted(sentence: str, sure: bool) -> Iterator[tuple[str, str]]:
    """Words that may be an aside, and the order beside them; `sure`: such as are no order even where they could be read
    as one: when tidying the den."""
    for shape in _SURE if sure else _ELSE:
        if (found := re.fullmatch(shape, sentence, re.DOTALL)) is not None:
            yield found["aside"].strip(), found["order"].strip()


def is_aside(words: list[Word], names: Names) -> bool:
    """False where they name a thing that something is to be done to, or an occasion that is something in the home."""
    text = " ".join(word.said for word in words)
    if re.match("|".join((*_DOING, *_THEN)), text):
        return not any(tuple(default_lexicon().normal(word)) in names.objects for word in words[1:])
    situates = re.match(rf"(?:{'|'.join(_SITUATES)})\b", text) is not None
    return not (situates and any(word.known and word.may_be(*_HOME) for word in words[1:]))
