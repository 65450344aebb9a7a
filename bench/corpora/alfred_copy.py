"""Reading a copy of ALFRED: ``data/json_2.1.0/SPLIT/TASK/TRIAL/traj_data.json``, and ``gen/layouts/`` beside it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

DATA = "data/json_2.1.0"
LAYOUTS = "gen/layouts"


@dataclass(frozen=True)
class Trial:
    """One demonstration and what crowd workers said of it."""

    id: str
    kind: str
    """``task_type``"""
    object: str
    """classes of ALFRED; empty where the task has none"""
    parent: str
    movable: str
    lamp: str
    sliced: bool
    floor_plan: str
    things: tuple[str, ...]
    """classes of all that lies about, with repetitions"""
    taken_from: Mapping[str, tuple[str, ...]]
    """class of a thing to the furniture (or thing) from which the demonstration took each of them"""
    sentences: tuple[str, ...]


def read_trials(copy: Path, splits: tuple[str, ...]) -> Iterator[Trial]:
    """All demonstrations of the splits, in the order of their names. Errors: FileNotFoundError naming a split."""
    for split in splits:
        folder = copy / DATA / split
        if not folder.is_dir():
            raise FileNotFoundError(f"{folder}: no such split in this copy of ALFRED")
        for path in sorted(folder.glob("*/*/traj_data.json")):
            yield _trial(json.loads(path.read_text()), split)


def read_layout(copy: Path, floor_plan: str) -> frozenset[str]:
    """Classes of all that stands in a scene. Errors: FileNotFoundError."""
    return frozenset(json.loads((copy / LAYOUTS / f"{floor_plan}-objects.json").read_text()))


def _trial(data: Mapping[str, Any], split: str) -> Trial:
    wanted = data["pddl_params"]
    taken: dict[str, dict[str, str]] = {}
    for step in data["plan"]["high_pddl"]:
        action = step["planner_action"]
        if action["action"] == "PickupObject" and "coordinateReceptacleObjectId" in action:
            one = "|".join(action["objectId"].split("|")[:4])  # without what names a slice of it
            taken.setdefault(action["coordinateObjectId"][0], {}).setdefault(
                one, action["coordinateReceptacleObjectId"][0])
    return Trial(
        id=f"{split}-{data['task_id'].removeprefix('trial_')}", kind=data["task_type"], object=wanted["object_target"],
        parent=wanted["parent_target"], movable=wanted["mrecep_target"], lamp=wanted["toggle_target"],
        sliced=wanted["object_sliced"], floor_plan=data["scene"]["floor_plan"],
        things=tuple(sorted(o["objectName"].split("_")[0] for o in data["scene"]["object_poses"])),
        taken_from={name: tuple(places.values()) for name, places in taken.items()},
        sentences=tuple(a["task_desc"] for a in data["turk_annotations"]["anns"]))
