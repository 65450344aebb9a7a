"""What a model should say: a decision as the reply of a protocol, frames as the reply of protocol `goal`."""

from __future__ import annotations

import json
import re
from typing import Any

from dadu.core.errors import QUOTED
from dadu.language.frames.frame import Utterance
from dadu.language.frames.schema import to_json
from dadu.planner.model.schema import PLAN_STEPS
from dadu.planner.step import Decision
from dadu.skills.call import SkillCall
from dadu.skills.specification import Puts
from dadu.skills.table import SKILLS, does

_UNSAID = ("text", "notes")
"""of frames: what only repeats the instruction"""


def step_reply(decision: Decision, plan: list[str] | None, reasons: bool = True) -> str:
    """One step; with `plan`, the steps that it may hold in the schema's words, what is planned from here on; with
    `reasons`, why."""
    reply: dict[str, Any] = {"reasoning": reason(decision)} if reasons else {}
    if plan is not None:
        known = frozenset(plan)
        steps = [item for call in decision.plan if (item := plan_item(call)) in known]
        reply["plan"] = [*steps[:PLAN_STEPS - 1], *(["done"] if steps[-1:] != ["done"] else [])]
    return json.dumps({**reply, **action(decision.call)})


def action(call: SkillCall) -> dict[str, Any]:
    """``{"action": "place", "arguments": {"relation": "on", "receptacle": "desk_0"}}``"""
    spec = SKILLS[call.skill]
    fixed = {argument.name for argument in spec.arguments if argument.fixed}
    named = {name: value for name, value in spec.named(call.arguments).items() if name not in fixed}
    return {"action": call.skill, "arguments": named}


def plan_item(call: SkillCall) -> str:
    """``place on desk_0``; what it is to be put beside is said when it is done."""
    arguments = call.arguments[:2] if does(call.skill, Puts) else call.arguments
    return " ".join((call.skill, *arguments))


def reason(decision: Decision) -> str:
    """The planner's own, in the characters and the length that the schema allows."""
    return _plain(decision.reasoning) or "the next step"


def _plain(text: str) -> str:
    plain = " ".join(re.sub(r"[^ -~]|[\"\\]", "", text).split())
    return plain if len(plain) <= QUOTED else plain[:QUOTED - 3].rsplit(" ", 1)[0] + "..."


def goal_reply(utterance: Utterance) -> str:
    """The frames."""
    return written({"frames": _said(json.loads(to_json(utterance))["frames"])})


def written(reply: dict[str, Any]) -> str:
    """A reply of protocol `goal` as a model is taught to write it: without blanks, a third less to learn and to say."""
    return json.dumps(reply, separators=(",", ":"))


def refusal_reply(why: str) -> str:
    """That it cannot be done: the first clause of a reason."""
    return written({"refuse": _plain(why.partition(";")[0])})


def question_reply(words: str) -> str:
    """What only the person can say."""
    return written({"frames": [{"frame": "ask_back", "question": f"What do you mean by {words}?"}]})


def _said(value: Any) -> Any:
    if isinstance(value, list):
        return [_said(item) for item in value]
    if isinstance(value, dict):
        return {key: _said(item) for key, item in value.items() if key not in _UNSAID}
    return value
