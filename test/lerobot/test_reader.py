"""LeRobot's own reader reads what `dadu data episodes` writes."""

import numpy as np
import pytest
from recorded_skills import record_run

pytestmark = pytest.mark.needs("lerobot")


def test_lerobot_reads_it(tmp_path):
    from lerobot.datasets.lerobot_dataset import LeRobotDataset

    from dadu.learning.episodes.run import EpisodesOrder, write_episodes

    runs = [record_run(tmp_path / name) for name in ("one", "two")]
    assert [count for _, count in write_episodes(runs, EpisodesOrder(tmp_path / "set"))] == [3, 3]
    read = LeRobotDataset("local/set", root=tmp_path / "set", video_backend="pyav",
                          delta_timestamps={"action": [0.0, 0.1, 0.2]})
    assert (len(read), read.num_episodes, read.meta.robot_type) == (60, 6, "stretch")
    assert list(read.meta.tasks.index) == ["go to the red mug", "pick the red mug"]
    assert [e["outcome"] for e in read.meta.episodes][:3] == ["SUCCEEDED", "EXECUTION_FAILED", "SUCCEEDED"]
    for index in (0, 12, 29, 59):  # from both films, in any order
        frame = read[index]
        assert frame["observation.images.camera"].shape[0] == 3 and frame["action"].shape[0] == 3
        assert frame["task"].endswith("the red mug") and np.isfinite(frame["observation.state"]).all()
    assert read.meta.stats["action"]["mean"].shape == read[0]["action"][0].shape
