"""The command `dadu` as a process: help, exit status, errors without a trace."""

from __future__ import annotations

import os
import pwd
import subprocess
import sys

import pytest

from dadu.cli.verbs import VERBS


def dadu(*words: str, **env: str) -> subprocess.CompletedProcess:
    return subprocess.run([sys.executable, "-m", "dadu.cli", *words], capture_output=True, text=True, timeout=200,
                          env={**os.environ, **env})  # fmt: skip


def test_help_lists_every_verb_without_importing_them():
    code = "import sys, dadu.cli\ntry:\n dadu.cli.main()\nfinally:\n print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code, "--help"], capture_output=True, text=True, timeout=200)
    assert all(f"\n  {verb}" in done.stdout for verb in VERBS)
    assert not {"numpy", "pydantic", "rclpy", "dadu.cli.up"} & set(done.stdout.split())


def test_help_is_quick():
    before = os.times()
    assert dadu("--help").returncode == 0
    after = os.times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    assert used < 0.6  # [s] of processor time; 0.1 on an idle machine


def test_where_no_home_is_told_it_is_the_user_s():
    """ROS would end without one."""
    code = "import os, dadu.cli\ntry:\n dadu.cli.main()\nfinally:\n print(os.environ['HOME'])"
    bare = {name: value for name, value in os.environ.items() if name != "HOME"}
    done = subprocess.run([sys.executable, "-c", code, "--version"], capture_output=True, text=True, timeout=200,
                          env=bare)
    assert done.stdout.split()[-1] == pwd.getpwuid(os.getuid()).pw_dir


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_help(verb):
    done = dadu(verb, "--help")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"Usage: dadu {verb} ")


def test_an_unknown_verb_is_a_usage_error():
    done = dadu("dance")
    assert done.returncode == 2 and "dance" in done.stderr and "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("up", "sim"), "name:=value"),
        (("up", "planner:=gpt"), "symbolic"),
        (("up", "sim:=false", "perception:=ground_truth"), "ground_truth needs sim:=true"),
        (("up", "sim:=false", "perception:=yolo", "robot:=r2d2"), "r2d2"),
        (("house", "generate", "--seed", "1", "--rooms", "2", "--out", "/"), "/: Is a directory"),
    ],
)
def test_errors_are_sentences_with_status_2(words, told):
    done = dadu(*words)
    assert done.returncode == 2 and told in done.stderr and "Traceback" not in done.stderr


def test_doctor_looks_at_everything():
    done = dadu("doctor", "--llm-url", "http://127.0.0.1:1/v1")
    assert done.returncode in (0, 1), done.stderr
    assert all(word in done.stdout for word in ("Python", "ROS 2", "rendering", "extra vision", "model server"))
    assert ("MISSING" in done.stdout) == (done.returncode == 1)
