"""Pictures of a home: labels that are true, the same for the same seed, whole or not there."""

import signal
import subprocess
import sys
from functools import partial
from time import sleep

import numpy as np
import pytest
from card_mesh import write_card

from dadu.core.config import save
from dadu.core.errors import ConfigError
from dadu.core.work import WorkDone, Workers, WorkFailed, WorkPart
from dadu.house.catalogue import object_categories
from dadu.house.files import load_house
from dadu.house.furniture.pieces import furniture_model
from dadu.house.states import State
from dadu.learning.pictures.check import counts_of, problems_of
from dadu.learning.pictures.home import HomeOrder, house_of
from dadu.learning.pictures.run import begin, make_pictures
from dadu.learning.pictures.scene import PACKAGES, Scenery
from dadu.learning.pictures.splits import held_out_clusters
from dadu.learning.pictures.stage import Stage
from dadu.learning.pictures.store import PictureFolder
from dadu.robots import load_robot
from dadu.sim.mujoco.scene.state_look import shown_states


def test_a_made_folder_is_in_order(folder, settings):
    assert list(problems_of(folder)) == []
    counts = counts_of(folder)
    assert counts["train"].homes == 1 and counts["train"].pictures == settings.pictures


def test_labels_are_what_the_house_says(home):
    house = load_house(str(home.path / "house.yaml"))
    furniture = {piece.name: piece.category for piece in house.furniture}
    parts = {f"{piece.name}/{part.name}" for piece in house.furniture for part in furniture_model(piece).parts}
    objects = {thing.name: thing.category for thing in house.objects}
    seen = [label for labels in home.labels for label in labels.instances]
    assert {label.kind for label in seen} >= {"object", "furniture"}
    for label in seen:
        if label.kind == "object":
            assert objects[label.name] == label.category
        elif label.kind == "furniture":
            assert furniture[label.name] == label.category
        elif label.kind == "part":
            assert label.name in parts and 0 <= label.openness <= 1


def test_labels_are_where_the_pixels_are(home):
    for labels in home.labels:
        for label in labels.instances:
            rows, columns = np.nonzero(home.instances[labels.picture] == label.id)
            assert label.pixels == len(rows)
            assert label.box == (columns.min(), rows.min(), np.ptp(columns) + 1, np.ptp(rows) + 1)


def test_distances_are_those_of_the_measured_depth(home):
    """The labels come from the depth before the noise, which leaves most pixels within some centimetres."""
    errors = []
    for labels in home.labels:
        for label in labels.instances:
            mine = home.depth[labels.picture][home.instances[labels.picture] == label.id] / 1000
            if (mine > 0).sum() > 50 and label.distance < 3:
                errors.append(abs(mine[mine > 0].mean() - label.distance))
    assert len(errors) > 5 and np.median(errors) < 0.05


def test_the_same_seed_makes_the_same_pictures(folder, home, settings, order, tmp_path):
    list(make_pictures(begin(tmp_path, settings), [order], Workers()))
    for name in ("rgb", "depth", "instances"):
        again = np.load(tmp_path / "homes" / home.sheet.home / f"{name}.npy")
        assert np.array_equal(again, getattr(home, name)), name


def test_an_interrupted_run_keeps_whole_homes_alone_and_the_next_goes_on(settings, tmp_path):
    save(settings, tmp_path / "settings.yaml")
    command = [sys.executable, "-m", "dadu.cli", "data", "pictures", "--homes", "20", "--pictures", "4", "-j", "1",
               "--size", "64x48", "--settings", str(tmp_path / "settings.yaml"), "--out", str(tmp_path)]
    heard = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)  # what runs tests as a script's job ignores it
    with subprocess.Popen(command, stderr=subprocess.DEVNULL, preexec_fn=heard) as run:
        while not list((tmp_path / "homes").glob("[!.]*")):
            assert run.poll() is None
            sleep(0.05)
        run.send_signal(signal.SIGINT)
        assert run.wait(100) == 130
    whole, made = tmp_path / "homes" / "100000", sorted(home.name for home in (tmp_path / "homes").iterdir())
    assert made == [str(100_000 + i) for i in range(len(made))]
    before, folder = (whole / "rgb.npy").stat().st_mtime_ns, PictureFolder(tmp_path)
    orders = [HomeOrder(100_000 + i, "train") for i in range(len(made) + 1)]
    (done,) = [event for event in make_pictures(folder, orders, Workers(1)) if not isinstance(event, WorkPart)]
    assert isinstance(done, WorkDone) and done.item == orders[-1]
    assert (whole / "rgb.npy").stat().st_mtime_ns == before


def test_what_a_killed_run_left_is_thrown_away(settings, tmp_path):
    begin(tmp_path, settings)
    (tmp_path / "homes" / ".100003.17").mkdir()
    folder = begin(tmp_path, settings)
    assert list((tmp_path / "homes").iterdir()) == [] and list(folder.homes()) == []


def test_other_settings_are_refused_by_name(folder, settings):
    with pytest.raises(ConfigError, match="another configuration.*settings.scene: 3, now 4"):
        begin(folder.path, settings.model_copy(update={"scene": 4}))


def test_a_home_that_cannot_be_made_is_told_and_the_rest_goes_on(folder, order, settings):
    wrong = HomeOrder(0, "test", "no_such_house", "0")
    (event,) = [e for e in make_pictures(folder, [wrong, order], Workers(1)) if not isinstance(e, WorkPart)]
    assert isinstance(event, WorkFailed) and event.item == wrong and "no_such_house" in event.why


def test_training_homes_lack_what_is_held_out(home, settings):
    held_out = {category for cluster in held_out_clusters(settings.held_out, settings.held_out_seed)
                for category in cluster}
    house = load_house(str(home.path / "house.yaml"))
    assert len(held_out) >= 20 and not held_out & {thing.category for thing in house.objects}


def test_states_in_the_labels_are_those_that_show(home):
    house = load_house(str(home.path / "house.yaml"))
    items = {item.name: item for item in (*house.furniture, *house.objects)}
    told = [label for labels in home.labels for label in labels.instances if label.states]
    assert told
    assert all(set(label.states) <= shown_states(items[label.name]) for label in told)


def test_states_change_from_scene_to_scene_but_for_those_that_the_house_tells(home, settings):
    house = load_house(str(home.path / "house.yaml"))
    dish = next(thing for thing in house.objects if "is_clean" in shown_states(thing))
    told = [thing.model_copy(update={"states": {State.CLEAN: False}}) if thing is dish else thing
            for thing in house.objects]
    rng = np.random.default_rng(0)
    stage = Stage(house.model_copy(update={"objects": tuple(told)}), load_robot("stretch"), settings, rng)
    try:
        scenery, drawn = Scenery(stage, settings), {}
        for _ in range(8):
            scenery.change(rng)
            for thing in stage.things:
                for state, value in stage.states(thing).items():
                    drawn.setdefault((thing.name, state), set()).add(value)
    finally:
        stage.close()
    assert drawn.pop((dish.name, "is_clean")) == {False}
    assert np.mean([len(values) == 2 for values in drawn.values()]) > 0.5


def test_packages_have_labels_where_these_are_asked_for(order, settings):
    rng = np.random.default_rng(0)
    asked = settings.model_copy(update={"labelled": 1.0, "plain": 0.0})
    stage = Stage(house_of(order, asked, rng), load_robot("stretch"), asked, rng)
    try:
        Scenery(stage, asked).change(rng)
        model, labelled = stage.world.model, set()
        for geom in np.flatnonzero((stage.owner > 0) & (model.geom_matid >= 0)):
            if model.mat(model.geom_matid[geom]).name.startswith("label_"):
                labelled.add(stage.things[stage.owner[geom] - 1].category)
    finally:
        stage.close()
    assert labelled
    assert all(object_categories()[category].shape in PACKAGES for category in labelled)


def test_things_of_kinds_with_meshes_are_shown_by_them(order, settings, tmp_path):
    """Nobody says of what colour they are, and none of their states shows."""
    write_card(tmp_path, object_categories())
    folder = begin(tmp_path / "pictures", settings.model_copy(update={"meshes": str(tmp_path)}))
    list(make_pictures(folder, [order], Workers()))
    labels = [label for picture in next(folder.homes()).labels for label in picture.instances if label.kind == "object"]
    assert labels and all(label.mesh == "card" and label.color is None and not label.states for label in labels)
