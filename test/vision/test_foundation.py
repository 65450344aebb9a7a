"""Detectors of foundation models on the real classes of transformers: small, with random weights. That they see
something is not asked here, but that pictures, words, boxes, masks and errors go through them as they must."""

import numpy as np
import pytest

from dadu.core.errors import ConfigError
from dadu.perception.detectors import make_detector
from dadu.perception.namer import Cut
from dadu.perception.namers import make_namers
from dadu.perception.pipeline import perceive
from test.support.boxworld import SceneBox, look, render

pytestmark = pytest.mark.needs("foundation")
FRAME = render([SceneBox("a", (1, 0, 1), (0.1, 0.2, 0.2)), SceneBox("b", (2, 0, 1), (0.1, 3, 3))],
               look((0, 0, 1), (1, 0, 1)), scale=4)
PHRASES = ["mug", "milk carton", "soda can", "very long name of a thing"]


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    from tiny_models import TINY

    folder = tmp_path_factory.mktemp("tiny")
    for name, make in TINY.items():
        make(folder / name)
    return folder


def finder(name, folder):
    from dadu.perception.foundation.by_words import GroundingDino, Owlv2

    return {"grounding_dino": GroundingDino, "owlv2": Owlv2}[name](str(folder / name))


@pytest.mark.parametrize("name", ["grounding_dino", "owlv2"])
def test_every_phrase_has_a_score_in_every_box(name, tiny):
    boxes = finder(name, tiny).find(FRAME.rgb, PHRASES)
    assert boxes.scores.shape == (len(boxes.corners), len(PHRASES)) and len(boxes.corners)
    assert ((0 <= boxes.scores) & (boxes.scores <= 1)).all() and (boxes.scores.max(axis=0) > 0).all()


def test_phrases_are_scored_by_their_own_tokens(tiny):
    dino = finder("grounding_dino", tiny)
    texts = list(dino._texts(PHRASES))
    assert len(texts) > 1 and [index for _, spans in texts for index, *_ in spans] == [0, 1, 2, 3]
    for text, spans in texts:
        ids = dino._processor.tokenizer(text).input_ids
        assert len(ids) <= dino._model.config.max_text_len
        for index, first, end in spans:
            assert dino._processor.tokenizer.decode(ids[first:end]) == PHRASES[index]


def test_boxes_are_the_same_as_those_of_the_library(tiny):
    """Ours keep the scores of all phrases; the likeliest is that of the library's own postprocessing."""
    import torch

    owl = finder("owlv2", tiny)
    queries = [f"a photo of a {phrase}" for phrase in PHRASES]
    inputs = owl._processor(images=FRAME.rgb, text=[queries], return_tensors="pt")
    with torch.inference_mode():
        theirs = owl._processor.post_process_grounded_object_detection(
            owl._model(**inputs), 0.0, target_sizes=[FRAME.rgb.shape[:2]])[0]
    ours = owl.find(FRAME.rgb, PHRASES)
    np.testing.assert_allclose(ours.corners, theirs["boxes"].numpy(), atol=1e-2)
    np.testing.assert_allclose(ours.scores.max(axis=1), theirs["scores"].numpy(), atol=1e-5)


def test_a_mask_for_each_box(tiny):
    from dadu.perception.foundation.loading import Sam2

    corners = np.array([[10, 10, 40, 50], [60, 20, 90, 70], [0, 0, 20, 20]], np.float32)
    masks = Sam2(str(tiny / "sam2")).masks(FRAME.rgb, corners)
    assert masks.shape == (3, *FRAME.depth.shape) and masks.dtype == bool


@pytest.mark.parametrize("name", ["clip", "siglip"])
def test_pictures_and_words_are_points_of_one_sphere(name, tiny):
    from dadu.perception.foundation.loading import PictureTextEncoder

    encoder = PictureTextEncoder(str(tiny / name))
    pictures, words = encoder.pictures([FRAME.rgb, FRAME.rgb[:20, :30]]), encoder.phrases(["a mug", "a soda can"])
    assert pictures.shape == words.shape and pictures.shape[0] == 2
    np.testing.assert_allclose(np.linalg.norm(np.vstack([pictures, words]), axis=1), 1, atol=1e-5)
    np.testing.assert_allclose(encoder.pictures([FRAME.rgb])[0], pictures[0], atol=1e-4)  # whatever is beside it
    np.testing.assert_allclose(encoder.phrases(["a mug"])[0], words[0], atol=1e-4)


@pytest.mark.parametrize("name", ["clip", "siglip"])
def test_what_the_network_cuts_out_is_named_by_another(name, tiny):
    """As the library itself has it: a softmax of the model's own logits, where a name goes by one word."""
    import torch
    from transformers import AutoModel, AutoProcessor

    namer, words = make_namers((name,), (str(tiny / name),))[0], ["gizmo", "holo_projector"]
    cuts = [Cut(rgb, np.ones(rgb.shape[:2], bool)) for rgb in (FRAME.rgb[:20, :20], FRAME.rgb[40:100, 60:120])]
    told = namer.chances(cuts, words)
    model, processor = AutoModel.from_pretrained(tiny / name).eval(), AutoProcessor.from_pretrained(tiny / name)
    how = {"padding": "max_length" if name == "siglip" else True, "truncation": True}
    inputs = processor(text=["a photo of a gizmo", "a photo of a holo projector"], images=[cut.rgb for cut in cuts],
                       return_tensors="pt", **how)
    with torch.inference_mode():
        theirs = model(**inputs).logits_per_image.softmax(dim=1).numpy()
    np.testing.assert_allclose(told, theirs, atol=1e-4)
    detector = make_detector("learned", f",{tiny / name}", ["holo_projector"], namer=f"own+{name}")
    assert detector.asked[1][0].weights == str(tiny / name) and perceive(FRAME, detector).detector == "learned"
    with pytest.raises(ConfigError, match="valid: " + name):
        make_detector("learned", f",{tiny / 'owlv2'}", namer=name)


@pytest.mark.parametrize("name", ["grounding_dino", "owlv2"])
def test_from_picture_to_map(name, tiny, monkeypatch):
    detector = make_detector(name, f"{tiny / name},{tiny / 'sam2'},{tiny / 'siglip'}", ["holo_projector"])
    detector.look_for("mug", "a red one with a handle")
    monkeypatch.setattr(detector, "_least", 0.0)  # random weights are sure of nothing
    segmentation = detector.segment(FRAME)
    assert segmentation.segments and segmentation.labels.shape == FRAME.depth.shape
    assert all(s.embedding is not None and s.label not in dict(s.others) for s in segmentation.segments)
    assert "holo_projector" in detector._phrases.values() and perceive(FRAME, detector).detector == name
    assert dict(detector._described) == {"a red one with a handle": "mug"}
    detector.forget_looks()
    assert not dict(detector._described)


def test_wrong_weights_end_in_a_sentence(tiny, tmp_path):
    with pytest.raises(ConfigError, match="cannot be loaded.*hub or a folder"):
        make_detector("owlv2", str(tmp_path))
    with pytest.raises(ConfigError, match="are of clip, which gives no boxes by words; valid: owlv2"):
        make_detector("owlv2", str(tiny / "clip"))
    with pytest.raises(ConfigError, match="three at most"):
        make_detector("grounding_dino", "a,b,c,d")
    with pytest.raises(ConfigError, match="cannot be left out"):
        make_detector("grounding_dino", f"{tiny / 'grounding_dino'},-")
