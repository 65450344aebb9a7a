"""A copy of ALFRED in its format, with tasks and sentences of our own."""

from __future__ import annotations

import json

KITCHEN = ["CounterTop", "DiningTable", "Fridge", "Microwave", "SinkBasin", "Chair", "Cabinet"]


def picked(name, place, at="+01.00|+00.90|-00.50"):
    """A step of the corpus's planner: a thing is taken from where it is."""
    return {"planner_action": {"action": "PickupObject", "objectId": f"{name}|{at}", "coordinateObjectId": [name, []],
                               "coordinateReceptacleObjectId": [place, []]}}


def write_trial(copy, number, sentences, kind="pick_and_place_simple", object="Apple", parent="DiningTable", movable="",
                lamp="", sliced=False, steps=None, things=("Fork", "Plate"), split="train", scene=1):
    """One ``traj_data.json`` below `copy`, and the layout of its scene."""
    data = {
        "task_id": f"trial_T20990101_000000_{number:06d}", "task_type": kind,
        "pddl_params": {"object_target": object, "parent_target": parent, "mrecep_target": movable,
                        "toggle_target": lamp, "object_sliced": sliced},
        "plan": {"high_pddl": steps if steps is not None else [picked(object, "CounterTop")]},
        "scene": {"floor_plan": f"FloorPlan{scene}", "object_poses": [{"objectName": f"{t}_ab"} for t in things]},
        "turk_annotations": {"anns": [{"task_desc": text, "high_descs": []} for text in sentences]}}
    folder = copy / "data/json_2.1.0" / split / f"{kind}-{object}-{number}" / data["task_id"]
    folder.mkdir(parents=True)
    (folder / "traj_data.json").write_text(json.dumps(data))
    layouts = copy / "gen/layouts"
    layouts.mkdir(parents=True, exist_ok=True)
    (layouts / f"FloorPlan{scene}-objects.json").write_text(json.dumps([*KITCHEN, "Window"]))
