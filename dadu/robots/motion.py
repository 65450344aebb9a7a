"""Moving: along timed paths of arm and base together, checked against what the joints report."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import TypeAlias

from dadu.core.geometry import Pose2, wrap
from dadu.core.robot import Command, Observation, Twist
from dadu.robots.body import Body, SkillFailed
from dadu.robots.kinematics import Posture
from dadu.robots.pace import Pace
from dadu.robots.timing import TimedPath, time_path
from dadu.skills.outcome import Code, Detail

Motion: TypeAlias = Generator[Command, Observation, Observation]
"""A part of a skill: yields commands, returns the newest observation, raises `SkillFailed`."""

Until: TypeAlias = Callable[[Observation], bool]

CREEP = 0.2
"""share of the planned pace above which a motion counts as under way"""
PAUSE = 0.25
"""joint states may come this much apart [s]"""


def move(body: Body, observation: Observation, goals: Sequence[Posture], origin: Pose2, *,
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


def follow(body: Body, observation: Observation, path: TimedPath, origin: Pose2, *, patient: bool = False,
           until: Until | None = None) -> Motion:
    """Sends the joints' trajectory at once and leads the base along it, tick by tick, until both have arrived.

    The base keeps to where the arm is, not to the clock: a driver behind a network starts when it starts.
    """
    settings, pace = body.settings.motion, Pace(path)
    observation = yield Command(base=Twist())  # planning took its time: the clock starts when the trajectory is sent
    start, late, t, moved = observation.stamp, 0.0, 0.0, float("-inf")
    trajectory = path.trajectory
    command = Command(base=_lead(body, observation, path, origin, 0.0),
                      joints=trajectory if trajectory.waypoints else None)
    while True:
        before, was = observation.stamp, t
        observation = yield command
        if until is not None and until(observation):
            return (yield Command.stop())
        elapsed = observation.stamp - start
        t = pace.at(observation.joints, elapsed)
        if elapsed >= path.duration and _joint_lag(observation, path, path.duration) <= settings.joint_tolerance:
            t = path.duration  # what a load makes the joints sag is no reason to wait
        missing = _lag(body, observation, path, origin, path.duration)
        if t >= path.duration and missing <= settings.joint_tolerance:
            break
        if t - was > CREEP * (observation.stamp - before):
            moved = observation.stamp
        under_way = t < path.duration and observation.stamp - moved < PAUSE  # however late it began
        due = t if under_way else max(t, elapsed - settings.driver_delay)
        held_up = _lag(body, observation, path, origin, due) > settings.stall_error
        late = late + observation.stamp - before if held_up else 0.0
        if late > settings.settle_time and not patient:
            raise SkillFailed(Code.EXECUTION_FAILED, "the arm or base is blocked and stopped; move back and try again",
                              Detail.ARM_STALLED)
        settled = elapsed > path.duration + settings.settle_time and not under_way
        if settled and (patient or missing <= settings.stall_error):
            break
        command = Command(base=_lead(body, observation, path, origin, t))
    return (yield Command(base=Twist()))


def wait(observation: Observation, duration: float) -> Motion:
    """Stands still for `duration` [s]."""
    end = observation.stamp + duration
    while observation.stamp < end:
        observation = yield Command(base=Twist())
    return observation


def _complete(body: Body, observation: Observation, goals: Sequence[Posture]) -> list[Posture]:
    """Goals that name all the joints of the current posture: those left out hold."""
    joints = dict(body.posture(observation).joints)
    complete = []
    for goal in goals:
        joints |= {name: value for name, value in goal.joints.items() if name in body.robot.joints}
        complete.append(Posture(dict(joints), goal.drive))
    return complete


def _lead(body: Body, observation: Observation, path: TimedPath, origin: Pose2, t: float) -> Twist:
    """The twist that keeps the base on the path: feed-forward plus proportional; the heading is held."""
    settings = body.settings.motion
    here = origin.inverse() * observation.base_pose
    goal, speed = path.drive_at(t)
    error = goal - here.x
    if speed == 0.0 and abs(error) < 0.5 * settings.drive_tolerance:
        error = 0.0
    top = 1.5 * settings.drive_speed
    turn = wrap(-here.yaw)
    return Twist(vx=min(max(speed + settings.drive_gain * error, -top), top),
                 wz=min(max(settings.drive_gain * turn, -0.2), 0.2) if abs(turn) > 0.004 else 0.0)


def _lag(body: Body, observation: Observation, path: TimedPath, origin: Pose2, t: float) -> float:
    """How far the worst moving joint or the base is from where the plan has it at `t` [s] [m or rad]."""
    here = (origin.inverse() * observation.base_pose).x
    base = abs(path.drive_at(t)[0] - here) - body.settings.motion.drive_tolerance if path.drives.any() else 0.0
    return max(_joint_lag(observation, path, t), base)


def _joint_lag(observation: Observation, path: TimedPath, t: float) -> float:
    goal = path.joints_at(t)
    return max((abs(observation.joints[name] - goal[name]) for name in path.moving if name in observation.joints),
               default=0.0)
