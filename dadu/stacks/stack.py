"""The whole system in one process and in lock step, without ROS: for tests, evaluation and debugging.

Simulator, perception, memory, planner and skills are the ones that the nodes run; only the plumbing differs.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from pathlib import Path

import numpy as np

from dadu.core.geometry import apply, vector3
from dadu.core.robot import Observation
from dadu.house.format import House
from dadu.house.layout import build_graph
from dadu.house.rasterize import rasterize
from dadu.knowledge.vocabulary import vocabulary_of_house
from dadu.memory.memory import Memory
from dadu.memory.settings import MemorySettings
from dadu.navigation.costmap import Costmap
from dadu.navigation.go_to import Drive
from dadu.perception.detector import Detector, Prompted
from dadu.perception.instance_detector import InstanceDetector
from dadu.perception.pipeline import perceive
from dadu.perception.upright import upright
from dadu.planner.loop.approach import Approach, Approaches
from dadu.planner.loop.carried import is_load_of_drive
from dadu.planner.loop.loop import ClosedLoop
from dadu.planner.policies.make import make_planner
from dadu.planner.policies.policy import TaskPlanner
from dadu.planner.report import TaskReport
from dadu.planner.settings import LoopSettings
from dadu.planner.step import Step
from dadu.robots import hand
from dadu.robots.kinematics import Kinematics
from dadu.robots.loader import load_robot
from dadu.sim.mujoco.simulation import Simulation
from dadu.sim.settings import SimulationSettings
from dadu.skills.call import SkillCall
from dadu.skills.generator import SkillRunner
from dadu.skills.outcome import Code, SkillResult
from dadu.skills.scene import Scene
from dadu.stacks.binding import Equipment, begin
from dadu.stacks.person import SimulatedPerson
from dadu.stacks.standing import take_stance
from dadu.world.graph import WorldGraph

TICK = 0.05
"""[s], as the nodes tick their skills"""
DEADLINE = 240.0
"""[s] for one skill"""
SETTLE = 0.4
"""[s] after a skill in which memory takes in what was seen last"""
_GRIPS = 10
"""ticks in which the fingers must feel nothing before a carried object counts as lost: effort dips while driving"""


class Stack:
    """A robot in a house, ready for instructions. Deterministic for a house, a seed and an instruction."""

    def __init__(self, house: House, *, seed: int = -1, robot: str = "stretch", known: str = "layout",
                 memory: str | Path | None = None, memory_settings: MemorySettings | None = None,
                 detector: Detector | None = None, person: bool = False) -> None:
        """`seed` as in `Simulation.reset`, `known` as in `build_graph`; `memory` is the file that keeps the graph,
        `detector` what perception sees with: the simulator's own instances by default; `person` puts a second agent
        into the house."""
        self.description = load_robot(robot)
        self.simulation = Simulation(house, self.description, seed, SimulationSettings(person=person))
        self._vocabulary = vocabulary_of_house(house)
        self.person = SimulatedPerson(self.simulation) if person else None
        self.memory = Memory(build_graph(house, known), memory, memory_settings)
        map = rasterize(house)
        self.scene = Scene(self.memory.graph, map=map)
        self.on_tick: Callable[[], None] = lambda: None
        """called after every tick, to watch or to disturb"""
        self._detector = detector or InstanceDetector(
            self.simulation.instance_names,
            dict(zip(self.simulation.instance_names, self.simulation.instance_categories, strict=True)))
        self._kinematics = Kinematics(self.description)
        self._equipment = Equipment(self.description, self.scene, Drive(Costmap(map, self.description)))
        self._seen = float("-inf")

    def do(self, instruction: str, planner: TaskPlanner | None = None, *, settings: LoopSettings | None = None,
           trace: Callable[[Step], None] = lambda step: None, cancelled: Callable[[], bool] = lambda: False
           ) -> TaskReport:
        """Carries out an instruction, closed loop, by default with the symbolic planner; `trace` as in `ClosedLoop`;
        once `cancelled()` it comes to rest."""
        approaches = Approaches()
        newest: list[Step] = []

        def follow(step: Step) -> None:
            newest[:] = [step]
            if step.result is not None:
                approaches.learn(step)
                self.memory.learn(step.call, step.result, self.now())
            trace(step)

        planner = planner or make_planner(capabilities=self.description.capabilities)
        loop = ClosedLoop(instruction, planner, self, settings, trace=follow, vocabulary=self._vocabulary)
        turn = loop.turns()
        chosen = turn(None)
        while not isinstance(chosen, TaskReport):
            start = self.simulation.robot.observe().base_pose
            result = self._carry_out(chosen, approaches.of(newest[0].decision, self.graph(), start), DEADLINE,
                                     cancelled)
            self.advance(SETTLE)
            if cancelled():
                loop.cancel()
            chosen = turn(result)
        return chosen

    def execute(self, call: SkillCall, purpose: str = "look", timeout: float = DEADLINE,
                cancelled: Callable[[], bool] = lambda: False) -> SkillResult:
        """Runs one skill to its end and lets memory learn of it. `purpose`: what a go_to is for; `timeout` [s]."""
        result = self._carry_out(call, Approach(purpose), timeout, cancelled)
        self.memory.learn(call, result, self.now())
        return result

    def advance(self, dt: float) -> None:
        """Lets `dt` [s] pass: physics, then whatever the sensors have new to say."""
        self.simulation.advance(dt)
        if self.person is not None:
            self.person.advance(dt)
        observation = self.simulation.robot.observe()
        self.memory.feel(observation.stamp, hand.holding(observation, self.description),
                         lambda _: (observation.base_pose, self._grasp_centre(observation)))
        if observation.camera is not None and observation.camera.stamp > self._seen:
            self._seen = observation.camera.stamp
            self.scene.frame = perceive(observation.camera, self._detector)
            self.memory.see(self.scene.frame, observation.base_pose, self._grasp_centre(observation),
                            observation.aperture)
            self.scene.graph = self.memory.graph
        self.on_tick()

    def _grasp_centre(self, observation: Observation) -> tuple[float, float, float]:
        """In map [m]."""
        return vector3(apply(observation.base_pose.matrix(), self._kinematics.tool(observation.joints)[:3, 3]))

    def graph(self) -> WorldGraph:
        """Memory's graph, as the planner reads it."""
        return self.memory.graph

    def now(self) -> float:
        """[s]"""
        return self.simulation.time

    def holding(self) -> bool:
        """Whether the fingers press on something."""
        return hand.holding(self.simulation.robot.observe(), self.description)

    def picture(self) -> np.ndarray | None:
        """What the camera saw last, upright, uint8 (H, W, 3)."""
        camera = self.simulation.robot.observe().camera
        return upright(camera) if camera is not None else None

    def look_for(self, id: str, description: str) -> None:
        """Has the detector look for what `description` says, where it takes text."""
        if isinstance(self._detector, Prompted) and id in self.graph():
            self._detector.look_for(self.graph()[id].category, description)

    def close(self) -> None:
        """Writes the memory and frees the renderer."""
        self.memory.close()
        self.simulation.close()

    def _carry_out(self, call: SkillCall, approach: Approach, timeout: float, cancelled: Callable[[], bool]
                   ) -> SkillResult:
        """Ticks the skill to its end. A drive ends early when what was carried falls: the loop says what that means."""
        ready = take_stance(self.description, self.scene, call, approach)
        skill = begin(self._equipment, call, ready) if isinstance(ready, Approach) else ready
        if isinstance(skill, SkillResult):
            return skill
        robot = self.simulation.robot
        carries = is_load_of_drive(call, self.graph(), self.holding())
        grips = deque([True], maxlen=_GRIPS)
        runner = SkillRunner(skill, self.now() + timeout)
        while True:
            command = runner.tick(robot.observe())
            if command is not None:
                robot.act(command)
            if runner.result is not None:
                return runner.result
            self.advance(TICK)
            grips.append(self.holding())
            if cancelled() or (carries and not any(grips)):
                runner.interrupt(Code.CANCELLED, f"{call.skill} was cancelled")
