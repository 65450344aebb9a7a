"""What a policy asks for, checked as it comes in, and held to what the body can do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from dadu.core.robot import Observation, RobotDescription, Twist
from dadu.manipulation.policy.client import PolicyUnusable
from dadu.robots.manipulator_settings import MotionSettings
from dadu.robots.vectors import action_names

_LONGEST = 200
"""steps of a chunk"""
_SLOWEST, _FASTEST = 1.0, 60.0
"""steps a second"""


@dataclass(frozen=True)
class ServerFacts:
    """What a server's metadata say, or else hold for all."""

    rate: float = 10.0
    """steps of a chunk a second: as demonstrations are written"""
    execute: int = _LONGEST
    """so many steps of a chunk are carried out, then it is asked again"""
    width: int = 0
    """of the pictures that it wants, at most [px]; 0: as they are"""


@dataclass(frozen=True)
class Steps:
    """A chunk within limits."""

    dt: float
    """[s] a step"""
    joints: list[dict[str, float]]
    """set-points of each step"""
    apertures: list[float]
    """[m]"""
    twists: list[Twist]
    limited: int
    """steps of which anything was cut down to what the body can do"""
    done: bool
    """the policy says that there is no more to do"""


def read_metadata(metadata: Mapping[str, Any], robot: RobotDescription) -> ServerFacts:
    """Errors: PolicyUnusable, for a server of another robot, too."""
    names = metadata.get("action_names")
    if names is not None and str(names) != str(action_names(robot)):  # whatever was sent, it can be shown
        raise PolicyUnusable(f"it commands {names!s:.300}, and {robot.name} is commanded by {action_names(robot)}")
    rate, execute, width = (_number(metadata, name, default) for name, default in
                            (("fps", ServerFacts.rate), ("execute", ServerFacts.execute), ("image_width", 0)))
    if not (_SLOWEST <= rate <= _FASTEST and execute >= 1 and width >= 0):
        raise PolicyUnusable(f"fps {rate:g}, execute {execute:g}, image_width {width:g}: valid are {_SLOWEST:g} to "
                             f"{_FASTEST:g} steps a second, 1 or more to be carried out, a width of 0 or more")
    return ServerFacts(rate, int(execute), int(width))


def read_chunk(answer: Mapping[str, Any], facts: ServerFacts, robot: RobotDescription, observation: Observation,
               motion: MotionSettings, moving: Twist) -> Steps:
    """The first steps of an answer, each joint within its range and as fast as it may be, so the base, now `moving`.

    Errors: PolicyUnusable for wrong shapes and what is no number.
    """
    columns, done = len(action_names(robot)), answer.get("done", False)
    done = done.item() if isinstance(done, np.ndarray) and not done.shape else done
    if not isinstance(done, bool):
        raise PolicyUnusable(f"its done is {done!s:.100}, neither true nor false")
    actions = answer.get("actions", np.zeros((0, columns)) if done else None)
    try:
        given = np.asarray(actions)
        rows = np.asarray(actions, float) if given.dtype.kind in "biuf" else None
    except (TypeError, ValueError):
        rows = None
    if rows is None:
        raise PolicyUnusable("its actions are no array of numbers")
    if actions is None or rows.ndim != 2 or rows.shape[1] != columns or not (len(rows) or done):
        raise PolicyUnusable(f"its actions have the shape {rows.shape}, due are (steps, {columns})")
    if len(rows) > _LONGEST or not np.isfinite(rows).all():
        raise PolicyUnusable(f"{len(rows)} steps, of at most {_LONGEST}, some of which are no numbers"
                             if len(rows) <= _LONGEST else f"{len(rows)} steps, of at most {_LONGEST}")
    return _limited(rows[:facts.execute], 1 / facts.rate, robot, observation, motion, moving, done)


def _limited(rows: np.ndarray, dt: float, robot: RobotDescription, observation: Observation, motion: MotionSettings,
             moving: Twist, done: bool) -> Steps:
    now = {name: limit.within(observation.joints[name]) for name, limit in robot.joints.items()
           if name in observation.joints}
    twist = moving
    steps = Steps(dt, [], [], [], 0, done)
    limited = 0
    for row in rows:
        wanted = dict(zip(robot.joints, row))
        then = {}
        for name, here in now.items():
            limit = robot.joints[name]
            most = motion.speed * limit.velocity * dt
            then[name] = limit.within(here + float(np.clip(wanted[name] - here, -most, most)))
        aperture, velocities = row[len(robot.joints)], row[len(robot.joints) + 1:]
        held = float(np.clip(aperture, -0.1, robot.aperture_max))
        twist, asked = _base(velocities, twist, dt, robot, motion), Twist(*map(float, velocities))
        limited += bool(any(abs(then[n] - wanted[n]) > 1e-3 for n in then) or held != aperture
                        or abs(asked.vx - twist.vx) + abs(asked.wz - twist.wz) + abs(asked.vy - twist.vy) > 1e-3)
        steps.joints.append(then)
        steps.apertures.append(held)
        steps.twists.append(twist)
        now = then
    return Steps(dt, steps.joints, steps.apertures, steps.twists, limited, done)


def _base(velocities: np.ndarray, before: Twist, dt: float, robot: RobotDescription, motion: MotionSettings) -> Twist:
    top, rise = robot.max_speed, robot.max_acceleration

    def within(wanted: float, was: float, most: float, gain: float) -> float:
        return float(np.clip(np.clip(wanted, -most, most), was - gain * dt, was + gain * dt))
    vx, wz, vy = (*velocities, 0.0)[:3]
    slow = motion.drive_speed
    return Twist(vx=within(vx, before.vx, min(top.vx, slow), rise.vx), wz=within(wz, before.wz, top.wz, rise.wz),
                 vy=within(vy, before.vy, min(top.vy, slow), rise.vy))


def _number(metadata: Mapping[str, Any], name: str, default: float) -> float:
    value = metadata.get(name, default)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not np.isfinite(value):
        raise PolicyUnusable(f"its {name} is {value!r}, and no number")
    return float(value)
