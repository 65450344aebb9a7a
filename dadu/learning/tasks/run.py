"""Makes the tasks of many homes; goes on where a run before was stopped."""

from __future__ import annotations

import random
from collections.abc import Generator, Iterable, Iterator
from functools import partial
from typing import TypeAlias

from dadu.core.errors import ConfigError
from dadu.core.work import Workers, WorkEvent, kept
from dadu.house.format import House
from dadu.learning.plans.home import PlanHomeOrder, make_home
from dadu.learning.plans.settings import PlanSettings
from dadu.learning.tasks.chosen import ChosenTasks, choose
from dadu.learning.tasks.settings import TaskSettings
from dadu.learning.tasks.store import HomeTasks, TaskFolder, TaskOrder, packed
from dadu.learning.tasks.verify import TYPES, TaskMaker

Made: TypeAlias = tuple[House | None, HomeTasks]
Event: TypeAlias = WorkEvent[TaskOrder, Made]
_AT_ONCE = 8
"""homes, at least, in each round"""


def make_tasks(folder: TaskFolder, count: int, workers: Workers) -> Iterator[Event | ChosenTasks]:
    """Makes as many homes as it takes to choose `count` tasks; events, and last what is chosen. The same homes and
    tasks whoever works. Errors: ConfigError where further homes bring nothing more."""
    settings = folder.sheet().settings
    homes, before, types = max(_AT_ONCE, -(-count // settings.each)), -1, TYPES
    while True:
        orders = folder.orders(homes, types)
        yield from make_homes(folder, orders, workers)
        made = [(order, found) for order in orders if (found := folder.made(order)) is not None]
        chosen = choose(made, count, settings)
        if len(chosen.tasks) >= count:
            yield chosen
            return
        if len(chosen.tasks) == before:
            raise ConfigError(f"{homes} homes give {before} tasks, and more give no others; ask for fewer, or for less "
                              "balance (room_share in --settings)")
        before, types = len(chosen.tasks), chosen.lacking
        homes += max(_AT_ONCE, homes * (count - before) // max(1, before) + 1)


def make_homes(folder: TaskFolder, orders: Iterable[TaskOrder], workers: Workers) -> Iterator[Event]:
    """Makes those that are missing; a part is a task."""
    missing = [order for order in orders if folder.made(order) is None]
    events = workers.events(partial(home_tasks, settings=folder.sheet().settings), missing)
    return kept(events, lambda order, made: folder.write(order, *made))


def home_tasks(order: TaskOrder, settings: TaskSettings) -> Generator[None, None, Made]:
    """All of one home, task by task."""
    try:
        home = make_home(PlanHomeOrder(order.home, settings.split), PlanSettings(rooms=settings.rooms))
    except ConfigError:
        return None, HomeTasks(tasks=(), rejected={})
    maker, tasks = TaskMaker(home, settings.robot, order.types), []
    for number in range(settings.each):
        task = maker.task(number, random.Random(f"{settings.seed}:{order.home}:{number}"))
        if task is not None:
            tasks.append(task)
            yield
    return home.house, HomeTasks(house=home.house.house, tasks=tuple(tasks), rejected=dict(maker.rejected),
                                 vectors=packed([t.instruction for t in tasks]))
