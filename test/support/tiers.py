"""Which tests run: all of the base tier, always; a test of something optional where that is installed; more with --all.

The base tier is what `make setup` brings, and none of its tests can be skipped: a skip that does not come from the
marker ``needs`` is reported as a failure. `make test` runs a fixed selection with fixed examples; ``--all``
(`make test-all`) adds the tests marked ``thorough`` and lets hypothesis draw other examples each time.
"""

from __future__ import annotations

import importlib.util
import os
import random
import shutil
import subprocess
from collections.abc import Callable, Generator
from dataclasses import dataclass
from functools import cache

import pytest
from hypothesis import HealthCheck, settings


@dataclass(frozen=True)
class Extra:
    """Something that the base tier does without."""

    how: str
    """to get it"""
    installed: Callable[[], bool]


class NotInstalled(pytest.skip.Exception):
    """The one reason for which a test may be skipped."""

    __module__ = "builtins"  # as pytest's own: it is how the summary names it


def _modules(*names: str) -> Callable[[], bool]:
    return lambda: all(importlib.util.find_spec(name) is not None for name in names)


def _programs(*names: str) -> Callable[[], bool]:
    """A check that one of them is there."""
    return lambda: any(map(shutil.which, names))


@cache
def _habitat() -> bool:
    """habitat-sim in the Python that its users name, or in this one."""
    python = os.environ.get("DADU_HABITAT_PYTHON", "")
    if not python:
        return importlib.util.find_spec("habitat_sim") is not None
    return subprocess.run([python, "-c", "import habitat_sim"], capture_output=True).returncode == 0


BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
EXTRAS = {
    "mcp": Extra("the extra mcp: pip install -e '.[mcp]'", _modules("mcp")),
    "small": Extra("the extra small: pip install -e '.[small]'", _modules("onnx", "gguf", "llguidance")),
    "foxglove": Extra("the extra foxglove: pip install -e '.[foxglove]'", _modules("foxglove")),
    "pddl": Extra("the extra pddl: pip install -e '.[pddl]'", _modules("unified_planning", "up_pyperplan")),
    "episodes": Extra("the extra episodes: pip install -e '.[episodes]'", _modules("pyarrow", "av")),
    "policy": Extra("the extra policy: pip install -e '.[policy]'", _modules("msgpack")),
    "lerobot": Extra("the extra lerobot: make test-lerobot", _modules("lerobot")),
    "cluster": Extra("the extra cluster: pip install -e '.[cluster]'", _modules("ray")),
    "train": Extra("the extra train: pip install -e '.[train]'", _modules("torch", "onnx")),
    "train_planner": Extra("the extra train: pip install -e '.[train]'", _modules("torch", "transformers", "peft")),
    "fusion": Extra("the extra vision: make test-vision", _modules("open3d")),
    "foundation": Extra("the extra vision: make test-vision", _modules("torch", "transformers", "ultralytics")),
    "mistral": Extra("Mistral's tokens: pip install mistral-common", _modules("mistral_common")),
    "launch": Extra("launch: see docs/howto/install.md", lambda: _programs("ros2")() and _modules("launch_ros")()),
    "browser": Extra("a Chromium: apt-get install chromium", _programs(*BROWSERS)),
    "habitat": Extra("habitat-sim: see docs/howto/simulate.md", _habitat),
}
"""by the name that the marker ``needs`` gives"""
_FIXED = 30
"""examples of each property"""
_MORE = 10
"""times as many with --all"""
_LONG = 600.0
"""[s] for a test with --all, in the place of pyproject.toml's"""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--all", action="store_true", help="also tests marked thorough; other random examples each time")


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    """Examples of hypothesis: the same ones every time, or, with --all, more, by a seed that the summary tells."""
    common = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow], "database": None}
    settings.register_profile("fixed", derandomize=True, max_examples=_FIXED, **common)
    settings.register_profile("random", derandomize=False, max_examples=_MORE * _FIXED, print_blob=True, **common)
    settings.load_profile("random" if config.option.all else "fixed")
    if config.option.all:  # workers are given these options, too
        config.option.hypothesis_seed = config.option.hypothesis_seed or str(random.SystemRandom().randrange(2**32))
        config.option.timeout = config.option.timeout or _LONG


def examples(count: int) -> settings:
    """For hypothesis, in the place of `_FIXED` examples `count` of them; with --all `_MORE` times as many."""
    return settings(max_examples=count * settings().max_examples // _FIXED)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    if config.option.all:
        seed = config.option.hypothesis_seed
        terminalreporter.write_line(f"random examples, to be repeated with --all --hypothesis-seed={seed}")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Errors: UsageError for a marker that names nothing in `EXTRAS`."""
    for item in items:
        if unknown := {name for mark in item.iter_markers("needs") for name in mark.args} - EXTRAS.keys():
            raise pytest.UsageError(f"{item.nodeid} needs {', '.join(unknown)}; valid: {', '.join(EXTRAS)}")
    if config.option.all:
        return
    kept, left_out = [], []
    for item in items:
        (left_out if item.get_closest_marker("thorough") else kept).append(item)
    config.hook.pytest_deselected(items=left_out)
    items[:] = kept


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    for mark in item.iter_markers("needs"):
        for name in mark.args:
            if not EXTRAS[name].installed():
                raise NotInstalled(f"needs {EXTRAS[name].how}")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport(call: pytest.CallInfo) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    return _as_failure(report, call)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    return _as_failure(report, report.call)


def _as_failure(report, call: pytest.CallInfo):
    """The report, failed where something was skipped that is not optional."""
    if report.skipped and not isinstance(call.excinfo.value, NotInstalled):
        report.outcome = "failed"
        report.longrepr = f"{report.nodeid}: skipped, and nothing that it may need is optional: {call.excinfo.value}"
    return report
