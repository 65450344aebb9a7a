"""The JSON schema of a reply: the frames, or a refusal, with the world's names alone.

Made from the types of frames, unrolled: conditions and places within one another go so deep and no deeper, lists have
so many entries and no more, and each noun phrase names something. So every reply ends, and backends that cannot recurse
can use it. Servers that guide decoding want little: no defaults, titles or discriminators, `anyOf` in place of `oneOf`,
and strings bounded by a pattern (xgrammar breaks them with maxLength).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from dadu.language.frames.schema import json_schema
from dadu.planner.model.schema import REASONING

_NOISE = ("title", "description", "default", "discriminator")
_WORD = r"^[ a-zA-Z0-9_'-]{0,40}$"
_SAID = r"^[ a-zA-Z0-9_'-]{1,40}$"
_LEFT_OUT = ("text", "notes")
"""fields that only repeat the instruction"""
FRAMES = 12
"""in one reply, at most"""
LISTED = 8
"""entries of any other list, at most: what is more is said in another frame"""
NAMED = FRAMES * LISTED
"""things and places in one reply, at most, whatever a server that does not keep to the schema sends"""
DEPTH = {"NounPhrase": 2, "Frame": 2}
"""how often one may stand within another: the mug on the table in the kitchen; if, then first this and then that"""
_NESTING = ("IfFrame", "SequenceFrame")
_NAMED_BY = ("name", "pronoun", "purpose")
_MOST = 99


def goal_schema(here: Sequence[str], searchable: Sequence[str]) -> dict[str, Any]:
    """`here`, `searchable`: the names that there are, as in `dadu.planner.model.goal.names`."""
    frames, definitions = _unrolled()
    refused = {"refuse": {"type": "string", "pattern": REASONING}}
    return {"anyOf": [_object({"frames": frames}), _object(refused)],
            "$defs": {"Name": {"enum": [*here, *searchable]}, **definitions}}


@cache
def _unrolled() -> tuple[dict[str, Any], dict[str, Any]]:
    """The frames of a reply and the definitions that they use, but for `Name`: the same in every world, and slow to
    make. Nobody changes them."""
    unrolled = _Unrolled()
    frames = unrolled.lean(json_schema()["properties"]["frames"], DEPTH) | {"minItems": 1, "maxItems": FRAMES}
    return frames, unrolled.definitions


class _Unrolled:
    """The types of frames with a definition for each depth at which they may stand."""

    def __init__(self) -> None:
        self._types = json_schema()["$defs"]
        self.definitions: dict[str, Any] = {}

    def lean(self, form: Any, left: dict[str, int]) -> Any:
        """A schema without what says nothing of the form; `left`: how often each type may still nest."""
        if isinstance(form, list):
            kept = [self.lean(item, left) for item in form if not isinstance(item, dict) or self._fits(item, left)]
            return [item for item in kept if item is not None]
        if not isinstance(form, dict):
            return form
        if "$ref" in form:
            return {"$ref": f"#/$defs/{self._defined(_type(form), left)}"}
        out = {("anyOf" if key == "oneOf" else key): self.lean(value, left) for key, value in form.items()
               if key not in _NOISE and key != "properties"}
        if out.get("type") == "string" and not out.keys() & {"enum", "const"}:
            out["pattern"] = _WORD
        if out.get("type") == "integer":
            out |= {"minimum": 0, "maximum": _MOST}
        if out.get("type") == "array":
            out.setdefault("maxItems", LISTED)
        return out | self._fields(form, left) if "properties" in form else out

    def _fits(self, form: Any, left: dict[str, int]) -> bool:
        """False for what must not stand here: conditions too deep within others, and words that ask for nothing."""
        name = _type(form)
        return name != "RemarkFrame" and (name not in _NESTING or left["Frame"] > 0)

    def _defined(self, name: str, left: dict[str, int]) -> str:
        """The name of the definition of a type at this depth."""
        uses = _nested_in(self._types, name)
        key = "".join([name, *(str(left[kind]) for kind in DEPTH if kind in uses)])
        if key not in self.definitions:
            self.definitions[key] = {}  # its place in the order of definitions
            inner = dict(left)
            if name in _NESTING:
                inner["Frame"] -= 1
            form = self.lean(self._types[name], inner)
            if name == "NounPhrase":
                form = _naming(form)
            if name == "AskBackFrame":
                form["properties"]["question"]["pattern"] = REASONING
            self.definitions[key] = form
        return key

    def _fields(self, form: dict[str, Any], left: dict[str, int]) -> dict[str, Any]:
        """An object's fields, and which must be there: the kind of a frame, and lists that say what it is about. Guided
        decoding writes them in this order, so it is the one in which replies are written: the kind first."""
        given = form["properties"]
        noun = form.get("title") == "NounPhrase"
        inner = left | {"NounPhrase": left["NounPhrase"] - 1} if noun else left
        deep = [name for name in given if noun and not left["NounPhrase"] and "$ref" in given[name].get("items", ())]
        order = sorted(given, key=lambda name: name != "frame")
        found = {name: self.lean(given[name], inner) for name in order if name not in (*_LEFT_OUT, *deep)}
        required = [*(["frame"] if "frame" in found else []), *form.get("required", [])]
        for name in required:
            if found[name].get("type") == "array" and "special" not in found:  # a special place needs no noun
                found[name]["minItems"] = max(1, found[name].get("minItems", 0))
        return {"properties": found, "required": required}


def _nested_in(types: dict[str, Any], name: str) -> set[str]:
    """The kinds of `DEPTH` that stand, however deep, in a type."""
    seen, todo = set[str](), [name]
    while todo:
        one = todo.pop()
        if one not in seen:
            seen.add(one)
            todo += _types_in(types[one])
    return {kind for kind in DEPTH if kind in seen or kind == "Frame" and seen & {*_NESTING}}


def _types_in(form: Any) -> list[str]:
    if isinstance(form, dict):
        inner = [name for value in form.values() for name in _types_in(value)]
        return [_type(form), *inner] if "$ref" in form else inner
    return [name for item in form for name in _types_in(item)] if isinstance(form, list) else []


def _type(form: dict[str, Any]) -> str:
    return str(form.get("$ref", "")).rpartition("/")[2]


def _naming(form: dict[str, Any]) -> dict[str, Any]:
    """A noun phrase as one of three: by a name of the world's, a pronoun, or what it is good for."""
    given = form["properties"] | {"name": {"$ref": "#/$defs/Name"}}
    given["purpose"] = {**given["purpose"], "pattern": _SAID}
    given["pronoun"] = {"enum": [word for word in given["pronoun"]["enum"] if word]}
    without = {"name": {"pronoun"}, "pronoun": {"name", "purpose"}, "purpose": {"name", "pronoun"}}
    return {"anyOf": [{**form, "properties": {key: value for key, value in given.items() if key not in without[by]},
                       "required": [by]} for by in _NAMED_BY]}


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}
