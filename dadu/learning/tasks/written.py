"""What is chosen, as suites in shards, and the statistics."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import yaml

from dadu.learning.begun import write_whole
from dadu.learning.tasks.chosen import ChosenTasks
from dadu.learning.tasks.store import TaskFolder, TaskOrder
from dadu.learning.tasks.verify import DEFAULTS, VerifiedTask
from dadu.tasks.suite import SUFFIX

STATISTICS, DISAGREEING = "statistics.json", "disagreeing.jsonl"
_ABOUT = ("Made by `dadu data tasks`: each was carried out by the scripted expert in the oracle, and the grammar reads "
          "its goal in its words. Level: PARTNR's type.")


def write_chosen(folder: TaskFolder, chosen: ChosenTasks) -> dict[str, Any]:
    """Writes everything, the statistics last; returns these."""
    settings = folder.sheet().settings
    episodes = [_episode(folder, order, task, number, settings.robot) for number, (order, task)
                in enumerate(chosen.tasks)]
    shards = [episodes[i:i + settings.shard] for i in range(0, len(episodes), settings.shard)]
    for old in folder.path.glob(f"tasks-*{SUFFIX}"):
        old.unlink()
    for number, shard in enumerate(shards):
        name = f"tasks-{number:03d}"
        suite = {"suite": name, "about": _ABOUT, "defaults": DEFAULTS, "episodes": shard}
        text = yaml.dump(suite, Dumper=getattr(yaml, "CSafeDumper", yaml.SafeDumper), sort_keys=False,
                         default_flow_style=None, width=150)
        write_whole(folder.path / f"{name}{SUFFIX}", text)
    write_whole(folder.path / DISAGREEING, "".join(f"{json.dumps(line)}\n" for line in _disagreeing(chosen)))
    found = statistics(chosen, folder.sheet().compared_by)
    write_whole(folder.path / STATISTICS, json.dumps(found, indent=1) + "\n")
    return found


def statistics(chosen: ChosenTasks, compared_by: str) -> dict[str, Any]:
    """Counts of what is kept, and of what is not by its reason."""
    tasks = [task for _, task in chosen.tasks]
    proposed = len(tasks) + sum(chosen.rejected.values())
    return {"tasks": len(tasks), "proposed": proposed, "homes": chosen.homes, "compared_by": compared_by,
            "read_back": {"same": len(tasks), **Counter(task.reading for _, task in chosen.disagreeing)},
            "types": _counts(t.type for t in tasks), "kinds": _counts(t.kind for t in tasks),
            "rooms": _counts(t.room for t in tasks),
            "predicates": _counts(p.predicate for t in tasks for p in t.goal.propositions),
            "propositions": _counts(str(len(t.goal.propositions)) for t in tasks),
            "things": _counts(thing for t in tasks for thing in t.things),
            "rejected": _counts(chosen.rejected.elements())}


def _counts(found: Any) -> dict[str, int]:
    """Most often first; equals by name."""
    return dict(sorted(Counter(found).items(), key=lambda item: (-item[1], item[0])))


def _episode(folder: TaskFolder, order: TaskOrder, task: VerifiedTask, number: int, robot: str) -> dict[str, Any]:
    goal = task.goal.model_dump(mode="json", exclude_none=True, exclude_defaults=True)
    goal["propositions"] = [_proposition(p) for p in goal["propositions"]]
    return {"id": f"task-{number:05d}", "level": task.type, "instruction": task.instruction,
            "house": folder.house_file(order), **({} if robot == "stretch" else {"robot": robot}),
            **({"person": True} if task.person else {}), "goal": goal,
            "keypaths": [[list(node) for node in task.keypath]],
            **({"expert_length": task.length} if task.length > 0 else {})}


def _proposition(p: Mapping[str, Any]) -> dict[str, Any]:
    rest = {key: value for key, value in p.items() if key not in ("predicate", "arguments")}
    return {p["predicate"]: p["arguments"], **rest}


def _disagreeing(chosen: ChosenTasks) -> Iterator[dict[str, Any]]:
    for order, task in chosen.disagreeing:
        yield {"home": order.name, "type": task.type, "instruction": task.instruction, "reading": task.reading,
               "meant": "; ".join(map(str, task.goal.propositions)), "read": task.read}
