"""A training run that is told to end, and one that is killed, each as it happens to a user: in a process of its own."""

import os
import signal
import subprocess
import sys

import pytest

from dadu.core.config import save
from dadu.learning.detector.recipe import DetectorRecipe
from dadu.learning.detector.settings import NetworkSettings, TrainSettings
from dadu.learning.recipe.order import TrainOrder
from dadu.learning.recipe.stopping import Stop, Stopped

TINY = TrainSettings(network=NetworkSettings(widths=(8, 8, 8, 8), blocks=(0, 0, 0, 1), embedding=8), batch=4, report=1,
                     warm_up=2, average=0.5)
STEPS = 60


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_first_signal_is_kept_in_mind_and_the_second_does_what_it_always_did(number):
    heard = []
    before = signal.signal(number, lambda number, frame: heard.append(number))
    try:
        with Stop().heeded() as stop:
            assert stop.number == 0
            os.kill(os.getpid(), number)
            assert stop.number == number and heard == []
            os.kill(os.getpid(), number)
            assert heard == [number]
        os.kill(os.getpid(), number)
        assert heard == [number, number]
    finally:
        signal.signal(number, before)


def test_it_says_what_is_kept():
    assert str(Stopped(signal.SIGTERM, 7)) == "SIGTERM: stopped after step 7, which is kept"


def started(folder, tmp_path, name):
    save(TINY, tmp_path / "settings.yaml")
    command = [sys.executable, "-m", "dadu.cli", "train", "detector", str(folder), "--out", str(tmp_path / name),
               "--settings", str(tmp_path / "settings.yaml"), "--steps", str(STEPS), "--threads", "1"]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def ended(run, number):
    """The run's first line, and what it says at its end, where a signal came after its second step or one soon after.
    """
    first, _, _ = (run.stdout.readline() for _ in range(3))
    run.send_signal(number)
    return first, run.communicate(timeout=100)[1]


@pytest.mark.needs("train")
def test_what_was_killed_and_terminated_ends_with_the_weights_of_an_unbroken_run(folder, tmp_path):
    import torch

    killed = started(folder, tmp_path, "parts")
    ended(killed, signal.SIGKILL)
    terminated = started(folder, tmp_path, "parts")
    first, said = ended(terminated, signal.SIGTERM)
    assert killed.returncode == -signal.SIGKILL and "begins at step 0" not in first
    assert terminated.returncode == 128 + signal.SIGTERM
    kept = torch.load(tmp_path / "parts" / "checkpoint.pt", weights_only=True)["step"]
    assert 0 < kept < STEPS and f"stopped after step {kept}, which is kept; the same command goes on from there" in said

    told = []
    DetectorRecipe().train(TrainOrder([folder], tmp_path / "parts", TINY, steps=STEPS, threads=1), told.append)
    DetectorRecipe().train(TrainOrder([folder], tmp_path / "whole", TINY, steps=STEPS, threads=1), lambda line: None)
    assert f"begins at step {kept}" in told[0]
    one, other = (torch.load(tmp_path / name / "checkpoint.pt", weights_only=True) for name in ("whole", "parts"))
    assert one["step"] == other["step"] == STEPS
    for part in ("network", "average"):
        for name, value in one[part].items():
            torch.testing.assert_close(value, other[part][name], rtol=0, atol=0)
    assert (tmp_path / "parts" / "detector.onnx").exists()
