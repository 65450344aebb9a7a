"""A Stretch's motors: each goes to its own goal at its own speed, whatever others do, and changes course on the way."""

import math

_ACCELERATION = 0.5
"""[m/s^2] or [rad/s^2], where the robot's description has none"""


class StretchMotors:
    """Stands in the simulated robot where its `JointDrive` is, which follows trajectories: stretch_body has none of
    those in position mode."""

    def __init__(self, robot):
        self.names = tuple(robot.joints)
        self._acceleration = [min(limit.acceleration, 1e3) or _ACCELERATION for limit in robot.joints.values()]
        self._top = [limit.velocity for limit in robot.joints.values()]
        self.reset({})

    def reset(self, positions):
        self._at = [float(positions.get(name, 0.0)) for name in self.names]
        self._rate = [0.0] * len(self.names)
        self._goal, self._speed = list(self._at), list(self._top)

    @property
    def setpoints(self):
        return self._at, self._rate

    def go(self, name, goal, speed):
        """At `speed` [m/s or rad/s] at most; None: its own top speed."""
        i = self.names.index(name)
        self._goal[i], self._speed[i] = goal, min(speed or self._top[i], self._top[i])

    def stop(self):
        """Where each is now."""
        self._goal = list(self._at)

    def step(self, measured, slack, now, dt):
        """As `JointDrive.step`: trapezoids, never more than `slack` ahead of what is measured."""
        for i, goal in enumerate(self._goal):
            error, change = goal - self._at[i], self._acceleration[i] * dt
            top = min(self._speed[i], math.sqrt(1.6 * self._acceleration[i] * abs(error)), abs(error) / dt)
            wanted = math.copysign(top, error)
            self._rate[i] += max(-change, min(change, wanted - self._rate[i]))
            at = self._at[i] + self._rate[i] * dt
            self._at[i] = max(measured[i] - slack[i], min(measured[i] + slack[i], at))
        return range(len(self.names))
