"""Recorded runs as a LeRobot dataset: the files that the format asks for, what is in them, and a folder that is whole
or not there."""

import json

import numpy as np
import pytest
from recorded_skills import INSTRUCTION, SPEED, record_run

from dadu.core.errors import ConfigError

pytestmark = pytest.mark.needs("episodes")
CAMERA = "observation.images.camera"


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return record_run(tmp_path_factory.mktemp("runs") / "mug-run")


def write(runs, out, **how):
    from dadu.learning.episodes.run import EpisodesOrder, write_episodes

    return [count for _, count in write_episodes(runs, EpisodesOrder(out, **how))]


def rows(out, folder):
    import pyarrow.parquet as pq

    return [row for path in sorted((out / folder).glob("*/*.parquet")) for row in pq.read_table(path).to_pylist()]


@pytest.fixture(scope="module")
def dataset(run, tmp_path_factory):
    out = tmp_path_factory.mktemp("set") / "mugs"
    assert write([run], out) == [3]
    return out


def test_every_file_of_the_format_is_there_and_they_agree(dataset):
    import pyarrow as pa
    import pyarrow.parquet as pq

    info = json.loads((dataset / "meta/info.json").read_text())
    episodes, frames = rows(dataset, "meta/episodes"), rows(dataset, "data")
    assert info["codebase_version"] == "v3.0" and info["robot_type"] == "stretch"
    assert (info["total_episodes"], info["total_frames"]) == (len(episodes), len(frames)) == (3, 30)
    assert [f["index"] for f in frames] == list(range(30))
    for number, e in enumerate(episodes):
        mine = frames[e["dataset_from_index"]:e["dataset_to_index"]]
        assert {f["episode_index"] for f in mine} == {number} == {e["episode_index"]}
        assert [f["frame_index"] for f in mine] == list(range(e["length"]))
        assert np.allclose([f["timestamp"] for f in mine], np.arange(e["length"]) / info["fps"], atol=1e-6)
        assert e[f"videos/{CAMERA}/to_timestamp"] - e[f"videos/{CAMERA}/from_timestamp"] == pytest.approx(
            e["length"] / info["fps"])
        assert (dataset / info["data_path"].format(chunk_index=e["data/chunk_index"],
                                                   file_index=e["data/file_index"])).exists()
        assert (dataset / info["video_path"].format(
            video_key=CAMERA, chunk_index=e[f"videos/{CAMERA}/chunk_index"],
            file_index=e[f"videos/{CAMERA}/file_index"])).exists()
    schema = pq.read_schema(next((dataset / "data").glob("*/*.parquet")))
    for name, feature in info["features"].items():
        if feature["dtype"] != "video":
            assert schema.field(name).type == (pa.list_(pa.float32(), feature["shape"][0])
                                               if feature["shape"] != [1] else
                                               pa.bool_() if feature["dtype"] == "bool" else
                                               pa.type_for_alias(feature["dtype"])), name
    stats = json.loads((dataset / "meta/stats.json").read_text())
    assert stats.keys() >= {CAMERA, "action", "observation.state"}
    states = np.array([f["observation.state"] for f in frames])
    assert np.allclose(stats["observation.state"]["mean"], states.mean(0), atol=1e-5)
    assert np.allclose(stats["observation.state"]["std"], states.std(0), atol=1e-5)
    assert np.shape(stats[CAMERA]["mean"]) == (3, 1, 1) and 0 < stats[CAMERA]["mean"][0][0][0] < 1


def test_the_film_has_a_frame_for_each_row_upright_and_of_that_size(dataset):
    import av

    info = json.loads((dataset / "meta/info.json").read_text())
    with av.open(str(next((dataset / "videos").glob("*/*/*.mp4")))) as film:
        frames = list(film.decode(video=0))
    assert len(frames) == info["total_frames"]
    assert np.allclose([f.time for f in frames], np.arange(len(frames)) / info["fps"], atol=1e-4)
    assert [frames[0].height, frames[0].width] == info["features"][CAMERA]["shape"][:2]


def test_failures_and_what_made_up_for_them_are_labelled_by_their_outcome(dataset):
    import pyarrow.parquet as pq

    episodes, frames = rows(dataset, "meta/episodes"), rows(dataset, "data")
    assert [(e["outcome"], e["detail"], e["after"]) for e in episodes] == [
        ("SUCCEEDED", "", ""), ("EXECUTION_FAILED", "grasp_slipped", "SUCCEEDED"),
        ("SUCCEEDED", "", "EXECUTION_FAILED")]
    assert [e["tasks"] for e in episodes] == [["go to the red mug"], ["pick the red mug"], ["pick the red mug"]]
    assert {e["instruction"] for e in episodes} == {INSTRUCTION}
    assert [sum(f["next.success"] for f in frames if f["episode_index"] == i) for i in range(3)] == [1, 0, 1]
    assert [sum(f["next.done"] for f in frames if f["episode_index"] == i) for i in range(3)] == [1, 1, 1]
    assert {f["outcome"] for f in frames if f["episode_index"] == 1} == {40}
    tasks = pq.read_table(dataset / "meta/tasks.parquet").to_pylist()
    assert [(t["task_index"], t["__index_level_0__"]) for t in tasks] == [
        (0, "go to the red mug"), (1, "pick the red mug")]


def column(dataset, feature, name, episode):
    info = json.loads((dataset / "meta/info.json").read_text())
    at = info["features"][feature]["names"].index(name)
    return np.array([f[feature][at] for f in rows(dataset, "data") if f["episode_index"] == episode])


def test_actions_are_what_was_commanded_for_the_next_frame(dataset):
    assert np.allclose(column(dataset, "action", "base_vx", 0), SPEED)
    assert np.allclose(column(dataset, "action", "base_vx", 1), 0)
    lift, sent = column(dataset, "observation.state", "joint_lift", 1), column(dataset, "action", "joint_lift", 1)
    assert np.allclose(sent - lift, SPEED * 0.1, atol=0.006)
    assert np.allclose(column(dataset, "action", "gripper_aperture", 1), -0.03)
    assert np.allclose(column(dataset, "observation.state", "gripper_aperture", 1), 0.02)


def test_where_commands_were_not_recorded_the_next_measured_state_stands_for_them_and_that_is_said(tmp_path):
    out = tmp_path / "set"
    write([record_run(tmp_path / "old", commands=False)], out)
    lift, sent = column(out, "observation.state", "joint_lift", 1), column(out, "action", "joint_lift", 1)
    assert np.allclose(sent[:-1], lift[1:], atol=1e-6)
    assert "not in the bag" in json.loads((out / "meta/dadu.json").read_text())["runs"][0]["notes"][0]


def test_a_task_is_one_episode_with_its_steps(run, tmp_path):
    out = tmp_path / "tasks"
    assert write([run], out, each="task", width=40) == [1]
    (episode,), frames = rows(out, "meta/episodes"), rows(out, "data")
    assert episode["tasks"] == [INSTRUCTION] and episode["outcome"] == "SUCCEEDED"
    assert {f["step"] for f in frames} == {-1, 0, 1, 2} and {f["outcome"] for f in frames} == {-1, 0, 40}


def test_killed_in_the_middle_nothing_is_there_and_the_same_command_goes_on(run, tmp_path, monkeypatch):
    from dadu.learning.episodes import dataset as module

    other, out = record_run(tmp_path / "other"), tmp_path / "set"
    whole = tmp_path / "whole"
    write([run, other], whole)
    once = module._replace
    calls = []

    def dies(path, text):
        calls.append(path)
        if len(calls) == 2:
            raise KeyboardInterrupt
        once(path, text)
    monkeypatch.setattr(module, "_replace", dies)
    with pytest.raises(KeyboardInterrupt):
        write([run, other], out)
    assert not out.exists()
    monkeypatch.undo()
    assert write([run, other], out) == [0, 3]
    for file in ("meta/info.json", "meta/stats.json"):
        assert (out / file).read_text() == (whole / file).read_text()
    assert rows(out, "data") == rows(whole, "data") and not list(tmp_path.glob("set.*"))


def test_a_dataset_is_added_to_and_one_made_otherwise_is_refused(run, tmp_path):
    out = tmp_path / "set"
    write([run], out)
    assert write([run, record_run(tmp_path / "other")], out) == [0, 3]
    assert [f["index"] for f in rows(out, "data")] == list(range(60))
    with pytest.raises(ConfigError, match="another fps and features"):
        write([run], out, fps=5)
    (tmp_path / "mine").mkdir()
    with pytest.raises(ConfigError, match="no dataset of episodes"):
        write([run], tmp_path / "mine")
