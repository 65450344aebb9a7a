"""The graph, declared once: which processes run, with which parameters. `dadu up` and the launch file both read it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

from dadu.bringup.arguments import Arguments
from dadu.bringup.naming import frame_prefix_of, relative, shared_names
from dadu.core.errors import ConfigError, choices
from dadu.core.geometry import Pose2
from dadu.core.privilege_report import Privilege
from dadu.house.files import load_house
from dadu.house.layout import NOTHING
from dadu.motion.model import body_model
from dadu.perception.detectors import GROUND_TRUTH, check_namer, registration_of
from dadu.planner.interpreters import NONE, place_of
from dadu.planner.presets import PRESETS
from dadu.robots.kinematics import Kinematics
from dadu.robots.loader import load_robot, load_settings
from dadu.robots.starts import robot_names, start_poses
from dadu.team.world import NUMBERS

DRIVER_ACTIONS = ("/arm_controller/follow_joint_trajectory", "/gripper_controller/gripper_cmd")
"""those of the drivers' names that are actions"""
SIMULATOR = "sim_bridge"
"""the node that simulates"""
_TOLD_OF_START = ("memory", "navigation")
"""nodes that take where the robot begins from the house, unless it is one of several"""
_QUALITY = 90
"""of a real camera's recorded colours, as JPEG: exact they would be ten times as much"""
_ACTION_PARTS = ("send_goal", "get_result", "cancel_goal", "feedback", "status")


@dataclass(frozen=True)
class NodeSpec:
    """One ROS node in a process of its own."""

    name: str
    """of the node, of its executable, of its module in dadu_nodes and of its file config/NAME.yaml"""
    parameters: dict[str, object] = field(default_factory=dict)
    remappings: dict[str, str] = field(default_factory=dict)
    namespace: str = ""
    process: str = ""
    """what its process is called among the graph's: NAME, or ROBOT/NAME where several robots have one of that name"""


@dataclass(frozen=True)
class TeamRobot:
    """One of several robots in one world, and what its graph is started with."""

    name: str
    arguments: Arguments
    start: Pose2
    """where it begins, map"""


def team_robots(arguments: Arguments) -> tuple[TeamRobot, ...]:
    """Of `robots`; none where there is one robot alone. Errors: ConfigError for a robot or house that does not exist,
    or too little room for all."""
    if not arguments.several:
        return ()
    names = robot_names(len(arguments.several))
    starts = start_poses(load_house(arguments.house), [load_robot(robot) for robot in arguments.several])
    return tuple(TeamRobot(name, arguments.model_copy(update={"robot": robot, "robots": "", "team": "none",
                                                           "namespace": name,
                                                           "frame_prefix": frame_prefix_of(name)}), start)
                 for name, robot, start in zip(names, arguments.several, starts))


def nodes(arguments: Arguments) -> list[NodeSpec]:
    """The nodes that `arguments` ask for.

    Errors: ConfigError for arguments that do not go together or a robot that does not exist.
    """
    _check(arguments)
    if arguments.several:
        return _nodes_of_team(arguments)
    names, adapter = _driver_names(arguments), load_settings(arguments.robot)[0].adapter
    common: dict[str, object] = {"use_sim_time": arguments.sim or arguments.use_sim_time}
    if arguments.frame_prefix:
        common["frame_prefix"] = arguments.frame_prefix
    return [
        NodeSpec(name, {**common, **parameters},
                 _named({} if name == adapter else names, arguments),
                 arguments.namespace, name)
        for name, parameters in _table(arguments).items()
    ]


def _nodes_of_team(arguments: Arguments) -> list[NodeSpec]:
    """One simulator; and for each robot the graph that it has beside others, but for a simulator of its own."""
    own = {name: value for name, value in _simulator(arguments).items() if name != "robot"}
    found = [NodeSpec(SIMULATOR, {"use_sim_time": True, **own, "robots": list(arguments.several)}, process=SIMULATOR)]
    members = team_robots(arguments)
    together = [f"{member.name}={member.arguments.robot}" for member in members] if arguments.team != "none" else []
    for i, member in enumerate(members):
        begins = {"start": [float(value) for value in member.start]}
        shares: dict[str, dict[str, object]] = {} if not together else {
            "planner": {"team": together}, "memory": {"team": together, "first_number": i * NUMBERS}}
        found += [replace(node, process=f"{member.name}/{node.name}",
                          parameters={**node.parameters, "run_folder": member.name,
                                      **(begins if node.name in _TOLD_OF_START else {}),
                                      **shares.get(node.name, {})})
                  for node in nodes(member.arguments) if node.name != SIMULATOR]
    return found


def _table(a: Arguments) -> dict[str, dict[str, object]]:
    """Node name to its parameters."""
    told, a, granted = a.privilege_report, a.resolve_home(), a.privilege_report.granted
    robot: dict[str, object] = {"robot": a.robot}
    house: dict[str, object] = {"house": a.house}
    ways = {f"skills.{skill}": way for skill, way in (("pick", a.pick), ("place", a.place)) if way}
    named = "" if a.known == NOTHING else a.house  # its doors and kinds of things come with its layout
    return {
        **({SIMULATOR: _simulator(a)} if a.sim else _adapter(a)),
        "perception": {"detector": a.perception, "weights": a.weights, "namer": a.namer,
                       "states": Privilege.STATES not in granted,
                       "house": named},
        "memory": {**robot, **house, "known": a.known, "true_states": Privilege.STATES in granted},
        **({"navigation": {**robot, **house, "map": a.map, "true_pose": Privilege.POSE in granted}}
           if a.navigation == "own" else {"nav2_adapter": robot}),
        "grasp": {**robot, **ways},
        "place": {**robot, **ways},
        "planner": {**robot, **ways, "house": named, "policy": a.planner,
                    "llm_url": a.llm_url, "ledger": told.line, **_planner_parameters(a)},
        "override": {**robot, **({} if a.sim else _base(a))},
        **({"recorder": {} if a.sim else {"jpeg_quality": _QUALITY}} if a.record else {}),
        **({"console": {"house": named, "host": a.console_host, "port": a.console_port}} if a.console else {}),
        **({"foxglove_bridge": {}} if a.foxglove else {}),
    }


def _simulator(a: Arguments) -> dict[str, object]:
    return {"robot": a.robot, "house": a.house, "simulator": a.simulator, "rtf": a.rtf, "seed": a.seed,
            "instances": Privilege.INSTANCES in a.privilege_report.granted, "viewer": a.viewer, "person": a.person,
            **({"simulation.meshes": str(Path(a.meshes).resolve())} if a.meshes else {})}


def _planner_parameters(a: Arguments) -> dict[str, object]:
    """What overrules config/planner.yaml."""
    preset = PRESETS.get(a.planner)  # one that has a protocol of its own does not take the file's
    given = {"llm.protocol": preset.protocol if preset and preset.fixed else "",
             "fallback": a.fallback and a.fallback == "true", "ask": a.ask and a.ask == "true",
             "interpreter": a.interpreter, "verify": a.verify, "llm.model": a.model,
             "llm.timeout": a.llm_timeout or "", "llm.api_key_file": a.api_key_file,
             "llm.examples.path": a.examples}
    return {name: value for name, value in given.items() if value != ""}


def _check(a: Arguments) -> None:
    registration_of(a.perception)
    check_namer(a.perception, a.namer)
    if a.perception == GROUND_TRUTH and not a.sim:
        raise ConfigError("perception:=ground_truth needs sim:=true; otherwise choose learned, yolo or open_vocabulary")
    if a.privilege and not a.sim:
        raise ConfigError(f"privilege:={a.privilege} needs sim:=true: only a simulator knows such things")
    if a.person != "none" and not (a.sim and a.simulator == "mujoco"):
        raise ConfigError(f"person:={a.person} needs sim:=true and simulator:=mujoco: others have no figure for it")
    if a.meshes and not (a.sim and a.simulator == "mujoco" and Path(a.meshes).is_dir()):
        raise ConfigError(f"meshes:={a.meshes} needs sim:=true and simulator:=mujoco, and a folder of that name")
    if a.several:
        _check_team(a)
    elif a.team != "none":
        raise ConfigError(f"team:={a.team} needs several robots: robots:=stretch,stretch")
    if a.team != "none" and (a.planner != "symbolic" or a.known == NOTHING):
        raise ConfigError(f"team:={a.team} needs planner:=symbolic and known:=layout or all: a team shares out a goal, "
                          "and its robots have to mean the same pieces of furniture")
    body_model(Kinematics(load_robot(a.robot)))  # a body that hits itself is refused here, not at its first grasp
    for name in (a.interpreter, a.verify):
        if name not in ("", NONE):
            place_of(name)


def _check_team(a: Arguments) -> None:
    """Errors: ConfigError naming what several robots in one world do not go with."""
    if len(a.several) < 2:
        raise ConfigError(f"robots:={a.robots} names one robot; that is robot:={a.robots}")
    alone = {"sim:=false": not a.sim, "simulator:=habitat": a.simulator != "mujoco", "namespace": a.namespace,
             "frame_prefix": a.frame_prefix, "navigation:=nav2": a.navigation != "own", "instruction": a.instruction}
    if wrong := [name for name, given in alone.items() if given]:
        names = robot_names(len(a.several))
        raise ConfigError(f"robots:={a.robots} does not go with {', '.join(wrong)}: the robots are in one MuJoCo home "
                          f"and in namespaces of their own ({choices(names)}), in which they are told what to do: "
                          f"dadu do \"...\" --namespace {names[0]}")


def _adapter(a: Arguments) -> dict[str, dict[str, object]]:
    """The node that makes a real robot's driver look like any other, where it has to."""
    name = load_settings(a.robot)[0].adapter
    return {name: {"robot": a.robot}} if name else {}


def _base(a: Arguments) -> dict[str, object]:
    """What the real base's driver takes, where that is not what the simulator does."""
    return {"stamped": True} if load_settings(a.robot)[0].base.stamped else {}


def _driver_names(a: Arguments) -> dict[str, str]:
    """A real robot's own names for topics and actions, from its configuration; none in simulation. An adapter is not
    given them: it speaks the driver's names itself."""
    if a.sim:
        return {}
    drivers = load_settings(a.robot)[0].drivers
    return {ours: theirs for pair in drivers.items() for ours, theirs in _entities(*pair).items()}


def _named(remappings: dict[str, str], a: Arguments) -> dict[str, str]:
    """A robot in a namespace has its drivers there, too."""
    if not a.namespace:
        return remappings
    ours = {relative(name): relative(theirs) for name, theirs in remappings.items()}
    return {**ours, **shared_names(a.namespace, a.frame_prefix)}


def _entities(ours: str, theirs: str) -> dict[str, str]:
    """The topics and services behind a name."""
    return _action(ours, theirs) if ours in DRIVER_ACTIONS else {ours: theirs}


def _action(ours: str, theirs: str) -> dict[str, str]:
    """Jazzy's rcl cannot remap an action as such, only what it is made of."""
    return {f"{ours}/_action/{part}": f"{theirs}/_action/{part}" for part in _ACTION_PARTS}
