"""The declaration of the graph and its two renderings' common parts."""

from __future__ import annotations

import math

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from dadu.bringup.arguments import Arguments, as_text, choices_of, from_text, parse_arguments
from dadu.bringup.command import ros_arguments
from dadu.bringup.graph import NodeSpec, nodes
from dadu.bringup.up import processes
from dadu.core.errors import ConfigError
from dadu.house.files import load_house
from dadu.robots.loader import robots_directory

SIMULATED = {
    "sim_bridge", "perception", "memory", "navigation", "grasp", "place", "planner", "override", "recorder", "console",
}  # fmt: skip


def test_every_node_of_the_design_runs_in_simulation():
    graph = nodes(Arguments())
    assert {node.name for node in graph} == SIMULATED
    assert all(node.parameters["use_sim_time"] is True and node.remappings == {} for node in graph)


def test_a_real_robot_brings_its_own_drivers_and_names():
    graph = {node.name: node for node in nodes(Arguments(sim=False, robot="ur3", perception="yolo", console=False))}
    assert graph.keys() == SIMULATED - {"sim_bridge", "console"} | {"controller_adapter"}
    assert all(node.parameters["use_sim_time"] is False for node in graph.values())
    assert graph.pop("controller_adapter").remappings == {}, "it speaks the driver's names itself"
    assert {node.remappings["/cmd_vel"] for node in graph.values()} == {"/mobile_base/cmd_vel"}
    assert {node.remappings["/joint_states"] for node in graph.values()} == {"/controller_adapter/joint_states"}


def test_a_base_whose_driver_wants_its_commands_stamped_gets_them_so_in_reality_alone(tmp_path):
    folder = robots_directory()
    text = (folder / "ur3.yaml").read_text().replace("urdf: ur3.urdf", f"urdf: {folder}/ur3.urdf")
    own = tmp_path / "mine.yaml"
    own.write_text(f"base: {{stamped: true}}\n{text}")

    def told(**arguments):
        return {node.name: node for node in nodes(Arguments(**arguments))}["override"].parameters.get("stamped", False)

    assert told(sim=False, perception="yolo", robot=str(own)) is True
    assert told(sim=True, robot=str(own)) is False, "the simulator takes the plain ones"
    assert told(sim=False, perception="yolo", robot="ur3") is False


def test_a_driver_s_action_is_remapped_by_what_it_is_made_of(tmp_path):
    folder = robots_directory()
    text = (folder / "ur3.yaml").read_text().replace("urdf: ur3.urdf", f"urdf: {folder}/ur3.urdf")
    own = tmp_path / "mine.yaml"
    own.write_text(text + "  /gripper_controller/gripper_cmd: /my_gripper/gripper_cmd\n")
    graph = {node.name: node for node in nodes(Arguments(sim=False, robot=str(own), perception="yolo"))}
    remappings = graph["grasp"].remappings
    gripper = {ours: theirs for ours, theirs in remappings.items() if "gripper_cmd" in ours}
    assert len(gripper) == 5
    assert gripper["/gripper_controller/gripper_cmd/_action/status"] == "/my_gripper/gripper_cmd/_action/status"


def test_a_real_stretch_has_an_adapter_in_the_simulator_s_place():
    graph = {node.name: node for node in nodes(Arguments(sim=False, robot="stretch", perception="yolo"))}
    assert graph.keys() == SIMULATED - {"sim_bridge"} | {"stretch_adapter"}
    assert graph.pop("stretch_adapter").remappings == {}
    for node in graph.values():
        assert node.remappings["/joint_states"] == "/stretch_adapter/joint_states"
        assert "/cmd_vel" not in node.remappings  # the adapter takes it


def test_stretch_4_s_driver_hears_velocities_from_the_adapter_alone():
    graph = {node.name: node for node in nodes(Arguments(sim=False, robot="stretch4", perception="yolo"))}
    assert graph.pop("stretch_adapter").remappings == {}
    for node in graph.values():
        assert node.remappings["/cmd_vel"] == "/stretch_adapter/cmd_vel", "/cmd_vel is the driver's own"
        assert node.remappings["/joint_states"] == "/stretch_adapter/joint_states"


def test_nav2_takes_navigation_s_place():
    graph = {node.name: node for node in nodes(Arguments(navigation="nav2"))}
    assert graph.keys() == SIMULATED - {"navigation"} | {"nav2_adapter"}
    assert not any(node.remappings for node in graph.values()), "the planner asks /drive_to_pose, whoever serves it"


def test_a_real_robot_is_not_taken_to_stand_in_the_simulated_house():
    def told(**arguments):
        graph = {node.name: node.parameters for node in nodes(Arguments(sim=False, perception="yolo", **arguments))}
        return graph["memory"]["known"], graph["navigation"]["map"]

    assert told() == ("nothing", "none")
    graph = {node.name: node.parameters for node in nodes(Arguments(sim=False, perception="yolo"))}
    assert graph["planner"]["house"] == "", "nor to hear of that house's things by name"
    assert told(map="mine.yaml") == ("nothing", "mine.yaml")
    assert told(house="mine.house.yaml") == ("layout", "")


def test_privileged_perception_is_refused_without_a_simulator():
    with pytest.raises(ConfigError, match="ground_truth needs sim:=true"):
        nodes(Arguments(sim=False, perception="ground_truth"))
    graph = {node.name: node for node in nodes(Arguments(sim=False))}
    assert graph["perception"].parameters["detector"] == "learned", "the default serves real robots, too"


def test_a_detector_of_ones_own_is_taken_and_a_wrong_name_refused_before_anything_starts():
    graph = {node.name: node for node in nodes(Arguments(perception="mine.py:Mine"))}
    assert graph["perception"].parameters["detector"] == "mine.py:Mine"
    with pytest.raises(ConfigError, match="valid: ground_truth"):
        nodes(Arguments(perception="telepathy"))


def test_several_robots_share_a_simulator_and_have_all_else_to_themselves():
    graph = {node.process: node for node in nodes(Arguments(robots="stretch, ur3", record=False))}
    assert graph["sim_bridge"].parameters["robots"] == ["stretch", "ur3"] and not graph["sim_bridge"].namespace
    assert "robot" not in graph["sim_bridge"].parameters and not graph["sim_bridge"].remappings
    own = SIMULATED - {"sim_bridge", "recorder"}
    assert graph.keys() == {"sim_bridge"} | {f"robot_{i}/{name}" for i in (0, 1) for name in own}
    alone = {node.name: node for node in nodes(Arguments(robot="ur3", record=False, namespace="robot_1",
                                                         frame_prefix="robot_1/"))}
    for name in own:
        ours, theirs = graph[f"robot_1/{name}"], alone[name]
        assert (ours.name, ours.namespace, ours.remappings) == (name, "robot_1", theirs.remappings)
        more = {"start"} if name in ("memory", "navigation") else set()
        assert ours.parameters == {**theirs.parameters, "run_folder": "robot_1",
                                   **{key: ours.parameters[key] for key in more}}
    starts = [graph[f"robot_{i}/memory"].parameters["start"] for i in (0, 1)]
    assert starts[0] == list(load_house("flat").robot.pose) and math.dist(starts[0][:2], starts[1][:2]) > 0.5


@pytest.mark.parametrize(("given", "told"), [
    ({"robots": "stretch,r2d2"}, "unknown robot 'r2d2'; known: .*ur3"), ({"robots": "stretch,"}, "unknown robot ''"),
    ({"robots": "ur3"}, "that is robot:=ur3"), ({"robots": "ur3,ur3", "instruction": "x"}, "--namespace robot_0"),
    ({"robots": "ur3,ur3", "simulator": "habitat"}, "simulator:=habitat"),
    ({"robots": "ur3,ur3", "sim": False, "perception": "yolo"}, "sim:=false"),
    ({"robots": "ur3,ur3", "namespace": "a", "frame_prefix": "b"}, "namespace, frame_prefix"),
])
def test_several_robots_that_cannot_be_are_refused_before_anything_starts(given, told):
    with pytest.raises(ConfigError, match=told):
        nodes(Arguments(**given))


def test_the_simulator_is_handed_to_the_bridge():
    graph = {node.name: node for node in nodes(Arguments(simulator="habitat"))}
    assert graph["sim_bridge"].parameters["simulator"] == "habitat"
    assert graph["sim_bridge"].parameters["person"] == "none"
    graph = {node.name: node for node in nodes(Arguments(person="walks"))}
    assert graph["sim_bridge"].parameters["person"] == "walks"
    with pytest.raises(ConfigError, match="simulator:=mujoco"):
        nodes(Arguments(person="walks", simulator="habitat"))


def test_meshes_are_handed_to_the_bridge_by_their_whole_path(tmp_path, monkeypatch):
    (tmp_path / "things").mkdir()
    monkeypatch.chdir(tmp_path)
    graph = {node.name: node for node in nodes(Arguments(meshes="things"))}
    assert graph["sim_bridge"].parameters["simulation.meshes"] == str(tmp_path / "things")
    for wrong in ({"meshes": "nowhere"}, {"meshes": "things", "simulator": "habitat"}):
        with pytest.raises(ConfigError, match="meshes:="):
            nodes(Arguments(**wrong))


@pytest.mark.parametrize(("given", "parameter"), [("", None), ("true", True), ("false", False)])
def test_the_fallback_is_as_configured_unless_it_is_given(given, parameter):
    graph = {node.name: node for node in nodes(Arguments(planner="vllm", fallback=given))}
    assert graph["planner"].parameters.get("fallback") is parameter


def test_an_unknown_robot_is_refused_before_anything_starts():
    with pytest.raises(ConfigError, match="stretch"):
        nodes(Arguments(sim=False, perception="yolo", robot="r2d2"))


@given(st.fixed_dictionaries({}, optional={
    "sim": st.booleans(), "rtf": st.floats(0, 10), "seed": st.integers(-1, 2**31), "house": st.text(min_size=1),
    "planner": st.sampled_from(choices_of("planner")), "instruction": st.text(),
}))
def test_arguments_survive_being_written_as_text(given_values):
    arguments = Arguments(**given_values)
    text = {name: as_text(getattr(arguments, name)) for name in Arguments.model_fields}
    assert from_text(text) == arguments
    assert parse_arguments(f"{name}:={value}" for name, value in text.items()) == arguments


@pytest.mark.parametrize(
    ("word", "told"),
    [("house=flat", "name:=value"), ("hose:=flat", "valid: .*house"), ("planner:=gpt", "symbolic"), ("rtf:=-1", "rtf")],
)
def test_wrong_arguments_are_named(word, told):
    with pytest.raises(ConfigError, match=told):
        parse_arguments([word])


def test_every_argument_is_documented():
    assert all(field.description for field in Arguments.model_fields.values())


PRINTABLE = st.text(st.characters(exclude_categories=("C", "Z")))


@given(st.one_of(PRINTABLE, st.booleans(), st.integers(-(2**31), 2**31), st.floats(1e-3, 1e6)))
def test_ros_reads_the_parameters_that_were_meant(value):
    _, _, word = ros_arguments(NodeSpec("no_such_node", {"name": value}))
    assert yaml.safe_load(word.removeprefix("name:=")) == value


def test_the_instruction_is_a_process_that_runs_once():
    *graph, task = processes(Arguments(instruction="put the mug on the table"))
    assert all(p.restart and not p.verbose for p in graph)
    assert (task.name, task.restart, task.verbose) == ("task", False, True)
    assert task.argv[-1] == "put the mug on the table"


def test_a_planner_s_model_and_examples_reach_its_node():
    words = ["planner:=rag", "model:=mine", "examples:=mine.jsonl"]
    (planner,) = (node for node in nodes(parse_arguments(words)) if node.name == "planner")
    said = {name: planner.parameters[name] for name in ("policy", "llm.model", "llm.examples.path")}
    assert said == {"policy": "rag", "llm.model": "mine", "llm.examples.path": "mine.jsonl"}
    assert "llm.model" not in next(n for n in nodes(Arguments()) if n.name == "planner").parameters
    with pytest.raises(ConfigError, match="planner: .*'symbolic', 'small', 'vllm', 'react', 'rag' or 'finetuned'"):
        parse_arguments(["planner:=expert"])
