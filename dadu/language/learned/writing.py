"""Which symbol may come next, so that whatever is written is frames: constrained decoding."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from dadu.language.frames.noun import NounPhrase, PlacePhrase
from dadu.language.learned.slots import CLOSE, END, Slot, frame_types, number_of, slots_of, vocabulary

LONGEST = 200
"""symbols of an utterance"""
_SAID = ("name", "attributes", "superlative", "pronoun", "purpose")
"""a noun phrase holds one of them; they are written first"""


@dataclass
class _Open:
    """An object, or a list of frames, that is being written."""

    type: type | None
    """None: a list of frames"""
    value: Any
    at: int = 0
    """index of the slot that is being filled"""
    count: int = 0
    """how often it has been filled"""


@dataclass
class Writing:
    """An utterance as far as it is written; `push` takes symbols of the vocabulary, and behind these, words."""

    words: int
    """of the sentence"""
    frames: list[Any] = field(default_factory=list)
    """as JSON has them, strings as (first, last) word or as constants"""
    done: bool = False
    _open: list[_Open] = field(default_factory=list)
    _span: tuple[Any, str, bool] | None = None
    """where the next words go: object, field, whether it is a list"""
    _first: int = -1

    def __post_init__(self) -> None:
        self._open.append(_Open(None, self.frames))

    def allowed(self) -> list[int]:
        """Indices of the symbols that may come next; from ``len(vocabulary())`` on they are words."""
        size, number = len(vocabulary()), number_of()
        if self._span is not None:
            return list(range(size + max(self._first, 0), size + self.words))
        top = self._open[-1]
        if top.type is None:
            found = list(frame_types())
            if top.value:
                found += self._after_frames()
            return [number[symbol] for symbol in found]
        return [number[symbol] for symbol in self._of(top)]

    def push(self, symbol: int) -> None:
        """One that is allowed."""
        if self._span is not None:
            self._word(symbol - len(vocabulary()))
            return
        said = vocabulary()[symbol]
        if said == END:
            self.done = True
        elif said == CLOSE:
            self._close()
        elif said in frame_types():
            self._begin(said)
        else:
            if self._open[-1].type is None:
                self._open.pop()
            self._fill(said)

    def _after_frames(self) -> list[str]:
        """Behind the frames of a list: what may follow it in the object that holds it."""
        return [END] if len(self._open) == 1 else self._of(self._open[-2])

    def _of(self, top: _Open) -> list[str]:
        """What may follow in an object."""
        found: list[str] = []
        assert top.type is not None
        for i, slot in enumerate(slots_of(top.type)[top.at:], top.at):
            if slot.name not in _SAID and not _said(top):
                return found
            count = top.count if i == top.at else 0
            if count < slot.most:
                found += slot.symbols()
            if count < _least(slot, top):
                return found
        return [*found, CLOSE]

    def _begin(self, said: str) -> None:
        value = {"frame": said[:-1]}
        self._open[-1].value.append(value)
        self._open.append(_Open(frame_types()[said], value))

    def _close(self) -> None:
        if self._open[-1].type is None:
            self._open.pop()
        self._open.pop()

    def _fill(self, said: str) -> None:
        top = self._open[-1]
        assert top.type is not None
        at, slot = next((i, s) for i, s in enumerate(slots_of(top.type)) if i >= top.at and said in s.symbols())
        top.count = top.count + 1 if at == top.at else 1
        top.at = at
        many = slot.most > 1 or slot.kind == "frames"
        if slot.kind == "flag":
            top.value[slot.name] = True
        elif "=" in said:
            value = slot.values[slot.symbols().index(said) - (len(slot.symbols()) - len(slot.values))]
            _put(top.value, slot.name, value, many)
            if slot.name == "special":  # where it belongs: of no noun
                top.value["nouns"] = []
                top.at = len(slots_of(top.type)) - 1
                top.count = slot.most
        elif slot.kind == "span":
            self._span = (top.value, slot.name, many)
        elif slot.kind == "object":
            value = {}
            _put(top.value, slot.name, value, many)
            self._open.append(_Open(slot.type, value))
        else:
            value = []
            if slot.kind == "groups":
                _put(top.value, slot.name, value, True)
            else:
                top.value[slot.name] = value
            self._open.append(_Open(None, value))

    def _word(self, word: int) -> None:
        assert self._span is not None
        if self._first < 0:
            self._first = word
            return
        value, name, many = self._span
        _put(value, name, (self._first, word), many)
        self._span, self._first = None, -1


def _put(value: dict[str, Any], name: str, what: Any, many: bool) -> None:
    if many:
        value.setdefault(name, []).append(what)
    else:
        value[name] = what


def _least(slot: Slot, top: _Open) -> int:
    """How often a slot must be filled. A place needs nouns, unless it is one that needs none."""
    if top.type is PlacePhrase and slot.name == "nouns":
        return 0 if "special" in top.value else 1
    return slot.least


def _said(top: _Open) -> bool:
    return top.type is not NounPhrase or any(name in top.value for name in _SAID)
