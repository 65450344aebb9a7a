"""Follows a leg: regulated pure pursuit proposes, a short rollout of the footprint disposes.

A differential base points where it drives; an omnidirectional one does so on a long way, and on the last of it turns to
its goal's heading while it drives.

Pure pursuit after Macenski et al., "Regulated Pure Pursuit for Robot Path Tracking" (2023); the choice of the nearest
collision-free velocity in reach as in the dynamic window approach (Fox, Burgard, Thrun 1997).
"""

from __future__ import annotations

import math
from dataclasses import astuple
from enum import Enum, auto

import numpy as np
from pydantic import Field

from dadu.core.config import Settings
from dadu.core.geometry import Pose2, wrap
from dadu.core.robot import RobotDescription, Twist
from dadu.navigation.costmap import Costmap
from dadu.navigation.moving.tracks import gaps
from dadu.navigation.route import Leg

_TAIL = (3.0, 4.5)
"""speed towards the end of a drive or turn, for what is left [1/s]: where a velocity takes effect late, and soon"""
_SLOWEST = 0.02
"""speed of a drive [m/s]"""
_PATIENT = 0.45
"""that times the delay until a velocity takes effect"""
_TURNED = 0.2
"""bearing at which a turn on the spot goes over into driving [rad]"""
_DELAY = 1.5
"""steps until a velocity takes effect"""
_FORGETS = 0.9
"""share of a longer delay that counts still at the next step"""
_LONGEST = 0.6
"""delay that is reckoned with [s]"""
_LATER = 0.15
"""by which a velocity takes effect later than reckoned with, where the base went too far [s]"""
_ALONG_TOLERANCE = 0.004
"""[m]; what counts as abreast"""
_TURN_WITHIN = 1.0
"""left to drive [m], on which an omnidirectional base turns to the heading that it ends with"""
_APART = 0.05
"""from where others will be by then [m]"""
_TURN_FIRST = 0.7
"""bearing to the point ahead beyond which the base turns in place [rad]"""
_BRAKING = 0.75
"""share of the acceleration limits that planned braking uses, leaving the rest for latency"""


class ControllerSettings(Settings):
    lookahead: float = Field(0.35, gt=0)
    """distance of the point that is steered for [m]"""
    xy_tolerance: float = Field(0.015, gt=0)
    """[m]; abreast of the goal and this near to it the driving of a leg ends; more than twice as far
    while turning at the end it starts again"""
    yaw_tolerance: float = Field(0.012, gt=0)
    """[rad]"""
    horizon: float = Field(0.7, gt=0)
    """collision-free time ahead that a velocity needs, beside its braking time [s]"""
    near: float = Field(0.25, gt=0)
    """clearance at base_link's outline below which the base slows down [m]"""
    slow: float = Field(0.4, gt=0, le=1)
    """share of the top speed that is left when touching"""


class Status(Enum):
    DRIVING = auto()
    ARRIVED = auto()
    BLOCKED = auto()


class Controller:
    """Velocities for one leg after another; holds the velocity sent last, for the acceleration limits."""

    def __init__(self, robot: RobotDescription, costmap: Costmap, settings: ControllerSettings | None = None) -> None:
        self.settings = settings or ControllerSettings()
        self._speed, self._acceleration = robot.max_speed, robot.max_acceleration
        self._sideways = robot.omnidirectional
        self._costmap = costmap
        self.velocity = Twist()
        """sent last"""
        self._begun: Leg | None = None
        self._progress = 0
        self._turning = False
        self._settling = False
        self._delay = 0.0
        """until a velocity takes effect, as slow steps show [s]"""
        self._lag = 0.0
        """at the least, as it shows where the base went too far [s]"""
        self._left = Twist()
        """on the spot or along the last bit of a leg: what there was to turn or to drive, that alone [m, rad]"""

    def begin(self, leg: Leg) -> None:
        self._begun = leg
        self._progress = 0
        self._turning = False
        self._settling = False
        self._left = Twist()

    @property
    def leg(self) -> Leg:
        """The leg that is driven. Errors: RuntimeError before the first `begin`."""
        if self._begun is None:
            raise RuntimeError("the controller has no leg to follow: `begin` gives it one")
        return self._begun

    @property
    def turning_to_end(self) -> bool:
        """True if the leg is driven, but for its last turn on the spot"""
        return self._settling

    @property
    def remaining(self) -> float:
        """[m] along the leg from where the robot is"""
        rest = self.leg.points[self._progress:]
        return float(np.linalg.norm(np.diff(rest, axis=0), axis=1).sum())

    def step(self, pose: Pose2, dt: float) -> tuple[Twist, Status]:
        """The velocity for the next `dt` [s] with base_link at `pose` in map."""
        self._delay = min(_LONGEST, max(_DELAY * dt, _FORGETS * self._delay, self._lag))
        wanted = self._pursue(pose)
        if wanted is None:
            self.brake(dt)
            at_rest = self.velocity.speed < 0.02 and abs(self.velocity.wz) < 0.1
            return self.velocity, Status.ARRIVED if at_rest else Status.DRIVING
        twist = self._nearest_free(pose, wanted, dt)
        if twist is None:
            self.velocity = Twist()
            return Twist(), Status.BLOCKED
        self.velocity = twist
        return twist, Status.DRIVING

    def brake(self, dt: float) -> Twist:
        """The velocity for the next `dt` [s] on the way to rest."""
        self.velocity = self._limited(Twist(), dt)
        return self.velocity

    def _pursue(self, pose: Pose2) -> Twist | None:
        """What the leg asks for, whatever is in the way; None at its end."""
        if self._sideways:
            return self._slide(pose)
        leg, settings = self.leg, self.settings
        goal = leg.points[-1]
        distance = math.dist(goal, pose[:2])
        ahead = math.cos(pose.yaw) * (goal[0] - pose.x) + math.sin(pose.yaw) * (goal[1] - pose.y)
        near = distance < settings.xy_tolerance and abs(ahead) < self._abreast
        self._settling = distance < 2 * settings.xy_tolerance if self._settling else near
        if leg.straight:
            return self._shift(pose, goal, pose.yaw if leg.yaw is None else leg.yaw)
        if self._settling:
            error = 0.0 if leg.yaw is None else wrap(leg.yaw - pose.yaw)
            return Twist(wz=self._turn_rate(error)) if abs(error) > settings.yaw_tolerance else None
        carrot = self._carrot(pose)
        bearing = wrap(math.atan2(carrot[1] - pose.y, carrot[0] - pose.x) - pose.yaw)
        backwards = abs(bearing) > math.pi / 2 if distance < settings.lookahead else leg.backwards
        if backwards:
            bearing = wrap(bearing + math.pi)
        self._turning = abs(bearing) > (_TURNED if self._turning else _TURN_FIRST)
        if self._turning:
            return Twist(wz=self._turn_rate(bearing))
        self._notice(Twist(vx=ahead if distance < settings.lookahead else 0.0))
        vx = self._cruise(pose, max(self.remaining, distance)) * math.cos(bearing)
        reach = max(math.dist(carrot, pose[:2]), 0.1)
        wz = 2 * math.sin(bearing) / reach * vx
        if abs(wz) > self._speed.wz:
            vx, wz = vx * self._speed.wz / abs(wz), math.copysign(self._speed.wz, wz)
        return Twist(vx=-vx, wz=wz) if backwards else Twist(vx=vx, wz=wz)

    def _slide(self, pose: Pose2) -> Twist | None:
        """Along the leg in whatever direction, turning meanwhile."""
        leg, settings = self.leg, self.settings
        goal, carrot = leg.points[-1], self._carrot(pose)
        distance = math.dist(goal, pose[:2])
        left = max(self.remaining, distance)
        self._settling = distance < settings.xy_tolerance * (2 if self._settling else 1)
        ending = leg.straight or left < _TURN_WITHIN
        bearing = math.atan2(carrot[1] - pose.y, carrot[0] - pose.x)
        heading = (pose.yaw if leg.yaw is None else leg.yaw) if ending else bearing
        error = wrap(heading - pose.yaw)
        wz = self._turn_rate(error) if abs(error) > settings.yaw_tolerance else 0.0
        if self._settling:
            return Twist(wz=wz) if wz else None
        self._turning = not ending and abs(error) > (_TURNED if self._turning else _TURN_FIRST)
        if self._turning:
            return Twist(wz=wz)
        speed = min(self._cruise(pose, left), self._speed.vy if ending else math.inf)
        return Twist(vx=speed * math.cos(bearing - pose.yaw), vy=speed * math.sin(bearing - pose.yaw), wz=wz)

    def _shift(self, pose: Pose2, goal: np.ndarray, yaw: float) -> Twist | None:
        """Straight along x to `goal`, keeping `yaw`."""
        ahead = math.cos(yaw) * (goal[0] - pose.x) + math.sin(yaw) * (goal[1] - pose.y)
        error = wrap(yaw - pose.yaw)
        if abs(ahead) < self._abreast:
            return Twist(wz=self._turn_rate(error)) if abs(error) > self.settings.yaw_tolerance else None
        side = math.cos(yaw) * (pose.y - goal[1]) - math.sin(yaw) * (pose.x - goal[0])
        self._notice(Twist(vx=ahead))
        vx = math.copysign(self._cruise(pose, abs(ahead)), ahead)
        # Side error is worked off by heading a little across; the sign follows the direction of travel.
        heading = error - math.copysign(min(1.5 * abs(side), 0.15), side * vx)
        return Twist(vx=vx, wz=max(-0.3, min(0.3, 1.5 * heading)))

    def _carrot(self, pose: Pose2) -> np.ndarray:
        """The leg's first point a lookahead away from the robot, past the nearest one; progress never goes back."""
        points = self.leg.points
        ahead = np.linalg.norm(points[self._progress:self._progress + 40] - pose[:2], axis=1)
        self._progress += int(np.argmin(ahead))
        rest = np.linalg.norm(points[self._progress:] - pose[:2], axis=1)
        beyond = np.flatnonzero(rest >= self.settings.lookahead)
        return points[self._progress + beyond[0]] if len(beyond) else points[-1]

    def _cruise(self, pose: Pose2, remaining: float) -> float:
        """Top speed that still stops in `remaining` [m] and respects what is near."""
        clearance = float(self._costmap.clearance(self._costmap.footprint.at(np.array(pose))).min())
        regulated = self.settings.slow + (1 - self.settings.slow) * min(1.0, clearance / self.settings.near)
        left = max(0.0, remaining - self.velocity.speed * self._delay)
        braking = math.sqrt(2 * _BRAKING * self._acceleration.vx * left)
        return max(_SLOWEST, min(self._speed.vx * regulated, braking, self._tail * left))

    @property
    def _abreast(self) -> float:
        """How far ahead or behind the goal still counts as abreast [m]: at the lowest speed it cannot be met nearer."""
        return max(_ALONG_TOLERANCE, _SLOWEST * self._delay)

    @property
    def _tail(self) -> float:
        return min(max(_PATIENT / self._delay, _TAIL[0]), _TAIL[1]) if self._delay > 0.0 else _TAIL[0]

    def _turn_rate(self, error: float) -> float:
        """Rate that stops after turning on the spot by `error` [rad]."""
        self._notice(Twist(wz=error if abs(error) < math.pi / 2 else 0.0))
        left = max(0.0, abs(error) - max(0.0, math.copysign(self.velocity.wz, self.velocity.wz * error)) * self._delay)
        braking = math.sqrt(2 * _BRAKING * self._acceleration.wz * left)
        return math.copysign(max(0.03, min(self._speed.wz, braking, self._tail * left)), error)

    def _notice(self, left: Twist) -> None:
        """Takes note of what is left; having gone too far, the base hears late where it is, or its driver is slow."""
        if left.vx * self._left.vx < 0.0 or left.wz * self._left.wz < 0.0:
            self._lag = min(_LONGEST, self._lag + _LATER)
        self._left = left

    def _limited(self, wanted: Twist, dt: float) -> Twist:
        """`wanted` within what the limits let be reached in `dt` [s]."""
        def towards(now: float, goal: float, rate: float, top: float) -> float:
            return max(-top, min(top, now + max(-rate * dt, min(rate * dt, goal - now))))
        return Twist(vx=towards(self.velocity.vx, wanted.vx, self._acceleration.vx, self._speed.vx),
                     wz=towards(self.velocity.wz, wanted.wz, self._acceleration.wz, self._speed.wz),
                     vy=towards(self.velocity.vy, wanted.vy, self._acceleration.vy, self._speed.vy))

    def _nearest_free(self, pose: Pose2, wanted: Twist, dt: float) -> Twist | None:
        """`wanted`, else the velocity nearest to it whose rollout is free; None when only standing still is."""
        first = self._limited(wanted, dt)
        if self._free(pose, np.array([astuple(first)]))[0]:
            return first
        if self.leg.straight or wanted.speed == 0.0:
            options = np.outer((0.6, 0.3), astuple(wanted))
        else:
            share, w = np.meshgrid((0.75, 0.5, 0.25),
                                   np.clip(wanted.wz + np.linspace(-0.6, 0.6, 7), -self._speed.wz, self._speed.wz))
            options = np.stack([share.ravel() * wanted.vx, w.ravel(), share.ravel() * wanted.vy], axis=1)
        free = options[self._free(pose, options)]
        if not len(free):
            return None
        top = self._speed.vx, self._speed.wz, self._speed.vx
        best = free[int(np.argmin((np.abs(free - astuple(wanted)) / top).sum(axis=1)))]
        return self._limited(Twist(*map(float, best)), dt)

    def _free(self, pose: Pose2, velocities: np.ndarray) -> np.ndarray:
        """bool (N,): whether holding velocities (N, 3), fields of a `Twist`, then braking touches nothing more than
        now, and comes too near to nobody who goes on as they do."""
        vx, w, vy = np.split(velocities, 3, axis=1)
        v, direction = np.hypot(vx, vy), np.arctan2(vy, vx)
        t = (self.settings.horizon + v / (2 * self._acceleration.vx)) * np.linspace(0, 1, 11)
        yaw = pose.yaw + w * t
        # Exact arcs; sinc covers driving straight.
        chord, middle = v * t * np.sinc(w * t / (2 * np.pi)), pose.yaw + direction + w * t / 2
        poses = np.stack([pose.x + chord * np.cos(middle), pose.y + chord * np.sin(middle), yaw], axis=-1)
        collisions = self._costmap.collisions(poses)
        free = np.all(collisions <= collisions[:, :1], axis=1)
        if movers := self._costmap.movers:
            apart = gaps(movers, self._costmap.footprint.at(poses), t)
            free &= np.all(apart >= np.minimum(apart[:, :1], _APART), axis=1)
        return free

    def obstructed(self) -> bool:
        """True if something has come to stand on the rest of the leg."""
        radius = self._costmap.footprint.half_width
        return bool((self._costmap.clearance(self.leg.points[self._progress:]) < 0.9 * radius).any())
