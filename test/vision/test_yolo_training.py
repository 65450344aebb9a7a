"""`dadu train detector --architecture`: ultralytics' real trainer, from random weights, on a few small pictures."""

import pytest
from drawn_pictures import draw
from typer.testing import CliRunner

from dadu.cli.train.network import network_app
from dadu.perception.boxworld import SceneBox, look, render
from dadu.perception.detectors import make_detector

pytestmark = pytest.mark.needs("foundation")
FRAME = render([SceneBox("a", (1, 0, 1), (0.1, 0.2, 0.2)), SceneBox("b", (2, 0, 1), (0.1, 3, 3))],
               look((0, 0, 1), (1, 0, 1)), scale=4)


class Killed(BaseException):
    """As by SIGKILL: nothing is tidied up."""


def test_yolo_is_trained_goes_on_after_a_kill_and_looks(tmp_path, monkeypatch):
    from ultralytics.models.yolo.segment import SegmentationTrainer

    from dadu.perception import ultralytics_detector

    draw(tmp_path / "data")
    command = [str(tmp_path / "data"), "--architecture", "yolo11n-seg", "--epochs", "2", "--threads", "2",
               "--out", str(tmp_path / "run")]
    save = SegmentationTrainer.save_model

    def save_and_die(trainer):
        save(trainer)
        raise Killed

    with monkeypatch.context() as patched:
        patched.setattr(SegmentationTrainer, "save_model", save_and_die)
        with pytest.raises(Killed):
            CliRunner().invoke(network_app("detector"), command, catch_exceptions=False)
    told = CliRunner().invoke(network_app("detector"), command, catch_exceptions=False).output
    assert "goes on after epoch 1" in told
    epochs = [line.split(",")[0] for line in (tmp_path / "run" / "results.csv").read_text().splitlines()[1:]]
    assert epochs == ["1", "2"]
    assert "has ended" in CliRunner().invoke(network_app("detector"), command, catch_exceptions=False).output

    monkeypatch.setattr(ultralytics_detector, "_CONFIDENCE", 1e-6)
    detector = make_detector("yolo", str(tmp_path / "run" / "weights" / "best.pt"))
    assert set(detector._model.names.values()) == {"banana", "mug", "table"}
    segmentation = detector.segment(FRAME)
    assert segmentation.labels.shape == FRAME.depth.shape
    assert {segment.label for segment in segmentation.segments} <= {"banana", "mug", "table", "dining_table"}
