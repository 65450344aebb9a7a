"""What stands before an order and changes nothing of it: ``even though it is late, wash the mug``, ``for the visit, put
the vase on the table``. Conditions and times are none: nobody may pass over what is to be waited for.
"""

from __future__ import annotations

import re

from dadu.language.parsing.tokens import Word

_CONCEDES = ("although", "though", "even though", "even if", "even with", "despite", "in spite of", "regardless of",
             "in addition to", "besides")
"""whatever follows, the order holds"""
_SITUATES = ("for", "during")
"""so where they are followed by nothing that is in the home, or happens there"""
_HOME = ("NOUN", "PRONOUN", "SOMETHING", "QUANTITY", "BE", "VERB", "PARTICIPLE", "PREDICATIVE", "PERSONS", "I", "YOU")
_ASIDE = re.compile(rf"\s*(?P<how>{'|'.join((*_CONCEDES, *_SITUATES))})\s(?P<what>[^,]+),(?P<rest>.*\w.*)", re.DOTALL)


def parted(sentence: str) -> tuple[str, str] | None:
    """The words before the comma and the order behind it, if the words may be an aside."""
    found = _ASIDE.fullmatch(sentence)
    return (f"{found['how']} {found['what']}".strip(), found["rest"].strip()) if found is not None else None


def is_aside(words: list[Word]) -> bool:
    """True if they concede something, or name an occasion that is nothing in the home."""
    text = " ".join(word.said for word in words)
    return text.startswith(_CONCEDES) or not any(word.known and word.may_be(*_HOME) for word in words[1:])
