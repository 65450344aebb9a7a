"""What is privileged is off unless switched on, is named, and is what the graph and the stack are given."""

import pytest

from dadu.bringup.arguments import Arguments, parse_arguments
from dadu.bringup.graph import nodes
from dadu.core.config import load, save
from dadu.core.errors import ConfigError
from dadu.core.privilege_report import PrivilegeReport
from dadu.eval.compare.ablate import PARTS
from dadu.eval.options import EvalOptions
from dadu.perception.detectors import GROUND_TRUTH
from dadu.perception.sensor_config import SensorConfig

LEARNED = "yolo"
"""any detector that looks at pictures"""


def parameters(*words):
    return {node.name: node.parameters for node in nodes(parse_arguments(words))}


def test_pose_and_states_are_off_by_default_and_no_detector_means_the_default():
    for settings in (Arguments(), EvalOptions(), SensorConfig()):
        assert settings.perception and set(settings.privilege.split(",")) <= {"instances", ""}
    assert not SensorConfig(perception=LEARNED).granted


@pytest.mark.parametrize("perception, privilege, line", [
    (LEARNED, "", "eyes: yolo; pose: estimated; told: map, layout"),
    (GROUND_TRUTH, "", "eyes: simulator's instances (privileged); pose: estimated; told: map, layout"),
    ("", "instances", "eyes: simulator's instances (privileged); pose: estimated; told: map, layout"),
    (LEARNED, "states, pose", "eyes: yolo; pose: true (privileged); states: true (privileged); told: map, layout"),
])
def test_each_is_switched_on_by_itself_and_named(perception, privilege, line):
    assert Arguments(perception=perception, privilege=privilege).privilege_report.line == line
    assert EvalOptions(perception=perception, privilege=privilege).privileges_for("layout").line == line


def test_what_was_told_is_named():
    assert Arguments(perception=LEARNED, map="none", known="nothing").privilege_report.told == ()
    assert Arguments(perception=LEARNED, known="all").privilege_report.told == ("map", "layout", "things")
    assert PrivilegeReport(eyes=LEARNED).line == "eyes: yolo; pose: estimated; told: nothing"
    assert EvalOptions(perception=LEARNED).privileges_for("nothing").told == (), "who knows nothing has no map, either"
    real = Arguments(sim=False, perception=LEARNED)
    assert not real.privilege_report.told, "the simulated house is not the real robot's home"


def test_the_oracle_is_privileged_to_everything():
    line = EvalOptions(skills="oracle").privileges_for("layout").line
    assert line.count("(privileged)") == 3
    assert PARTS["skills"](EvalOptions(skills="oracle")) == EvalOptions()
    told = PARTS["perception"](EvalOptions())
    assert (told.perception, told.privilege) == (GROUND_TRUTH, "instances")
    assert PARTS["perception"](told) == EvalOptions()


@pytest.mark.parametrize("words, told", [
    (["privilege:=instances,posse"], "unknown privilege posse; valid: instances, pose, states"),
    ([f"perception:={LEARNED}", "privilege:=instances"], "perception yolo does not see through them"),
    (["sim:=false", f"perception:={LEARNED}", "privilege:=pose"], "needs sim:=true"),
])
def test_what_cannot_be_is_refused(words, told):
    with pytest.raises(ConfigError, match=told):
        nodes(parse_arguments(words))


def test_resolved_settings_survive_being_written(tmp_path):
    given = EvalOptions(perception="", privilege="pose,instances")
    save(given, tmp_path / "options.yaml")
    assert load(EvalOptions, tmp_path / "options.yaml") == given
    assert "privilege: instances,pose" in (tmp_path / "options.yaml").read_text()


def test_the_nodes_get_what_is_granted_and_no_more():
    plain = parameters(f"perception:={LEARNED}")
    assert plain["sim_bridge"]["instances"] is False, "the topic is not there"
    assert plain["navigation"]["true_pose"] is plain["memory"]["true_states"] is False
    told = parameters("privilege:=instances,pose,states")
    assert told["perception"]["detector"] == GROUND_TRUTH and told["sim_bridge"]["instances"] is True
    assert told["navigation"]["true_pose"] is told["memory"]["true_states"] is True
    assert told["planner"]["ledger"].startswith("eyes: simulator's instances (privileged); pose: true (privileged)")
