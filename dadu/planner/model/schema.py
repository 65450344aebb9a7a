"""The JSON schema of one turn's reply, and its check: the server's promise to keep to it is not relied on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from pydantic import Field, field_validator

from dadu.core.errors import QUOTED, choices
from dadu.planner.asking.question import ASK
from dadu.planner.model.feasible import SkillVariant
from dadu.planner.model.infeasible import infeasible
from dadu.planner.model.reading import ReplyError, ReplyForm, one_object, read
from dadu.planner.situation import Situation
from dadu.skills.call import SkillCall
from dadu.skills.outcome import Code, SkillResult
from dadu.skills.table import SKILLS
from dadu.world.graph import WorldGraph

REASONING = r"^[ !#-\[\]-~]{1,120}$"
"""printable characters without quote and backslash; a pattern, since xgrammar breaks strings with maxLength, and of no
more than 128 characters, since xgrammar 0.2.8 fails on longer repetitions"""
QUESTION = "question"
"""the argument of `ASK`"""
Ways: TypeAlias = Mapping[str, Sequence[str]]
"""as `dadu.planner.policies.policy.Turn.ways`"""
PLAN_STEPS = 24
"""in the plan of a first reply, at most"""


class Reply(ReplyForm):
    """What a model answers in one turn."""

    reasoning: str = Field("", max_length=2000)
    plan: list[str] = Field([], max_length=200)
    action: str
    arguments: dict[str, str] = {}
    by: str = ""

    @field_validator("arguments", mode="before")
    @classmethod
    def _given(cls, arguments: Any) -> Any:
        """Those that have a value; servers that speak of functions send them as a text."""
        arguments = one_object(arguments or "{}") if isinstance(arguments, str) else arguments
        return {k: v for k, v in arguments.items() if v is not None} if isinstance(arguments, dict) else arguments


@dataclass(frozen=True)
class ModelReply:
    """A reply that can be carried out."""

    call: SkillCall
    reasoning: str
    by: str = ""
    """which of several ways; empty: left open"""
    plan: tuple[SkillCall, ...] = ()
    """of a first reply, as far as it can be read"""


def schema(variants: Sequence[SkillVariant], plan: Sequence[str] = (), reasons: bool = True, asks: bool = False,
           ways: Ways | None = None) -> dict[str, Any]:
    """The schema that allows exactly `variants`; with `plan`, the reply also lists the steps to come, out of these;
    with `reasons`, it begins with a sentence; with `asks`, it may be a question instead; a
    skill with several `ways` names one."""
    head: dict[str, Any] = {"reasoning": {"type": "string", "pattern": REASONING}} if reasons else {}
    if plan:
        head["plan"] = {"type": "array", "items": {"enum": list(plan)}, "minItems": 1, "maxItems": PLAN_STEPS}
    arguments: list[tuple[str, dict[str, Any]]] = [
        (v.skill, {k: {"enum": list(ids)} for k, ids in v.arguments.items()}) for v in variants]
    if asks:
        arguments.append((ASK, {QUESTION: {"type": "string", "pattern": REASONING}}))
    by = {skill: {"by": {"enum": list(names)}} for skill, names in (ways or {}).items()}
    return {"anyOf": [_object({**head, "action": {"enum": [skill]}, "arguments": _object(of), **by.get(skill, {})})
                      for skill, of in arguments]}


def check(text: str, graph: WorldGraph, variants: Sequence[SkillVariant], situation: Situation | None = None,
          asks: bool = False, ways: Ways | None = None) -> ModelReply | SkillResult:
    """A reply that fits one of `variants`, or with `asks` a question; or what is wrong with it. Of several `ways` it
    may leave open which. The plan is a wish, not a promise: steps in it that cannot be read are left out."""
    try:
        reply = read(text, Reply)
    except ReplyError as error:
        return SkillResult(Code.UNKNOWN_ACTION, "the reply is not one JSON object with reasoning, action and arguments "
                           f"({error})", "malformed")
    if asks and reply.action == ASK:
        question = " ".join(reply.arguments.get(QUESTION, "").split())[:QUOTED]
        if not question:
            return SkillResult(Code.UNKNOWN_ACTION, f"{ASK} needs a {QUESTION}", "malformed")
        return ModelReply(SkillCall(ASK, (question,)), reply.reasoning)
    for variant in variants:
        call = variant.call(reply.arguments) if variant.skill == reply.action else None
        if call is not None:
            known = (ways or {}).get(call.skill, ())
            if known and reply.by and reply.by not in known:
                return SkillResult(Code.UNKNOWN_ACTION, f"{call.skill} cannot be done by {reply.by[:QUOTED]!r}; by: "
                                   f"{choices(known)}")
            steps = (_step(item, graph) for item in reply.plan[:PLAN_STEPS])
            plan = tuple(step for step in steps if step is not None)
            return ModelReply(call, reply.reasoning, reply.by if known else "", plan)
    return infeasible(reply.action, reply.arguments, graph, variants, situation)


def _step(item: str, graph: WorldGraph) -> SkillCall | None:
    """``place on desk_0`` as a call; None where it names a skill or a thing that there is not."""
    skill, *arguments = item.split() or [""]
    spec = SKILLS.get(skill)
    if spec is None or len(arguments) != spec.required:
        return None
    known = all(value in graph or value in a.words for a, value in zip(spec.arguments, arguments, strict=False))
    return SkillCall(skill, tuple(arguments)) if known else None


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}
