"""From an episode of a suite to the house that it takes place in, every name checked against it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from scipy.ndimage import distance_transform_edt

from dadu.core.errors import ConfigError, choices
from dadu.house.files import House, load_house, parse_house
from dadu.house.format import Object, RobotStart
from dadu.house.furniture.pieces import furniture_model
from dadu.house.layout import build_graph
from dadu.house.rasterize import rasterize
from dadu.robots.loader import load_robot
from dadu.skills.table import SKILLS, WORDS
from dadu.tasks.suite import Episode, Event, HouseRef, Start, Suite
from dadu.world.graph import ROBOT, Kind, WorldGraph, points_in_polygon
from dadu.world.occupancy import FREE


@dataclass(frozen=True)
class Prepared:
    """An episode with its house."""

    episode: Episode
    house: House
    """with the episode's objects and start"""
    layout: WorldGraph
    """rooms and furniture"""
    seed: int
    """of the simulation, -1: everything exactly where the house says"""
    suite: str
    """the file, as given"""
    past: tuple[tuple[str, House], ...] = ()
    """tasks done before: instruction, and the house as it was then"""


def prepare(episode: Episode, suite: Path, seed: int | None = None) -> Prepared:
    """`seed` replaces the episode's own. Errors: ConfigError, one line a problem, naming file, episode and field."""
    source = f"{suite}: episode {episode.id}"
    try:
        house = house_of(episode.house, str(suite.parent))
        if (beside := suite.parent / episode.robot).is_file():
            episode = episode.model_copy(update={"robot": str(beside)})
        load_robot(episode.robot)
    except ConfigError as error:
        raise ConfigError(f"{source}: {error}") from None
    if episode.objects is not None:
        house = _replace_objects(house, episode.objects, source)
    if episode.start is not None:
        house = house.model_copy(update={"robot": RobotStart(pose=_start(house, episode.start, source))})
    past = tuple((task.instruction, house if task.objects is None else _replace_objects(house, task.objects, source))
                 for task in episode.past)
    problems = list(_problems(episode, house))
    if problems:
        raise ConfigError("\n".join(f"{source}: {problem}" for problem in problems))
    own = -1 if episode.house.generate or episode.house.seed is None else episode.house.seed
    return Prepared(episode, house, build_graph(house), own if seed is None else seed, str(suite), past)


def prepare_all(suite: Suite, path: Path) -> list[Prepared]:
    """Errors: ConfigError with the problems of all episodes."""
    found, problems = [], []
    for episode in suite.episodes:
        try:
            found.append(prepare(episode, path))
        except ConfigError as error:
            problems.append(str(error))
    if problems:
        raise ConfigError("\n".join(problems))
    return found


@lru_cache(maxsize=64)
def house_of(ref: HouseRef, folder: str) -> House:
    """Generated, or of a file, which may lie in a suite's `folder`. Errors: ConfigError."""
    if ref.generate and ref.seed is not None:  # the suite's format demands a seed
        from dadu.homes.home import generate_home

        return generate_home(ref.seed, ref.rooms, objects=ref.objects)
    beside = Path(folder) / ref.name
    return load_house(beside if beside.is_file() else ref.name)


def _replace_objects(house: House, objects: Sequence[Object], source: str) -> House:
    """Errors: ConfigError."""
    data = house.model_copy(update={"objects": tuple(objects)}).model_dump(mode="json", by_alias=True)
    return parse_house(data, f"{source}: house")


@dataclass(frozen=True)
class _Names:
    """What an episode may name."""

    kinds: dict[str, Kind]
    """of everything there is"""
    objects: set[str]
    places: set[str]
    """rooms and pieces of furniture"""
    movable: set[str]
    """what can be opened: parts, and pieces of furniture that have some"""


def _names(episode: Episode, house: House) -> _Names:
    rooms = {room.name for room in house.rooms}
    objects = {thing.name for thing in house.objects}
    pieces = {piece.name: furniture_model(piece) for piece in house.furniture}
    parts = {f"{name}/{part.name}" for name, model in pieces.items() for part in model.parts}
    agents = {ROBOT} | ({"person"} if episode.person is not False else set())
    kinds = {**dict.fromkeys(rooms, Kind.ROOM), **dict.fromkeys({*pieces, *parts}, Kind.FURNITURE),
             **dict.fromkeys(objects, Kind.OBJECT), **dict.fromkeys(agents, Kind.AGENT)}
    return _Names(kinds, objects, {*pieces, *rooms}, {name for name, model in pieces.items() if model.parts} | parts)


def _problems(episode: Episode, house: House) -> Iterator[str]:
    names = _names(episode, house)
    for i, p in enumerate(episode.goal.propositions):
        yield from (f"goal.propositions.{i}: {p.predicate}: {problem}" for problem in p.problems(names.kinds))
    for field in ("closed", "open"):
        yield from (f"{field}: {problem}" for problem in _unmovable(getattr(episode, field), names))
    for i, event in enumerate(episode.events):
        yield from (f"events.{i}.{problem}" for problem in _event_problems(event, names))
    for i, path in enumerate(episode.keypaths):
        for j, step in enumerate(path):
            yield from (f"keypaths.{i}.{j}: {problem}" for problem in _step_problems(step, names))


def _event_problems(event: Event, names: _Names) -> Iterator[str]:
    if event.move is not None:
        yield from (f"move.object: {problem}" for problem in _no_object(event.move.object, names))
        if event.move.target.split("/")[0] not in names.places:
            yield f"move: no place called {event.move.target!r}; valid: {choices(names.places, 60)}"
    if event.drop:
        yield from (f"drop: {problem}" for problem in _no_object(event.drop, names))
    for name in (event.open, event.close):
        if name is not None:
            yield from (f"{event.kinds[0]}: {problem}" for problem in _unmovable([name], names))


def _step_problems(step: Sequence[str], names: _Names) -> Iterator[str]:
    skill, *arguments = step
    if skill not in SKILLS:
        yield f"unknown skill {skill!r}; valid: {choices(SKILLS, 20)}"
    for name in sorted(set(arguments) - names.kinds.keys() - WORDS - {""}):
        yield f"nothing is called {name!r}; there are: {choices(names.kinds, 80)}"


def _no_object(name: str, names: _Names) -> Iterator[str]:
    if name not in names.objects:
        yield f"no object called {name!r}; valid: {choices(names.objects, 60)}"


def _unmovable(asked: Iterable[str], names: _Names) -> Iterator[str]:
    for name in asked:
        if name not in names.movable:
            yield f"{name!r} has nothing to open; valid: {choices(names.movable, 60)}"


def _start(house: House, start: Start, source: str) -> tuple[float, float, float]:
    """A pose; in a room the place that is farthest from everything, looking along the room's longer side."""
    if start.pose is not None:
        if not any(points_in_polygon(room.floor, start.pose[:2]) for room in house.rooms):
            raise ConfigError(f"{source}: start.pose: {start.pose[:2]} lies in no room")
        return start.pose
    if start.room not in {room.name for room in house.rooms}:
        raise ConfigError(f"{source}: start.room: no room called {start.room!r}; valid: "
                          f"{choices(room.name for room in house.rooms)}")
    room = house.room(start.room)
    map = rasterize(house)
    clearance = distance_transform_edt(map.grid == FREE)
    rows, cols = map.shape
    centres = map.centres(np.stack(np.meshgrid(np.arange(rows), np.arange(cols), indexing="ij"), -1))
    low, high = np.min(room.floor, axis=0), np.max(room.floor, axis=0)
    within = ((centres > low) & (centres < high)).all(-1)
    for flat in np.argsort(-np.where(within, clearance, 0), axis=None, kind="stable")[:400]:
        x, y = centres[np.unravel_index(flat, map.shape)]
        if points_in_polygon(room.floor, (x, y)):
            break
    width, depth = high - low
    return float(round(x, 3)), float(round(y, 3)), 0.0 if width >= depth else 1.5708
