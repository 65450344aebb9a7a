"""The robot's map laid over the true one: what is found, called otherwise, twice there, not there, missed."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dadu.core.geometry import Pose2
from dadu.eval.episode.backends import make_backend
from dadu.eval.episode.observer import Trace
from dadu.eval.episode.trial import Trial
from dadu.eval.mapped.record import Mark
from dadu.eval.mapped.watch import MapWatch, Real, Shown, compare
from dadu.eval.options import EvalOptions
from dadu.eval.report.cards import draw_maps
from dadu.eval.results import EpisodeResult
from dadu.eval.run import _write_trace, read_trace
from dadu.eval.summary import map_errors
from dadu.skills.call import SkillCall
from dadu.tasks.prepare import prepare_all
from dadu.tasks.suite import load_suite
from dadu.world.boxes import OrientedBox
from dadu.world.detection import DetectionFrame
from dadu.world.graph import Entity, Kind
from dadu.world.state import TrueWorld

HERE = Pose2(0.0, 0.0, 0.0)


def real(name, x, y=0.0, held=False):
    return Real(name, name.rstrip("_0123456789"), OrientedBox.upright(x, y, 0.75, 0.0, (0.08, 0.08, 0.1)), held)


def entry(id, x, y=0.0, z=0.8, category="", **more):
    return Entity(id, Kind.OBJECT, category or id.rstrip("_0123456789"), (x, y, z), size=(0.08, 0.08, 0.1), **more)


TRUE = [real("apple_0", 0.0), real("mug_0", 1.0), real("book_0", 2.0), real("book_1", 3.0)]
SHOWN = {"apple_0", "mug_0", "book_0"}


def laid_over(entries, held="", frame=HERE):
    return compare(entries, held, frame, TRUE, SHOWN, Kind.OBJECT)


def test_every_entry_and_every_thing_gets_a_mark():
    found = laid_over([entry("apple_7", 0.03), entry("cup_0", 1.02), entry("apple_8", -0.04, confidence=0.3),
                       entry("ghost_0", 5.0)])
    assert found.believed == {"apple_7": Mark.FOUND, "cup_0": Mark.MISNAMED, "apple_8": Mark.DUPLICATE,
                              "ghost_0": Mark.FALSE}
    assert found.true == {"apple_0": Mark.FOUND, "mug_0": Mark.MISNAMED, "book_0": Mark.MISSED,
                          "book_1": Mark.NOT_SHOWN}, "what was never in view cannot be missed"
    e = found.errors
    assert (e.shown, e.found, e.missed, e.misnamed, e.duplicates, e.false, e.doubted) == (3, 2, 1, 1, 1, 1, 1)
    assert e.place_error == pytest.approx(0.025)
    assert found.means["apple_8"] == "apple_0"


def test_the_right_name_is_preferred_to_the_nearer_one():
    assert laid_over([entry("pear_0", 0.0), entry("apple_3", 0.1)]).believed == {
        "pear_0": Mark.DUPLICATE, "apple_3": Mark.FOUND}


def test_what_is_in_the_hand_is_what_is_held_wherever_memory_draws_it():
    carried = [replace(TRUE[0], held=True)]
    found = compare([entry("apple_0", 9.0)], "apple_0", HERE, carried, {"apple_0"}, Kind.OBJECT)
    assert found.believed == {"apple_0": Mark.FOUND} and found.errors.place_error is None


def test_nothing_and_nothing():
    assert laid_over([]).errors.missed == 3
    empty = compare([entry("apple_0", 0.0)], "", HERE, [], set(), Kind.OBJECT)
    assert empty.believed == {"apple_0": Mark.FALSE}


@given(st.floats(-5, 5), st.floats(-5, 5), st.floats(-3.1, 3.1))
def test_a_map_made_from_elsewhere_is_laid_over_first(x, y, yaw):
    frame = Pose2(x, y, yaw)
    there = [tuple(frame.inverse().apply(t.box.centre[:2])) for t in TRUE]
    found = laid_over([entry(t.name, *map(float, p)) for t, p in zip(TRUE, there)], frame=frame)
    assert set(found.believed.values()) == {Mark.FOUND} and found.errors.place_error < 1e-3


def picture(depth, stamp):
    """Level along +x from (0, 0, 0.8), all of it `depth` [m] away."""
    T = np.eye(4)
    T[:3, :3] = [[0, 0, 1], [-1, 0, 0], [0, -1, 0]]
    T[2, 3] = 0.8
    K = np.array([[500.0, 0, 320], [0, 500, 240], [0, 0, 1]])
    return DetectionFrame(stamp, T, K, 640, 480, np.full((60, 80), depth, np.float32), ())


@pytest.mark.parametrize(("depth", "shown"), [(1.46, {"mug"}), (1.0, set()), (2.4, {"vase"})])
def test_in_view_is_what_the_depth_ends_at(depth, shown):
    views, things = Shown(), {name: OrientedBox.upright(x, 0.0, 0.75, 0.0, (0.08, 0.08, 0.1))
                              for name, x in (("mug", 1.5), ("vase", 2.44), ("far", 3.0), ("behind", -1.0))}
    views.take(picture(depth, 1.0), HERE, things)
    views.take(picture(depth, 1.0), HERE, things)
    assert views.names() == set(), "the same picture twice is one"
    views.take(picture(depth, 1.5), HERE, things)
    assert views.names() == shown


@pytest.fixture(scope="module")
def backend(tmp_path_factory):
    path = tmp_path_factory.mktemp("suite") / "s.suite.yaml"
    path.write_text("""{suite: s, episodes: [{id: a, instruction: go to the kitchen, house: flat, known: nothing,
        goal: {propositions: [{is_in_room: [[lemon_0], [kitchen]]}]}}]}""")
    prepared = prepare_all(*load_suite(path))[0]
    made = make_backend(prepared, EvalOptions(perception="ground_truth", privilege="instances"))
    yield made, prepared
    made.stack.close()


def test_a_robot_that_looks_about_and_its_map_are_kept_with_the_run_and_drawn(backend, tmp_path):
    system, prepared = backend
    watch = MapWatch(furniture_told=False)
    system.watch(lambda: watch.look(system.belief(), system.believed_pose(), TrueWorld(prepared.layout,
                                                                                        system.truth())))
    system.stack.execute(SkillCall("explore", ("unknown",)), cancelled=lambda: system.stack.now() > 8.0)
    world = TrueWorld(prepared.layout, system.truth())
    figures, record = watch.finish(system.belief(), system.believed_pose(), world)
    things = len(system.stack.graph().of(Kind.OBJECT))
    assert figures.objects.found + figures.objects.missed == figures.objects.shown
    assert figures.objects.false == 0 and figures.objects.duplicates == 0, "the simulator's own picture"
    assert 0 < things <= list(record.true_marks.values()).count(Mark.FOUND)
    assert figures.furniture is not None and Mark.NOT_SHOWN in record.true_marks.values()

    result = EpisodeResult(id="a", seed=-1, instruction="", success=False, map=figures)
    (tmp_path / "traces").mkdir()
    _write_trace(tmp_path, Trial(result, Trace(map=record, chart=system.belief().chart)))
    kept = read_trace(tmp_path, result)
    assert kept.map == record and kept.chart is not None
    maps = draw_maps(prepared, kept, figures)
    assert maps.robot.count("<title>") >= things and "fp-chart" in maps.robot and "fp-chart" not in maps.true
    assert draw_maps(prepared, Trace(), None) is None


def test_sums_over_episodes_leave_out_those_not_measured():
    found = laid_over([entry("apple_7", 0.0)]).errors
    rows = [EpisodeResult(id=str(i), seed=0, instruction="", success=True, map=m)
            for i, m in enumerate([{"objects": found}, {"objects": found}, None])]
    assert map_errors(rows)["objects"]["missed"] == 4 and map_errors(rows)["objects"]["episodes"] == 2
    assert "furniture" not in map_errors(rows)
