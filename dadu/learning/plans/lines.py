"""Episodes as lines of files: conversations to train on, and a record of each episode."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from dadu.core.config import Settings
from dadu.goals.suite_goal import SuiteGoal
from dadu.language.frames.schema import to_json
from dadu.learning.pictures.store import Split
from dadu.learning.plans.episode import Demonstrated
from dadu.learning.plans.teacher import Exchange
from dadu.planner.model.client import Message
from dadu.planner.settings import GOAL


class EpisodeRecord(Settings):
    """What was asked for, and what was done."""

    home: int
    """seed"""
    split: Split
    number: int
    """of the task in its home"""
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
    goal: SuiteGoal
    """by which it was judged"""
    plan: tuple[tuple[str, ...], ...]
    """the skills that were carried out"""
    failures: int
    """skills that failed"""
    replans: int
    events: tuple[str, ...]
    """what happened behind the robot's back"""
    protocols: tuple[str, ...]
    """in which it is written: a step that a protocol cannot name leaves that one out"""


def record(order_seed: int, split: Split, number: int, done: Demonstrated) -> EpisodeRecord:
    """Of an episode that ground truth has confirmed."""
    steps = done.report.steps
    stepwise = tuple(name for name, scribe in done.teacher.steps.items() if not scribe.problem)
    return EpisodeRecord(
        home=order_seed, split=split, number=number, family=done.task.family, instruction=done.task.text,
        form=done.task.form, new=done.task.new, known=done.known, capabilities=done.capabilities,
        frames=json.loads(to_json(done.task.utterance))["frames"], goal=done.task.goal,
        plan=tuple(tuple(step.call.as_list()) for step in steps), failures=sum(not s.outcome.ok for s in steps),
        replans=done.report.replans, events=tuple(done.events), protocols=(*stepwise, GOAL))


def conversations(done: Demonstrated) -> Iterator[tuple[str, list[Message]]]:
    """Protocol and messages. Whatever the assistant says in them is right."""
    for protocol, scribe in done.teacher.steps.items():
        if not scribe.problem:
            yield from ((protocol, said) for said in joined(scribe.prompter.asked))
    yield from ((GOAL, said) for said in joined(done.teacher.goal.asked))


def joined(asked: Iterable[Exchange]) -> Iterator[list[Message]]:
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
