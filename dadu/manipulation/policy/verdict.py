"""What became of a skill that a policy commanded, as the hand feels it: the policy itself is not believed."""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np

from dadu.core.geometry import apply, inverse
from dadu.core.robot import Observation
from dadu.manipulation.carry import retract
from dadu.manipulation.grasp.target import check_known
from dadu.robots import hand
from dadu.robots.body import Manipulator
from dadu.skills.call import SkillCall
from dadu.skills.generator import Skill
from dadu.skills.outcome import Code, Detail, SkillFailed, SkillResult
from dadu.skills.scene import Scene
from dadu.world.boxes import OrientedBox

_BESIDE = 0.06
"""[m] beyond a thing's box, as memory has it, at which the hand still is at it"""
_OPEN = 0.3
"""[s] without a grip that make a release: less may be a slip of the sensor's"""


class SensedVerdict(ABC):
    """Of one call, from before it begins."""

    def __init__(self, body: Manipulator, scene: Scene, call: SkillCall) -> None:
        self.body, self.scene, self.call = body, scene, call

    @property
    @abstractmethod
    def target(self) -> str:
        """Id of what the hand is to be at."""

    @abstractmethod
    def check(self, observation: Observation) -> None:
        """Errors: SkillFailed for what rules the skill out before anything moves."""

    @abstractmethod
    def reached(self, observation: Observation) -> bool:
        """True once there is nothing more to ask the policy for."""

    @abstractmethod
    def conclude(self, observation: Observation) -> Skill:
        """Takes over: draws the arm in, and says what became of it. Errors: SkillFailed."""

    def box(self) -> OrientedBox:
        """The target's, in map, as memory has it. Errors: UnknownEntity."""
        return self.scene.graph[self.target].box

    def tool(self, observation: Observation) -> np.ndarray:
        """(3,) [m, map]: the grasp centre."""
        return np.asarray(apply(observation.base_pose.matrix(), self.body.kinematics.tool(observation.joints)[:3, 3]))

    def holds(self, observation: Observation) -> bool:
        return hand.holding(observation, self.body.robot, self.body.settings.gripper)

    def _is_at(self, place: np.ndarray, axes: int = 3) -> bool:
        """True if a place in map is in the target's box, or hardly outside; of `axes` 2 at any height."""
        box = self.box()
        local = np.abs(apply(inverse(np.block([[box.R, box.centre[:, None]], [np.eye(4)[3:]]])), place))
        return bool((local <= box.size / 2 + _BESIDE)[:axes].all())


class Picked(SensedVerdict):
    """Held, where the target was, and lifted."""

    _closed_at: np.ndarray | None = None

    @property
    def target(self) -> str:
        return self.call.arguments[0]

    def check(self, observation: Observation) -> None:
        check_known(self.body, observation, self.scene, self.target)

    def reached(self, observation: Observation) -> bool:
        if not self.holds(observation):
            self._closed_at = None
            return False
        place = self.tool(observation)
        if self._closed_at is None:
            self._closed_at = place
        return bool(place[2] - self._closed_at[2] >= self.body.settings.pick.lift)

    def conclude(self, observation: Observation) -> Skill:
        closed_at = self._closed_at
        if closed_at is None or not self.holds(observation):
            observation = yield from retract(self.body, observation, lift=self.body.settings.pick.lift)
            raise SkillFailed(Code.EXECUTION_FAILED, f"{self.target} was not taken: nothing is in the hand; try again, "
                              "or another way", Detail.NO_GRASP, self.target)
        at_target = self._is_at(closed_at)
        observation = yield from retract(self.body, observation, lift=self.body.settings.pick.lift)
        if not self.holds(observation):
            raise SkillFailed(Code.OBJECT_LOST, f"{self.target} fell from the hand while the arm was drawn in; look "
                              "for it and pick it again", Detail.GRASP_SLIPPED, self.target)
        if not at_target:
            raise SkillFailed(Code.EXECUTION_FAILED, f"the hand closed on something, and not where {self.target} was; "
                              "put it down, and look", Detail.NO_GRASP, self.target)
        return SkillResult(Code.SUCCEEDED, f"{self.target} is in the hand", target=self.target)


class Placed(SensedVerdict):
    """Let go of over the receptacle. That it stands there is seen later, and not felt: UNCERTAIN."""

    _held_at: np.ndarray
    _since: float | None = None

    @property
    def target(self) -> str:
        return self.call.arguments[1]

    def check(self, observation: Observation) -> None:
        if not self.holds(observation):
            raise SkillFailed(Code.HAND_EMPTY, "nothing is in the hand; pick something first")
        if self.target not in self.scene.graph:
            raise SkillFailed(Code.UNKNOWN_TARGET, f"no {self.target!r} is known", target=self.target)
        self._held_at = self.tool(observation)

    def reached(self, observation: Observation) -> bool:
        if self.holds(observation):
            self._held_at, self._since = self.tool(observation), None
            return False
        self._since = observation.stamp if self._since is None else self._since
        return observation.stamp - self._since >= _OPEN

    def conclude(self, observation: Observation) -> Skill:
        held, at_target = self.holds(observation), self._is_at(self._held_at, axes=2)
        observation = yield from retract(self.body, observation, lift=self.body.settings.pick.lift)
        if held:
            raise SkillFailed(Code.EXECUTION_FAILED, f"nothing was put on {self.target}: it is in the hand still",
                              target=self.target)
        if not at_target:
            raise SkillFailed(Code.OBJECT_LOST, f"what was held was let go of beside {self.target}; look for it",
                              target=self.target)
        return SkillResult(Code.UNCERTAIN, f"let go of over {self.target}", target=self.target)


VERDICTS: dict[str, type[SensedVerdict]] = {"pick": Picked, "place": Placed}
"""by skill: what else a policy could do nobody here could judge"""
