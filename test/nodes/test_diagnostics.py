"""What nodes complain of on /diagnostics, each tried by what it complains of."""

import errno
import sqlite3
import time

import numpy as np
import pytest
from dadu_nodes.support import qos
from diagnostic_msgs.msg import DiagnosticStatus
from std_msgs.msg import String

from dadu.core.geometry import Pose2
from dadu.operator.bags.bag import BagWriter

OK, WARN, ERROR = DiagnosticStatus.OK, DiagnosticStatus.WARN, DiagnosticStatus.ERROR


def verdict(node):
    """Level and sentence at this moment, without waiting for it to last."""
    for check in node.health._checks:
        check.patience = 0.0
    return node.health._verdict()


def test_an_emergency_stop_is_a_warning_with_the_body_s_name(make_node):
    node = make_node("override")
    assert verdict(node) == (OK, "running")
    node.arbiter.stop(True)
    assert verdict(node) == (WARN, "emergency stop: nothing moves until it is released")
    assert node.health.hardware_id.startswith("stretch@")
    node.arbiter.stop(False)
    assert verdict(node)[0] == OK


def test_navigation_misses_drivers_laser_and_transforms_and_doubts_where_it_is(make_node, monkeypatch):
    node = make_node("navigation", house="small_flat", depth=False)
    monkeypatch.setattr("dadu_nodes.support.listening.robot.RobotListener.silence", lambda robot: 0.0)
    assert verdict(node) == (ERROR, "nobody serves arm_controller/follow_joint_trajectory and "
                                    "gripper_controller/gripper_cmd; is the driver running?")
    monkeypatch.setattr("dadu_nodes.support.ros_robot._Goal.served", True)
    assert verdict(node)[0] == OK
    localisation, localiser = node._localisation, node._site.localiser
    localiser.map_odom, localiser.share = Pose2(0.0, 0.0, 0.0), 0.1
    level, told = verdict(node)
    assert level == WARN and "the map explains 10 % of what the laser sees" in told
    localiser.share, localiser._covariance = 0.9, np.diag([0.25, 0.01, 0.01])
    assert verdict(node) == (WARN, "where the robot is is uncertain by 0.5 m; let it drive a little")
    localisation._unplaced = "scans cannot be placed, and the robot not localised: no transform"
    assert verdict(node) == (ERROR, localisation._unplaced)
    localisation._unplaced, localisation._heard = "", time.monotonic() - 7.0
    assert verdict(node) == (ERROR, "no scan for 7 s; is the laser's driver running?")


def test_perception_says_what_it_misses(make_node):
    node = make_node("perception", detector="ground_truth")
    assert verdict(node)[0] == OK
    node._placed = time.monotonic() - 9.0
    assert verdict(node) == (WARN, "pictures come, but nothing on camera/color/camera_info")
    node._seen = time.monotonic() - 9.0
    assert verdict(node) == (WARN, "no picture for 9 s; is the camera's driver running?")


def test_memory_that_cannot_write_is_an_error_until_it_can(make_node, monkeypatch):
    node = make_node("memory", house="small_flat")

    def full(contents):
        raise sqlite3.OperationalError("database or disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(node.memory._store, "save", full)
        node.memory._save()
        assert verdict(node) == (ERROR, "memory cannot be written: database or disk is full")
    node.memory._save()
    assert verdict(node)[0] == OK


@pytest.mark.parametrize(("fallback", "level"), [("true", WARN), ("false", ERROR)])
def test_a_model_server_that_is_gone_is_noticed_before_a_task_needs_it(make_node, fallback, level):
    node = make_node("planner", policy="react", llm_url="http://127.0.0.1:9/v1", fallback=fallback)
    assert verdict(node)[0] == OK
    node._watch()
    node._model._asking.join()
    told = verdict(node)
    assert told[0] == level and "the model server at http://127.0.0.1:9/v1 cannot be used" in told[1]
    assert ("the symbolic planner takes over" in told[1]) is (fallback == "true")
    node._model.heard("")
    assert verdict(node)[0] == OK


def test_a_recorder_whose_disk_is_full_says_so_and_goes_on_in_another_bag(make_node, tmp_path, monkeypatch):
    node = make_node("recorder")
    publisher = node.create_publisher(String, "/told", qos.LATCHED)
    publisher.publish(String(data="hello"))
    assert verdict(node)[0] == OK

    def full(bag, connection, stamp, data):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(BagWriter, "write", full)
        until(lambda: verdict(node)[0] == ERROR, node)
        assert verdict(node)[1] == "nothing is recorded: No space left on device" and node.bag is None
    node._next = 0.0
    until(lambda: node.bag is not None and node.bag.counts.get("/told"), node)
    assert verdict(node)[0] == OK


def test_navigation_goes_on_where_nothing_can_be_kept(make_node, tmp_path):
    node = make_node("navigation", house="small_flat")
    (tmp_path / "file").write_text("")
    node._localisation._file = node.run_dir = tmp_path / "file" / "kept"  # where nobody can write, not even root
    node._localisation._save(Pose2(1.0, 2.0, 0.0))
    node._keep(node._site.map)
    assert not node._localisation._file.exists()


def until(condition, node):
    """Does what the recorder's timers do."""
    end = time.monotonic() + 60.0
    while not condition():
        assert time.monotonic() < end
        node._written(node._discover)
        node._written(node._topics.poll)
        time.sleep(0.05)
