"""The one JSON object that a model's reply is. What models and servers put around it is taken off; what could mean two
things is refused."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from dadu.core.errors import QUOTED

SCHEMA_NAME = "action"
"""of the response format that a server is sent; what is said as the call of a function of this name is the reply"""

_THOUGHTS_END = re.compile(r"</\s*(?:\w+:)?(?:think|thinking|thoughts?|reasoning|reflection|scratchpad)\s*>"
                           r"|\[/THINK\]|◁/think▷|<\|message\|>"
                           r"|<\|end_of_thought\|>|<\|END_THINKING\|>", re.I)
_MARK = re.compile(r"<[|/]?[^<>\n]{1,30}\|?>|\[/?[A-Z_]{1,30}\]")
"""of a chat template or a language of tags: end of a turn, a tool call"""
_STARTS = re.compile(r'\{(?=(?:\s|//[^\n]*|/\*.*?\*/)*["}])', re.DOTALL)
_WORD = r'"(?:[^"\\]|\\.?)*(?:"|$)|//[^\n]*|/\*.*?\*/|'
"""a text, or a remark"""
_TOKEN = re.compile(_WORD + r"[{}]", re.DOTALL)
_LOOSE = re.compile(_WORD + r",(?=(?:\s|//[^\n]*|/\*.*?\*/)*[}\]])|\b(?:True|False|None)\b", re.DOTALL)
_JSON = {"True": "true", "False": "false", "None": "null"}
_CALL = {"name", "arguments", "parameters", "id", "type"}
"""keys of a function's call, as models are taught to write one"""


class ReplyError(ValueError):
    """A reply that cannot be used; the text says to the model what was wrong with it."""


class ReplyForm(BaseModel):
    """Base of what replies are read as: keys that nobody asked for are no harm."""

    model_config = ConfigDict(extra="ignore")


F = TypeVar("F", bound=ReplyForm)


def read(text: str, form: type[F]) -> F:
    """The object of a reply, as `form`; what is null was not given. Errors: ReplyError."""
    given = {key: value for key, value in one_object(text).items() if value is not None}
    try:
        return form.model_validate(given)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise ReplyError(f"{'.'.join(map(str, first['loc']))}: {first['msg']}") from None


def one_object(text: str | None) -> dict[str, Any]:
    """The object that a text holds, however often; of what stands in front of the end of thoughts, only where nothing
    follows. Errors: ReplyError for none, for several, for one that breaks off or is none by JSON's rules, and for no
    text."""
    text = text or ""
    try:
        whole = _decoded(text)
    except ReplyError:
        whole = None
    if isinstance(whole, dict):
        return _as_asked(whole)
    thoughts, answer = _parted(whole if isinstance(whole, str) else text)
    part = thoughts if is_blank(answer) else answer
    found = {json.dumps(value, sort_keys=True): value for value in map(_as_asked, _objects(part)) if value}
    if len(found) > 1:
        raise ReplyError(f"it holds {len(found)} different JSON objects, where one is meant to be sent")
    if not found:
        raise ReplyError(f"it holds no JSON object with keys and texts in double quotes: {part.strip()[:QUOTED]!r}")
    return next(iter(found.values()))


def bare(text: str) -> str:
    """The object alone where there is one, else the text less thoughts; half a character, which could not be sent back,
    is a question mark."""
    text = text.encode(errors="replace").decode().strip()
    try:
        value = one_object(text)
    except ReplyError:
        thoughts, answer = _parted(text)
        return answer.strip() or thoughts.strip()
    try:
        plain = json.loads(text) == value
    except ValueError:
        plain = False
    return text if plain else json.dumps(value, ensure_ascii=False)


def message_text(message: Mapping[str, Any]) -> str:
    """What an assistant's message says, by the field that its server put it in: content, whole or in parts; a call of a
    function; and where there is neither, what it calls thoughts or a refusal."""
    said = "\n".join((_joined(message.get("content")), *_calls(message)))
    if not is_blank(said):
        return said
    spare = (_joined(message.get(key)) for key in ("reasoning_content", "reasoning", "thinking", "refusal"))
    return next((text for text in spare if not is_blank(text)), said)


def is_blank(text: str) -> bool:
    """No word in it, marks of a chat template aside."""
    return re.search(r"\w", _MARK.sub("", text)) is None and "{" not in text


def _joined(content: Any) -> str:
    """A text, or parts of one: ``[{"type": "text", "text": "..."}, ...]``; thoughts among them are left out."""
    if isinstance(content, Mapping):
        return _joined(content["text"]) if "text" in content else json.dumps(content)
    if isinstance(content, (list, tuple)):
        return "".join(part if isinstance(part, str) else _joined(part.get("text")) for part in content
                       if isinstance(part, (str, Mapping)))
    return content if isinstance(content, str) else ""


def _calls(message: Mapping[str, Any]) -> Iterator[str]:
    """Calls of functions, as texts like those that models write themselves."""
    calls = message.get("tool_calls")
    wrapped = [one.get("function") for one in calls if isinstance(one, Mapping)] if isinstance(calls, list) else []
    for call in (*wrapped, message.get("function_call")):
        if isinstance(call, Mapping) and call.get("name"):
            given = call.get("arguments") or "{}"
            yield f'{{"name": {json.dumps(call["name"])}, "arguments": ' \
                  f'{given if isinstance(given, str) else json.dumps(given)}}}'


def _parted(text: str) -> tuple[str, str]:
    """Thoughts, and what follows them."""
    ends = [match.span() for match in _THOUGHTS_END.finditer(text)]
    return (text[:ends[-1][0]], text[ends[-1][1]:]) if ends else ("", text)


def _objects(text: str) -> Iterator[dict[str, Any]]:
    """Every object that stands in no other one. Errors: ReplyError for what begins like one and is none."""
    at = 0
    while start := _STARTS.search(text, at):
        at = _end(text, start.start())
        value = _decoded(_LOOSE.sub(lambda token: _JSON.get(token[0], "" if token[0][0] in ",/" else token[0]),
                                    text[start.start():at]))
        if isinstance(value, dict):
            yield value


def _end(text: str, start: int) -> int:
    """Where the brace at `start` is closed. Errors: ReplyError."""
    depth = 0
    for token in _TOKEN.finditer(text, start):
        depth += {"{": 1, "}": -1}.get(token[0], 0)
        if not depth:
            return token.end()
    raise ReplyError(f"its JSON object breaks off: {text[start:start + QUOTED]!r}")


def _decoded(text: str) -> Any:
    """Errors: ReplyError, also for half a character, which cannot be sent on, and for a key given twice."""
    try:
        value = json.loads(text, strict=False, object_pairs_hook=_once, parse_constant=_no_number, parse_float=_finite)
        json.dumps(value, ensure_ascii=False).encode()
    except RecursionError:
        raise ReplyError("it is nested too deeply") from None
    except ReplyError:
        raise
    except ValueError as error:
        raise ReplyError(f"it is no JSON: {error}") from None
    return value


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found and found[key] != value:
            raise ReplyError(f"it gives {key[:QUOTED]!r} twice")
        found[key] = value
    return found


def _no_number(name: str) -> Any:
    raise ReplyError(f"{name} is no number of JSON")


def _finite(digits: str) -> float:
    return float(digits) if math.isfinite(float(digits)) else _no_number(digits)


def _as_asked(value: dict[str, Any]) -> dict[str, Any]:
    """A reply that was written as the call of a function, by what it says."""
    given = value.get("arguments", value.get("parameters", {}))
    name = value.get("name")
    if not isinstance(name, str) or not set(value) <= _CALL or len(value) < 2:
        return value
    if isinstance(given, str):
        try:
            given = _decoded(given)
        except ReplyError:
            return value
    if name == SCHEMA_NAME and isinstance(given, dict):
        return given
    return {"action": name, "arguments": given}
