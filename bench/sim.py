# ruff: noqa: T201 - a bench prints
"""Speed of the simulator against plain MuJoCo on the same model, in one run. python bench/sim.py [SEED]

A generated home of 8 rooms with 60 loose objects; the robot holds one of them, drives and turns, moves its arm. Plain
MuJoCo repeats the same controls from the same state. Both take turns every few milliseconds, pictures too, so that what
else the machine does hits both alike: on a busy one the overhead repeats within one percentage point. All is measured
in CPU time, of all threads together where Mesa draws with several: on an idle machine wall time is no longer than that,
on a busy one it says little. Medians of stretches; the best tenth of pictures.
"""

from __future__ import annotations

import copy
import os
import resource
import sys
import time
from collections.abc import Callable

os.environ.setdefault("MUJOCO_GL", "egl")  # read as mujoco is imported: without a screen its own Renderer needs it
import mujoco
import numpy as np

from dadu.core.geometry import Pose2
from dadu.core.robot import Command, GripperCommand, JointTrajectory, Twist
from dadu.homes.home import generate_home
from dadu.robots import load_robot
from dadu.sim.mujoco.simulation import Simulation
from dadu.sim.settings import CameraSettings, LaserSettings, SimulationSettings

STRETCH = 0.1
"""simulated time after which the other's turn is [s]: some milliseconds, in which the machine stays much the same"""
STRETCHES = 600
PICTURES = 30
RATE = 5.0
"""of pictures [Hz]"""


def timed(run: Callable[[], object], clock: Callable[[], float] = time.process_time) -> float:
    """Seconds of one call."""
    start = clock()
    run()
    return clock() - start


def build(seed: int) -> Simulation:
    """The home with the robot in it, without sensors of its own rhythm."""
    blind = SimulationSettings(camera=CameraSettings(rate=0), laser=LaserSettings(rate=0))
    house = generate_home(seed, 8, objects=60)
    return Simulation(house, load_robot("stretch"), settings=blind)


def grasp(sim: Simulation) -> bool:
    """Unfolds the arm, puts a thing between the fingers and closes them; whether it is held then."""
    hold = {"joint_lift": 0.9, "wrist_extension": 0.0, "joint_wrist_yaw": 0.0}
    sim.robot.act(Command(joints=JointTrajectory.single_goal(hold, 3.0), gripper=GripperCommand(0.12)))
    sim.advance(4.0)
    view = sim.snapshot()
    centre = sim.body.link_pose(view, sim.description.tool_link)[:3, 3]
    sizes = {name: placement.model.size for name, placement in sim.placements.items()}
    upright = next(name for name, (x, y, z) in sizes.items() if x == y and 0.05 < x < 0.09 and z > x)
    thing = sim.data.joint(upright)
    sim.robot.act(Command(gripper=GripperCommand(-1.0)))
    while sim.body.gripper(sim.data).effort < 5.0:  # somebody holds it there until the fingers do
        thing.qpos, thing.qvel = (*centre, 1.0, 0.0, 0.0, 0.0), 0.0
        sim.advance(sim.control_period)
    sim.advance(1.0)
    return any(body.held for body in sim.ground_truth().bodies.values())


def drive(sim: Simulation, stretch: int) -> None:
    """One stretch of work: there and back, turning, and the arm up and down with what it holds."""
    second, begins = divmod(stretch, round(1 / STRETCH))
    if second % 4 == begins == 0:
        lift = 0.7 if second % 8 else 0.9
        sim.robot.act(Command(joints=JointTrajectory.single_goal({"joint_lift": lift}, 2.0)))
    forth = 1.0 if second % 2 == 0 else -1.0
    for _ in range(round(STRETCH / 0.05)):
        sim.robot.act(Command(base=Twist(0.1 * forth, 0.4 * forth)))
        sim.advance(0.05)


class Plain:
    """The same model stepped by MuJoCo alone, with the controls that a simulation's drivers give.

    That simulation is a twin of the one that is measured, which therefore runs as it is, without anybody taking notes.
    """

    def __init__(self, twin: Simulation) -> None:
        self.data = copy.copy(twin.data)
        self._twin = twin
        self._steps = round(twin.control_period / twin.model.opt.timestep)
        self._controls: list[np.ndarray] = []
        control = twin.robot.control

        def recording(dt: float) -> None:
            control(dt)
            self._controls.append(twin.data.ctrl.copy())

        twin.robot.control = recording

    def prepare(self, stretch: int) -> None:
        """Takes over the state, down to who sleeps, and has the twin find the next stretch's controls."""
        mujoco.mj_copyData(self.data, self._twin.model, self._twin.data)
        self._controls.clear()
        drive(self._twin, stretch)

    def run(self) -> None:
        """Repeats the recorded controls."""
        for control in self._controls:
            self.data.ctrl[:] = control
            mujoco.mj_step(self._twin.model, self.data, self._steps)


def physics(sim: Simulation, twin: Simulation) -> float:
    """Prints speed and overhead; returns CPU seconds for a simulated second."""
    plain = Plain(twin)
    times = []
    for stretch in range(STRETCHES):
        plain.prepare(stretch)
        runs = {"ours": lambda stretch=stretch: drive(sim, stretch), "plain": plain.run}
        order = sorted(runs, reverse=stretch % 2 == 0)  # neither always finds the caches that the other left
        taken = {name: timed(runs[name]) for name in order}
        times.append((taken["ours"], taken["plain"]))
        if not np.array_equal(plain.data.qpos, sim.data.qpos):
            raise SystemExit("plain MuJoCo went elsewhere: the comparison would be of different work")
    steps = STRETCH / sim.model.opt.timestep
    ours, theirs = np.array(times).T
    own, bare = np.median(ours), np.median(theirs)
    overhead = np.median(ours / theirs) - 1
    print(f"physics: {steps / own:.0f} steps/s, {STRETCH / own:.1f} times real time; plain MuJoCo {steps / bare:.0f} "
          f"steps/s; overhead {overhead:.1%}")
    return float(own / STRETCH)


def pictures(sim: Simulation, second: float) -> None:
    """Prints pictures a second with and without instances, plain MuJoCo's too, and what is left at `RATE`."""
    size = sim.settings.camera
    renderer = mujoco.Renderer(sim.model, size.height, size.width)
    name = "robot/head_camera"

    def plain(segments: bool) -> None:
        renderer.update_scene(sim.snapshot(), name)
        renderer.render()
        renderer.enable_depth_rendering()
        renderer.render()
        renderer.disable_depth_rendering()
        if segments:
            renderer.enable_segmentation_rendering()
            renderer.render()
            renderer.disable_segmentation_rendering()

    bare = Simulation(sim.house, sim.description, settings=SimulationSettings(camera=CameraSettings(instances=False)))
    runs = {"RGB-D": bare.render, "RGB-D, plain": lambda: plain(False),
            "RGB-D and segmentation": sim.render, "RGB-D and segmentation, plain": lambda: plain(True)}
    times: dict[str, list[float]] = {label: [] for label in runs}
    for i in range(PICTURES):
        sim.body.place(sim.data, Pose2(*sim.house.robot.pose[:2], 2 * np.pi * i / PICTURES), sim.description.home)
        bare.data.qpos[:] = sim.data.qpos
        for label, run in runs.items():
            times[label].append(timed(run))
    for label, measured in times.items():
        print(f"{label}: {1 / np.percentile(measured, 10):.1f} pictures/s of CPU time")
    picture = float(np.percentile(times["RGB-D and segmentation"], 10))
    print(f"with RGB-D and segmentation at {RATE:.0f} Hz: {1 / (second + RATE * picture):.1f} times real time")
    renderer.close()
    bare.close()


def main(seed: str = "0") -> None:
    """Prints a line for each measurement."""
    started = time.process_time()
    sim = build(int(seed))
    print(f"home {seed}: {len(sim.house.rooms)} rooms, {len(sim.placements)} loose objects, {sim.model.ngeom} shapes, "
          f"{sim.model.nv} degrees of freedom; generated and built in {time.process_time() - started:.1f} s")
    print(f"grasp: {'held' if grasp(sim) else 'NOT held'}")
    twin = build(int(seed))
    grasp(twin)
    second = physics(sim, twin)
    twin.close()
    pictures(sim, second)
    resets = [timed(lambda seed=seed: sim.reset(seed)) for seed in range(10)]
    bare = [timed(lambda: (mujoco.mj_resetData(sim.model, sim.data), mujoco.mj_forward(sim.model, sim.data)))
            for _ in range(10)]
    print(f"reset: {np.median(resets):.3f} s, everything scattered anew; plain MuJoCo {np.median(bare):.4f} s")
    model_size = (sim.model.nbuffer + sim.data.nbuffer + sim.data.narena) / 2**20
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**10
    print(f"memory: {peak:.0f} MB of the process at its peak; MuJoCo's model and one state {model_size:.0f} MB")
    sim.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
