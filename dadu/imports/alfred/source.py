"""Trajectories of ALFRED (``traj_data.json``) as they are, checked: AI2-THOR's axes (y up), metres, degrees."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from dadu.core.config import parse
from dadu.core.errors import ConfigError, choices
from dadu.imports.procthor.source import Length, Rotation, SourceRecord, SourceVector

FILE = "traj_data.json"
KINDS = ("pick_and_place_simple", "look_at_obj_in_light", "pick_clean_then_place_in_recep",
         "pick_heat_then_place_in_recep", "pick_cool_then_place_in_recep", "pick_two_obj_and_place",
         "pick_and_place_with_movable_recep")
_QUARTERS = 4.0
"""planner actions count in quarters of a metre"""


class _Pose(SourceRecord):
    objectName: str
    position: SourceVector
    rotation: Rotation = Rotation()


class _Scene(SourceRecord):
    floor_plan: Annotated[str, Field(pattern=r"^FloorPlan\d+$")]
    object_poses: tuple[_Pose, ...]


class _Wanted(SourceRecord):
    object_target: str
    parent_target: str = ""
    mrecep_target: str = ""
    toggle_target: str = ""
    object_sliced: bool = False


class _Annotation(SourceRecord):
    task_desc: str


class _Annotations(SourceRecord):
    anns: tuple[_Annotation, ...]


class _Step(SourceRecord):
    planner_action: dict[str, Any]


class _Plan(SourceRecord):
    high_pddl: tuple[_Step, ...]


class _Trajectory(SourceRecord):
    task_id: Annotated[str, Field(pattern=r"^[A-Za-z0-9_]+$")]
    task_type: str
    pddl_params: _Wanted
    scene: _Scene
    plan: _Plan
    turk_annotations: _Annotations


@dataclass(frozen=True)
class Spot:
    """Something of a class, and where: x, y (up), z [m] in the scene."""

    kind: str
    at: tuple[float, float, float]
    turn: float = 0.0
    """about the vertical [deg]"""


@dataclass(frozen=True)
class AlfredTrial:
    """One demonstration, and what crowd workers said of it. Classes are ALFRED's, empty where the task has none."""

    id: str
    kind: str
    """one of `KINDS`"""
    object: str
    parent: str
    movable: str
    lamp: str
    sliced: bool
    floor_plan: str
    things: tuple[Spot, ...]
    """all that lies about"""
    taken_from: Mapping[str, tuple[str, ...]]
    """class of a thing to the class of furniture (or thing) from which the demonstration took each of them"""
    used: tuple[Spot, ...]
    """furniture and lamps that the demonstration took from, put on or switched"""
    sentences: tuple[str, ...]

    @property
    def group(self) -> str:
        """The same for all trials of the same task in the same scene."""
        return f"{self.floor_plan} {self.kind} {self.object} {self.parent} {self.movable} {self.lamp}"


def trials_in(folder: Path) -> Iterator[tuple[Path, AlfredTrial]]:
    """All trajectories in or under a folder, or the one that a file is, in the order of their paths.

    Errors: ConfigError naming file and field.
    """
    paths = [folder] if folder.is_file() else sorted(folder.rglob(FILE))
    if not paths:
        raise ConfigError(f"{folder}: there is no {FILE} in or under it")
    for path in paths:
        yield path, read_trial(path)


def read_trial(path: Path) -> AlfredTrial:
    """Errors: ConfigError naming file and field."""
    try:
        data = json.loads(path.read_text())
    except (OSError, ValueError) as error:
        raise ConfigError(f"{path}: cannot be read as JSON: {error}") from None
    found = parse(_Trajectory, data, str(path))
    if found.task_type not in KINDS:
        raise ConfigError(f"{path}: task_type: unknown {found.task_type!r}; valid: {choices(KINDS)}")
    wanted = found.pddl_params
    actions = [step.planner_action for step in found.plan.high_pddl]
    return AlfredTrial(
        id=found.task_id.removeprefix("trial_"), kind=found.task_type, object=wanted.object_target,
        parent=wanted.parent_target, movable=wanted.mrecep_target, lamp=wanted.toggle_target,
        sliced=wanted.object_sliced, floor_plan=found.scene.floor_plan,
        things=tuple(Spot(pose.objectName.partition("_")[0], (pose.position.x, pose.position.y, pose.position.z),
                          pose.rotation.y) for pose in found.scene.object_poses),
        taken_from=_taken(actions, str(path)), used=tuple(_used(actions, str(path))),
        sentences=tuple(annotation.task_desc for annotation in found.turk_annotations.anns))


def _taken(actions: list[dict[str, Any]], source: str) -> dict[str, tuple[str, ...]]:
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for action in actions:
        if action.get("action") == "PickupObject" and "coordinateReceptacleObjectId" in action:
            one = "|".join(str(action.get("objectId", "")).split("|")[:4])  # without what names a slice of it
            thing, place = (parse(_Coordinates, {"said": action.get(key)}, f"{source}: {key}").said[0]
                            for key in ("coordinateObjectId", "coordinateReceptacleObjectId"))
            found[thing].setdefault(one, place)
    return {name: tuple(places.values()) for name, places in found.items()}


class _Coordinates(SourceRecord):
    """A class, and behind it its box in quarters of a metre: x twice, z twice, y twice."""

    said: tuple[str, Annotated[tuple[Length, ...], Field(min_length=6, max_length=6)]]


def _used(actions: list[dict[str, Any]], source: str) -> Iterator[Spot]:
    for action in actions:
        said = action.get("coordinateReceptacleObjectId")
        if said is not None:
            kind, box = parse(_Coordinates, {"said": said}, f"{source}: coordinateReceptacleObjectId").said
            x, y, z = (box[i] / _QUARTERS for i in (0, 4, 2))
            yield Spot(kind, (x, y, z))


def spot_of(id: str) -> Spot | None:
    """What an id of AI2-THOR says: ``Sink|-01.90|+00.97|-01.50|SinkBasin``; None where it is none."""
    found = re.fullmatch(r"(\w+)\|({0})\|({0})\|({0})(?:\|(\w+))?".format(r"[-+]?\d+(?:\.\d+)?"), id)
    if found is None:
        return None
    x, y, z = (float(found[i]) for i in (2, 3, 4))
    return Spot(found[5] or found[1], (x, y, z))
