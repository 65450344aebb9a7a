"""Photographs as somebody gives them: what is cut out of them, and what is refused."""

import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from dadu.core.errors import DaduError
from dadu.perception.learned.photograph import looks_of, photographed


def photograph(width=200, height=150, x=90, y=70, radius=30, grain=6):
    """A red disc on a table of light wood."""
    rng = np.random.default_rng(0)
    rows, columns = np.mgrid[:height, :width]
    rgb = np.empty((height, width, 3), float)
    rgb[:] = (200, 180, 140)
    rgb[np.hypot(columns - x, rows - y) < radius] = (190, 30, 30)
    return Image.fromarray(np.clip(rgb + rng.normal(0, grain, rgb.shape), 0, 255).astype(np.uint8))


@pytest.fixture
def saved(tmp_path):
    def save(image, name="thing.png", **how):
        image.save(tmp_path / name, **how)
        return tmp_path / name
    return save


def likeness(first, second):
    one, other = first.mask > 127, second.mask > 127
    return (one & other).sum() / (one | other).sum()


def test_the_thing_in_the_middle_or_in_a_box_is_cut_out(saved):
    alone, boxed = photographed(saved(photograph())), photographed(saved(photograph()), (55, 35, 70, 70))
    for crop in (alone, boxed):
        disc = crop.mask > 127
        assert np.median(crop.rgb[disc], axis=0) == pytest.approx((190, 30, 30), abs=12)
        filled = disc.sum() / (np.ptp(np.nonzero(disc)[0]) + 1) / (np.ptp(np.nonzero(disc)[1]) + 1)
        assert filled == pytest.approx(np.pi / 4, abs=0.06)
    assert likeness(boxed, photographed(saved(photograph()), (55, 35, 70, 70))) == 1


def test_what_is_transparent_is_background(saved):
    image = photograph()
    image.putalpha(Image.fromarray(np.where(np.mgrid[:150, :200][1] < 90, 255, 0).astype(np.uint8)))
    left = photographed(saved(image), (60, 40, 60, 60)).mask > 127
    columns = np.nonzero(left)[1]
    assert np.ptp(columns) < 0.65 * np.ptp(np.nonzero(left)[0])


def test_it_is_seen_as_the_camera_was_held(saved):
    turned = Image.Exif()
    turned[0x0112] = 6  # to be turned by 90 degrees to the right
    lying = photographed(saved(photograph(x=60).rotate(90, expand=True), "lying.png", exif=turned))
    assert likeness(lying, photographed(saved(photograph(x=60)))) > 0.95


def test_a_look_is_of_unit_length_and_has_the_same_name_again(saved):
    path = saved(photograph())
    (name, look), = looks_of([(path, None)]).items()
    assert np.linalg.norm(look) == pytest.approx(1, abs=1e-5)
    assert [*looks_of([(path, None), (path, (55, 35, 70, 70))])][0] == name
    assert len(looks_of([(path, None), (path, (55, 35, 70, 70))])) == 2


@pytest.mark.parametrize(("image", "box", "why"), [
    (photograph().convert("L"), None, "has no colours"),
    (photograph().convert("I;16"), None, "has no colours"),
    (photograph(20, 15, 10, 7, 3), None, "too little"),
    (photograph(), (0, 0, 3, 3), "too little"),
    (photograph(), (150, 100, 60, 30), "lies not in it"),
    (photograph(), (-1, 0, 60, 30), "lies not in it"),
    (photograph(radius=0, grain=0), None, "stands out|no colours"),
    (Image.new("RGBA", (90, 90), (255, 0, 0, 0)), None, "transparent"),
])
def test_what_shows_nothing_is_refused(saved, image, box, why):
    with pytest.raises(DaduError, match=why):
        photographed(saved(image), box)


def test_what_is_no_picture_is_refused(tmp_path):
    (tmp_path / "text.jpg").write_text("a mug")
    for path in (tmp_path / "text.jpg", tmp_path, tmp_path / "missing.jpg"):
        with pytest.raises(DaduError, match="no picture"):
            photographed(path)


def test_what_would_fill_memory_is_refused(saved, monkeypatch):
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 20_000)
    with pytest.raises(DaduError, match="exceeds limit"):
        photographed(saved(photograph()))


WHOLE = {kind: (photograph(60, 50, 30, 25, 15).save(data := io.BytesIO(), kind), data.getvalue())[1]
         for kind in ("PNG", "JPEG", "GIF", "BMP", "TIFF", "WEBP")}


@given(kind=st.sampled_from(sorted(WHOLE)), cut=st.floats(0, 1), changes=st.lists(
    st.tuples(st.floats(0, 1, exclude_max=True), st.integers(0, 255)), max_size=4))
def test_damaged_files_are_read_or_refused(tmp_path_factory, kind, cut, changes):
    data = bytearray(WHOLE[kind][:max(1, round(cut * len(WHOLE[kind])))])
    for place, value in changes:
        data[int(place * len(data))] = value
    path = tmp_path_factory.getbasetemp() / "damaged"
    path.write_bytes(data)
    try:
        assert photographed(path).mask.any()
    except DaduError:
        pass
