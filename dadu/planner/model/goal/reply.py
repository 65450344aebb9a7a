"""A reply as frames, checked in full: the server's promise to keep to the schema is not relied on."""

from __future__ import annotations

import json
from dataclasses import dataclass

from pydantic import Field

from dadu.core.errors import choices
from dadu.knowledge.vocabulary import Vocabulary
from dadu.language.frames.frame import Utterance
from dadu.language.frames.schema import FramesError, from_json
from dadu.language.frames.within import lacking
from dadu.planner.model.client import Completion
from dadu.planner.model.goal.names import is_here, nouns
from dadu.planner.model.goal.schema import FRAMES, SEARCHED
from dadu.planner.model.reading import ReplyError, ReplyForm, read
from dadu.skills.outcome import Code
from dadu.world.graph import WorldGraph


class _Reply(ReplyForm):
    search: list[str] = Field([], max_length=SEARCHED)
    frames: list[object] = Field([], max_length=FRAMES)
    refuse: str = Field("", max_length=2000)


@dataclass(frozen=True)
class Declined:
    """The model says that it cannot be done."""

    reason: str


@dataclass(frozen=True)
class Unusable:
    """What is wrong with a reply, for the model."""

    problem: str
    code: Code


def checked(answer: Completion, graph: WorldGraph, vocabulary: Vocabulary) -> Utterance | Declined | Unusable:
    """What a reply says; all that its frames name is here, or said to be searched for."""
    if not answer.complete:
        return Unusable(f"the reply was cut off after {answer.call.tokens_out} tokens; be brief", Code.UNKNOWN_ACTION)
    try:
        reply = read(answer.text, _Reply)
        if reply.refuse and not reply.frames:
            return Declined(reply.refuse)
        utterance = from_json(json.dumps({"frames": reply.frames}))
    except (ReplyError, FramesError) as error:
        why = str(error).splitlines()[0][:200]
        return Unusable(f"it is not one JSON object with frames, or with refuse ({why})", Code.UNKNOWN_ACTION)
    empty = next(lacking(utterance), "")
    if empty:
        return Unusable(f"{empty} is empty", Code.UNKNOWN_ACTION)
    return _unknown(utterance, reply.search, graph, vocabulary) or utterance


def _unknown(utterance: Utterance, search: list[str], graph: WorldGraph, vocabulary: Vocabulary) -> Unusable | None:
    """Names that stand for nothing."""
    missing = sorted({noun.name for noun in nouns(utterance) if noun.name and noun.name not in search
                      and not is_here(noun.name, graph, vocabulary)})
    if not missing:
        return None
    return Unusable(f"nothing known is called {', '.join(name[:60] for name in missing[:5])}; name what there is "
                    f"({choices((e.id for e in graph), 40)}), or list it in search, or refuse", Code.UNKNOWN_TARGET)
