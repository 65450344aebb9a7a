"""The graph, declared once: which processes run, with which parameters. `dadu up` and the launch file both read it."""

from __future__ import annotations

from dataclasses import dataclass, field

from dadu.bringup.arguments import Arguments
from dadu.bringup.naming import relative, shared_names
from dadu.core.errors import ConfigError
from dadu.core.privilege_report import Privilege
from dadu.house.layout import NOTHING
from dadu.perception.detectors import GROUND_TRUTH, check_namer, registration_of
from dadu.planner.interpreters import NONE, place_of
from dadu.planner.presets import PRESETS
from dadu.robots.loader import load_settings

DRIVER_ACTIONS = ("/arm_controller/follow_joint_trajectory", "/gripper_controller/gripper_cmd")
"""those of the drivers' names that are actions"""
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


def nodes(arguments: Arguments) -> list[NodeSpec]:
    """The nodes that `arguments` ask for.

    Errors: ConfigError for arguments that do not go together or a robot that does not exist.
    """
    _check(arguments)
    names, adapter = _driver_names(arguments), load_settings(arguments.robot)[0].adapter
    common: dict[str, object] = {"use_sim_time": arguments.sim or arguments.use_sim_time}
    if arguments.frame_prefix:
        common["frame_prefix"] = arguments.frame_prefix
    return [
        NodeSpec(name, {**common, **parameters},
                 _named({} if name == adapter else names, arguments),
                 arguments.namespace)
        for name, parameters in _table(arguments).items()
    ]


def _table(a: Arguments) -> dict[str, dict[str, object]]:
    """Node name to its parameters."""
    told, a, granted = a.privilege_report, a.resolve_home(), a.privilege_report.granted
    robot: dict[str, object] = {"robot": a.robot}
    house: dict[str, object] = {"house": a.house}
    named = "" if a.known == NOTHING else a.house  # its doors and kinds of things come with its layout
    simulated = {**robot, **house, "simulator": a.simulator, "rtf": a.rtf, "seed": a.seed,
                 "instances": Privilege.INSTANCES in granted, "viewer": a.viewer}
    return {
        **({"sim_bridge": simulated} if a.sim else _adapter(a)),
        "perception": {"detector": a.perception, "weights": a.weights, "namer": a.namer,
                       "states": Privilege.STATES not in granted,
                       "house": named},
        "memory": {**robot, **house, "known": a.known, "true_states": Privilege.STATES in granted},
        **({"navigation": {**robot, **house, "map": a.map, "true_pose": Privilege.POSE in granted}}
           if a.navigation == "own" else {"nav2_adapter": robot}),
        "grasp": {**robot, **({"skills.pick": a.pick} if a.pick else {})},
        "place": {**robot, **({"skills.place": a.place} if a.place else {})},
        "planner": {**robot, "house": named, "policy": a.planner,
                    "llm_url": a.llm_url, "ledger": told.line, **_planner_parameters(a)},
        "override": {**robot, **({} if a.sim else _base(a))},
        **({"recorder": {} if a.sim else {"jpeg_quality": _QUALITY}} if a.record else {}),
        **({"console": {"house": named, "host": a.console_host, "port": a.console_port}} if a.console else {}),
        **({"foxglove_bridge": {}} if a.foxglove else {}),
    }


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
    for name in (a.interpreter, a.verify):
        if name not in ("", NONE):
            place_of(name)


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
