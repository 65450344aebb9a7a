"""The report of a made-up run says what happened, and says so without help from outside."""

import html.parser
import re

import numpy as np
import pytest
from fake_run import STEPS, make_run

from dadu.core.geometry import rotation_z
from dadu.operator.report import Judgement, render, write_report
from dadu.operator.run.episode import read_episode
from dadu.perception.upright import quarter_turns


class Links(html.parser.HTMLParser):
    """Everything that a page loads or points to."""

    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag, attrs):
        self.found += [(tag, v) for k, v in attrs if k in ("src", "href") and v]


@pytest.fixture(scope="module")
def success(tmp_path_factory):
    """Directory and duration of a run that reached its goal."""
    run_dir = tmp_path_factory.mktemp("run")
    return run_dir, make_run(run_dir)


def test_a_success(success):
    run_dir, seconds = success
    path, episode, judgement = write_report(run_dir)
    page = path.read_text()
    assert judgement.confirmed and "Confirmed by ground truth" in page
    assert len(episode.steps) == len(STEPS) and episode.end == pytest.approx(seconds, abs=0.5)
    assert [s.code for s in episode.steps].count(40) == 1
    assert episode.path_length == pytest.approx(21, abs=4)
    assert episode.wall_seconds == pytest.approx((episode.end - episode.start) / 2.5, rel=0.05)
    links = Links()
    links.feed(page)
    assert all(v.startswith(("data:", "#")) or (run_dir / v).exists() for _, v in links.found)
    assert sum(v.startswith("data:image/jpeg") for _, v in links.found) == len(STEPS) + 1
    for text in ("dadu demo --seed 3", "grasp_slipped", "pick(milk_0)", "mujoco", "sim_bridge"):
        assert text in page


def test_a_failure_says_why(tmp_path):
    make_run(tmp_path, success=False)
    path, _, judgement = write_report(tmp_path)
    page = path.read_text()
    assert not judgement.confirmed
    assert "Not confirmed" in page and "50 % complete" in page
    assert "is_closed(fridge_0) never came true" in re.sub(r"\s+", " ", page)


def test_words_of_the_run_are_escaped(success):
    episode = read_episode(success[0])
    episode.steps[0].reasoning = "<script>alert(1)</script>"
    page = render(episode, None, Judgement(None, None, "<b>note</b>"), [None] * (1 + len(episode.steps)))
    assert "<script>" not in page and "&lt;script&gt;" in page and "<b>note" not in page


@pytest.mark.parametrize("turns", range(4))
def test_gravity_points_down_after_the_turns(turns):
    level = np.array([[0, 0, 1], [-1, 0, 0], [0, -1, 0]], float)  # optical axes of a level camera that looks along x
    R = rotation_z(0.7) @ level @ rotation_z(turns * np.pi / 2)
    picture = np.zeros((9, 9), int)
    down = R.T @ (0, 0, -1.0)
    picture[4 + round(3 * down[1]), 4 + round(3 * down[0])] = 1
    assert np.rot90(picture, quarter_turns(R))[7, 4] == 1
