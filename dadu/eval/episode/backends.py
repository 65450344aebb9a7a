"""The two stacks behind one surface: what an evaluation asks of them beside carrying out instructions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Generic, Protocol, TypeAlias, TypeVar
from zlib import crc32

from dadu.core.errors import ConfigError, choices
from dadu.core.geometry import Pose2
from dadu.eval.mapped.watch import RobotMap
from dadu.eval.options import EvalOptions
from dadu.memory.settings import MemorySettings
from dadu.operator.run.identity import Believed, Identities, frame_of
from dadu.operator.run.pictures import encode_jpeg
from dadu.perception.detectors import GROUND_TRUTH, LEARNED, detector_class, make_detector
from dadu.perception.sensor_config import SensorConfig
from dadu.planner.policies.make import make_planner
from dadu.planner.presets import EXPERT, PRESETS
from dadu.stacks.oracle import OracleStack
from dadu.stacks.stack import Stack
from dadu.stacks.team import TeamStack
from dadu.tasks.prepare import Prepared
from dadu.world.graph import Kind, WorldGraph
from dadu.world.state import WorldState

_SETTLE = 1.0
"""[s] for things to come to rest before the last look"""


class Timed(Protocol):
    """What has a clock."""

    def now(self) -> float:
        """[s]"""
        ...


TaskExecutor: TypeAlias = Stack | OracleStack
"""carries out instructions"""


class Watched(Protocol):
    """What an observer looks at: a stack that works, or a recording of one."""

    @property
    def stack(self) -> Timed: ...

    def truth(self) -> WorldState: ...

    def believed_pose(self) -> Pose2 | None:
        """Where the robot takes itself to be, in its map; None where it has no such belief."""
        ...

    def belief(self) -> RobotMap | None:
        """What the robot has mapped; None where that is not to be had, or not worth measuring."""
        ...

    def took(self, id: str) -> None:
        """The robot has just picked what memory calls `id`."""
        ...

    def true_name(self, id: str) -> str:
        """The suite's name of what memory calls `id`; `id` itself where there is none."""
        ...

    def picture(self) -> bytes:
        """What the camera sees, JPEG; empty where there is none."""
        ...


class SystemUnderTest(Watched, Protocol):
    """A stack with its privileged side."""

    @property
    def stack(self) -> TaskExecutor: ...

    def watch(self, look: Callable[[], None]) -> None:
        """`look` is called while skills run, where time passes in them."""

    def disturb(self, kind: str, object: str = "", target: str = "",
                position: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> str: ...

    def settle(self) -> None: ...


class Physical:
    """Contact physics."""

    def __init__(self, prepared: Prepared, options: EvalOptions, memory: TemporaryDirectory[str] | None = None) -> None:
        """`memory`: the folder in which memory is kept from task to task; it goes with the last that uses it."""
        episode, self._folder = prepared.episode, memory
        self.stack = Stack(prepared.house, seed=prepared.seed, robot=episode.robot, known=episode.known,
                           memory=Path(memory.name) / "memory.sqlite" if memory is not None else None,
                           memory_settings=None if options.memory else MemorySettings(memory=False),
                           eyes=SensorConfig(perception=options.perception, privilege=options.privilege,
                                      weights=options.weights, namer=options.namer),
                           mapped=episode.known != "nothing", person=episode.person is not False, ways=options.ways)
        self._mapped = episode.known != "nothing"
        self._known = set() if episode.known == "nothing" else {piece.name for piece in prepared.house.furniture}
        self._identities = Identities.from_house(prepared.house, prepared.layout)

    def truth(self) -> WorldState:
        return self.stack.simulation.ground_truth()

    def believed_pose(self) -> Pose2:
        return self.stack.robot.observe().base_pose

    def belief(self) -> RobotMap:
        scene = self.stack.scene
        return RobotMap(self.stack.graph(), scene.frame, None if self._mapped else scene.map)

    def watch(self, look: Callable[[], None]) -> None:
        self.stack.on_tick = look

    def disturb(self, kind: str, object: str = "", target: str = "",
                position: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> str:
        return self.stack.simulation.disturb(kind, object, target, position)

    def took(self, id: str) -> None:
        self._identities.took(id, self.truth())

    def true_name(self, id: str) -> str:
        """By what the fingers held, or where memory has it now."""
        entity, state = self.stack.graph().entities.get(id), self.truth()
        told = entity is None or entity.kind not in (Kind.OBJECT, Kind.FURNITURE) or (
            entity.kind is Kind.FURNITURE and id in self._known)
        if entity is None or told:
            return id
        frame = frame_of(state.robot, self.believed_pose())
        return self._identities.name(id, Believed.from_entity(entity), frame, state)

    def settle(self) -> None:
        self.stack.advance(_SETTLE)

    def picture(self) -> bytes:
        picture = self.stack.picture()
        return encode_jpeg(picture) if picture is not None else b""


OracleT = TypeVar("OracleT", OracleStack, TeamStack)


class Oracle(Generic[OracleT]):
    """No physics: things keep the suite's names."""

    def __init__(self, stack: OracleT) -> None:
        self.stack: OracleT = stack

    def truth(self) -> WorldState:
        return self.stack.truth()

    def believed_pose(self) -> None:
        """It is where it is."""

    def belief(self) -> None:
        """It knows what is in sight by its true name."""

    def watch(self, look: Callable[[], None]) -> None:
        """Skills take no time that could be watched."""

    def disturb(self, kind: str, object: str = "", target: str = "",
                position: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> str:
        return self.stack.disturb(kind, object, target, position)

    def took(self, id: str) -> None:
        """It calls things what they are called."""

    def true_name(self, id: str) -> str:
        return id

    def settle(self) -> None:
        """Nothing moves by itself."""

    def picture(self) -> bytes:
        return b""


def robot_oracle(prepared: Prepared, options: EvalOptions, remembered: WorldGraph | None = None
                 ) -> Oracle[OracleStack]:
    """The robot, with whom the suite puts beside it; `remembered`: from an earlier task."""
    episode = prepared.episode
    return Oracle(OracleStack(prepared.house, seed=_chance(prepared), robot=episode.robot, known=episode.known,
                              memory=options.memory, person=episode.person is not False, slips=options.slips,
                              remembered=remembered))


def team_oracle(prepared: Prepared, options: EvalOptions) -> Oracle[TeamStack]:
    """Who plans together."""
    episode = prepared.episode
    return Oracle(TeamStack(prepared.house, options.team, robot=episode.robot, known=episode.known,
                            memory=options.memory, slips=options.slips, seed=_chance(prepared)))


def _chance(prepared: Prepared) -> int:
    """Every episode slips at other moments."""
    return crc32(f"{prepared.episode.id}@{prepared.seed}".encode())


def check(prepared: Prepared, options: EvalOptions) -> None:
    """Errors: ConfigError where an episode or the options ask for what the backend has not; MissingExtra."""
    if options.skills == "oracle" and options.perception != GROUND_TRUTH:
        raise ConfigError(f"perception {options.perception!r}: the oracle has no pictures; valid: {GROUND_TRUTH}, or "
                          "--skills physical")
    if options.skills != "oracle" and options.planner.policy == EXPERT:
        raise ConfigError(f"planner {EXPERT} calls things by their true names, which only the oracle's robot does: add "
                          "--skills oracle; valid under physics: symbolic, "
                          f"{choices(PRESETS)}")
    if options.team.plan and options.skills != "oracle":
        raise ConfigError(f"team {options.team.plan}: several agents act in the oracle alone: add --skills oracle")
    if options.team.partner != "none" and not options.team.plan:
        raise ConfigError(f"partner {options.team.partner}: says who is in a team; valid with it: --team solo, "
                          "central, decentral")
    if options.team.plan and (options.planner.policy != "symbolic" or prepared.past or prepared.episode.events):
        raise ConfigError(f"team {options.team.plan}: planner symbolic, and suites without past tasks and events "
                          "alone; leave --team out for others")
    detector_class(options.perception)
    if options.perception == LEARNED or options.namer:
        # weights that cannot be used are told before anything runs
        make_detector(options.perception, options.weights, namer=options.namer)


def make_backend(prepared: Prepared, options: EvalOptions) -> SystemUnderTest:
    """For one episode, after what is past in it."""
    if options.skills == "oracle":
        remembered = None
        for instruction, house in prepared.past if options.planner.policy != EXPERT else ():  # who knows it all anyway
            then = robot_oracle(replace(prepared, house=house), options, remembered)
            _do(then.stack, instruction, prepared, options)
            remembered = then.stack.graph()
        return robot_oracle(prepared, options, remembered)
    if not prepared.past:
        return Physical(prepared, options)
    folder: TemporaryDirectory[str] = TemporaryDirectory(prefix="dadu-memory-")
    for instruction, house in prepared.past:
        physical = Physical(replace(prepared, house=house), options, folder)
        _do(physical.stack, instruction, prepared, options)
        physical.stack.close()
    return Physical(prepared, options, folder)


def _do(stack: TaskExecutor, instruction: str, prepared: Prepared, options: EvalOptions) -> None:
    """A task that nobody judges."""
    planner = options.resolved_planner
    limits = planner.loop.model_copy(update={"max_steps": prepared.episode.steps,
                                             "max_seconds": prepared.episode.sim_seconds})
    stack.do(instruction, make_planner(planner, stack.capabilities), settings=limits)
