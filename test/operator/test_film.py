"""The film of a made-up run: what is in its pictures, and that it can be played."""

import numpy as np
import pytest
from fake_run import STEPS, make_run
from PIL import Image

from dadu.core.errors import MissingExtra
from dadu.operator.film import FILE, Caption, NoFilm, caption, captioned, pictures, write_animation, write_film
from dadu.operator.report import write_report
from dadu.operator.run.episode import read_episode


@pytest.fixture(scope="module")
def episode(tmp_path_factory):
    run_dir = tmp_path_factory.mktemp("run")
    make_run(run_dir)
    return read_episode(run_dir)


def test_it_shows_the_robot_on_its_way(episode):
    shown = list(pictures(episode, "confirmed", rate=0.2, width=160, height=120))
    assert len({p.shape for p in shown}) == 1 and shown[0].shape[0] % 2 == 0 and shown[0].shape[1:] == (160, 3)
    world = [p[:120].astype(int) for p in shown]
    assert all(p.std() > 15 for p in world)
    assert max(np.abs(a - b).mean() for a, b in zip(world, world[1:])) > 5, "the camera goes along"


def test_a_caption_says_what_is_done_and_how_it_ends(episode):
    third, fourth = episode.steps[2:4]
    assert caption(episode, third.start + 1.0, 8.0) == Caption(
        episode.instruction, "3  pick(milk_0)", "", f"{third.start + 1.0 - episode.start:.0f} s   8x")
    ended = caption(episode, (third.end + fourth.start) / 2, 8.0)
    assert (ended.outcome, ended.ok) == ("EXECUTION_FAILED grasp_slipped", False)
    assert caption(episode, episode.end, 8.0).line.startswith(str(len(STEPS)))


def test_words_have_a_strip_of_their_own():
    white = np.full((121, 200, 3), 255, np.uint8)
    told = captioned(white, Caption("bring " * 30, "1  go_to(a_very_long_name_of_a_place)", "FAILED " * 9, "3 s", True))
    assert (told[:121] == 255).all() and told.shape[0] % 2 == 0 and told[121:].std() > 10


def test_a_film_is_played(episode):
    av = pytest.importorskip("av")
    path = write_film(episode, "ground truth confirms the goal", rate=0.3)
    with av.open(str(path)) as film:
        codec, frames = film.streams.video[0].codec_context.name, list(film.decode(video=0))
    assert path.name == FILE and codec == "h264" and len(frames) > 3
    assert frames[0].height > 480 and frames[0].to_ndarray(format="rgb24").std() > 15
    assert 'src="run.mp4"' in write_report(episode.run_dir)[0].read_text()
    animated = path.with_name("run.webp")
    write_animation(episode, "confirmed", animated, rate=0.2, width=160, height=120)
    assert Image.open(animated).n_frames > 2


def test_where_there_is_no_film_it_is_said_why(episode, tmp_path, monkeypatch):
    monkeypatch.setattr(episode, "truth", [])
    with pytest.raises(NoFilm, match="simulated in MuJoCo"):
        next(pictures(episode, ""))
    make_run(tmp_path)
    monkeypatch.setattr("dadu.operator.report.write_film", _missing)
    assert "No film: it needs av" in write_report(tmp_path, film=True)[0].read_text()


def _missing(episode, verdict):
    raise MissingExtra("it needs av")
