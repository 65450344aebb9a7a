"""What can be chosen when the graph is started: by ``dadu up name:=value`` and by the launch file alike."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal, get_args

from pydantic import Field, model_validator

from dadu.bringup.naming import FRAME_PREFIX, NAMESPACE
from dadu.core.config import Port, Settings, Url, parse
from dadu.core.errors import ConfigError
from dadu.core.privilege_report import Privilege, PrivilegeReport, Privileges
from dadu.perception.detectors import DEFAULT, DETECTORS
from dadu.perception.namers import NAMERS, OWN
from dadu.perception.sensor_config import SensorConfig, complete_sensor_config
from dadu.planner.presets import RobotPlannerName
from dadu.stacks.ways import WayNamesIfAny

CONSOLE_PORT = 8080
"""of the operator's page"""


class Arguments(Settings):
    """The launch arguments: names, defaults, choices and meaning."""

    sim: bool = Field(True, description="simulate; false: a real robot's drivers are already running")
    use_sim_time: bool = Field(False, description="with sim:=false, too: the drivers follow /clock, as Gazebo's do")
    simulator: Literal["mujoco", "habitat"] = Field("mujoco", description="simulator backend")
    house: str = Field("flat", description="house in maps/, or a *.house.yaml file")
    robot: str = Field("stretch", description="a name in config/robots/, or a robot's YAML file")
    robots: str = Field("", description="several such in one simulated home, with commas: stretch,ur3; each has a "
                                        "graph of its own in namespace robot_0, robot_1, ...; empty: the one of robot")
    team: Literal["none", "decentral"] = Field(
        "none", description="what several robots do together: none: each has its own tasks; decentral: they tell each "
                            "other what they see, and share out what dadu do --team asks for")
    person: Literal["none", "walks", "stands"] = Field(
        "none", description="somebody is in the simulated home: walks from room to room and stops before robots, or "
                            "stands there and takes what is held out")
    meshes: str = Field("", description="a folder of meshes that things of the simulated home are shown by, see "
                                        "docs/howto/train.md; empty: by primitives")
    planner: RobotPlannerName = Field(
        "symbolic", description="what chooses the next skill, see docs/howto/language-models.md")
    llm_url: Url = Field("http://localhost:8000/v1", description="OpenAI-compatible server of a model")
    model: str = Field("", description="its model, as served; empty: as config/planner.yaml says")
    llm_timeout: float = Field(0.0, ge=0, description="wall seconds for a turn of it; 0: as config/planner.yaml says")
    api_key_file: str = Field("", description="file with the key that it asks for; empty: OPENAI_API_KEY, or none")
    examples: str = Field("", description="tasks that succeeded, for planner:=vllm or rag to be shown, and added to: "
                                          "FILE, own, none; empty: as config/planner.yaml says")
    fallback: Literal["", "true", "false"] = Field(
        "", description="the symbolic planner takes the turns for which a model cannot be used; "
        "empty: as config/planner.yaml says"
    )
    interpreter: str = Field("", description="what reads the goal of planner:=symbolic: grammar, or FILE.py:CLASS; "
                                             "empty: as config/planner.yaml says")
    verify: str = Field("", description="the interpreter that checks a model's done: none, grammar, or "
                                        "FILE.py:CLASS; empty: as config/planner.yaml says")
    ask: Literal["", "true", "false"] = Field(
        "", description="where an instruction is not clear, the robot asks whoever gave it and waits; empty: as "
        "config/planner.yaml says"
    )
    perception: str = Field("", description=f"detector: {', '.join(DETECTORS)}, or FILE.py:CLASS; empty: {DEFAULT}")
    weights: str = Field("", description="of a learned detector: file or names, see docs/howto/perception.md")
    namer: str = Field("", description=f"of what learned cuts out: {', '.join(NAMERS)}, or FILE.py:CLASS, one after "
                       f"the other with +; empty: {OWN}")
    privilege: Privileges = Field("", description="what the robot is told that only a simulator can know, with commas: "
                                                  f"{', '.join(p.value for p in Privilege)}")
    pick: WayNamesIfAny = Field(
        "", description="in which way things are taken: planned, policy:ws://HOST:PORT, FILE.py:FUNCTION or person; "
                        "several with commas, [NAME=]WAY: chosen at every step; empty: as config/grasp.yaml says")
    place: WayNamesIfAny = Field(
        "", description="in which way things are put down, likewise; empty: as config/place.yaml says")
    navigation: Literal["own", "nav2"] = Field(
        "own", description="who drives: this project's navigation, or a Nav2 that runs already and gives map and tf"
    )
    map: str = Field("", description="occupancy map (YAML); none: start without; empty: drawn from the house")
    known: Literal["all", "layout", "nothing"] = Field("layout", description="what the memory knows at the start")
    console: bool = Field(True, description="the operator's web page")
    console_port: Port = Field(CONSOLE_PORT, description="its port; 0, and where it is taken: any that is free")
    console_host: str = Field("127.0.0.1", description="address that it is served on; 0.0.0.0 opens it to the network, "
                                                       "to whoever has the token in the address that is said")
    viewer: bool = Field(False, description="MuJoCo's window onto the simulation, on a desktop")
    foxglove: bool = Field(False, description="serve all topics to the Foxglove app, on this machine, read-only")
    record: bool = Field(True, description="record a rosbag2 (MCAP) of the run")
    instruction: str = Field("", description="carried out as soon as the graph is up")
    rtf: float = Field(1.0, ge=0, description="simulated seconds per second to aim at; 0: as fast as the machine can")
    seed: int = Field(0, ge=-1, description="varies places and noise; -1: all as in the house file")
    run_dir: str = Field("", description="directory of the run's files; empty: a new one under runs/")
    namespace: str = Field("", pattern=NAMESPACE, description=(
        "of all nodes and topics, for a robot beside others"))
    frame_prefix: str = Field("", pattern=FRAME_PREFIX, description=(
        "before all frames, for robots that share /tf; empty: tf is the namespace's own"))

    @model_validator(mode="before")
    @classmethod
    def _choose_eyes(cls, given: Any) -> Any:
        return complete_sensor_config(given)

    @property
    def several(self) -> tuple[str, ...]:
        """The robots of `robots`; empty where there is the one of `robot`."""
        return tuple(name.strip() for name in self.robots.split(",")) if self.robots else ()

    @property
    def privilege_report(self) -> PrivilegeReport:
        """What the robot of this graph knows beside what it senses."""
        here = self.resolve_home()
        sensors = SensorConfig(perception=here.perception, privilege=here.privilege, namer=here.namer)
        return sensors.privilege_report(here.known, here.map != "none")

    def resolve_home(self) -> Arguments:
        """A real robot does not stand in the simulated house that is the default: unless told of another one it knows
        nothing of its home, and maps it where no map is given."""
        if self.sim or self.house != Arguments.model_fields["house"].default:
            return self
        return self.model_copy(update={"known": "nothing", "map": self.map or "none"})


def parse_arguments(words: Iterable[str]) -> Arguments:
    """``["sim:=true", "house:=flat"]`` to `Arguments`. Errors: ConfigError naming the word and the valid names."""
    pairs = {}
    for word in words:
        name, separator, value = word.partition(":=")
        if not separator:
            raise ConfigError(f"{word!r} is not of the form name:=value; names: {', '.join(Arguments.model_fields)}")
        pairs[name] = value
    return from_text(pairs)


def from_text(values: dict[str, str]) -> Arguments:
    """Arguments given as text, as launch does. Errors: ConfigError."""
    return parse(Arguments, values, "launch arguments")


def as_text(value: object) -> str:
    """An argument's value as it is written on the command line."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def choices_of(name: str) -> tuple[str, ...]:
    """The values that argument `name` may have; empty where any value of its type will do."""
    annotation = Arguments.model_fields[name].annotation
    return ("true", "false") if annotation is bool else get_args(annotation)
