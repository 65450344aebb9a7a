"""The simulation as a driver: rates, pace, and going on after a crash."""

import errno
import time
from dataclasses import replace

import numpy as np
import pytest
from small_worlds import simulation

from dadu.core.geometry import Pose2
from dadu.core.robot import Command, GripperCommand, JointTrajectory, Twist, Waypoint
from dadu.sim.backend import DisturbanceError
from dadu.sim.engine import Engine, Listener
from dadu.sim.mujoco.robot.driver_goals import ArmGoal, Ended, GripperGoal, Tolerances
from dadu.sim.mujoco.robot.gripper_drive import GripperState
from dadu.sim.odometry import Odometry, OdometrySettings
from dadu.sim.pacing import Pacer, PacingSettings
from dadu.sim.sensor_faults import SENSORS, SensorFaults
from dadu.sim.settings import CameraSettings, EngineSettings, LaserSettings, SimulationSettings
from dadu.sim.time_sync import Work, WorkReport

SMALL = SimulationSettings(camera=CameraSettings(width=64, height=48, rate=5), laser=LaserSettings(rays=36))
FAST = EngineSettings(pacing=PacingSettings(rtf=8.0))


class Recorder:
    """Collects stamps by kind."""

    def __init__(self):
        self.clock, self.states, self.scans, self.pictures, self.truths = [], [], [], [], []
        self.listener = Listener(
            self.clock.append, lambda state, odom: self.states.append((state.stamp, odom)),
            lambda scan: self.scans.append(scan.stamp), lambda frame: self.pictures.append(frame.stamp),
            lambda truth, factor: self.truths.append(truth.stamp))

    def until(self, simulated, engine, timeout=100.0):
        end = time.monotonic() + timeout
        while not self.clock or self.clock[-1] < simulated:
            assert engine.alive and time.monotonic() < end
            time.sleep(0.01)


def test_everything_is_reported_at_its_rate_in_simulated_time(tmp_path):
    heard = Recorder()
    engine = Engine(simulation(settings=SMALL), FAST, [heard.listener], tmp_path)
    engine.start()
    heard.until(4.0, engine)
    engine.close()
    span = heard.clock[-1] - heard.clock[0]
    assert (np.diff(heard.clock) > 0).all()
    for stamps, rate in ((heard.clock, 50), (heard.states, 25), (heard.scans, 10), (heard.pictures, 5),
                         (heard.truths, 5)):
        assert len(stamps) == pytest.approx(rate * span, abs=2 + 0.02 * rate * span)
    assert np.diff(heard.pictures) == pytest.approx(0.2, abs=0.021)  # none is skipped


def test_a_world_at_rest_is_reported_more_rarely_until_something_moves_or_somebody_works(tmp_path):
    heard, working = Recorder(), []
    listener = replace(heard.listener, work=lambda: list(working))
    engine = Engine(simulation(settings=SMALL), FAST.model_copy(update={"resting": 5}), [listener], tmp_path)
    engine.start()
    heard.until(4.0, engine)
    rest = heard.clock[-1]
    heard.until(rest + 4.0, engine)
    lists = (heard.clock, heard.states, heard.scans, heard.pictures, heard.truths)
    rested = [sum(_stamp(reading) > rest for reading in kind) for kind in lists]
    span = heard.clock[-1] - rest
    assert rested[2:] == pytest.approx([2 * span, span, span], abs=2)
    assert rested[1] < 12 * span and rested[0] < 25 * span, "they come with each reading, and little more"
    states = [stamp for stamp, _ in heard.states]
    assert all(min(abs(stamp - state) for state in states) < 1e-6 for stamp in heard.scans + heard.pictures
               if stamp > rest), "where each was taken is known"
    with engine.exclusive() as sim:
        sim.robot.act(Command(joints=JointTrajectory.single_goal({"joint_lift": 0.9}, 3.0)))
        moves = sim.time
    heard.until(moves + 2.0, engine)
    assert sum(moves < stamp <= moves + 2.0 for stamp in heard.clock) > 95
    assert sum(moves < stamp <= moves + 2.0 for stamp in heard.scans) > 17
    heard.until(moves + 8.0, engine)
    working.append(WorkReport("planner", Work.TASK, 0.0))
    works = heard.clock[-1] + 0.2
    heard.until(works + 1.0, engine)
    engine.close()
    assert sum(works < stamp <= works + 1.0 for stamp in heard.clock) > 45


def _stamp(reading):
    return reading[0] if isinstance(reading, tuple) else reading


@pytest.mark.parametrize(("sensor", "kind"), [(sensor, kind) for sensor in SENSORS for kind in ("silence", "double")])
def test_a_sensor_that_is_disturbed_is_so_alone_and_until_it_is_to_be_heard_again(tmp_path, sensor, kind):
    heard = Recorder()
    engine = Engine(simulation(settings=SMALL), FAST, [heard.listener], tmp_path)
    engine.sensor_faults.apply(kind, sensor)
    engine.start()
    heard.until(2.0, engine)
    disturbed = {"joints": heard.states, "laser": heard.scans, "camera": heard.pictures}
    rates = {"joints": 25, "laser": 10, "camera": 5}
    usual = {name: len(stamps) / (rates[name] * heard.clock[-1]) for name, stamps in disturbed.items()}
    engine.sensor_faults.apply("hear", sensor)
    count = len(disturbed[sensor])
    heard.until(heard.clock[-1] + 1.0, engine)
    engine.close()
    assert usual.pop(sensor) == pytest.approx({"silence": 0.0, "double": 2.0}[kind], rel=0.25)
    assert list(usual.values()) == pytest.approx([1.0, 1.0], rel=0.25) and len(heard.truths) > 5
    assert len(disturbed[sensor]) > count


def test_half_of_what_is_lost_is_heard_and_an_unknown_sensor_is_named():
    faults = SensorFaults(0)
    faults.apply("lose", "laser")
    assert sum(faults.times("scan") for _ in range(1000)) == pytest.approx(500, abs=60)
    assert {faults.times("state"), faults.times("camera")} == {1}
    with pytest.raises(DisturbanceError, match="'nose'; there are camera, joints, laser"):
        faults.apply("lose", "nose")


def test_nobody_is_waited_for_because_of_a_scan_that_was_kept_back(tmp_path):
    heard = Recorder()
    owes = replace(heard.listener, work=lambda: [WorkReport("navigation", Work.SCAN, 0.0),
                                                 WorkReport("grasp", Work.TASK, 0.0)])
    engine = Engine(simulation(settings=SMALL), FAST, [owes], tmp_path)
    engine.sensor_faults.apply("silence", "laser")
    engine.start()
    heard.until(2.0, engine)
    engine.close()
    assert engine.brake.held < 1.0


def test_a_clock_that_is_set_ahead_stays_so_while_the_world_stands_and_goes_on_at_its_pace(tmp_path):
    heard = Recorder()
    engine = Engine(simulation(), FAST, [heard.listener], tmp_path)
    engine.start()
    heard.until(0.5, engine)
    with engine.exclusive() as sim:
        sim.robot.act(Command(base=Twist(0.3, 0.0)))
        before = sim.body.base_pose(sim.data)
    engine.set_ahead(1000.0)
    begun = time.monotonic()
    heard.until(1001.0, engine)
    engine.close()
    steps = np.diff(heard.clock)
    assert (steps > 0).all() and np.sort(steps)[-2:] == pytest.approx([0.02, 1000.02], abs=1e-3)
    with engine.exclusive() as sim:
        assert sim.body.base_pose(sim.data).x - before.x < 0.5, "it has not driven for a thousand seconds"
    assert time.monotonic() - begun < 100.0
    with pytest.raises(DisturbanceError, match="forward"):
        engine.set_ahead(-1.0)


def test_a_full_disk_costs_a_checkpoint_and_not_the_simulation(tmp_path, monkeypatch):
    def full(path, **extra):
        raise OSError(errno.ENOSPC, "No space left on device")
    world, heard = simulation(), Recorder()
    monkeypatch.setattr(world, "save", full)
    engine = Engine(world, FAST.model_copy(update={"checkpoint_period": 0.01}), [heard.listener], tmp_path)
    engine.start()
    heard.until(0.5, engine)
    engine.close()
    assert heard.clock[-1] >= 0.5 and not (tmp_path / "sim_state.npz").exists()


def test_a_killed_engine_goes_on_where_it_was_and_its_clock_never_jumps_back(tmp_path):
    settings = FAST.model_copy(update={"checkpoint_period": 0.1})
    heard = Recorder()
    first = Engine(simulation(), settings, [heard.listener], tmp_path)
    first.start()
    with first.exclusive() as sim:
        sim.robot.act(Command(joints=JointTrajectory.single_goal({"joint_lift": 0.6}, 2.0)))
    end = time.monotonic() + 100
    while heard.clock[-1:] < [3.0] and time.monotonic() < end:
        with first.exclusive() as sim:
            sim.robot.act(Command(base=Twist(0.2, 0.0)))
        time.sleep(0.005)
    first._stop.set()  # as a kill would: no last save
    for thread in first._threads:
        thread.join()
    last, before = heard.clock[-1], sim.body.base_pose(sim.data)

    second = Engine(simulation(), settings, [heard.listener], tmp_path)
    assert "going on" in second.resumed
    with second.exclusive() as sim:
        assert sim.time > last
        assert sim.body.base_pose(sim.data).x == pytest.approx(before.x, abs=0.4)
        assert sim.robot.observe().joints["joint_lift"] > 0.5
    assert second.odometry[0].pose.x > 0.1
    second.close()


def test_a_checkpoint_of_another_house_is_left_alone(tmp_path):
    Engine(simulation(), FAST, [Recorder().listener], tmp_path).close()
    other = Engine(simulation(objects=[]), FAST, [Recorder().listener], tmp_path)
    with other.exclusive() as sim:
        assert sim.time == 0.0 and "starting anew" in other.resumed
    other.close()


def test_the_pace_is_kept(tmp_path):
    heard = Recorder()
    engine = Engine(simulation(), EngineSettings(pacing=PacingSettings(rtf=2.0)), [heard.listener], tmp_path)
    start = time.monotonic()
    engine.start()
    heard.until(3.0, engine)
    engine.close()
    assert time.monotonic() - start >= 1.4


def test_listeners_that_fall_behind_slow_time_down_and_then_it_recovers():
    pacer = Pacer(PacingSettings(rtf=0, rtf_max=6.0))
    for _ in range(100):
        pacer.report(0.02)
    assert pacer.target == pytest.approx(6.0)
    pacer.report(60.0)  # a node on another clock
    assert pacer.target == pytest.approx(6.0)
    for _ in range(10):
        pacer.report(2.0)
    slow = pacer.target
    assert slow < 2.0
    pacer.report(0.02)
    assert pacer.target > slow


def test_a_set_pace_ignores_lag():
    pacer = Pacer(PacingSettings(rtf=1.5))
    pacer.report(5.0)
    assert pacer.target == 1.5


def test_who_calls_a_world_that_rests_does_not_wait_for_the_steps_that_it_took_at_once(tmp_path):
    heard = Recorder()
    engine = Engine(simulation(settings=SMALL), FAST.model_copy(update={"resting": 5}), [heard.listener], tmp_path)
    engine.start()
    while not np.isclose(np.diff(heard.clock[-2:]), 0.1).all() or len(heard.clock) < 2:
        heard.until(heard.clock[-1] + 0.1 if heard.clock else 0.1, engine)
    engine.pacer.set_factor(1e-4)  # from the next wait on: minutes for a step
    for _ in range(2):
        with engine.exclusive() as sim:
            rested = sim.time
        heard.until(rested + 0.01, engine)
        assert min(stamp for stamp in heard.clock if stamp > rested) == pytest.approx(rested + 0.02)
    engine.close()


def test_a_world_rests_no_longer_than_until_what_its_robot_was_told_begins(tmp_path):
    heard = Recorder()
    engine = Engine(simulation(settings=SMALL), FAST.model_copy(update={"resting": 5}), [heard.listener], tmp_path)
    engine.start()
    heard.until(4.0, engine)
    with engine.exclusive() as sim:
        lift = sim.robot.observe().joints["joint_lift"]
        waits = JointTrajectory((Waypoint(5.0, {"joint_lift": lift}), Waypoint(7.0, {"joint_lift": lift + 0.2})))
        sim.robot.act(Command(joints=waits))
        told = sim.time
    heard.until(told + 4.0, engine)
    assert 0.1 == pytest.approx(np.diff(heard.clock[-2:])[0]), "it rests meanwhile"
    heard.until(told + 10.0, engine)
    with engine.exclusive() as sim:
        assert sim.robot.observe().joints["joint_lift"] == pytest.approx(lift + 0.2, abs=0.01)
    engine.close()


def test_a_slow_clock_is_ended_at_once(tmp_path):
    engine = Engine(simulation(settings=SMALL), FAST.model_copy(update={"pacing": PacingSettings(rtf=1e-4)}),
                    [Recorder().listener], tmp_path)
    engine.start()
    start = time.monotonic()
    engine.close()
    assert time.monotonic() - start < 100.0 and not engine.alive, "not the two hundred seconds of a step"


def test_odometry_without_errors_follows_the_truth_from_its_own_origin():
    odometry = Odometry(OdometrySettings(scale=0, noise=0), 0)
    start, path = Pose2(2.0, 1.0, 1.0), Pose2(0.1, 0.0, 0.2)
    odometry.update(start)
    pose = start
    for _ in range(10):
        pose = pose * path
        odometry.update(pose)
    assert odometry.pose == pytest.approx(start.inverse() * pose, abs=1e-9)


def test_odometry_drifts_by_about_a_percent_and_passes_jumps_on():
    errors = []
    for seed in range(20):
        odometry = Odometry(OdometrySettings(), seed)
        for i in range(101):
            odometry.update(Pose2(0.05 * i, 0.0, 0.0))
        errors.append(odometry.pose.x - 5.0)
    assert 0.005 < np.std(errors) < 0.1
    before = odometry.pose
    odometry.update(Pose2(1.0, 3.0, 0.0))
    assert odometry.pose.inverse() * before == pytest.approx(Pose2(4.0, -3.0, 0.0), abs=0.2)


def test_arm_goals_end_when_reached_blocked_or_off_their_path():
    def goal():
        trajectory = JointTrajectory.single_goal({"joint_lift": 0.5}, 2.0)
        return ArmGoal(trajectory, 10.0, Tolerances(path={"joint_lift": 0.1}))
    assert goal().verdict(11.0, {"joint_lift": 0.3}, {"joint_lift": 0.31}) is None
    assert goal().verdict(12.1, {"joint_lift": 0.499}, {"joint_lift": 0.5}).ended is Ended.REACHED
    assert goal().verdict(11.0, {"joint_lift": 0.1}, {"joint_lift": 0.3}).ended is Ended.PATH_TOLERANCE
    slow, blocked = goal(), goal()
    assert all(slow.verdict(t, {"joint_lift": p}, {"joint_lift": p}) is None for t, p in ((12.5, 0.3), (13.4, 0.4)))
    assert blocked.verdict(12.1, {"joint_lift": 0.3}, {"joint_lift": 0.31}) is None
    verdict = blocked.verdict(13.0, {"joint_lift": 0.3}, {"joint_lift": 0.31})
    assert verdict.ended is Ended.GOAL_TOLERANCE and "joint_lift is +0.200 off" in verdict.message


@pytest.mark.parametrize("command, apertures, effort, ended", [
    (0.1, (0.02, 0.06, 0.1, 0.1, 0.1, 0.1), 0.0, Ended.REACHED),
    (-0.01, (0.1, 0.08, 0.06, 0.06, 0.06, 0.06), 20.0, Ended.STALLED),
    (-0.01, (0.1, 0.04, 0.0, 0.0, 0.0, 0.0), 20.0, Ended.REACHED),
    (0.1, (0.02, 0.03, 0.04, 0.05, 0.06, 0.07), 0.0, None),
    (0.1, (0.02, 0.04, *20 * [0.05]), 3.0, None),
    (0.1, (0.02, 0.04, *22 * [0.05]), 3.0, Ended.STALLED),
])
def test_gripper_goals(command, apertures, effort, ended):
    goal = GripperGoal(GripperCommand(command), 0.0, 20.0)
    verdicts = [goal.verdict(0.1 * (i + 1), GripperState(aperture, effort)) for i, aperture in enumerate(apertures)]
    assert (verdicts[-1].ended if verdicts[-1] else None) is ended
