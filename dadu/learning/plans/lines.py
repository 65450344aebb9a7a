"""Episodes as lines of files: conversations to train on, and a record of each episode."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from dadu.core.config import Settings
from dadu.goals.suite_goal import SuiteGoal
from dadu.language.frames.schema import to_json
from dadu.learning.pictures.store import Split
from dadu.learning.plans.conditions import Conditions
from dadu.learning.plans.declined import DeclinedTask, TaskEnd
from dadu.learning.plans.episode import Demonstrated
from dadu.learning.plans.home import PlanHomeOrder
from dadu.learning.plans.mistakes import Pair, goal_pairs, step_pairs
from dadu.learning.plans.settings import PlanSettings
from dadu.learning.plans.task import Wording
from dadu.learning.plans.teacher import STEPWISE, GoalTeacher, NotTaken, TaughtExchange, step_exchanges
from dadu.planner.model.client import Message
from dadu.planner.settings import GOAL
from dadu.planner.step import Step


class EpisodeRecord(Settings):
    """What was asked for, and what was done."""

    home: int
    """seed"""
    split: Split
    number: int
    """of the task in its home"""
    wording: int
    """of the task"""
    family: str
    instruction: str
    form: int
    """crc32 of the sentence's form"""
    new: tuple[str, ...]
    """what of it training never sees: home, form, category"""
    known: str
    """what the robot was told of the home"""
    capabilities: tuple[str, ...]
    frames: list[Any]
    ends: TaskEnd
    """as is right: done, refused, or asked about"""
    goal: SuiteGoal | None
    """by which it was judged; None where nothing can be done"""
    plan: tuple[tuple[str, ...], ...]
    """the skills that were carried out"""
    outcomes: tuple[int, ...] = ()
    """their codes, 0 for what worked; none in records of earlier versions"""
    failures: int
    """skills that failed"""
    events: tuple[str, ...]
    """what happened behind the robot's back"""
    protocols: tuple[str, ...]
    """in which it is written: a step that a protocol cannot name leaves that one out"""


@dataclass(frozen=True)
class Written:
    """An instruction of an episode, in every protocol that can say what was done."""

    record: EpisodeRecord
    conversations: tuple[tuple[str, list[Message]], ...]
    """protocol and messages; whatever the assistant says in them is right"""
    pairs: tuple[tuple[str, Pair], ...] = ()
    """protocol, and a right and a wrong reply"""


def written(order: PlanHomeOrder, number: int, index: int, done: Demonstrated, rng: random.Random,
            settings: PlanSettings) -> Written:
    """The wording of that index, of an episode that ground truth has confirmed, in the protocols that `settings` name.
    Errors: NotTaken where its frames are none that a model could write, or no such protocol has a word for a step."""
    wording, steps, turns = done.task.wordings[index], done.report.steps, done.teacher.turns
    asked: dict[str, list[TaughtExchange]] = {}
    for protocol in (p for p in STEPWISE if p in settings.protocols):
        try:
            asked[protocol] = step_exchanges(protocol, wording.text, turns, done.conditions.capabilities,
                                             settings.step_prompts.get(protocol, ""))
        except NotTaken:
            continue
    pairs = [(protocol, pair) for protocol, said in asked.items() for pair in step_pairs(said, done, rng)]
    if GOAL in settings.protocols:
        asked[GOAL] = GoalTeacher(settings.prompt).exchanges(wording.text, wording.utterance, turns[0].turn)
        pairs += [(GOAL, pair) for exchange in asked[GOAL] for pair in goal_pairs(exchange, turns[0].turn, rng)]
    if not asked:
        raise NotTaken("no protocol that is wanted can say it")
    record = _record(order, number, wording, steps, done.conditions, wording_number=index, family=done.task.family,
                     new=done.task.new, ends="done", goal=done.task.goal, events=tuple(done.events),
                     protocols=tuple(asked))
    said = tuple((protocol, messages) for protocol, found in asked.items() for messages in joined(found))
    return Written(record, said, tuple(pairs))


def written_declined(order: PlanHomeOrder, number: int, done: DeclinedTask, conditions: Conditions) -> Written:
    """An instruction that is refused or asked about: protocol `goal` alone can say so."""
    record = _record(order, number, done.wording, done.steps, conditions, wording_number=0, family=done.sort,
                     new=done.new, ends=done.ending, goal=None, events=(), protocols=(GOAL,))
    said = tuple((GOAL, messages) for messages in joined(done.asked))
    return Written(record, said, tuple((GOAL, pair) for pair in done.pairs))


def _record(order: PlanHomeOrder, number: int, wording: Wording, steps: Sequence[Step], conditions: Conditions, *,
            wording_number: int, **of_it: Any) -> EpisodeRecord:
    return EpisodeRecord(
        home=order.seed, split=order.split, number=number, wording=wording_number, instruction=wording.text,
        form=wording.form, known=conditions.known, capabilities=conditions.capabilities,
        frames=json.loads(to_json(wording.utterance))["frames"],
        plan=tuple(tuple(step.call.as_list()) for step in steps),
        outcomes=tuple(int(step.outcome.code) for step in steps), failures=sum(not s.outcome.ok for s in steps),
        **of_it)


def joined(asked: Iterable[TaughtExchange]) -> Iterator[list[Message]]:
    """Requests that go on where the one before has ended, as one conversation."""
    said: list[Message] = []
    for exchange in asked:
        if said and list(exchange.messages[:-1]) != said:
            yield said
            said = []
        said = [*(said or exchange.messages[:-1]), exchange.messages[-1],
                {"role": "assistant", "content": exchange.reply}]
    if said:
        yield said
