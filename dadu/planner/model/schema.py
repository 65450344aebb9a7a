"""The JSON schema of one turn's reply, and its check: the server's promise to keep to it is not relied on."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from dadu.memory.graph import WorldGraph
from dadu.planner.model.feasible import Variant, infeasible
from dadu.skills.call import SkillCall
from dadu.skills.outcome import Code, SkillResult

REASONING = r"^[ !#-\[\]-~]{1,200}$"
"""printable characters without quote and backslash; a pattern, since xgrammar breaks strings with maxLength"""


class Reply(BaseModel):
    """What a model answers in one turn."""

    model_config = ConfigDict(extra="forbid")

    reasoning: str = Field(max_length=2000)
    action: str
    arguments: dict[str, str] = {}


def schema(variants: Sequence[Variant]) -> dict[str, Any]:
    """The schema that allows exactly `variants`."""
    return {"anyOf": [_object({"reasoning": {"type": "string", "pattern": REASONING}, "action": {"enum": [v.skill]},
                               "arguments": _object({k: {"enum": list(ids)} for k, ids in v.arguments.items()})})
                      for v in variants]}


def check(text: str, graph: WorldGraph, variants: Sequence[Variant]) -> tuple[SkillCall, str] | SkillResult:
    """Call and reasoning of a reply, or what is wrong with it."""
    try:
        reply = Reply.model_validate(json.loads(text))
    except (json.JSONDecodeError, ValidationError) as error:
        reason = str(error).splitlines()[0]
        return SkillResult(Code.UNKNOWN_ACTION, "the reply is not one JSON object with reasoning, action and arguments "
                           f"({reason})", "malformed")
    for variant in variants:
        call = variant.call(reply.arguments) if variant.skill == reply.action else None
        if call is not None:
            return call, reply.reasoning
    return infeasible(reply.action, reply.arguments, graph, variants)


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}
