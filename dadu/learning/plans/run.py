"""Makes the plans of many homes; goes on where a run before was stopped."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Collection, Generator, Iterable, Iterator, Mapping
from dataclasses import asdict
from functools import partial
from typing import Any, TypeAlias

from dadu.core.work import Workers, WorkEvent, kept
from dadu.learning.pictures.splits import seeds
from dadu.learning.pictures.store import Split
from dadu.learning.plans.conditions import draw_conditions
from dadu.learning.plans.declined import decline
from dadu.learning.plans.episode import Dropped, demonstrate
from dadu.learning.plans.home import PlanHomeOrder, make_home
from dadu.learning.plans.lines import Written, written, written_declined
from dadu.learning.plans.settings import PlanSettings
from dadu.learning.plans.store import HomeCounts, PlanFolder
from dadu.learning.plans.task import Asker, NotAsked
from dadu.learning.plans.teacher import NotTaken
from dadu.planner.settings import GOAL

Made: TypeAlias = tuple[Mapping[str, list[Mapping[str, Any]]], HomeCounts]
"""lines by file, as of `PlanFolder.write`"""
Event: TypeAlias = WorkEvent[PlanHomeOrder, Made]
_TURNS: Mapping[int, Split] = {1: "validation", 2: "test"}
"""of 20 homes; the others train"""
_PATIENCE = 3
"""times as many tasks are tried in a home as episodes are wanted of it"""


def orders(count: int) -> list[PlanHomeOrder]:
    """The first `count` homes."""
    splits: list[Split] = [_TURNS.get(i % 20, "train") for i in range(count)]
    waiting = {split: iter(seeds(split, splits.count(split))) for split in set(splits)}
    return [PlanHomeOrder(next(waiting[split]), split) for split in splits]


def make_plans(folder: PlanFolder, episodes: int, workers: Workers) -> Iterator[Event]:
    """Makes as many homes as it takes to have so many `episodes`. The same homes whoever works."""
    each = folder.sheet().settings.episodes
    homes = -(-episodes // each)
    while True:
        wanted = orders(homes)
        yield from make_homes(folder, wanted, workers)
        short = episodes - sum(folder.kept(order) or 0 for order in wanted)
        if short <= 0:
            return
        homes += -(-short // each)


def make_homes(folder: PlanFolder, wanted: Iterable[PlanHomeOrder], workers: Workers) -> Iterator[Event]:
    """Makes those that are missing; a part is an episode that is kept."""
    missing = [order for order in wanted if folder.kept(order) is None]
    events = workers.events(partial(home_episodes, settings=folder.sheet().settings), missing)
    return kept(events, lambda order, made: folder.write(order, *made))


def home_episodes(order: PlanHomeOrder, settings: PlanSettings) -> Generator[None, None, Made]:
    """All of one home, one after the other. Errors: ConfigError where no such home can be made."""
    home, dropped, kept = make_home(order, settings), Counter[str](), 0
    asker, texts = Asker(home, order.split, settings), set[str]()
    files: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for number in range(_PATIENCE * settings.episodes):
        if kept == settings.episodes:
            break
        try:
            for new in instructions(number, order, asker, texts):
                if kept == settings.episodes:
                    break
                files["episodes"].append(new.record.model_dump(mode="json"))
                for protocol, messages in new.conversations:
                    files[f"sft/{protocol}"].append({"messages": messages})
                for protocol, pair in new.pairs:
                    files[f"dpo/{protocol}"].append(asdict(pair))
                texts.add(new.record.instruction.lower())
                kept += 1
                yield
        except (NotAsked, Dropped, NotTaken) as why:
            dropped[str(why) if not isinstance(why, NotTaken) else "nothing that a model could name"] += 1
    return files, HomeCounts(rooms=len(home.house.rooms), objects=len(home.house.objects), kept=kept,
                             dropped=dict(dropped.most_common()))


def instructions(number: int, order: PlanHomeOrder, asker: Asker, texts: Collection[str]) -> Iterator[Written]:
    """Of the task of that number, less those of which there are `texts`. Errors: NotAsked, Dropped, NotTaken."""
    settings, home = asker.settings, asker.home
    rng = random.Random(f"{settings.seed}:{order.seed}:{number}")
    conditions = draw_conditions(settings, rng)
    if rng.random() < settings.declined and GOAL in settings.protocols:
        declined = decline(home, order.split, number, conditions, settings, rng)
        if declined.wording.text.lower() not in texts:
            yield written_declined(order, number, declined, conditions)
        return
    found = demonstrate(home, asker.task(number, conditions.capabilities, rng), conditions, settings, rng)
    new = [i for i, wording in enumerate(found.task.wordings) if wording.text.lower() not in texts]
    yield from (written(order, number, i, found, rng, settings) for i in new)
