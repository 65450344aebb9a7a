"""Pictures of house files: varied like generated homes, true to what is the house's own, each in its folder."""

import numpy as np
import pytest
from typer.testing import CliRunner

from dadu.cli.verbs import app_of
from dadu.core.config import save
from dadu.house.catalogue import object_categories
from dadu.house.files import load_house
from dadu.house.placement import place_objects
from dadu.learning.pictures.check import problems_of
from dadu.learning.pictures.crowd import crowded, settled
from dadu.learning.pictures.home import HomeOrder
from dadu.learning.pictures.store import PictureFolder

app = app_of("dadu.cli.data", "pictures")

HUT = """
house: hut
rooms: [{name: room, category: kitchen, floor: [[0, 0], [4, 0], [4, 4], [0, 4]]}]
doors: []
furniture:
  - {name: table_0, category: dining_table, room: room, pose: [2.0, 3.0, -1.5708]}
  - {name: rack_0, category: wine_rack, room: room, pose: [3.7, 1.5, 3.1416], size: [0.3, 0.6, 0.8]}
objects:
  - {name: lantern_0, category: lantern, on: table_0, shape: cylinder, size: [0.1, 0.1, 0.2]}
  - {name: lantern_1, category: lantern, on: table_0, shape: cylinder, size: [0.12, 0.12, 0.18],
     attributes: {color: red}}
  - {name: mug_0, category: mug, on: table_0}
robot: {pose: [1.0, 1.0, 0.0]}
"""


@pytest.fixture
def hut_file(tmp_path):
    file = tmp_path / "hut.house.yaml"
    file.write_text(HUT)
    return file


@pytest.fixture
def hut(hut_file):
    return load_house(hut_file)


def test_places_that_a_file_leaves_open_stay_where_they_would_be(hut):
    before, after = place_objects(hut), place_objects(settled(hut))
    assert all(thing.at is not None for thing in settled(hut).objects)
    for name, place in before.items():
        np.testing.assert_allclose(after[name].position, place.position, atol=2e-4)
        assert after[name].deck == place.deck


def test_a_file_is_varied_like_a_generated_home(hut, settings):
    homes = [crowded(settled(hut), (), settings, np.random.default_rng([seed, 1])) for seed in range(6)]
    for home in homes:
        place_objects(home)
        assert {thing.name for thing in hut.objects} <= {thing.name for thing in home.objects}
        assert len(home.objects) > len(hut.objects)
    lanterns = [[thing for thing in home.objects if thing.category == "lantern"] for home in homes]
    assert max(map(len, lanterns)) > 2
    assert len({thing.size for home in lanterns for thing in home}) > 6
    assert {thing.shape.value for home in lanterns for thing in home} == {"cylinder"}
    assert len({thing.attributes.get("color") for home in lanterns for thing in home}) > 2


def test_files_of_the_same_name_have_folders_of_their_own(tmp_path):
    for folder, name in (("a", "mug_0"), ("b", "mug_1"), ("c", "mug_0")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "hut.house.yaml").write_text(HUT.replace("mug_0", name))
    names = [HomeOrder.from_file(str(tmp_path / folder / "hut.house.yaml"), 0, "test").name for folder in "abc"]
    assert names[0] == names[2] != names[1]  # the same house at two places is the same house
    assert all(name.startswith("hut-") for name in names)


def test_the_command_makes_variations_of_a_house_with_its_own_kinds_of_things(hut_file, settings, tmp_path):
    save(settings, tmp_path / "settings.yaml")
    out = tmp_path / "out"
    result = CliRunner().invoke(app, ["--house", str(hut_file), "--variations", "2", "--pictures", "6",
                                      "--size", "64x48", "--settings", str(tmp_path / "settings.yaml"),
                                      "--out", str(out)])
    assert result.exit_code == 0 and "2 of 2 homes, 12 pictures" in result.output
    assert list(problems_of(PictureFolder(out))) == []
    homes = list(PictureFolder(out).homes("test"))
    assert [home.sheet.seed for home in homes] == [0, 1]
    assert not np.array_equal(homes[0].rgb, homes[1].rgb)
    seen = {label.category for home in homes for labels in home.labels for label in labels.instances
            if label.kind == "object"}
    assert "lantern" in seen and "lantern" not in object_categories()
    assert any(thing.category == "lantern" for thing in load_house(homes[1].path / "house.yaml").objects)
