"""The frame language: which symbols write which field of which type. Derived from the types themselves."""

from __future__ import annotations

import types
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import cache
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from dadu.language.frames import frame as frame_module
from dadu.language.frames import noun as noun_module
from dadu.language.frames.frame import AskBackFrame, Frame
from dadu.language.frames.noun import NounPhrase, PlacePhrase

Kind = Literal["flag", "choice", "span", "object", "frames", "groups"]
"""flag: true; choice: one of some values; span: words of the sentence; object: of another type; frames: one or more
frames; groups: one or more frames, several times"""

NUMBERS = tuple(range(1, 21))
CLOSE, END = ")", "end"
_SKIPPED = frozenset({"frame", "notes", "question"})
_CONSTANTS: dict[tuple[type, str], tuple[str, ...]] = {
    (NounPhrase, "attributes"): ("sliced",), (NounPhrase, "purpose"): ("trash",)}
"""words that frames hold and sentences say otherwise: a slice of bread, throw it away"""
_CLOSED: dict[tuple[type, str], tuple[str, ...]] = {
    (NounPhrase, "superlative"): ("big", "small", "tall", "short", "near", "far")}
"""strings that are one of a few"""
_ORDER = {PlacePhrase: ("preposition", "special", "nouns"),
          NounPhrase: ("name", "attributes", "superlative", "pronoun", "purpose", "quantity", "determiner", "plural",
                       "places", "excluded", "alternatives")}
"""where it is not that of the fields"""


@dataclass(frozen=True)
class Slot:
    """One field."""

    name: str
    kind: Kind
    values: tuple[Any, ...] = ()
    """of a choice; of a span, words that may stand there though the sentence lacks them"""
    type: type | None = None
    """of an object"""
    least: int = 0
    """so many times"""
    most: int = 1

    def symbols(self) -> tuple[str, ...]:
        """Those that begin it."""
        valued = tuple(f"{self.name}={value}" for value in self.values)
        if self.kind == "choice":
            return valued
        return (f"{self.name}(" if self.kind == "object" else self.name, *valued)


@cache
def slots_of(type: type) -> tuple[Slot, ...]:
    """In the order in which they are written."""
    hints = get_type_hints(type, vars(frame_module) | vars(noun_module), include_extras=True)
    found = [_slot(type, f.name, hints[f.name], f.default) for f in fields(type) if f.name not in _SKIPPED]
    slots = [slot for slot in found if slot is not None]
    order = _ORDER.get(type, tuple(slot.name for slot in slots))
    return tuple(sorted(slots, key=lambda slot: order.index(slot.name)))


@cache
def frame_types() -> dict[str, type]:
    """By the symbol that opens them. A question back is grounding's to ask, not a reading."""
    union = get_args(Frame)[0]
    return {f"{next(f.default for f in fields(t) if f.name == 'frame')}:": t for t in get_args(union)
            if t is not AskBackFrame}


@cache
def vocabulary() -> tuple[str, ...]:
    """All symbols, but for those that point into the sentence. The last one ends an utterance."""
    found: dict[str, None] = dict.fromkeys(frame_types())
    waiting, seen = [*frame_types().values()], set[type]()
    while waiting:
        one = waiting.pop()
        if one in seen:
            continue
        seen.add(one)
        for slot in slots_of(one):
            found |= dict.fromkeys(slot.symbols())
            waiting += [slot.type] if slot.type is not None else []
    return (*sorted(found), CLOSE, END)


@cache
def number_of() -> dict[str, int]:
    """Of each symbol, its index in the vocabulary."""
    return {symbol: i for i, symbol in enumerate(vocabulary())}


def _slot(owner: type, name: str, hint: Any, default: Any) -> Slot | None:
    least = int(default is MISSING)
    if name == "text" and not least:
        return None
    inner, constants = _without_none(hint), _CONSTANTS.get((owner, name), ())
    values = _values(owner, name, inner)
    if inner is bool and default is False:
        return Slot(name, "flag")
    if values:
        return Slot(name, "choice", tuple(v for v in values if v not in ("", default)), least=least)
    if inner is str:
        return Slot(name, "span", constants, least=least)
    if isinstance(inner, type) and is_dataclass(inner):
        return Slot(name, "object", type=inner, least=least)
    return _tuple_slot(name, get_args(inner), least, constants)


def _values(owner: type, name: str, inner: Any) -> tuple[Any, ...]:
    """Those that it may have, where they are few."""
    if get_origin(inner) is Literal:
        return get_args(inner)
    few = {bool: (False, True), int: NUMBERS}
    return few[inner] if inner in few else _CLOSED.get((owner, name), ())


def _tuple_slot(name: str, items: tuple[Any, ...], least: int, constants: tuple[str, ...]) -> Slot:
    item = items[0]
    if item is str:
        return Slot(name, "span", constants, least=least, most=8)
    if get_origin(item) is Annotated:
        return Slot(name, "frames", least=least)
    if get_origin(item) is tuple:
        return Slot(name, "groups", least=least, most=12)
    exactly = len(items) if Ellipsis not in items else 0
    return Slot(name, "object", type=item, least=exactly or least, most=exactly or 12)


def _without_none(hint: Any) -> Any:
    """``PlacePhrase | None`` is a PlacePhrase that may be left out."""
    if get_origin(hint) in (Union, types.UnionType):
        return next(one for one in get_args(hint) if one is not type(None))
    return hint
