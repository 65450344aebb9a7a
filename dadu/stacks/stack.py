"""The whole system in one process and in lock step, without ROS: for tests, evaluation and debugging.

Simulator, perception, memory, planner and skills are the ones that the nodes run; only the plumbing differs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from dadu.core.geometry import Pose2, apply, vector3
from dadu.core.privilege_report import Privilege
from dadu.core.robot import CameraFrame, Command, LaserScan, Observation, Robot
from dadu.house.format import House
from dadu.house.layout import build_graph
from dadu.memory.memory import Memory
from dadu.memory.settings import MemorySettings
from dadu.motion.model import body_model
from dadu.navigation.costmap import Costmap
from dadu.navigation.go_to import Drive
from dadu.navigation.localisation.localiser import Localiser
from dadu.navigation.localisation.mapping import MappingLocaliser
from dadu.perception.cut_out import cut_out
from dadu.perception.detector import Detector, Prompted, Teachable
from dadu.perception.detectors import GROUND_TRUTH, detector_class, make_detector
from dadu.perception.pipeline import LastLook, perceive
from dadu.perception.sensor_config import SensorConfig
from dadu.perception.states import StateReader
from dadu.perception.upright import upright
from dadu.planner.loop.runner import SETTLE, SURE
from dadu.planner.loop.skill_context import SkillContext
from dadu.planner.loop.world import Cancelled, Over
from dadu.planner.step import Step
from dadu.robots import hand
from dadu.robots.kinematics import Kinematics
from dadu.robots.loader import load_robot
from dadu.robots.own_hits import mask_own_hits
from dadu.sim.mujoco.simulation import Simulation
from dadu.sim.odometry import Odometry, OdometrySettings
from dadu.sim.settings import CameraSettings, SimulationSettings
from dadu.skills.call import SkillCall
from dadu.skills.generator import TICK, SkillRunner
from dadu.skills.outcome import SkillResult
from dadu.skills.scene import Scene
from dadu.stacks.binding import Equipment, begin
from dadu.stacks.in_process import InProcess
from dadu.stacks.person import SimulatedPerson
from dadu.stacks.priors import told_vocabulary
from dadu.stacks.privileged import correct_states
from dadu.stacks.site import drawn_site, unmapped_site
from dadu.stacks.standing import choose_base_pose
from dadu.stacks.ways import SkillWays
from dadu.world.graph import Kind, WorldGraph


class LocalisedRobot:
    """Takes a simulated `Robot`'s place. Of the true pose only its increments go in, as wheels count them."""

    def __init__(self, robot: Robot, odometry: Odometry, localiser: Localiser | MappingLocaliser,
                 told: bool = False) -> None:
        """`told`: privilege: the robot knows where it truly is, and maps, where it does, from there."""
        self.description = robot.description
        self._robot, self._odometry, self._localiser, self._told = robot, odometry, localiser, told
        self._scanned = float("-inf")
        self._frame: CameraFrame | None = None
        self._scan: LaserScan | None = None

    def observe(self) -> Observation:
        """The newest observation, the base and the camera where they are taken to be. Call it in every tick: odometry
        counts from one call to the next."""
        sensed = self._robot.observe()
        odom = self._odometry.update(sensed.base_pose)
        known = sensed.base_pose * odom.inverse() if self._told else None
        if sensed.scan is not None and sensed.scan.stamp > self._scanned:
            self._scanned = sensed.scan.stamp
            self._scan = mask_own_hits(sensed.scan, self.description.footprint)
            self._localiser.update(odom, self._scan, known)
        base = sensed.base_pose if self._told else self._estimate(odom)
        return replace(sensed, base_pose=base, scan=self._scan, camera=self._placed(sensed, base))

    def act(self, command: Command) -> None:
        self._robot.act(command)

    def _estimate(self, odom: Pose2) -> Pose2:
        """Before the first scan: where odometry starts."""
        return odom if self._localiser.map_odom is None else self._localiser.map_odom * odom

    def _placed(self, sensed: Observation, base: Pose2) -> CameraFrame | None:
        """The newest picture, from where the camera is taken to have been; each is placed once, when it is taken."""
        taken = sensed.camera
        if taken is not None and (self._frame is None or taken.stamp != self._frame.stamp):
            T_base_camera = sensed.base_pose.inverse().matrix() @ taken.T_map_camera
            self._frame = replace(taken, T_map_camera=base.matrix() @ T_base_camera)
        return self._frame if taken is not None else None


DEADLINE = 240.0
"""[s] for one skill"""


class Stack(InProcess):
    """A robot in a house, ready for instructions. Deterministic for a house, a seed and an instruction."""

    sure = SURE

    def __init__(self, house: House, *, seed: int = -1, robot: str = "stretch", known: str = "layout",
                 mapped: bool = True, memory: str | Path | None = None, memory_settings: MemorySettings | None = None,
                 eyes: SensorConfig | None = None, detector: Detector | None = None, person: bool = False,
                 ways: SkillWays | None = None) -> None:
        """`seed` as in `Simulation.reset`, `known` as in `build_graph`; `mapped`: with a map drawn from the house, or
        one yet to be made; `memory` is the file that keeps the graph; `eyes`: what perception sees with, and what is
        privileged, or `detector`: with a detector of one's own and no privilege; `person` puts a second agent into the
        house; `ways`: how skills are carried out. Errors: ConfigError; MissingExtra for a detector that is not
        installed."""
        self.description = load_robot(robot)
        eyes = eyes or SensorConfig(perception=detector.name if detector is not None else "")
        self.privilege_report = eyes.privilege_report(known, mapped)
        """what this robot was told and is privileged to"""
        granted = self.privilege_report.granted
        self.simulation = Simulation(house, self.description, seed, SimulationSettings(
            person=person, camera=CameraSettings(instances=Privilege.INSTANCES in granted)))
        self._vocabulary = told_vocabulary(house, known)
        self.person = SimulatedPerson(self.simulation) if person else None
        if self.person is not None:
            self.simulation.inhabitant = self.person.advance
        self._site = drawn_site(house, self.description) if mapped else unmapped_site(house)
        self.robot = LocalisedRobot(self.simulation.robot, Odometry(OdometrySettings(), seed), self._site.localiser,
                                    told=Privilege.POSE in granted)
        """what skills command"""
        self._true_states = Privilege.STATES in granted
        self.memory = Memory(build_graph(house, known, self._true_states), memory, memory_settings)
        self.scene = Scene(self.memory.graph, map=self._site.map)
        self.memory.chart(self._site.map)
        self.on_tick: Callable[[], None] = lambda: None
        """called after every tick, to watch or to disturb"""
        self.on_command: Callable[[Command], None] = lambda command: None
        """called with what a skill asks for, before it is done"""
        self._detector = detector or self._make_detector(eyes)
        self._last_look = LastLook()
        self._show_examples()
        self._states = None if self._true_states else StateReader()
        self._kinematics = body_model(Kinematics(self.description)).kinematics
        self._equipment = Equipment(self.description, self.scene, Drive(Costmap(self._site.map, self.description)),
                                    ways=ways or SkillWays(), lock_step=True)
        self.ways = self._equipment.ways.choices
        self._seen = float("-inf")

    @property
    def capabilities(self) -> tuple[str, ...]:
        return self.description.capabilities

    def advance(self, dt: float) -> None:
        """Lets `dt` [s] pass: physics, then whatever the sensors have new to say."""
        self.simulation.advance(dt)
        observation = self.robot.observe()
        self._chart()
        self.memory.feel(observation.stamp, hand.holding(observation, self.description),
                         lambda _: (observation.base_pose, self._grasp_centre(observation)))
        if observation.camera is not None and observation.camera.stamp > self._seen:
            self._seen = observation.camera.stamp
            self._look(observation, observation.camera)
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

    def pose(self) -> Pose2:
        """Where the base takes itself to be, map."""
        return self.robot.observe().base_pose

    def holding(self) -> bool:
        """True if the fingers press on something."""
        return hand.holding(self.robot.observe(), self.description)

    def picture(self) -> np.ndarray | None:
        """What the camera saw last, upright, uint8 (H, W, 3)."""
        camera = self.robot.observe().camera
        return upright(camera) if camera is not None else None

    def look_for(self, id: str, description: str) -> None:
        """Has the detector look for what `description` says, where it takes text."""
        if isinstance(self._detector, Prompted) and id in self.graph():
            self._last_look.forget()
            self._detector.look_for(self.graph()[id].category, description)

    def correct(self, edit: str) -> str:
        """Somebody corrects what memory holds, see `Memory.edit`."""
        message = self.memory.edit(edit)
        self._show_examples()
        return message

    def _show_examples(self) -> None:
        if isinstance(self._detector, Teachable):
            self._last_look.forget()
            self._detector.show(self.memory.examples)

    def forget_looks(self) -> None:
        """See `Searching`."""
        if isinstance(self._detector, Prompted):
            self._last_look.forget()
            self._detector.forget_looks()

    def close(self) -> None:
        """Writes the memory and frees the renderer."""
        self.memory.close()
        self.simulation.close()

    def _make_detector(self, eyes: SensorConfig) -> Detector:
        """It knows as many kinds of things by name as the planner."""
        if eyes.perception != GROUND_TRUTH:
            return make_detector(eyes.perception, eyes.weights, self._vocabulary.categories_of_kind(Kind.OBJECT),
                                 eyes.namer)
        names, categories = self.simulation.instance_names, self.simulation.instance_categories
        return detector_class(GROUND_TRUTH)(names, dict(zip(names, categories, strict=True)))

    def _chart(self) -> None:
        """A map that is made while driving, for those who drive by it."""
        localiser = self._site.localiser
        if isinstance(localiser, MappingLocaliser) and localiser.map is not self.scene.map:
            self.scene.map = localiser.map
            self.memory.chart(localiser.map)

    def _look(self, observation: Observation, camera: CameraFrame) -> None:
        """Takes in a new picture."""
        self.scene.frame = perceive(camera, self._detector, states=self._states, last=self._last_look)
        self.memory.see(self.scene.frame, observation.base_pose, self._grasp_centre(observation), observation.aperture,
                        partial(cut_out, camera.rgb, camera.T_map_camera))
        if self._true_states:
            self.memory.correct(correct_states(self.memory.graph, self.simulation.ground_truth()), self.now())
        self.scene.graph = self.memory.graph

    async def carry_out(self, call: SkillCall, skill_context: SkillContext, over: Over) -> SkillResult:
        """Ticks the skill to its end."""
        ready = choose_base_pose(self.description, self.scene, call, skill_context)
        skill = begin(self._equipment, call, ready) if isinstance(ready, SkillContext) else ready
        if isinstance(skill, SkillResult):
            return skill
        robot, runner = self.robot, SkillRunner(skill, self.now() + DEADLINE)
        while True:
            command = runner.tick(robot.observe())
            if command is not None:
                self.on_command(command)
                robot.act(command)
            if runner.result is not None:
                return skill_context.came_nearer(runner.result)
            self.advance(TICK)
            if (end := over()) is not None:
                runner.end(end)

    async def settle(self, cancelled: Cancelled) -> None:
        self.advance(SETTLE)

    def learn(self, step: Step) -> None:
        self.memory.learn(step.call, step.outcome, self.now())
