"""handover: hold out what is in the hand to somebody, and let go once they are felt to pull at it."""

from __future__ import annotations

import math

import numpy as np

from dadu.core.errors import choices
from dadu.core.geometry import apply, inverse, wrap
from dadu.core.robot import Command, Observation, RobotDescription, Twist
from dadu.manipulation.carry import is_folded, reach, retract
from dadu.manipulation.room import drive_range, walls
from dadu.motion.model import body_model
from dadu.motion.plan import plan_entry
from dadu.motion.scene import CollisionScene
from dadu.navigation.standing.base_poses import HELD_OUT
from dadu.robots import hand
from dadu.robots.body import Manipulator
from dadu.robots.ik import NoSolution
from dadu.robots.manipulator_settings import ManipulationSettings
from dadu.robots.motion import Motion, wait
from dadu.robots.poses import heading_of, turned
from dadu.skills.generator import Skill
from dadu.skills.outcome import Code, Detail, SkillFailed, SkillResult
from dadu.skills.scene import Scene
from dadu.world.graph import ROBOT, Entity, Kind

HEIGHT = 1.0
"""about where people take things [m]"""
ROOM = 0.08
"""aperture for which room is looked for with something in the hand [m]"""
BODY = 0.5
"""what the laser sees so near to who takes it is of them [m]"""
EDGE, OFF, ASIDE = 0.02, 0.15, 0.6
"""kept from the ends of the reach [m]; how far from the best place they may stand [m], and beside the arm [rad]"""
SETTLING, BASELINE = 0.6, 10
"""until efforts no longer swing [s]; readings that make the baseline"""
PULL, LASTING = 4.0, 0.15
"""force of the tool [N] that means a pull once it has lasted so long [s]"""
PATIENCE = 10.0
"""how long something is held out [s]"""


def handover(robot: RobotDescription, scene: Scene, agent_id: str, *, settings: ManipulationSettings | None = None
             ) -> Skill:
    """Holds out what is held to the agent, beside whom the base stands already; lets go when arm joints feel a pull,
    and feels that the hand is empty. Fails with not_taken, what is held drawn in again, where nobody pulls. See
    `dadu.skills.outcome`."""
    body = Manipulator.from_description(robot, settings)
    observation = yield Command()
    try:
        taker, name = _check(body, observation, scene, agent_id)
        if not is_folded(body, observation):
            observation = yield from retract(body, observation)
        scene.phase = "extend"
        observation = yield from _hold_out(body, observation, scene, taker)
        scene.phase = "wait"
        pull = Pull(body)
        until = observation.stamp + SETTLING + PATIENCE
        while not pull(observation) and hand.holding(observation, robot, body.settings.gripper):
            if observation.stamp > until:
                yield from retract(body, observation)
                raise SkillFailed(Code.EXECUTION_FAILED, f"{agent_id} did not take {name}, which is in the hand still; "
                                  "try again later, or put it down near them", Detail.NOT_TAKEN)
            observation = yield Command(base=Twist())
        scene.phase = "release"
        observation = yield from hand.open_hand(body, observation, min(robot.aperture_max, observation.aperture + 0.05))
        observation = yield from wait(observation, 0.5)
        observation = yield from hand.close_hand(body, observation)
        if hand.holding(observation, robot, body.settings.gripper):
            raise SkillFailed(Code.EXECUTION_FAILED, f"the fingers still feel {name}; hand it over again",
                              Detail.NOT_TAKEN)
        scene.phase = "retract"
        yield from retract(body, observation)
    except SkillFailed as failure:
        return failure.about(agent_id)
    return SkillResult(Code.SUCCEEDED, f"{agent_id} has pulled {name} out of the hand", target=name)


class Pull:
    """Called with every observation of an arm at rest; true once somebody pulls, or pushes, at what it holds. Where the
    robot reports no efforts nobody is ever felt."""

    def __init__(self, body: Manipulator) -> None:
        self._body = body
        self._begun: float | None = None
        self._forces: list[np.ndarray] = []
        self._since = math.inf

    def __call__(self, observation: Observation) -> bool:
        joints, stamp = self._body.robot.arm_joints, observation.stamp
        self._begun = stamp if self._begun is None else self._begun
        if stamp < self._begun + SETTLING or any(name not in observation.efforts for name in joints):
            return False
        J = self._body.kinematics.jacobian(observation.joints)[:3]
        force = np.linalg.lstsq(J.T, np.array([observation.efforts[name] for name in joints]), rcond=None)[0]
        if len(self._forces) < BASELINE:
            self._forces.append(force)
            return False
        pulled = float(np.linalg.norm(force - np.median(self._forces, axis=0))) > PULL
        self._since = min(self._since, stamp) if pulled else math.inf
        return stamp >= self._since + LASTING


def _check(body: Manipulator, observation: Observation, scene: Scene, agent_id: str) -> tuple[Entity, str]:
    """Who takes it, and what it is called. Errors: SkillFailed."""
    graph, held = scene.graph, scene.graph.held()
    if not hand.holding(observation, body.robot, body.settings.gripper):
        if held is not None:
            raise SkillFailed(Code.OBJECT_LOST, f"{held.id} is not in the hand any more; look for it and pick it again",
                              target=held.id)
        raise SkillFailed(Code.HAND_EMPTY, "the hand is empty; pick something first")
    others = [entity.id for entity in graph.of(Kind.AGENT) if entity.id != ROBOT]
    if agent_id not in others:
        raise SkillFailed(Code.UNKNOWN_TARGET, f"{agent_id!r} is nobody who could take it; known: {choices(others)}")
    return graph[agent_id], held.id if held is not None else "the object"


def _hold_out(body: Manipulator, observation: Observation, scene: Scene, taker: Entity) -> Motion:
    """What is held stays as level as it is. Errors: SkillFailed (TOO_FAR, collision, arm_stalled)."""
    here, T_now = observation.base_pose, body.kinematics.tool(observation.joints)
    x, y = here.inverse().apply(np.array(taker.position[:2]))
    nearest, farthest = body.robot.reach[0] + EDGE, body.robot.reach[1] - EDGE
    away, heading = min(max(math.hypot(x, y) - HELD_OUT, nearest), farthest), math.atan2(y, x)
    T = turned(T_now, heading - heading_of(T_now))
    low, high = body.robot.reach_height
    T[:3, 3] = away * math.cos(heading), away * math.sin(heading), min(max(HEIGHT, low), high)
    points = walls(observation, scene.graph)
    points = points[np.linalg.norm(points[:, :2] - taker.position[:2], axis=1) > BODY]
    points = apply(inverse(here.matrix()), points)
    try:
        if abs(math.hypot(x, y) - away - HELD_OUT) > OFF or abs(wrap(heading - body.robot.arm_direction)) > ASIDE:
            raise NoSolution("they are not before the arm")
        goal = body.solve(T, body.ready(observation), drive_range(body, observation))
        entry = plan_entry(body, body.posture(observation), here, goal,
                           CollisionScene(body_model(body.kinematics), points=points), ROOM)
    except NoSolution as why:
        raise SkillFailed(Code.TOO_FAR, f"{taker.id} is {math.hypot(x, y):.1f} m away, where the arm cannot hold "
                          f"anything out to them ({why}); go_to({taker.id}) first") from None
    return (yield from reach(body, observation, entry))
