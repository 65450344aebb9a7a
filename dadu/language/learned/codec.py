"""Symbols to frames, and the meaning of a generated sentence to symbols."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from dadu.knowledge.lexicon import default_lexicon
from dadu.language.frames.frame import Utterance
from dadu.language.frames.schema import from_json
from dadu.language.learned.slots import CLOSE, END, Slot, frame_types, number_of, slots_of, vocabulary
from dadu.language.learned.writing import Writing

_BEFORE = frozenset("a an the my your this that these those all some another both".split())


def to_utterance(writing: Writing, words: Sequence[str]) -> Utterance:
    """What was written, about a sentence of these words. Errors: FramesError for what is not done."""
    frames = [_told(frame, words, "frame") for frame in writing.frames] if writing.done else None
    return from_json(json.dumps({"frames": frames}))


def to_symbols(frames: Sequence[dict[str, Any]], span: Callable[[Any], tuple[int, int]]) -> list[int]:
    """What writes these frames; strings are told by `span` as first and last word, constants stand for themselves."""
    out: list[int] = []
    for frame in frames:
        _write_frame(frame, span, out)
    return [*out, number_of()[END]]


def _write_frame(frame: dict[str, Any], span: Callable[[Any], tuple[int, int]], out: list[int]) -> None:
    opening = f"{frame['frame']}:"
    out.append(number_of()[opening])
    _write(frame, frame_types()[opening], span, out)


def _write(value: dict[str, Any], type: type, span: Callable[[Any], tuple[int, int]], out: list[int]) -> None:
    for slot in slots_of(type):
        if slot.name not in value:
            continue
        found = value[slot.name]
        many = slot.most > 1 and slot.kind != "frames"
        for item in found if many else [found]:
            _write_slot(slot, item, span, out)
    out.append(number_of()[CLOSE])


def _write_slot(slot: Slot, item: Any, span: Callable[[Any], tuple[int, int]], out: list[int]) -> None:
    number = number_of()
    if slot.kind == "choice" or slot.kind == "span" and item in slot.values:
        out.append(number[f"{slot.name}={item}"])
        return
    out.append(number[f"{slot.name}(" if slot.kind == "object" else slot.name])
    if slot.kind == "span":
        out.extend(len(vocabulary()) + word for word in span(item))
    elif slot.kind == "object":
        assert slot.type is not None
        _write(item, slot.type, span, out)
    elif slot.kind != "flag":
        for frame in item:
            _write_frame(frame, span, out)


def _told(value: Any, words: Sequence[str], name: str) -> Any:
    """With words in place of spans."""
    if isinstance(value, list):
        return [_told(item, words, name) for item in value]
    if isinstance(value, tuple):
        return _words(words[value[0]:value[1] + 1], name)
    if not isinstance(value, dict):
        return value
    told = {key: _told(item, words, key) for key, item in value.items()}
    covered = _covered(value)
    if covered and name in ("what", "nouns", "to", "source", "places", "at", "using", "ask"):
        first = covered[0] - (covered[0] > 0 and words[covered[0] - 1] in _BEFORE)
        told["text"] = " ".join(words[first:covered[1] + 1])
    return told


def _words(said: Sequence[str], name: str) -> str:
    """Names are in the singular."""
    if name != "name":
        return " ".join(said)
    return " ".join((*said[:-1], default_lexicon().singular(said[-1])))


def _covered(value: Any) -> tuple[int, int] | None:
    """First and last of the words that it speaks of."""
    if isinstance(value, tuple):
        return value
    items = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    spans = [span for item in items if (span := _covered(item)) is not None]
    return (min(s[0] for s in spans), max(s[1] for s in spans)) if spans else None
