"""The whole system in one process and in lock step, without ROS: for tests, evaluation and debugging.

Simulator, perception, memory, planner and skills are the ones that the nodes run; only the plumbing differs.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from dadu.geometry import apply
from dadu.manipulation import hand
from dadu.manipulation.kinematics import Kinematics
from dadu.memory.graph import WorldGraph
from dadu.memory.memory import Memory
from dadu.navigation.base_placement import place_base
from dadu.perception.instance_detector import InstanceDetector
from dadu.perception.pipeline import perceive
from dadu.planner.loop import ClosedLoop
from dadu.planner.policy import Policy
from dadu.planner.report import TaskReport
from dadu.planner.settings import LoopSettings
from dadu.planner.step import Step
from dadu.planner.symbolic import SymbolicPolicy
from dadu.robots.loader import load_robot
from dadu.sim.house_format import House
from dadu.sim.layout import build_graph
from dadu.sim.occupancy import rasterize
from dadu.sim.simulation import Simulation
from dadu.skills.articulate import articulate
from dadu.skills.call import SkillCall
from dadu.skills.explore import explore
from dadu.skills.generator import Skill, SkillRunner
from dadu.skills.go_to import go_to
from dadu.skills.outcome import Code, SkillResult
from dadu.skills.pick import pick
from dadu.skills.place import place
from dadu.skills.scene import Scene

TICK = 0.05
"""[s], as the nodes tick their skills"""


class Stack:
    """A robot in a house, ready for instructions. Deterministic for a house, a seed and an instruction."""

    def __init__(self, house: House, *, seed: int = -1, robot: str = "stretch", known: str = "layout",
                 memory: str | Path | None = None) -> None:
        """`seed` as in `Simulation.reset`, `known` as in `build_graph`; `memory` is the file that keeps the graph."""
        self.description = load_robot(robot)
        self.simulation = Simulation(house, self.description, seed)
        self.memory = Memory(build_graph(house, known), memory)
        self.scene = Scene(self.memory.graph, map=rasterize(house))
        self.on_tick: Callable[[], None] = lambda: None
        """called after every tick, to watch or to disturb"""
        self._detector = InstanceDetector(
            self.simulation.instance_names,
            dict(zip(self.simulation.instance_names, self.simulation.instance_categories, strict=True)))
        self._kinematics = Kinematics(self.description)
        self._seen = float("-inf")
        self._tried: list = []

    def do(self, instruction: str, policy: Policy | None = None, *, settings: LoopSettings | None = None,
           trace: Callable[[Step], None] = lambda step: None) -> TaskReport:
        """Carries out an instruction, closed loop; `trace` as in `ClosedLoop`."""
        newest: list[Step] = []

        def follow(step: Step) -> None:
            newest[:] = [step]
            trace(step)

        loop = ClosedLoop(instruction, policy or SymbolicPolicy(), self, settings, trace=follow)
        steps = loop.run()
        try:
            call = next(steps)
            while True:
                result = self.execute(call, newest[0].decision.purpose)
                call = steps.send(result)
        except StopIteration as end:
            return end.value

    def execute(self, call: SkillCall, purpose: str = "", timeout: float = 180.0) -> SkillResult:
        """Runs one skill to its end and lets memory learn of it. `purpose`: what a go_to is for; `timeout` [s]."""
        skill = self._skill(call, purpose or "look")
        result = skill if isinstance(skill, SkillResult) else self._run(skill, timeout)
        self.memory.learn(call, result, self.now())
        return result

    def advance(self, dt: float) -> None:
        """Lets `dt` [s] pass: physics, then whatever the sensors have new to say."""
        self.simulation.advance(dt)
        observation = self.simulation.robot.observe()
        if observation.camera is not None and observation.camera.stamp > self._seen:
            self._seen = observation.camera.stamp
            self.scene.frame = perceive(observation.camera, self._detector)
            tool = apply(observation.base_pose.matrix(), self._kinematics.tool(observation.joints)[:3, 3])
            self.memory.see(self.scene.frame, observation.base_pose, tuple(tool), observation.aperture)
            self.scene.graph = self.memory.graph
        self.on_tick()

    def graph(self) -> WorldGraph:
        """Memory's graph, as the planner reads it."""
        return self.memory.graph

    def now(self) -> float:
        """[s]"""
        return self.simulation.time

    def holding(self) -> bool | None:
        """Whether the fingers press on something."""
        return hand.holding(self.simulation.robot.observe(), self.description)

    def close(self) -> None:
        """Writes the memory and frees the renderer."""
        self.memory.close()
        self.simulation.close()

    def _run(self, skill: Skill, timeout: float) -> SkillResult:
        robot = self.simulation.robot
        runner = SkillRunner(skill, self.now() + timeout)
        while True:
            command = runner.tick(robot.observe())
            if command is not None:
                robot.act(command)
            if runner.result is not None:
                return runner.result
            self.advance(TICK)

    def _skill(self, call: SkillCall, purpose: str) -> Skill | SkillResult:
        robot, scene, arguments = self.description, self.scene, call.arguments
        if call.skill == "go_to":
            pose = place_base(scene, robot, arguments[0], purpose)
            return pose if isinstance(pose, SkillResult) else go_to(robot, scene, pose)
        if call.skill == "pick":
            return pick(robot, scene, arguments[0])
        if call.skill == "place":
            return place(robot, scene, arguments[0], arguments[1], arguments[3] if len(arguments) > 3 else "")
        if call.skill in ("open", "close"):
            return articulate(robot, scene, arguments[0], open=call.skill == "open")
        if call.skill == "explore":
            return explore(robot, scene, arguments[0])
        if call.skill == "wait":
            self.advance(1.0)
            return SkillResult(Code.SUCCEEDED, "waited a moment")
        return SkillResult(Code.UNKNOWN_ACTION, f"this robot cannot {call.skill}")
