"""A robot's motors: each goes to its own goal at its own speed, whatever the others do, and turns round on the way."""

import math


class JointMotors:
    """Stands in the simulated robot where its `JointDrive` is, which follows whole trajectories."""

    def __init__(self, robot, agility=1.0):
        """`agility`: times the accelerations of the robot's description, which are those that skills plan with."""
        self.names = tuple(robot.joints)
        self._acceleration = [agility * min(limit.acceleration, 1e3) for limit in robot.joints.values()]
        self._top = [limit.velocity for limit in robot.joints.values()]
        self.reset(robot.home)

    def reset(self, positions):
        """At rest at `positions` by joint [m or rad]."""
        self._at = [float(positions.get(name, 0.0)) for name in self.names]
        self._rate = [0.0] * len(self.names)
        self._goal, self._speed = list(self._at), list(self._top)

    @property
    def setpoints(self):
        return self._at, self._rate

    def go(self, name, goal, speed=math.inf):
        """At `speed` [m/s or rad/s] at most."""
        i = self.names.index(name)
        self._goal[i], self._speed[i] = goal, min(speed, self._top[i])

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
