"""Makes the tasks of many homes in several processes; goes on where a run before was stopped."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path

from dadu.core.errors import ConfigError
from dadu.learning.plans.home import PlanHomeOrder, make_home
from dadu.learning.plans.settings import PlanSettings
from dadu.learning.tasks.chosen import ChosenTasks, choose
from dadu.learning.tasks.settings import TaskSettings
from dadu.learning.tasks.store import HomeTasks, TaskFolder, TaskOrder, packed
from dadu.learning.tasks.verify import TaskMaker
from dadu.learning.workers import MakingEvent, make_in_processes, serve

_AT_ONCE = 8
"""homes, at least, in each round"""


def make_tasks(folder: TaskFolder, count: int, workers: int) -> Iterator[MakingEvent | ChosenTasks]:
    """Makes as many homes as it takes to choose `count` tasks; events, and last what is chosen. The same homes and
    tasks whatever the number of workers. Errors: ConfigError where further homes bring nothing more."""
    settings = folder.sheet().settings
    homes, before = max(_AT_ONCE, -(-count // settings.each)), -1
    while True:
        orders = folder.orders(homes)
        missing = {order.name: asdict(order) for order in orders if folder.made(order) is None}
        yield from make_in_processes(("dadu.learning.tasks.run", str(folder.path)), missing, workers)
        made = [(order, found) for order in orders if (found := folder.made(order)) is not None]
        chosen = choose(made, count, settings)
        if len(chosen.tasks) >= count:
            yield chosen
            return
        if len(chosen.tasks) == before:
            raise ConfigError(f"{homes} homes give {before} tasks, and more give no others; ask for fewer, or for less "
                              "balance (room_share in --settings)")
        before = len(chosen.tasks)
        homes += max(_AT_ONCE, homes * (count - before) // max(1, before) + 1)


def make_home_tasks(order: TaskOrder, settings: TaskSettings, folder: TaskFolder,
                    done: Callable[[], None] = lambda: None) -> None:
    """All of one home; calls `done` after each."""
    try:
        home = make_home(PlanHomeOrder(order.home, settings.split), PlanSettings(rooms=settings.rooms))
    except ConfigError:
        folder.write(order, None, HomeTasks(tasks=(), rejected={}))
        return
    maker, tasks = TaskMaker(home, settings.robot), []
    for number in range(settings.each):
        task = maker.task(number, random.Random(f"{settings.seed}:{order.home}:{number}"))
        if task is not None:
            tasks.append(task)
            done()
    folder.write(order, home.house, HomeTasks(house=home.house.house, tasks=tuple(tasks), rejected=dict(maker.rejected),
                                              vectors=packed([t.instruction for t in tasks])))


def main() -> None:
    """A worker: its one argument is the folder."""
    folder = TaskFolder(Path(sys.argv[1]))
    settings = folder.sheet().settings
    serve(lambda order, done: make_home_tasks(TaskOrder(**order), settings, folder, done))
