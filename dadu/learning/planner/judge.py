"""Judges a reply: can it be used, and is it the one that was expected?"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dadu.language.frames.frame import AskBackFrame
from dadu.language.frames.schema import FramesError, from_json, to_json
from dadu.learning.planner.settings import Protocol
from dadu.planner.model.reading import ReplyError, one_object, read
from dadu.planner.model.schema import Reply
from dadu.skills.table import SKILLS


@dataclass(frozen=True)
class JudgedReply:
    """What is held against a reply."""

    valid: bool
    """it keeps to the protocol; of a step: a skill with its arguments, about what the conversation names"""
    exact: bool
    """it asks for what the expected reply asks for; how a step is reasoned, and in what words something is refused or
    asked, is no matter"""
    right: str = ""
    """what the expected reply does: frames, refused, asked; or the skill of a step, untold where it names what the
    conversation has not"""


def judged(protocol: Protocol, said: Sequence[str], reply: str, expected: str) -> JudgedReply:
    """`said`: what the conversation told before."""
    read = _frames if protocol == "goal" else lambda text: _step(text, said)
    meant, right = read(reply), read(expected)
    return JudgedReply(meant is not None, meant is not None and meant == right, _sort(right))


def _sort(right: Any) -> str:
    """Of what `_frames` or `_step` has read."""
    if right is None:
        return "untold"
    if isinstance(right, str):
        return right
    return right[0] if right and isinstance(right[0], str) else "frames"


def _frames(text: str) -> Any:
    """What is asked for; refused, or asked back, in whatever words; None for what is no reply of protocol ``goal``."""
    try:
        told = one_object(text)
        if told.get("refuse") and not told.get("frames"):
            return "refused"
        utterance = from_json(json.dumps({"frames": told.get("frames")}))
        if [type(frame) for frame in utterance.frames] == [AskBackFrame]:
            return "asked"
    except (ValueError, TypeError, FramesError):
        return None
    return [json.loads(to_json(utterance))] if utterance.frames else None


def _step(text: str, said: Sequence[str]) -> Any:
    """The action and its arguments; None for what is no reply of a step-wise protocol."""
    try:
        reply = read(text, Reply)
    except ReplyError:
        return None
    skill = SKILLS.get(reply.action)
    if skill is None:
        return None
    free = {a.name: a for a in skill.arguments if not a.fixed}
    given = reply.arguments
    if not set(given) <= set(free) or any(not a.optional and name not in given for name, a in free.items()):
        return None
    known = {word for message in said for word in re.findall(r"\w+", message)}
    if any(value not in free[name].words and value not in known for name, value in given.items()):
        return None
    return reply.action, given
