"""Suite files ``NAME.suite.yaml``: what they say, and reading them.

Errors name the file, the episode and the field. What only the house can tell (whether a name exists) is checked by
`dadu.tasks.prepare`.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, NonNegativeInt, PositiveFloat, PositiveInt, StringConstraints, model_validator

from dadu.core.config import Settings, parse, read_yaml
from dadu.core.errors import ConfigError, choices
from dadu.core.paths import shared
from dadu.goals.suite_goal import SuiteGoal
from dadu.house.format import Object
from dadu.planner.asking.question import LONGEST

SUFFIX = ".suite.yaml"

Id = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]*$", max_length=80)]
Said = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=LONGEST,
                                       pattern=r"^[^\x00-\x1f\x7f]*$")]
Node = Annotated[tuple[str, ...], Field(min_length=1)]


class HouseRef(Settings):
    """``flat``, ``{name: flat, seed: 3}`` or ``{generate: home, rooms: 4, seed: 3}``."""

    name: str = ""
    """a file in maps/, or a path to a house file, from the suite's folder"""
    generate: Literal["", "home"] = ""
    rooms: PositiveInt = 4
    objects: NonNegativeInt | None = None
    """of a generated home, at most"""
    seed: NonNegativeInt | None = None
    """of the generator; in a house from a file: things and robot are moved a little, always the same for a seed"""

    @model_validator(mode="before")
    @classmethod
    def _by_name(cls, data: Any) -> Any:
        return {"name": data} if isinstance(data, str) else data

    @model_validator(mode="after")
    def _one(self) -> HouseRef:
        if bool(self.name) == bool(self.generate):
            raise ValueError("needs either a name or `generate: home`")
        if self.generate and self.seed is None:
            raise ValueError("a generated home needs a seed")
        return self


class Start(Settings):
    """Where the robot is at the beginning: in the middle of a room, or at a pose x, y [m], yaw [rad]."""

    room: str = ""
    pose: tuple[float, float, float] | None = None

    @model_validator(mode="after")
    def _one(self) -> Start:
        if bool(self.room) == (self.pose is not None):
            raise ValueError("needs either a room or a pose")
        return self


class Move(Settings):
    """Somebody takes a thing elsewhere."""

    object: str
    on: str | None = None
    in_: Annotated[str | None, Field(alias="in")] = None
    room: str | None = None

    @property
    def target(self) -> str:
        return self.on or self.in_ or self.room or ""

    @model_validator(mode="after")
    def _one(self) -> Move:
        if sum(t is not None for t in (self.on, self.in_, self.room)) != 1:
            raise ValueError("needs one of: on, in, room")
        return self


class PastTask(Settings):
    """What the robot did in this home before the episode, with the same memory; nobody judges it."""

    instruction: Annotated[str, Field(min_length=1)]
    objects: tuple[Object, ...] | None = None
    """where things were then; as in the episode where left out"""


class Event(Settings):
    """Something that happens behind the robot's back."""

    after_step: NonNegativeInt
    move: Move | None = None
    drop: str | None = None
    """what is knocked out of the hand, whatever it is where empty"""
    open: str | None = None
    close: str | None = None
    block: tuple[float, float] | None = None
    """a place x, y [m] where something stands in the way from now on"""
    unblock: Literal[True] | None = None

    @model_validator(mode="after")
    def _one(self) -> Event:
        if len(self.kinds) != 1:
            raise ValueError(f"needs one of: {choices(set(type(self).model_fields) - {'after_step'})}")
        return self

    @property
    def kinds(self) -> list[str]:
        """The one that is given."""
        return [k for k in type(self).model_fields if k != "after_step" and getattr(self, k) is not None]


class Episode(Settings):
    """One instruction in one house, and what counts as having carried it out."""

    id: Id
    level: int | str = ""
    """free label; results are grouped by it"""
    instruction: Annotated[str, Field(min_length=1)]
    house: HouseRef
    robot: str = "stretch"
    steps: PositiveInt = 40
    """skills that may be used"""
    sim_seconds: PositiveFloat = 900.0
    objects: tuple[Object, ...] | None = None
    """replaces the house's objects"""
    known: Literal["all", "layout", "nothing"] = "layout"
    closed: tuple[str, ...] = ()
    """furniture whose parts are shut at the start"""
    open: tuple[str, ...] = ()
    """furniture whose parts stand open at the start"""
    start: Start | None = None
    """the house's where left out"""
    person: bool | tuple[NonNegativeInt, ...] = False
    """a simulated person works along, and does what the robot cannot; a list: and sees to these propositions"""
    past: tuple[PastTask, ...] = ()
    """what was done before, oldest first: the robot begins with what it remembers of it"""
    events: tuple[Event, ...] = ()
    answers: tuple[Said, ...] = ()
    """what somebody answers to the robot's questions, in turn; none: nobody is there to be asked"""
    goal: SuiteGoal
    keypaths: tuple[tuple[Node, ...], ...] = ()
    """sub-tasks in order, several ways; the expert's where left out"""
    expert_length: PositiveFloat | None = None
    """shortest way [m]; the expert's where left out"""


class Suite(Settings):
    """A file's content; episodes have the defaults filled in."""

    suite: str
    about: str = ""
    defaults: dict[str, Any] = Field(default_factory=dict)
    """values of episode fields where an episode has none of its own"""
    episodes: Annotated[tuple[Episode, ...], Field(min_length=1)]


def load_suite(name_or_path: str | Path) -> tuple[Suite, Path]:
    """A suite and the file that it is from. Errors: ConfigError naming file, episode and field."""
    path = suite_path(name_or_path)
    return parse_suite(read_yaml(path), str(path)), path


def parse_suite(data: Any, source: str) -> Suite:
    """A suite from the content of its file. Errors: ConfigError, one line a problem."""
    if not isinstance(data, dict):
        raise ConfigError(f"{source}: (top level): a suite is a mapping with the keys {choices(Suite.model_fields)}")
    frame = parse(_Frame, {k: v for k, v in data.items()}, source)
    unknown = sorted(set(frame.defaults) - set(Episode.model_fields) | set(frame.defaults) & {"id"})
    if unknown:
        raise ConfigError(f"{source}: defaults.{unknown[0]}: unknown key; valid: "
                          f"{choices(set(Episode.model_fields) - {'id'}, 40)}")
    episodes, problems = [], []
    for number, raw in enumerate(frame.episodes):
        try:
            episodes.append(parse(Episode, {**frame.defaults, **raw}, f"{source}: episode {raw.get('id', number)}"))
        except ConfigError as error:
            problems.append(str(error))
    repeated = [id for id, count in Counter(e.id for e in episodes).items() if count > 1]
    problems += [f"{source}: episode {id}: id: used more than once" for id in repeated]
    if problems:
        raise ConfigError("\n".join(problems))
    return Suite(suite=frame.suite, about=frame.about, defaults=frame.defaults, episodes=tuple(episodes))


def suite_path(name_or_path: str | Path) -> Path:
    """The file that a name or path means. Errors: ConfigError naming the suites there are."""
    path = Path(name_or_path)
    if path.suffix in (".yaml", ".yml") or path.is_file():
        return path
    named = shared("config") / "suites" / f"{name_or_path}{SUFFIX}"
    if not named.exists():
        raise ConfigError(f"no suite called {str(name_or_path)!r}; valid: {choices(suite_names())}, or a path")
    return named


def suite_names() -> list[str]:
    """Names of the suites in ``config/suites/``."""
    return sorted(p.name.removesuffix(SUFFIX) for p in (shared("config") / "suites").glob(f"*{SUFFIX}"))


def schema() -> dict[str, Any]:
    """JSON schema of a suite file, for editors: in an episode only what `defaults` cannot give must be there."""
    found = Suite.model_json_schema(by_alias=True)
    episode = found["$defs"]["Episode"]
    episode["required"] = ["id"]
    house = found["$defs"]["HouseRef"]
    found["$defs"]["HouseRef"] = {"anyOf": [{"type": "string"}, house], "title": "House"}
    fields = {k: v for k, v in episode["properties"].items() if k != "id"}
    found["properties"]["defaults"] = {"type": "object", "properties": fields, "additionalProperties": False}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **found}


class _Frame(Settings):
    """A file before its episodes are looked at."""

    suite: str
    about: str = ""
    defaults: dict[str, Any] = Field(default_factory=dict)
    episodes: Annotated[tuple[dict[str, Any], ...], Field(min_length=1)]
