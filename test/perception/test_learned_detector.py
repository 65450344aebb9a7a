"""DaDu's own detector, with weights that see colours only: red is a mug, green a banana, blue a table."""

import random
from pathlib import Path

import numpy as np
import pytest
from colour_pictures import BLUE, GREEN, LEVEL, RED, frame
from scipy.spatial.transform import Rotation

from dadu.core.errors import ConfigError
from dadu.core.robot import CameraFrame
from dadu.knowledge import embedding as encoders
from dadu.perception.colors import NAMES
from dadu.perception.descriptions import Descriptions
from dadu.perception.detectors import make_detector
from dadu.perception.learned.crops import View
from dadu.perception.learned.detector import LearnedDetector, colors_of
from dadu.world.detection import Exemplar

WEIGHTS = Path(__file__).parent / "data" / "colours.onnx"
NAMER = WEIGHTS.with_name("namer.onnx")


@pytest.fixture(scope="module")
def detector():
    return LearnedDetector(WEIGHTS)


def seen(detector, frame):
    """Label to pixels, of every segment."""
    found = detector.segment(frame)
    return sorted((s.label, int((found.labels == i + 1).sum())) for i, s in enumerate(found.segments))


def test_things_and_furniture_are_cut_out_and_named(detector):
    picture = frame((BLUE, 40, 120, 240, 80, 1.5), (RED, 60, 80, 30, 40, 1.4), (GREEN, 200, 90, 40, 30, 1.4))
    assert seen(detector, picture) == [("banana", 1200), ("mug", 1200), ("table", 19200)]


def test_every_segment_has_an_embedding_and_a_score(detector):
    for segment in detector.segment(frame((RED, 60, 80, 30, 40, 1.4), (BLUE, 40, 120, 240, 80, 1.5))).segments:
        assert np.linalg.norm(segment.embedding) == pytest.approx(1, abs=1e-5) and 0.1 < segment.score <= 1


def test_what_touches_in_the_picture_is_split_where_depth_jumps(detector):
    apart = frame((RED, 60, 80, 30, 40, 1.2), (RED, 90, 80, 30, 40, 1.5))
    assert seen(detector, apart) == [("mug", 1200), ("mug", 1200)]
    together = frame((RED, 60, 80, 30, 40, 1.2), (RED, 90, 80, 30, 40, 1.205))
    assert seen(detector, together) == [("mug", 2400)]


def test_what_has_no_depth_is_seen_whole(detector):
    assert seen(detector, frame((RED, 60, 80, 60, 40, np.nan))) == [("mug", 2400)]
    assert seen(detector, frame((RED, 60, 80, 60, 40, 0.0))) == [("mug", 2400)]


def test_a_picture_of_another_size_is_seen_alike(detector):
    assert seen(detector, frame((RED, 60, 80, 32, 40, 1.4), scale=2)) == [("mug", 4 * 32 * 40)]


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_a_camera_that_lies_on_its_side_sees_alike(detector, turns):
    box = (RED, 100, 40, 32, 64, 1.4)
    roll = np.eye(4)
    roll[:3, :3] = Rotation.from_euler("z", 90 * turns, degrees=True).as_matrix()
    upright = frame(box)
    lying = CameraFrame(0.0, np.ascontiguousarray(np.rot90(upright.rgb, turns)), np.rot90(upright.depth, turns).copy(),
                        upright.K, LEVEL @ roll)
    found = detector.segment(lying)
    assert [s.label for s in found.segments] == ["mug"]
    np.testing.assert_array_equal(np.rot90(found.labels, -turns), detector.segment(upright).labels)


def test_nothing_is_seen_where_there_is_nothing(detector):
    found = detector.segment(frame())
    assert found.segments == () and not found.labels.any()


def test_a_house_s_own_kinds_of_things_are_named_by_their_words():
    detector = make_detector("learned", str(WEIGHTS), ["widget", "banana"])
    assert detector.objects.categories.count("widget") == 1 and detector.objects.categories.count("banana") == 1
    widget = detector.objects.points[detector.objects.categories.index("widget")]
    assert detector.objects.nearest(widget[None])[0].category == "widget"


def test_what_a_thing_is_said_to_look_like_finds_it():
    detector = LearnedDetector(WEIGHTS)
    detector.look_for("teapot", "something of my grandmother's")
    said = detector.objects.points[-1]
    assert detector.objects.nearest(said[None])[0].category == "teapot"


def test_what_was_shown_is_called_so_until_something_else_is_shown():
    detector = LearnedDetector(WEIGHTS)
    picture = frame((RED, 60, 80, 30, 40, 1.4), (GREEN, 200, 90, 40, 30, 1.4))
    looks = {segment.label: segment.embedding for segment in detector.segment(picture).segments}
    detector.show([Exemplar("balloon", looks["mug"]), Exemplar("other", np.array([1.0], np.float32))])
    assert sorted(label for label, _ in seen(detector, picture)) == ["balloon", "banana"], "no other network's counts"
    detector.show([Exemplar("mug", looks["mug"]), Exemplar("mug", looks["banana"])])
    assert [label for label, _ in seen(detector, picture)] == ["mug", "mug"]
    detector.show(())
    assert sorted(label for label, _ in seen(detector, picture)) == ["banana", "mug"]


def test_an_example_has_to_be_clearly_nearer_than_a_name():
    names = LearnedDetector(WEIGHTS).objects
    mug = names.points[names.categories.index("mug")]
    across = names.points[0] - (names.points[0] @ mug) * mug
    across /= np.linalg.norm(across)
    turned = [np.cos(angle) * mug + np.sin(angle) * across for angle in (0.5, 0.28, 0.255, 0.0)]
    names.show([Exemplar("balloon", turned[0])])
    assert [one.category for one in names.nearest(np.array(turned))] == ["balloon", "balloon", "mug", "mug"]


def test_a_colour_that_was_said_is_looked_for_in_the_pixels():
    detector = LearnedDetector(WEIGHTS)
    untold, = detector.segment(frame((RED, 60, 80, 30, 40, 1.4))).segments
    mug = detector.objects.points[detector.objects.categories.index("mug")]
    detector.look_for("mug", "a Red mug")
    np.testing.assert_array_equal(detector.objects.points[-1], mug)
    told, = detector.segment(frame((RED, 60, 80, 30, 40, 1.4))).segments
    assert told.label == "mug" and told.score > untold.score + 0.02
    detector.forget_looks()
    detector.look_for("mug", "green mug")
    other, = detector.segment(frame((RED, 60, 80, 30, 40, 1.4))).segments
    assert other.score < (2 * untold.score + told.score) / 3, "another one is looked for: that says next to nothing"


def test_colours_decide_between_names_that_are_as_near():
    names = LearnedDetector(WEIGHTS).objects
    mug, likeness = names.categories.index("mug"), names.likeness()
    rival = int((likeness[mug] - 2 * np.eye(len(likeness))[mug]).argmax())
    between = (names.points[mug] + 1.05 * names.points[rival])[None]
    between /= np.linalg.norm(between)
    red, green = (np.eye(len(NAMES))[[NAMES.index(name)]] for name in ("red", "green"))
    assert not names.colored and names.nearest(between)[0].category == names.categories[rival]
    names.describe("mug", "red mug")
    assert names.colored
    assert [names.nearest(between, seen)[0].category for seen in (red, green)] == ["mug", names.categories[rival]]


def test_words_told_of_another_kind_of_thing_are_read_anew():
    names = LearnedDetector(WEIGHTS).objects
    mug = names.points[names.categories.index("mug")]
    names.describe("mug", "red mug")
    names.describe("lemon", "red mug")
    assert names.categories[-1] == "lemon" and not np.allclose(names.points[-1], mug), "no other name of a lemon"


def test_colours_of_things_are_those_of_their_own_pixels():
    picture = frame((RED, 60, 80, 30, 40, 1.4), (GREEN, 200, 90, 40, 30, 1.4), scale=2)
    labels = np.zeros((120, 160), int)
    labels[40:60, 30:45], labels[45:60, 100:120] = 1, 2
    shares = colors_of(View.from_frame(picture), labels)
    assert shares[0, NAMES.index("red")] == 1 and shares[1, NAMES.index("green")] == 1 and shares.sum() == 2


def test_descriptions_are_few_each_once_and_end_with_the_task():
    detector = LearnedDetector(WEIGHTS)
    before = detector.objects.points.copy(), list(detector.objects.categories)
    for said in ("teapot", "", "Something  of my grandmother's", "something of my grandmother's"):
        detector.look_for("teapot", said)
    assert detector.objects.categories == [*before[1], "teapot"], "its name says no more, nor does what was said"
    for number in range(9):
        detector.look_for("lemon", f"fruit number {number}")
    assert detector.objects.categories == [*before[1], *4 * ["lemon"]] == detector.objects.categories
    assert len(detector.objects.points) == len(before[0]) + 4
    detector.forget_looks()
    assert detector.objects.categories == before[1]
    np.testing.assert_array_equal(detector.objects.points, before[0])


def test_a_description_told_again_is_the_newest():
    told = Descriptions()
    assert [told.add("mug", text) for text in ("a", "b", "c", "d", "a", "e")] == [True, True, True, True, False, True]
    assert list(told) == [("c", "mug"), ("d", "mug"), ("a", "mug"), ("e", "mug")]
    assert told.add("cup", "a") and dict(told)["a"] == "cup"
    assert told.clear() and not told.clear() and not list(told)


def test_missing_weights_end_in_a_sentence(tmp_path):
    with pytest.raises(ConfigError, match="no such file of weights; dadu train detector makes one"):
        LearnedDetector(tmp_path / "none.onnx")


def test_a_missing_namer_ends_in_a_sentence(tmp_path):
    (tmp_path / "detector.onnx").write_bytes(WEIGHTS.read_bytes())
    with pytest.raises(ConfigError, match="namer.onnx: no such file of weights; dadu train namer makes one"):
        LearnedDetector(tmp_path / "detector.onnx")


def test_weights_of_another_encoder_end_in_a_sentence(monkeypatch):
    monkeypatch.setattr("dadu.perception.learned.detector.default_embedder", encoders.LexicalEmbedder)
    with pytest.raises(ConfigError, match="needs the sentence encoder all-MiniLM-L6-v2, and lexical is there"):
        LearnedDetector(WEIGHTS)


@pytest.mark.parametrize("seed", range(40))
def test_mangled_weights_end_in_a_sentence(tmp_path, seed):
    rng = random.Random(seed)
    content, other = bytearray((WEIGHTS if seed % 2 else NAMER).read_bytes()), NAMER if seed % 2 else WEIGHTS
    if seed % 4 == 0:
        del content[rng.randrange(len(content)):]
    for _ in range(rng.randrange(1, 40)):
        if content:
            content[rng.randrange(len(content))] = rng.randrange(256)
    mangled, whole = ("colours", "namer") if seed % 2 else ("namer", "colours")
    (tmp_path / f"{mangled}.onnx").write_bytes(content)
    (tmp_path / f"{whole}.onnx").write_bytes(other.read_bytes())
    try:
        found = LearnedDetector(tmp_path / "colours.onnx").segment(frame((RED, 60, 80, 30, 40, 1.4)))
    except ConfigError as error:
        assert str(error)
    else:
        assert found.labels.shape == (240, 320)
