"""Runs a simulation as robots' drivers would run: in threads of its own, reporting at sensor rates.

One thread steps physics and paces time; another renders, from a copy of the geometry, so that pictures do not stop the
world. The clock waits for a renderer that falls behind by a whole picture, and for nodes at work that are behind with
what they owe (`dadu.sim.time_sync`).
"""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import mujoco
import numpy as np

from dadu.core.errors import DaduError
from dadu.core.geometry import Pose2
from dadu.core.robot import CameraFrame, Command, LaserScan
from dadu.sim.backend import DisturbanceError
from dadu.sim.clock_file import ClockFile
from dadu.sim.gate import Gate
from dadu.sim.mujoco.driven import DrivenBackend
from dadu.sim.mujoco.robot.state import RobotState, robot_state
from dadu.sim.odometry import Odometry
from dadu.sim.pacing import Brake, Pacer
from dadu.sim.rest import Rest
from dadu.sim.sensor_faults import SensorFaults
from dadu.sim.settings import EngineSettings
from dadu.sim.time_sync import TimeSyncBacklog, Work, WorkReport
from dadu.world.state import WorldState

_log = logging.getLogger(__name__)

_TRUTH_PERIOD = 0.2
"""of /sim/ground_truth [s]"""


@dataclass(frozen=True)
class Listener:
    """Who hears of what of one robot; `camera` is called in the rendering thread, the others in the stepping one."""

    clock: Callable[[float], None]
    state: Callable[[RobotState, Pose2], None]
    """the robot, and its pose in odom"""
    scan: Callable[[LaserScan], None]
    camera: Callable[[CameraFrame], None]
    truth: Callable[[WorldState, float], None]
    """the true state, and the measured real-time factor"""
    work: Callable[[], Iterable[WorkReport]] = tuple
    """asked before every step: what nodes have said of their work since"""


@dataclass(frozen=True)
class _Shot:
    """A moment to take pictures of, one by each robot: of which simulation, of which geometry, when, and how often they
    are passed on."""

    simulation: DrivenBackend
    view: mujoco.MjData
    stamp: float
    times: int


class Engine:
    """Owns a simulation. Others reach it through `exclusive`."""

    def __init__(self, simulation: DrivenBackend, settings: EngineSettings, listeners: Sequence[Listener],
                 run_dir: Path, seed: int = 0) -> None:
        """`listeners`: one for each of the simulation's robots. Goes on from the checkpoint in `run_dir` where there is
        one of the same house and robots."""
        self.settings, self.pacer = settings, Pacer(settings.pacing)
        self.brake = Brake(TimeSyncBacklog(settings.debts),
                           lambda: [report for listener in listeners for report in listener.work()])
        self.odometry = tuple(Odometry(settings.odometry, max(0, seed) + i) for i in range(len(listeners)))
        """by robot"""
        self.sensor_faults = SensorFaults(seed)
        self.gate = Gate()
        self._rest, self._resting = Rest(), False
        self._called = threading.Event()
        """somebody has had the world to himself since the last step"""
        self._simulation, self._listeners = simulation, listeners
        self._lock, self._turnstile = threading.Lock(), threading.Lock()
        self._stop = threading.Event()
        self._ahead = 0.0
        """by which the clock is set ahead before the next step [s]"""
        self._shots: queue.Queue[_Shot] = queue.Queue(maxsize=1)
        self._views: tuple[mujoco.MjData, ...] = ()
        self._checkpoint, self._clock = run_dir / "sim_state.npz", ClockFile(run_dir / "sim_clock")
        self._saved = time.monotonic()
        self.resumed = self._resume()
        self._due = dict.fromkeys(("state", "scan", "camera", "truth"), simulation.time)
        self._threads = [threading.Thread(target=run, name=name, daemon=True)
                         for name, run in (("physics", self._step_on), ("camera", self._take_pictures))]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """Stops time, saves the state and ends the threads."""
        self._stop.set()
        for thread in self._threads:
            if thread.is_alive():
                thread.join(timeout=3.0)
        self._save()
        self._clock.close()

    @property
    def alive(self) -> bool:
        """True if both threads run."""
        return all(thread.is_alive() for thread in self._threads)

    @contextmanager
    def exclusive(self) -> Iterator[DrivenBackend]:
        """The simulation, standing still meanwhile; one that rests goes on by single steps after."""
        with self._held() as simulation:
            try:
                yield simulation
            finally:
                self._called.set()  # while it stands still: else it might take several steps at once before it hears

    @contextmanager
    def _held(self) -> Iterator[DrivenBackend]:
        """Whoever waits for the lock keeps the turnstile shut: the stepping thread cannot take the next turn as
        well."""
        with self._turnstile:
            self._lock.acquire()
        try:
            yield self._simulation
        finally:
            self._lock.release()

    @property
    def time(self) -> float:
        """Simulated time [s]; nobody is held up by whoever asks."""
        return self._simulation.time

    def replace(self, make: Callable[[DrivenBackend], DrivenBackend]) -> None:
        """Goes on with another simulation, which `make` makes of the old one; time does not jump."""
        with self.exclusive() as old:
            simulation = make(old)
            simulation.data.time = old.time
            self._simulation, self._views = simulation, ()

    def pause(self) -> None:
        """No step begins after this, and none is under way; `gate` lets time go on."""
        self.gate.pause()
        with self.exclusive():
            pass

    def rewind(self) -> None:
        """Time begins anew at 0; the drivers stand, since what they were told was to be done at another time."""
        with self.exclusive() as simulation:
            simulation.data.time = 0.0
            for robot in simulation.robots:
                robot.base.reset()
                robot.act(Command(hold=True))
            self._due = dict.fromkeys(self._due, 0.0)
            self.pacer.start(0.0)
            self._clock.write(0.0)
        self._save()

    def set_ahead(self, seconds: float) -> None:
        """The clock jumps forward by so much [s], for good; the world does not move meanwhile. Errors: DisturbanceError
        for one that would go back."""
        if not 0.0 < seconds < float("inf"):
            raise DisturbanceError(f"the clock goes forward alone, not by {seconds:g} s")
        with self.exclusive():
            self._ahead += seconds

    def _step_on(self) -> None:
        """The stepping thread: step, report what is due, save now and then, wait until the next step is due and nobody
        is too far behind."""
        self.pacer.start(self._simulation.time)
        while not self._stop.is_set():
            stood = self.gate.wait(lambda: self._tell_time(self._simulation.time), self._stop)
            if stood:
                self.pacer.start(self._simulation.time)
            self.pacer.stood(self.brake.wait(self._simulation.time + self.settings.step, self._stop))
            with self._held() as simulation:
                if not self.gate.may_step:  # paused while this thread waited
                    continue
                wanted = not self.gate.playing
                # In the stepping thread: the pacer would else wait until the time in between has passed.
                if self._ahead:
                    simulation.data.time += self._ahead
                    self._ahead = 0.0
                    self.pacer.start(simulation.time)
                alone = self._resting and not wanted and not self._somebody_calls()
                self._called.clear()
                if alone:
                    simulation.pass_time(self.settings.step * self.settings.resting)
                else:
                    simulation.advance(self.settings.step)
                now = simulation.time
                self._resting = self.settings.resting > 1 and not wanted and self._rest.resting(
                    simulation.data, self.brake.backlog.at_work)
                reports = self._due_reports(now)
            self._clock.write(now)
            self._tell_time(now)
            for report in reports:
                report()
            if time.monotonic() - self._saved >= self.settings.checkpoint_period:
                self._save()
            if wanted:
                self.gate.stepped()
            if not stood and self._simulation.time >= now:  # else it was put back meanwhile
                self._wait_until_due(now)

    def _wait_until_due(self, now: float) -> None:
        """As the pacer says. A world that rests has taken several steps at once: whoever calls it does not wait until
        they have passed."""
        end = time.monotonic() + self.pacer.ahead(now)
        while (left := end - time.monotonic()) > 0 and not self._stop.is_set():
            if not self._resting:
                self._stop.wait(left)
            elif self._somebody_calls():
                self.pacer.stood(-left)
                return
            else:
                self._called.wait(min(left, self.settings.step))
                self.brake.listen()

    def _somebody_calls(self) -> bool:
        return self._called.is_set() or self.brake.backlog.at_work

    def _tell_time(self, now: float) -> None:
        for listener in self._listeners:
            listener.clock(now)

    def _due_reports(self, now: float) -> list[Callable[[], None]]:
        """Takes the readings that are due at time `now`; delivering them does not need the lock."""
        simulation, sensors = self._simulation, self._simulation.settings
        due = [name for name, period in (
            ("state", self.settings.state_period), ("truth", _TRUTH_PERIOD),
            ("scan", _period(sensors.laser.rate)), ("camera", _period(sensors.camera.rate)))
            if self._is_due(name, period, now)]
        if self._resting and "state" not in due and {"scan", "camera"} & set(due):
            due.insert(0, "state")  # who gets a reading wants to know where it was taken
        times = {name: self.sensor_faults.times(name) for name in due}
        reports: list[Callable[[], None]] = []
        view = simulation.snapshot() if "state" in due or "scan" in due else None
        for robot, odometry, listener in zip(simulation.robots, self.odometry, self._listeners, strict=True):
            if "state" in due:
                state = robot_state(robot.body, simulation.data, view)
                reports += times["state"] * [partial(listener.state, state, odometry.update(state.base))]
            if times.get("scan"):
                reports += times["scan"] * [partial(listener.scan, robot.sensors.scan(view))]
            if "truth" in due:
                reports.append(partial(listener.truth, simulation.truth_of(robot), self.pacer.measured))
        if times.get("scan"):  # who never gets a reading owes nothing of it
            self.brake.backlog.give(Work.SCAN, now)
        if times.get("camera"):
            # One of three copies of the geometry, in turn: one may be in work, and one may wait.
            if not self._views:
                self._views = tuple(mujoco.MjData(self._simulation.model) for _ in range(3))
            self._views = self._views[1:] + self._views[:1]
            shot = _Shot(simulation, simulation.snapshot(self._views[0]), now, times["camera"])
            self.brake.backlog.give(Work.PICTURE, now)
            reports.append(lambda: self._hand_over(shot))
        return reports

    def _is_due(self, name: str, period: float, now: float) -> bool:
        """`period` [s], several times as long where the world rests."""
        more = (self.settings.resting - 1) * period if self._resting else 0.0
        if period == float("inf") or now < self._due[name] + more - 1e-6:
            return False
        self._due[name] = max(self._due[name] + period + more, now + period / 2)
        return True

    def _hand_over(self, shot: _Shot) -> None:
        while not self._stop.is_set():
            try:
                self._shots.put(shot, timeout=0.1)
                return
            except queue.Full:
                continue

    def _take_pictures(self) -> None:
        """The rendering thread. OpenGL contexts belong to threads: each simulation's camera is made and freed here."""
        current: DrivenBackend | None = None
        while not self._stop.is_set():
            try:
                shot = self._shots.get(timeout=0.1)
            except queue.Empty:
                continue
            if current is not None and current is not shot.simulation:
                current.close()
            current = shot.simulation
            for robot, listener in zip(current.robots, self._listeners, strict=True):
                frame = robot.sensors.camera.render(shot.view, shot.stamp)
                for _ in range(shot.times):
                    listener.camera(frame)
        if current is not None:
            current.close()

    def _save(self) -> None:
        try:
            with self._held() as simulation:
                simulation.save(self._checkpoint, odometry=np.stack([odometry.state() for odometry in self.odometry]))
        except OSError as error:  # the disk is full: the world goes on, a restart would begin from the save before
            _log.warning("%s is not written: %s", self._checkpoint, error)
        self._saved = time.monotonic()

    def _resume(self) -> str:
        """Goes on from the checkpoint; returns a sentence about it, empty where there is none."""
        if not self._checkpoint.exists():
            return ""
        try:
            extra = self._simulation.restore(self._checkpoint)
        except DaduError as error:
            return f"starting anew: {error}"
        for odometry, state in zip(self.odometry, extra["odometry"].reshape(-1, 6), strict=True):
            odometry.restore(state)
        # The last second before a kill is lost, but not its time: listeners have seen that clock already.
        self._simulation.data.time = max(self._simulation.time, self._clock.read()) + self.settings.step
        return f"going on from {self._checkpoint} at {self._simulation.time:.2f} s"


def _period(rate: float) -> float:
    return 1 / rate if rate > 0 else float("inf")
