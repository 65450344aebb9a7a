"""The JSON schema of a reply: what is to be looked for and the frames, or a refusal, with the world's names alone.

Made from the types of frames. Servers that guide decoding want little: no defaults, titles or discriminators, `anyOf`
in place of `oneOf`, and strings bounded by a pattern (xgrammar breaks them with maxLength).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dadu.language.frames.schema import json_schema
from dadu.planner.model.schema import REASONING

_NOISE = ("title", "description", "default", "discriminator")
_WORD = r"^[ a-zA-Z0-9_'-]{0,40}$"
_LEFT_OUT = ("text", "notes")
"""fields that only repeat the instruction"""
FRAMES = 12
"""in one reply, at most"""
SEARCHED = 24
"""names of what was not seen yet, at most: a frame may hold several"""


def goal_schema(here: Sequence[str], searchable: Sequence[str]) -> dict[str, Any]:
    """`here`, `searchable`: the names that there are, as in `dadu.planner.model.goal.names`."""
    full = json_schema()
    definitions = {name: _lean(form) for name, form in full["$defs"].items() if name != "RemarkFrame"}
    definitions["NounPhrase"]["properties"]["name"] = {"enum": ["", *here, *searchable]}
    definitions["AskBackFrame"]["properties"]["question"]["pattern"] = REASONING
    frames = {**_lean(full["properties"]["frames"]), "minItems": 1, "maxItems": FRAMES}
    search = {"search": {"type": "array", "items": {"enum": list(searchable)}, "maxItems": SEARCHED}}
    written = _object({**(search if searchable else {}), "frames": frames})
    refused = _object({"refuse": {"type": "string", "pattern": REASONING}})
    return {"anyOf": [written, refused], "$defs": definitions}


def _lean(form: Any) -> Any:
    """A schema without what says nothing of the form."""
    if isinstance(form, list):
        return [_lean(item) for item in form if item != {"$ref": "#/$defs/RemarkFrame"}]
    if not isinstance(form, dict):
        return form
    kept = {("anyOf" if key == "oneOf" else key): _lean(value) for key, value in form.items()
            if key not in _NOISE and key != "properties"}
    if kept.get("type") == "string" and not kept.keys() & {"enum", "const"}:
        kept["pattern"] = _WORD
    return {**kept, **_fields(form)} if "properties" in form else kept


def _fields(form: dict[str, Any]) -> dict[str, Any]:
    """An object's fields, and which of them must be there: the kind of a frame, and lists that say what it is about.
    Guided decoding writes them in this order, so it is the one in which replies are written: the kind first."""
    given = form["properties"]
    order = sorted(given, key=lambda name: name != "frame")
    found = {name: _lean(given[name]) for name in order if name not in _LEFT_OUT}
    required = [*(["frame"] if "frame" in found else []), *form.get("required", [])]
    for name in required:
        if found[name].get("type") == "array" and "special" not in found:  # a special place needs no noun
            found[name]["minItems"] = 1
    return {"properties": found, "required": required}


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}
