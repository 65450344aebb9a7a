"""``Add mugs to the desk until there are two``, ``restock the cola so that two cans of it stand there``: what is asked
for is that so many are there, however many that takes."""

from __future__ import annotations

import re

_VERBS = ("add", "put", "place", "bring", "move", "carry", "deliver", "restock", "refill", "replenish", "stock",
          "stock up", "top up", "fill up", "fill", "supply", "load")
_DOING = ("adding", "putting", "placing", "bringing", "moving", "carrying", "restocking", "refilling", "stocking")
_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", r"\d+")
_PACKED = "cans|bottles|boxes|packs|packets|cartons|jars|pieces|items"


def _number(name: str) -> str:
    """How many, in the group `name`, of what is spoken of: ``two cans of it``."""
    return (rf"(?:at least |a total of )?(?P<{name}>{'|'.join(_NUMBERS)})(?: (?:{_PACKED}))?"
            r"(?: of (?:it|them|those|these))?(?: in total)?")


_FILL = rf"(?:{'|'.join(_VERBS)}|(?:keep|continue|go on)(?: on)? (?:{'|'.join(_DOING)}))"
_MORE = r"(?:(?:the|my|our|some|more|additional|extra|other|another|enough) )*"
_THING = rf"{_MORE}(?P<thing>(?!the |my |our )[a-z]+(?: [a-z]+){{0,2}}?)"
_PLACE = r"(?P<place>(?:the|my|our|this|that) [a-z ]+?)"
_ARE = r"(?:are|stand|lie|sit|remain|is|stands)"
_IN_ALL = r"(?: (?:there|on it|in it|in there|in total|altogether|on (?P=place)|in (?P=place)))?"
_HOLDS = "there are|there will be|you have|we have|i have|it has|it holds|it contains"
_ENDS = r"(?=\s*(?:[.,;!?\n]|$| and | then ))"
_SO_MANY = (rf",? (?:until|till|so that|such that) (?:(?:{_HOLDS}) {_number('number')}(?: (?P=thing))?"
            rf"|{_number('standing')}(?: (?P=thing))? {_ARE}){_IN_ALL}{_ENDS}")
_ONTO = re.compile(rf"(?<!\w){_FILL} {_THING} (?P<where>on|onto|in|into|to|at) {_PLACE}{_SO_MANY}")
_WITH = re.compile(rf"(?<!\w){_FILL} {_PLACE} with {_THING}{_SO_MANY}")


def so_many(text: str) -> str:
    """A lower-cased instruction that says how many there should be instead of how long to go on."""
    for pattern in (_ONTO, _WITH):
        text = pattern.sub(_in_stock, text)
    return text


def _in_stock(found: re.Match[str]) -> str:
    number = found["number"] or found["standing"]
    where = "in" if "in" in (found.groupdict().get("where") or "") else "at"
    return f"make sure there are {number} {found['thing']} {where} {found['place']}"
