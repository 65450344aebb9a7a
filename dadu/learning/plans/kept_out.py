"""Kept-out episodes as a suite: whether a planner that was trained on the others gets them done."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import yaml

from dadu.core.errors import ConfigError
from dadu.house.files import save_house
from dadu.learning.pictures.store import Split
from dadu.learning.plans.episode import SECONDS
from dadu.learning.plans.home import PlanHomeOrder, make_home
from dadu.learning.plans.lines import EpisodeRecord
from dadu.learning.plans.store import PlanFolder
from dadu.skills.table import BASE_CAPABILITIES
from dadu.tasks.helper import write_helper
from dadu.tasks.suite import SUFFIX


def write_kept_out(folder: PlanFolder, path: Path, split: Split, count: int, seed: int = 0) -> int:
    """Writes at most `count` episodes of a split, one wording of each task, drawn from all; their homes and a robot
    with all skills lie beside. Returns how many. Nothing goes wrong in them, and what is to be refused is left out: a
    suite asks for something. Errors: ConfigError where there is none, or the file's name is none of a suite."""
    if not path.name.endswith(SUFFIX):
        raise ConfigError(f"{path}: a suite's file is called NAME{SUFFIX}")
    # One of the wordings of each task.
    episodes = [e for e in folder.episodes() if e.split == split and e.goal is not None]
    tasks: dict[tuple[int, int], list[EpisodeRecord]] = {}
    for episode in episodes:
        tasks.setdefault((episode.home, episode.number), []).append(episode)
    there = [random.Random(f"{seed}:{home}:{number}").choice(told) for (home, number), told in sorted(tasks.items())]
    if not there:
        raise ConfigError(f"{folder.path}: no episodes of split {split}")
    drawn = sorted(random.Random(seed).sample(there, min(count, len(there))), key=lambda e: (e.home, e.number))
    homes = path.parent / "homes"
    homes.mkdir(parents=True, exist_ok=True)
    helper, settings = write_helper(path.parent), folder.sheet().settings
    houses = {}
    for home in sorted({e.home for e in drawn}):
        house = make_home(PlanHomeOrder(home, split), settings).house
        houses[home] = f"homes/{house.house}.house.yaml"
        save_house(house, path.parent / houses[home])
    name = path.name.removesuffix(SUFFIX)
    content = {"suite": name, "about": f"{split} of {folder.path.name}, made by `dadu data plans`",
               "defaults": {"steps": settings.steps, "sim_seconds": SECONDS},
               "episodes": [_episode(e, houses[e.home], str(helper)) for e in drawn]}
    path.write_text(yaml.safe_dump(content, sort_keys=False, default_flow_style=None, width=150))
    return len(drawn)


def _episode(record: EpisodeRecord, house: str, helper: str) -> dict[str, Any]:
    base = set(record.capabilities) <= set(BASE_CAPABILITIES)
    goal = record.goal.model_dump(mode="json", exclude_none=True) if record.goal is not None else {}
    return {"id": f"{record.home}-{record.number}", "level": " + ".join(record.new), "instruction": record.instruction,
            "house": house, "known": record.known, **({} if base else {"robot": helper}), "goal": goal}
