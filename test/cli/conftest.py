"""The command ``dadu`` in this process, which spares a test the start of another."""

import math
import subprocess
import sys

import pytest

from dadu.cli import main
from dadu.house.files import load_house, save_house
from dadu.house.format import Furniture


@pytest.fixture
def dadu(monkeypatch, capfd):
    """Runs the command line and gives what a process of its own would: exit status, stdout and stderr."""
    monkeypatch.setenv("COLUMNS", "80")

    def dadu(*words):
        monkeypatch.setattr(sys, "argv", ["dadu", *map(str, words)])
        capfd.readouterr()
        try:
            main()
            status = 0
        except SystemExit as end:
            status = end.code or 0
        return subprocess.CompletedProcess(words, status, *capfd.readouterr())

    return dadu


@pytest.fixture
def blocked_fridge(tmp_path):
    """The flat, a counter 0.3 m before the fridge's door."""
    house = load_house("flat")
    fridge = next(piece for piece in house.furniture if piece.name == "fridge_0")
    x, y, yaw = fridge.pose
    counter = Furniture(name="counter_9", category="counter", room=fridge.room,
                        pose=(x + 0.95 * math.cos(yaw), y + 0.95 * math.sin(yaw), yaw))
    path = tmp_path / "blocked.house.yaml"
    save_house(house.model_copy(update={"house": "blocked", "furniture": (*house.furniture, counter)}), path)
    return path
