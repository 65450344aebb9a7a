"""``dadu house``: what it prints, writes, and how it fails."""

import os
import subprocess
import sys

import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner

from dadu.cli.house import app
from dadu.core.errors import ConfigError


@pytest.fixture
def run():
    return lambda *arguments: CliRunner().invoke(app, arguments)


def test_list_names_the_flat(run):
    result = run("list")
    assert result.exit_code == 0 and "flat" in result.output


def test_check_counts_what_there_is(run):
    result = run("check", "flat")
    assert result.exit_code == 0 and "6 rooms" in result.output


def test_check_knows_what_the_robot_can_open(run, blocked_fridge):
    result = run("check", str(blocked_fridge))
    assert result.exit_code == 1 and "FAIL: fridge_0: door cannot be opened" in result.output
    assert "note: milk_0: there is no free place" in result.output
    assert "fridge_0 could be used if counter_9 were not in the way" in result.output


def test_draw_writes_a_picture(run, tmp_path):
    assert run("draw", "flat", "--out", str(tmp_path / "plan.png")).exit_code == 0
    width, height = Image.open(tmp_path / "plan.png").size
    assert width > height > 500


def test_draw_from_above_needs_no_screen(tmp_path):
    environment = {name: value for name, value in os.environ.items() if name not in ("MUJOCO_GL", "DISPLAY")}
    command = [sys.executable, "-m", "dadu.cli", "house", "draw", "flat", "--view", "above", "--out", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    assert np.std(Image.open(tmp_path / "flat_above.png")) > 10


def test_a_house_that_does_not_exist_is_an_error_with_the_choices(run):
    result = run("check", "palace")
    assert isinstance(result.exception, ConfigError) and "flat" in str(result.exception)


def test_generate_writes_a_house_that_checks(run, tmp_path):
    file = str(tmp_path / "home.house.yaml")
    assert run("generate", "--seed", "3", "--rooms", "2", "--out", file).exit_code == 0
    result = run("check", file)
    assert result.exit_code == 0 and "2 rooms" in result.output and "note" not in result.output


def test_generate_refuses_too_many_rooms(run, tmp_path):
    result = run("generate", "--seed", "3", "--rooms", "40", "--out", str(tmp_path / "home.house.yaml"))
    assert isinstance(result.exception, ConfigError) and "2 to 12" in str(result.exception)


def test_draw_names_the_picture_itself_in_a_folder(run, tmp_path):
    assert run("draw", "flat", "--out", str(tmp_path)).exit_code == 0
    assert (tmp_path / "flat.png").exists()
    assert run("draw", "flat", "--out", str(tmp_path / "plan.txt")).exit_code == 2
