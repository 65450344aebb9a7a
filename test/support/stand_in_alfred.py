"""A copy of ALFRED in its format, with tasks and sentences of our own."""

from __future__ import annotations

import json

import numpy as np

KITCHEN = ["CounterTop", "DiningTable", "Fridge", "Microwave", "SinkBasin", "Chair", "Cabinet"]
WHERE = {"CounterTop": (1.0, 0.95, 2.4), "DiningTable": (2.5, 0.75, -0.2), "Fridge": (-0.4, 0.0, 1.0),
         "Microwave": (2.0, 1.3, 2.4), "SinkBasin": (0.2, 0.9, 2.3), "Cabinet": (3.3, 0.5, 1.5)}
"""x, height, z of a stand-in scene's furniture [m]; of the chair its layout says nothing"""
VIEWS = {"CounterTop": 0, "Microwave": 0, "SinkBasin": 0, "Fridge": 270, "Cabinet": 90, "DiningTable": 180}
"""which way an agent looks at it [deg]"""

THINGS = ("Apple@Fridge", "Apple", "Fork", "Plate", "Book")


def picked(name, place, at="+01.00|+00.90|-00.50"):
    """A step of the corpus's planner: a thing is taken from where it is."""
    return {"planner_action": {"action": "PickupObject", "objectId": f"{name}|{at}",
                               "coordinateObjectId": [name, box(place)],
                               "coordinateReceptacleObjectId": [place, box(place)]}}


def box(place):
    """In quarters of a metre, as the planner counts: x twice, z twice, y twice."""
    x, height, z = WHERE.get(place, (1.0, 0.9, -0.5))
    return [4 * x, 4 * x, 4 * z, 4 * z, 4 * height, 4 * height]


def write_trial(copy, number, sentences, kind="pick_and_place_simple", object="Apple", parent="DiningTable", movable="",
                lamp="", sliced=False, steps=None, things=THINGS, split="train", scene=1):
    """One ``traj_data.json`` below `copy`, and the layout of its scene."""
    data = {
        "task_id": f"trial_T20990101_000000_{number:06d}", "task_type": kind,
        "pddl_params": {"object_target": object, "parent_target": parent, "mrecep_target": movable,
                        "toggle_target": lamp, "object_sliced": sliced},
        "plan": {"high_pddl": steps if steps is not None else [picked(object, "CounterTop")]},
        "scene": {"floor_plan": f"FloorPlan{scene}", "object_poses": [pose(t, i) for i, t in enumerate(things)]},
        "turk_annotations": {"anns": [{"task_desc": text, "high_descs": []} for text in sentences]}}
    folder = copy / "data/json_2.1.0" / split / f"{kind}-{object}-{number}" / data["task_id"]
    folder.mkdir(parents=True)
    (folder / "traj_data.json").write_text(json.dumps(data))
    write_layout(copy / "gen/layouts", scene)


def write_layout(layouts, scene):
    """A room of 3 m by 2 m that an agent can walk in, furniture round it."""
    layouts.mkdir(parents=True, exist_ok=True)
    name = layouts / f"FloorPlan{scene}"
    name.with_name(f"{name.name}-objects.json").write_text(json.dumps([*KITCHEN, "Window"]))
    ids = {kind: f"{kind}|{x:+06.2f}|{y:+06.2f}|{z:+06.2f}" for kind, (x, y, z) in WHERE.items()}
    views = {ids[kind]: [1.5, 1.0, turn, 30] for kind, turn in VIEWS.items()}
    name.with_name(f"{name.name}-openable.json").write_text(json.dumps(views))
    grid = np.stack(np.meshgrid(np.arange(0, 3.01, 0.25), np.arange(0, 2.01, 0.25)), axis=-1).reshape(-1, 2)
    np.save(name.with_name(f"{name.name}-layout.npy"), grid)


def pose(kind, i):
    """On the counter, side by side, unless it is said where (``Apple@Fridge``)."""
    kind, _, place = kind.partition("@")
    x, height, z = WHERE.get(place or "CounterTop")
    return {"objectName": f"{kind}_ab{i}", "position": {"x": x + 0.1 * i, "y": height + 0.02, "z": z},
            "rotation": {"x": 0.0, "y": 0.0, "z": 0.0}}
