"""The simulator's bench draws plain MuJoCo as it is."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_plain_mujoco_draws_without_variables(monkeypatch):
    monkeypatch.delenv("MUJOCO_GL", raising=False)
    code = ("import sys, runpy; sys.path.insert(0, 'bench'); bench = runpy.run_path('bench/sim.py')\n"
            "mujoco = bench['mujoco']; model = mujoco.MjModel.from_xml_string('<mujoco><worldbody/></mujoco>')\n"
            "mujoco.Renderer(model, 24, 32).render()")
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, timeout=200)
