"""Ways of going wrong, against the right reply to the same question: what preference training learns to avoid.

Source: the kinds of error of EMMOE: order, wrong object, wrong skill, premature end, repeated failure.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from dadu.learning.plans.writing import action, reason
from dadu.planner.model.client import Message
from dadu.planner.model.feasible import feasible
from dadu.planner.policies.policy import Turn
from dadu.planner.step import Decision
from dadu.skills.call import SkillCall
from dadu.skills.effects import ROBOT
from dadu.skills.specification import Puts
from dadu.skills.table import SKILLS, WORDS, does
from dadu.world.graph import Kind

if TYPE_CHECKING:
    from dadu.learning.plans.episode import Demonstrated
    from dadu.learning.plans.teacher import TaughtExchange, TaughtTurn

_PAIRS = 2
"""of an instruction in a protocol, at most, beside one of a repeated failure"""


@dataclass(frozen=True)
class Pair:
    """A line of preference data."""

    prompt: tuple[Message, ...]
    chosen: tuple[Message]
    rejected: tuple[Message]
    kind: str
    """order, wrong_object, wrong_skill, premature_end, repeated_failure"""


def step_pairs(asked: Sequence[TaughtExchange], done: Demonstrated, rng: random.Random) -> Iterator[Pair]:
    """Of some turns of an episode, a mistake each. `asked`: one exchange a turn."""
    named = done.task.goal.names
    found = [(i, kind, call) for i, taught in enumerate(done.teacher.turns)
             for kind, call in _mistakes(taught, named, done.conditions.capabilities, rng)]
    again = [one for one in found if one[1] == "repeated_failure"]
    rest = [one for one in found if one[1] != "repeated_failure"]
    kinds = sorted({kind for _, kind, _ in rest})
    chosen = [rng.choice([one for one in rest if one[1] == kind])
              for kind in rng.sample(kinds, min(_PAIRS, len(kinds)))]
    for i, kind, call in (*chosen, *again[:1]):
        decision = done.teacher.turns[i].decision
        yield _pair(asked[i], _wrong(asked[i].reply, decision, call), kind)


def goal_pairs(asked: TaughtExchange, turn: Turn, rng: random.Random) -> Iterator[Pair]:
    """A mistake in what is written down."""
    right = json.loads(asked.reply)
    found = [(kind, frames) for kind, frames in _wrong_frames(right["frames"], turn, rng) if frames != right["frames"]]
    if found:
        kind, frames = rng.choice(found)
        yield _pair(asked, json.dumps({**right, "frames": frames}), kind)


def _pair(asked: TaughtExchange, wrong: str, kind: str) -> Pair:
    return Pair(asked.messages, ({"role": "assistant", "content": asked.reply},),
                ({"role": "assistant", "content": wrong},), kind)


def _wrong(right: str, decision: Decision, call: SkillCall) -> str:
    """The same reply with another step, and a reason that fits it."""
    thought = {"done": "everything asked for holds"}.get(call.skill, f"the next step is {call}")
    reply: dict[str, Any] = {**json.loads(right), "reasoning": reason(replace(decision, reasoning=thought))}
    return json.dumps({**reply, **action(call)})


def _mistakes(taught: TaughtTurn, named: set[str], capabilities: Sequence[str], rng: random.Random
              ) -> Iterator[tuple[str, SkillCall]]:
    """Kind and step, each plainly worse than the right one."""
    turn, right = taught.turn, taught.decision
    if right.call.skill == "done":
        return
    if right.call.skill != "close":  # what was opened on the way is closed when all is done
        yield "premature_end", SkillCall("done")
    last = turn.history[-1] if turn.history else None
    if last is not None and not last.outcome.ok and last.call != right.call:
        yield "repeated_failure", last.call
    possible = list(_possible(turn, capabilities))
    yield from (("order", call) for call in _some(_too_early(turn, right, possible), rng))
    if set(right.call.arguments) & named:  # elsewhere, where something is looked for: no mistake that is plain
        yield from (("wrong_object", call) for call in _some(_other_things(turn, right.call, named, possible), rng))
    yield from (("wrong_skill", call) for call in _some(_other_skills(turn, right, possible), rng))


def _some(calls: list[SkillCall], rng: random.Random) -> list[SkillCall]:
    """One of them, where there are any."""
    return [rng.choice(calls)] if calls else []


def _too_early(turn: Turn, right: Decision, possible: list[SkillCall]) -> list[SkillCall]:
    """Later steps of the plan that are not possible before others: what is put down is picked first."""
    empty = turn.graph.held(ROBOT) is None
    return [call for call in right.plan[1:] if all(a in turn.graph or a in WORDS for a in call.arguments)
            and (empty if does(call.skill, Puts) else SKILLS[call.skill].at is not None and call not in possible)]


def _other_things(turn: Turn, right: SkillCall, named: set[str], possible: list[SkillCall]) -> list[SkillCall]:
    """The same skill with a thing that has nothing to do with what is asked for."""
    return [call for call in possible
            if call.skill == right.skill and call.arguments[0] in turn.graph and call.arguments[0] not in named]


def _other_skills(turn: Turn, right: Decision, possible: list[SkillCall]) -> list[SkillCall]:
    """Another skill with the same thing, which the plan does not hold."""
    things = set(right.call.arguments) & turn.graph.entities.keys()
    return [call for call in possible if set(call.arguments) & things and call not in right.plan
            and call.skill not in (right.call.skill, "go_to")]


def _possible(turn: Turn, capabilities: Sequence[str]) -> Iterator[SkillCall]:
    """Steps that the schema allows, those with one argument."""
    for variant in feasible(turn.graph, capabilities, turn.situation):
        for name, values in variant.arguments.items() if len(variant.arguments) == 1 else ():
            yield from (SkillCall(variant.skill, SKILLS[variant.skill].ordered({name: value})) for value in values)


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
