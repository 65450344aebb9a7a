"""Moving: along timed paths of arm and base together, checked against what the joints report."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from typing import TypeAlias

import numpy as np

from dadu.core.geometry import Pose2, wrap
from dadu.core.robot import Command, Observation, Twist
from dadu.robots.body import Manipulator
from dadu.robots.kinematics import Posture
from dadu.robots.timing import FINE, TimedPath, time_path
from dadu.skills.outcome import Code, Detail, SkillFailed

_AHEAD = 0.6  # farthest the plan time advances in one tick, beside the tick's own length [s]
_TRAVEL = 0.03  # joints that move less say nothing: what they carry makes them sag a few millimetres [m or rad]
_FAR_OFF = 0.05  # share of the way that it goes, from which a joint counts as held by something
_FLAT = 2e-4  # a plan that moves less than this over the ticks in question says nothing [m or rad]


class Pace:
    """Where along its plan the arm really is, as its joints show: drivers start late and are held up, and the base must
    go with the arm. It never runs back, nor ahead of the clock."""

    def __init__(self, path: TimedPath) -> None:
        self._path = path
        self._telling = [name for name in path.moving if np.ptp(path.joints[name]) > _TRAVEL]
        self._t = 0.0
        self._delay = 0.0
        self._elapsed = 0.0

    def at(self, joints: Mapping[str, float], elapsed: float) -> float:
        """Plan time [s] at `elapsed` [s] since the plan was sent, from the joints' positions [m or rad]."""
        since, self._elapsed = elapsed - self._elapsed, elapsed
        candidates = np.arange(self._t, min(elapsed, self._t + _AHEAD + since) + FINE / 2, FINE)
        planned = [(np.interp(candidates, self._path.times, self._path.joints[name]), name)
                   for name in self._telling if name in joints]
        if len(candidates) > 1 and any(np.ptp(values) > _FLAT for values, _ in planned):
            misfit = np.sum([self._misfit(values - joints[name], name) for values, name in planned], axis=0)
            # Of equal ones the latest: a joint that rests at a turn of the path must not hold up the rest.
            self._t = float(candidates[len(misfit) - 1 - int(np.argmin(misfit[::-1]))])
            self._delay = elapsed - self._t
        else:
            self._t = max(self._t, min(elapsed, elapsed - self._delay))
        return self._t

    def _misfit(self, off: np.ndarray, name: str) -> np.ndarray:
        """(N,), unitless, from how far `off` the plan a joint is at N times [m or rad]. What is far off is held by
        something, and has little say: a wrist that a door does not let turn must not keep the base from moving."""
        share = np.square(off / (_FAR_OFF * np.ptp(self._path.joints[name])))
        return np.asarray(share / (1.0 + share))


Motion: TypeAlias = Generator[Command, Observation, Observation]
"""A part of a skill: yields commands, returns the newest observation, raises `SkillFailed`."""

Until: TypeAlias = Callable[[Observation], bool]

CREEP = 0.2
"""share of the planned pace above which a motion counts as under way"""
PAUSE = 0.25
"""joint states may come this much apart [s]"""
TURNS = 0.05
"""a joint that turns by less between two postures stands as good as still [rad]"""


def move(body: Manipulator, observation: Observation, goals: Sequence[Posture], origin: Pose2, *,
         patient: bool = False, least: float = 0.0, until: Until | None = None) -> Motion:
    """From where the body is through `goals`, whose drives count from `origin` (map), in at least `least` [s].

    `patient`: lagging behind is expected (contact) and no failure. `until` ends the motion early, the arm held where
    it is. Errors: SkillFailed (arm_stalled).
    """
    if not goals:
        return observation
    path = time_path(body.robot, [body.posture(observation, origin), *_complete(body, observation, goals)],
                     body.settings.motion, least)
    return (yield from follow(body, observation, path, origin, patient=patient, until=until))


def pass_through(body: Manipulator, observation: Observation, legs: Sequence[Sequence[Posture]],
                 origin: Pose2) -> Motion:
    """`move` along several legs, in one flow but for corners that a joint turns on both sides of: there it stops, as an
    elbow swings wide of a corner that the hand cuts. Errors: SkillFailed (arm_stalled)."""
    flow: list[Posture] = []
    start = end = body.posture(observation, origin)
    for leg in filter(None, legs):
        if flow and _turning(body, start, end) & _turning(body, end, leg[-1]):
            observation, flow = (yield from move(body, observation, flow, origin)), []
        flow, start, end = [*flow, *leg], end, leg[-1]
    return (yield from move(body, observation, flow, origin))


def _turning(body: Manipulator, start: Posture, end: Posture) -> set[str]:
    """Joints that turn on the way between two postures."""
    return {name for name in body.robot.arm_joints if not body.kinematics.slides(name)
            and name in end.joints and abs(end.joints[name] - start.joints.get(name, end.joints[name])) > TURNS}


def follow(body: Manipulator, observation: Observation, path: TimedPath, origin: Pose2, *, patient: bool = False,
           until: Until | None = None) -> Motion:
    """Sends the joints' trajectory at once and leads the base along it, tick by tick, until both have arrived.

    The base keeps to where the arm is, not to the clock: a driver behind a network starts when it starts.
    """
    observation = yield Command(base=Twist())  # planning took its time: the clock starts when the trajectory is sent
    watch = _Watch(body, path, origin, observation.stamp, patient)
    trajectory = path.trajectory
    command = Command(base=_lead(body, observation, path, origin, 0.0),
                      joints=trajectory if trajectory.waypoints else None)
    while True:
        observation = yield command
        if until is not None and until(observation):
            return (yield Command.stop())
        if watch.over(observation):
            return (yield Command(base=Twist()))
        command = Command(base=_lead(body, observation, path, origin, watch.t))


class _Watch:
    """How a motion along a path goes on: how far it is, whether it moves, how long it has lagged behind."""

    def __init__(self, body: Manipulator, path: TimedPath, origin: Pose2, start: float, patient: bool) -> None:
        """`start` [s]: when the trajectory is sent."""
        self.t = 0.0
        """plan time that the joints have reached [s]"""
        self._body, self._path, self._origin, self._patient = body, path, origin, patient
        self._pace = Pace(path)
        self._start = self._stamp = start
        self._moved = float("-inf")
        self._late = 0.0

    def over(self, observation: Observation) -> bool:
        """Takes in where everything is now: whether it has arrived, or will come no nearer.

        Errors: SkillFailed (arm_stalled).
        """
        settings, path = self._body.settings.motion, self._path
        since, self._stamp = observation.stamp - self._stamp, observation.stamp
        elapsed = observation.stamp - self._start
        self._advance(observation, elapsed, since)
        missing = self._lag(observation, path.duration)
        if self.t >= path.duration and missing <= settings.joint_tolerance:
            return True
        lift_moves = self.t < path.duration and observation.stamp - self._moved < PAUSE  # however late it began
        due = self.t if lift_moves else max(self.t, elapsed - settings.driver_delay)
        self._late = self._late + since if self._lag(observation, due) > settings.stall_error else 0.0
        if self._late > settings.settle_time and not self._patient:
            raise SkillFailed(Code.EXECUTION_FAILED, "the arm or base is blocked and stopped; move back and try again",
                              Detail.ARM_STALLED)
        settled = elapsed > path.duration + settings.settle_time and not lift_moves
        return settled and (self._patient or missing <= settings.stall_error)

    def _advance(self, observation: Observation, elapsed: float, since: float) -> None:
        was, tolerance = self.t, self._body.settings.motion.joint_tolerance
        self.t = self._pace.at(observation.joints, elapsed)
        if elapsed >= self._path.duration and _joint_lag(observation, self._path, self._path.duration) <= tolerance:
            self.t = self._path.duration  # what a load makes the joints sag is no reason to wait
        if self.t - was > CREEP * since:
            self._moved = observation.stamp

    def _lag(self, observation: Observation, t: float) -> float:
        """How far the worst moving joint or the base is from where the plan has it at `t` [s] [m or rad]."""
        here = self._body.robot.drive_to(self._origin, observation.base_pose[:2])
        drives = self._path.drives.any()
        base = abs(self._path.drive_at(t)[0] - here) - self._body.settings.motion.drive_tolerance if drives else 0.0
        return max(_joint_lag(observation, self._path, t), base)


def wait(observation: Observation, duration: float) -> Motion:
    """Stands still for `duration` [s]."""
    end = observation.stamp + duration
    while observation.stamp < end:
        observation = yield Command(base=Twist())
    return observation


def _complete(body: Manipulator, observation: Observation, goals: Sequence[Posture]) -> list[Posture]:
    """Goals that name all the joints of the current posture: those left out hold."""
    joints = dict(body.posture(observation).joints)
    complete = []
    for goal in goals:
        joints |= {name: value for name, value in goal.joints.items() if name in body.robot.joints}
        complete.append(Posture(dict(joints), goal.drive))
    return complete


def _lead(body: Manipulator, observation: Observation, path: TimedPath, origin: Pose2, t: float) -> Twist:
    """The twist that keeps the base on the path: feed-forward plus proportional; the heading is held, and by a base
    that can go sideways the line."""
    if body.robot.fixed:
        return Twist()
    settings, robot = body.settings.motion, body.robot
    here = robot.drive_to(origin, observation.base_pose[:2])
    goal, speed = path.drive_at(t)
    error = goal - here
    if speed == 0.0 and abs(error) < 0.5 * settings.drive_tolerance:
        error = 0.0
    top = 1.5 * settings.drive_speed
    turn, ahead = wrap(origin.yaw - observation.base_pose.yaw), min(max(speed + settings.drive_gain * error, -top), top)
    off = observation.base_pose.inverse().apply(robot.shifted(origin, here)[:2])
    vx, vy = np.multiply(ahead, robot.shift_direction) + (settings.drive_gain * np.array(off) if robot.omnidirectional
                                                          else 0.0)
    return Twist(vx=float(vx), wz=min(max(settings.drive_gain * turn, -0.2), 0.2) if abs(turn) > 0.004 else 0.0,
                 vy=float(vy))


def _joint_lag(observation: Observation, path: TimedPath, t: float) -> float:
    goal = path.joints_at(t)
    return max((abs(observation.joints[name] - goal[name]) for name in path.moving if name in observation.joints),
               default=0.0)
