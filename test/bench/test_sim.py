"""The simulator's bench beside habitat-sim: its stand-in is measured, and that there is none is said."""

import re
import subprocess
import sys
from pathlib import Path

from bench.beside_habitat import beside_habitat
from dadu.house.files import parse_house
from dadu.robots import load_robot
from dadu.sim.settings import CameraSettings, SimulationSettings

ROOT = Path(__file__).parents[2]
SMALL = SimulationSettings(camera=CameraSettings(width=32, height=24, rate=0))
HUT = {"house": "hut", "rooms": [{"name": "den", "category": "kitchen", "floor": [[0, 0], [4, 0], [4, 4], [0, 4]]}],
       "furniture": [{"name": "table_0", "category": "table", "room": "den", "pose": [2, 3, 0]}],
       "objects": [{"name": "apple_0", "category": "apple", "on": "table_0"}], "robot": {"pose": [1, 1, 0]}}


def test_frames_of_both_are_told():
    stand_in = str(ROOT / "test" / "sim" / "habitat" / "stand_in")
    line = beside_habitat(parse_house(HUT, "hut"), load_robot("stretch"), SMALL, (stand_in,))
    assert re.fullmatch(r"RGB-D and segmentation, wall time: ours [\d.]+ frames/s, habitat-sim [\d.]+ frames/s", line)


def test_that_there_is_none_is_said(monkeypatch):
    monkeypatch.setenv("DADU_HABITAT_PYTHON", "/nowhere/python")
    line = beside_habitat(parse_house(HUT, "hut"), load_robot("stretch"), SMALL)
    assert line.startswith("habitat-sim: not measured: /nowhere/python cannot be started")


def test_plain_mujoco_draws_without_variables(monkeypatch):
    monkeypatch.delenv("MUJOCO_GL", raising=False)
    code = ("import sys, runpy; sys.path.insert(0, 'bench'); bench = runpy.run_path('bench/sim.py')\n"
            "mujoco = bench['mujoco']; model = mujoco.MjModel.from_xml_string('<mujoco><worldbody/></mujoco>')\n"
            "mujoco.Renderer(model, 24, 32).render()")
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, timeout=200)
