"""Houses in ProcTHOR's format become house files: axes, walls, boards, footprints, and what cannot be is told."""

import gzip
import json
import math

import pytest
from typer.testing import CliRunner

from dadu.cli.verbs import app_of
from dadu.core.errors import ConfigError
from dadu.house.files import load_house
from dadu.house.furniture.pieces import furniture_model
from dadu.house.overlaps import overlaps
from dadu.house.placement import place_objects
from dadu.imports.procthor.run import import_houses
from dadu.imports.report import REPORT_FILE
from dadu.sim.mujoco.scene.house_mjcf import build_spec

app = app_of("dadu.cli.import_", "procthor")


@pytest.fixture
def imported(houses):
    ((house, report),) = import_houses(houses)
    assert house is not None, report.left_out
    return house, report


def piece_of(house, category):
    return next(p for p in house.furniture if p.category == category)


def test_rooms_and_the_door_are_where_they_were(imported):
    house, _ = imported
    assert {room.name: len(room.floor) for room in house.rooms} == {"living_room": 6, "bedroom": 4}
    (door,) = house.doors
    assert door.between == ("living_room", "bedroom") and door.width == pytest.approx(1.2)
    assert door.at == pytest.approx((5.0, 1.4))  # along the wall from its first corner


def test_everything_is_taken_over_or_named(imported):
    house, report = imported
    assert report.taken == {"rooms": 2, "doors": 1, "furniture": len(house.furniture), "objects": 6}
    assert {omission.item: omission.reason for omission in report.left_out} == {
        "u-boat": "there is no counterpart to a Submarine", "ghost": "its asset is not in the database"}


def test_furniture_leaves_the_walls_by_half_a_wall(imported):
    house, report = imported
    assert not [sentence for sentence in overlaps(house) if "wall" in sentence]
    out = [change.by for change in report.changes if change.what.endswith("out of walls")]
    assert out and max(out) < 0.12


def test_a_front_along_their_z_is_along_our_x(imported):
    bed = piece_of(imported[0], "bed")
    assert bed.pose[2] == pytest.approx(math.pi / 2, abs=1e-4) and bed.size == (2.0, 1.0, 1.0)


def test_a_counter_round_a_corner_has_two_boards_and_free_floor(imported):
    counter = piece_of(imported[0], "counter")
    decks = {deck.name: deck for deck in furniture_model(counter).decks}
    assert set(decks) == {"top", "left_top"} and counter.notch.side == "right"
    assert sum(math.prod(deck.size) for deck in decks.values()) == pytest.approx(1.83 * 1.22 - 1.22 * 0.61)


def test_appliances_stand_on_furniture(imported):
    house, _ = imported
    assert piece_of(house, "microwave").elevation == pytest.approx(0.9)
    assert sorted(p.elevation for p in house.furniture if p.category == "television") == pytest.approx([0.5, 1.2])


def test_what_hangs_on_walls_keeps_its_height_and_carries_nothing(imported):
    house, _ = imported
    assert piece_of(house, "window").elevation == pytest.approx(1.0)
    assert piece_of(house, "front_door").elevation == 0.0
    for category in ("window", "front_door", "painting"):
        assert furniture_model(piece_of(house, category)).decks == ()


def test_things_stand_on_the_board_that_they_stood_on(imported):
    house, report = imported
    heights = {name: p.position[2] - p.model.size[2] / 2 for name, p in place_objects(house).items()}
    assert heights["pillow_0"] == pytest.approx(0.5, abs=0.01), "on the mattress, which the box does not show"
    assert heights["mug_2"] == pytest.approx(1.2, abs=0.01), "on a dresser higher than most"
    assert heights["mug_1"] == pytest.approx(0.2, abs=0.01), "in the stand, under the screen"
    lowered = {change.item: change.by for change in report.changes if "to a board" in change.what}
    assert lowered["hovers"] == pytest.approx(-0.5, abs=0.01) and "pillow" not in lowered


def test_a_ball_lies_on_the_floor(imported):
    house, _ = imported
    ball = next(thing for thing in house.objects if thing.category == "basketball")
    assert ball.room == "living_room" and ball.at == pytest.approx((2.5, 2.5))


def test_the_same_file_makes_the_same_house(houses, imported):
    assert next(iter(import_houses(houses)))[0] == imported[0]


def test_the_command_writes_houses_that_load_and_compile(houses, tmp_path):
    many = tmp_path / "street.jsonl.gz"
    many.write_bytes(gzip.compress((houses.read_text() + "\n" + houses.read_text() + "\n").encode()))
    out = tmp_path / "out"
    done = CliRunner().invoke(app, [str(many), "--out", str(out), "--index", "1"])
    assert done.exit_code == 0 and "2 objects: " not in done.output and "1 objects: its asset" in done.output
    assert sorted(path.name for path in out.iterdir()) == [REPORT_FILE, "street_1.house.yaml"]
    assert build_spec(load_house(out / "street_1.house.yaml")).compile().nbody > 10


@pytest.mark.parametrize(("break_it", "says"), [
    (lambda data: data["rooms"][0].update(floorPolygon=[]), "floorPolygon"),
    (lambda data: data["objects"][0].pop("assetId"), "assetId"),
    (lambda data: data["objects"][0]["position"].update(x=float("nan")), "position.x"),
])
def test_a_file_that_is_something_else_is_an_error_with_the_field(houses, break_it, says):
    data = json.loads(houses.read_text())
    break_it(data)
    houses.write_text(json.dumps(data))
    with pytest.raises(ConfigError, match=says):
        list(import_houses(houses))


def test_no_json_no_house_and_no_assets_are_errors(houses, tmp_path):
    with pytest.raises(ConfigError, match="valid: 0 to 0"):
        list(import_houses(houses, index=[3]))
    (tmp_path / "asset-database.json").unlink()
    with pytest.raises(ConfigError, match="--assets"):
        list(import_houses(houses))
    houses.write_text("a house")
    with pytest.raises(ConfigError, match="line 1"):
        list(import_houses(houses, tmp_path / "none.json"))


def test_a_house_that_cannot_be_is_left_out_with_its_reason(houses):
    data = json.loads(houses.read_text())
    data["rooms"][0]["floorPolygon"] = [{"x": 0, "z": 0}, {"x": 0.1, "z": 0}, {"x": 0.1, "z": 0.1}]
    houses.write_text(json.dumps(data))
    ((house, report),) = import_houses(houses)
    assert house is None and not report.taken and report.left_out[-1].kind == "houses"
