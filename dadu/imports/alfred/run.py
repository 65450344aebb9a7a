"""Trajectories, or the splits of EB-ALFRED that name them, to rooms and suites, each with its report."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from statistics import median
from typing import Annotated

from pydantic import Field, TypeAdapter, ValidationError

from dadu.core.errors import ConfigError
from dadu.core.robot import RobotDescription
from dadu.house.catalogue import Size
from dadu.imports.alfred.goals import goals_of
from dadu.imports.alfred.kinds import kinds
from dadu.imports.alfred.layout import read_layout
from dadu.imports.alfred.room import RoomContents, SceneRoom, scene_of
from dadu.imports.alfred.source import AlfredTrial, Spot
from dadu.imports.instructed.task import Task
from dadu.imports.procthor.assets import Asset
from dadu.imports.procthor.source import SourceRecord
from dadu.imports.report import ImportReport


@dataclass(frozen=True)
class AlfredSentence:
    """A sentence about a trial."""

    suite: str
    id: str
    trial: AlfredTrial
    sentence: str


class _Named(SourceRecord):
    """Of a split of EB-ALFRED: a trajectory by its folders, and another sentence for it."""

    task: str
    instruction: str
    repeat_idx: int = 0


_SPLITS = TypeAdapter(dict[Annotated[str, Field(pattern=r"^\w{1,60}$")],
                           Annotated[tuple[_Named, ...], Field(min_length=1)]])


@dataclass
class Imported:
    """Suites and what became of the sources."""

    scenes: dict[str, SceneRoom] = field(default_factory=dict)
    suites: dict[str, list[Task]] = field(default_factory=lambda: defaultdict(list))
    reports: list[ImportReport] = field(default_factory=list)


def sentences_in(trials: Iterable[tuple[Path, AlfredTrial]], splits: Path | None = None) -> list[AlfredSentence]:
    """What crowd workers said of each trial; with the file of EB-ALFRED's splits, what that says of those it names.

    Errors: ConfigError where the file is something else, or names trajectories that are not there.
    """
    if splits is None:
        return [AlfredSentence(f"alfred-{path.resolve().parents[2].name}".replace("_", "-"), f"{trial.id}-{i}", trial,
                               sentence.strip())
                for path, trial in trials for i, sentence in enumerate(trial.sentences)]
    try:
        named = _SPLITS.validate_python(json.loads(splits.read_text()))
    except (OSError, ValueError) as error:
        first = error.errors()[0]["msg"] if isinstance(error, ValidationError) else error
        raise ConfigError(f"{splits}: no splits of EB-ALFRED: {first}") from None
    by_folder = {"/".join(path.parts[-3:-1]): trial for path, trial in trials}
    missing = sorted({one.task for of in named.values() for one in of} - by_folder.keys())
    if missing:
        raise ConfigError(f"{splits}: names {len(missing)} trajectories that are not there, the first: {missing[0]}")
    return [AlfredSentence(f"eb-alfred-{name.replace('_', '-')}", f"{name}-{i}", by_folder[one.task],
                           one.instruction.strip())
            for name, of in named.items() for i, one in enumerate(of)]


def drawn(said: Iterable[AlfredSentence], each: int) -> list[AlfredSentence]:
    """So many of each type of task, one of a trial as long as there are, by a hash of their ids."""
    by_kind: dict[str, list[AlfredSentence]] = defaultdict(list)
    for one in sorted(said, key=lambda one: sha256(one.id.encode()).hexdigest()):
        by_kind[one.trial.kind].append(one)
    found = []
    for of in by_kind.values():
        first = {one.trial.id: one for one in reversed(of)}
        found += sorted(of, key=lambda one: first[one.trial.id] is not one)[:each]
    return found


def import_tasks(said: Sequence[AlfredSentence], layouts: Path, used: Mapping[str, Sequence[Spot]] | None = None,
                 assets: Mapping[str, Asset] | None = None, robot: RobotDescription | None = None) -> Imported:
    """All sentences as tasks in their rooms; for a `robot`, furniture that it could not use is moved where that helps.
    `used`: what demonstrations say of where furniture is, by scene. What cannot be one is in the reports.

    Errors: ConfigError where a layout is missing, or none.
    """
    found, sizes = Imported(), dict(_sizes(assets or {}))
    by_scene: dict[str, list[AlfredSentence]] = defaultdict(list)
    for one in said:
        by_scene[one.trial.floor_plan].append(one)
    for name, of in sorted(by_scene.items()):
        report = ImportReport(name)
        found.reports.append(report)
        spots = (used or {}).get(name) or [spot for one in of for spot in one.trial.used]
        found.scenes[name] = scene = scene_of(read_layout(layouts, name), spots, sizes, report, robot)
        for one in of:
            _task(one, scene, found, report)
    return found


def demonstrated(trials: Iterable[AlfredTrial]) -> dict[str, list[Spot]]:
    """By scene, what demonstrations say of where furniture is."""
    found: dict[str, list[Spot]] = defaultdict(list)
    for trial in trials:
        found[trial.floor_plan] += trial.used
    return found


def _task(one: AlfredSentence, scene: SceneRoom, found: Imported, report: ImportReport) -> None:
    contents = RoomContents(scene, ImportReport(one.trial.id))
    try:
        contents.fill(one.trial)
        goals = goals_of(one.trial, contents.names, scene.named,
                         {thing.name: thing.holder for thing in contents.objects})
    except ConfigError as error:
        report.leave_out(one.id, "instructions", str(error).partition(": ")[2])
        return
    report.changes += contents.report.changes
    report.left_out += contents.report.left_out
    report.take("objects in episodes", len(contents.objects))
    report.take("instructions")
    house = scene.house.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    objects = [thing.model_dump(mode="json", by_alias=True, exclude_defaults=True) for thing in contents.objects]
    trial = one.trial
    found.suites[one.suite].append(Task(
        id=one.id, level=trial.kind + ("-sliced" if trial.sliced else ""), instruction=one.sentence, house=house,
        objects=objects, goals=goals,
        group=trial.group))


def _sizes(assets: Mapping[str, Asset]) -> Iterator[tuple[str, Size]]:
    """By class of furniture the middle of what assets of it measure: depth, width, height [m]."""
    boxes = defaultdict(list)
    for asset in assets.values():
        box = asset.boundingBox
        boxes[kinds().same.get(asset.objectType, asset.objectType)].append((box.z, box.x, box.y))
    for kind, of in boxes.items():
        if kind in kinds().furniture:
            depth, width, height = (round(median(side), 3) for side in zip(*of, strict=True))
            yield kind, (depth, width, height)
