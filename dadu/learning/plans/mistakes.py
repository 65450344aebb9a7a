"""Ways of going wrong, against the right reply to the same question: what preference training learns to avoid.

Source: the kinds of error of EMMOE: order, wrong object, wrong skill, premature end, repeated failure. Late end is our
own: without it `done` would be wrong in many pairs and right in none, and a model would learn never to say it.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from dadu.language.frames.schema import from_json
from dadu.learning.plans.writing import action, reason, refusal_reply, written
from dadu.planner.model.client import Message
from dadu.planner.model.goal.names import is_here, nouns
from dadu.planner.policies.policy import Turn
from dadu.skills.call import SkillCall
from dadu.skills.specification import Puts
from dadu.skills.table import SKILLS, WORDS, does
from dadu.world.graph import ROBOT, Kind

if TYPE_CHECKING:
    from dadu.learning.plans.episode import Demonstrated
    from dadu.learning.plans.teacher import TaughtExchange, TaughtTurn

Mistake = tuple[str, int, SkillCall]
"""kind, number of the turn, and the step"""
_PAIRS = 2
"""of an instruction in a protocol, at most, beside one of a repeated failure"""
_REFUSED = 0.1
"""share of what names something unseen that is set against its refusal"""
_LOOKED = 4
"""turns in which a mistake of a kind is looked for"""


@dataclass(frozen=True)
class Pair:
    """A line of preference data."""

    prompt: tuple[Message, ...]
    chosen: tuple[Message]
    rejected: tuple[Message]
    kind: str
    """order, wrong_object, wrong_skill, premature_end, late_end, repeated_failure; acts_anyway, needless_refusal"""


def step_pairs(asked: Sequence[TaughtExchange], done: Demonstrated, rng: random.Random) -> Iterator[Pair]:
    """Of some turns of an episode, a mistake each. `asked`: one exchange a turn."""
    kinds = rng.sample(sorted(_KINDS), len(_KINDS))
    found = filter(None, (_somewhere(kind, done, rng) for kind in kinds))
    for kind, i, call in (*islice(found, _PAIRS), *filter(None, [_again(done, rng)])):
        # The same reply with another step, and a reason that fits it.
        thought = {"done": "everything asked for holds"}.get(call.skill, f"the next step is {call}")
        reply: dict[str, Any] = json.loads(asked[i].reply)
        if "reasoning" in reply:
            reply["reasoning"] = reason(replace(done.teacher.turns[i].decision, reasoning=thought))
        yield pair_of(asked[i], json.dumps({**reply, **action(call)}), kind)


def _somewhere(kind: str, done: Demonstrated, rng: random.Random) -> Mistake | None:
    """One of this kind, where some turns that are looked at leave room for it."""
    named, turns = done.task.goal.names, done.teacher.turns
    fit = [i for i, taught in enumerate(turns) if (taught.decision.call.skill == "done") == (kind == "late_end")]
    for i in rng.sample(fit, min(_LOOKED, len(fit))):
        calls = _KINDS[kind](turns[i], named)
        if calls:
            return kind, i, rng.choice(calls)
    return None


def _again(done: Demonstrated, rng: random.Random) -> Mistake | None:
    """What has just failed, once more, where something else is right."""
    found = [(i, taught.turn.history[-1]) for i, taught in enumerate(done.teacher.turns) if taught.turn.history]
    failed = [(i, last.call) for i, last in found
              if not last.outcome.ok and done.teacher.turns[i].decision.call not in (last.call, SkillCall("done"))]
    return ("repeated_failure", *rng.choice(failed)) if failed else None


def goal_pairs(asked: TaughtExchange, turn: Turn, rng: random.Random) -> Iterator[Pair]:
    """A mistake in what is written down."""
    right = json.loads(asked.reply)
    found = [(kind, written({**right, "frames": frames}))
             for kind, frames in _wrong_frames(right["frames"], turn, rng) if frames != right["frames"]]
    unseen = sorted(noun.name for noun in nouns(from_json(json.dumps(right)))
                    if noun.name and not is_here(noun.name, turn.graph, turn.vocabulary))
    if unseen and rng.random() < _REFUSED:
        found = [("needless_refusal", refusal_reply(f"there is no {unseen[0]} here"))]
    if found:
        kind, wrong = rng.choice(found)
        yield pair_of(asked, wrong, kind)


def pair_of(asked: TaughtExchange, wrong: str, kind: str) -> Pair:
    """The right reply to what was asked, and a wrong one."""
    return Pair(asked.messages, ({"role": "assistant", "content": asked.reply},),
                ({"role": "assistant", "content": wrong},), kind)


def _ends(taught: TaughtTurn, named: Collection[str]) -> list[SkillCall]:
    """Before all is done; what was opened on the way is closed when it is."""
    return [SkillCall("done")] if taught.decision.call.skill != "close" else []


def _too_early(taught: TaughtTurn, named: Collection[str]) -> list[SkillCall]:
    """Later steps of the plan that are not possible before others: what is put down is picked first."""
    graph = taught.turn.graph
    empty = graph.held(ROBOT) is None
    return [call for call in taught.plan[1:] if all(a in graph or a in WORDS for a in call.arguments)
            and (empty if does(call.skill, Puts) else SKILLS[call.skill].at is not None
                 and call not in taught.possible)]


def _other_things(taught: TaughtTurn, named: Collection[str]) -> list[SkillCall]:
    """The same skill with a thing that has nothing to do with what is asked for; elsewhere, where something is looked
    for, is no mistake that is plain."""
    right, graph = taught.decision.call, taught.turn.graph
    if not set(right.arguments) & set(named):
        return []
    return [call for call in taught.possible
            if call.skill == right.skill and call.arguments[0] in graph and call.arguments[0] not in named]


def _other_skills(taught: TaughtTurn, named: Collection[str]) -> list[SkillCall]:
    """Another skill with the same thing, which the plan does not hold."""
    right = taught.decision.call
    things = set(right.arguments) & taught.turn.graph.entities.keys()
    return [call for call in taught.possible if set(call.arguments) & things
            and call.skill not in (right.skill, "go_to") and call not in taught.plan]


_KINDS: Mapping[str, Callable[[TaughtTurn, Collection[str]], list[SkillCall]]] = {
    "premature_end": _ends,
    "late_end": lambda taught, named: [call for call in taught.possible if set(call.arguments) & set(named)],
    "order": _too_early, "wrong_object": _other_things,
    "wrong_skill": _other_skills}
"""Steps that are plainly worse than the right one, by kind; given what the goal names"""


def _wrong_frames(frames: list[Any], turn: Turn, rng: random.Random) -> Iterator[tuple[str, list[Any]]]:
    """Kind, and frames with one thing wrong."""
    if len(frames) > 1:
        yield "premature_end", frames[:-1]
    for i, frame in enumerate(frames):
        def changed(new: dict[str, Any], at: int = i) -> list[Any]:
            return [*frames[:at], new, *frames[at + 1:]]
        if frame["frame"] == "sequence" and len(frame["steps"]) > 1:
            yield "order", changed({**frame, "steps": frame["steps"][::-1]})
            yield "premature_end", changed({**frame, "steps": frame["steps"][:-1]})
        if frame["frame"] == "move" and frame.get("to"):
            yield "wrong_skill", changed({"frame": "look", "answer": "find", "what": frame["what"][0]})
        if frame["frame"] == "change":
            other = rng.choice([s for s in ("clean", "hot", "cold", "open", "powered_on") if s != frame["state"]])
            yield "wrong_skill", changed({**frame, "state": other})
        if frame["frame"] in ("move", "change") and frame["what"][0].get("name"):
            for name in _others(frame["what"][0]["name"], turn, rng):
                yield "wrong_object", changed({**frame, "what": [{**frame["what"][0], "name": name},
                                                                 *frame["what"][1:]]})


def _others(name: str, turn: Turn, rng: random.Random) -> list[str]:
    """What something else here is called, a thing where any is known."""
    others = {kind: sorted({e.category.replace("_", " ") for e in turn.graph.of(kind)
                            if not turn.vocabulary.is_a(e.category, name)}) for kind in (Kind.OBJECT, Kind.FURNITURE)}
    found = others[Kind.OBJECT] or others[Kind.FURNITURE]
    return [rng.choice(found)] if found else []
