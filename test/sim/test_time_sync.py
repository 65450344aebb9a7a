"""The clock waits for what nodes at work owe, a stated while past the oldest of it, and for nobody for ever."""

import threading
import time
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_worlds import simulation

from dadu.sim.engine import Engine, Listener
from dadu.sim.pacing import Brake, Pacer, PacingSettings
from dadu.sim.settings import CameraSettings, EngineSettings, LaserSettings, SimulationSettings
from dadu.sim.time_sync import BacklogSettings, TimeSyncBacklog, Work, WorkReport

SETTINGS = BacklogSettings(picture=0.4, detections=1.0, scan=0.3, tick=0.2, patience=0.1)
TASK = WorkReport("planner", Work.TASK, 1.0)
FOREVER = float("inf")


def backlog(*words, pictures=()):
    out = TimeSyncBacklog(SETTINGS)
    for stamp in pictures:
        out.give(Work.PICTURE, stamp)
    for word in words:
        out.hear(word)
    return out


@pytest.mark.parametrize("words, limit", [
    ((), FOREVER),
    ((WorkReport("grasp", Work.TICK, 5.0),), 5.2),
    ((WorkReport("grasp", Work.TICK, 5.0), WorkReport("grasp", Work.TICK, 5.05)), 5.25),
    ((WorkReport("grasp", Work.TICK, 5.0), WorkReport("grasp", Work.TICK, None)), FOREVER),
    ((TASK, WorkReport("perception", Work.PICTURE, 4.0)), 4.6),  # owes that of 4.2 s
    ((TASK, WorkReport("perception", Work.PICTURE, 4.2 + 1e-8)), 4.8),
    ((TASK, WorkReport("perception", Work.PICTURE, 4.4)), FOREVER),
    ((TASK, WorkReport("memory", Work.DETECTIONS, 4.0)), 5.2),
    ((TASK, WorkReport("navigation", Work.SCAN, 4.0)), FOREVER),  # no scan was given
    ((TASK, WorkReport("memory", Work.DETECTIONS, 4.2), WorkReport("grasp", Work.TICK, 5.3)), 5.4),
])
def test_the_oldest_that_is_owed_sets_the_limit(words, limit):
    assert backlog(*words, pictures=(4.0, 4.2, 4.4)).limit() == pytest.approx(limit)


def test_nobody_is_waited_for_while_nobody_is_at_work():
    late = WorkReport("perception", Work.PICTURE, 1.0)
    assert backlog(late, pictures=(2.0,)).limit() == FOREVER
    assert backlog(late, TASK, pictures=(2.0,)).limit() == pytest.approx(2.4)
    assert backlog(late, TASK, replace(TASK, until=None), pictures=(2.0,)).limit() == FOREVER


def test_who_is_written_off_counts_again_with_its_next_word():
    of = backlog(WorkReport("grasp", Work.TICK, 5.0), WorkReport("memory", Work.DETECTIONS, 4.9), pictures=(5.0,))
    assert of.write_off(5.5) == ("grasp",)
    of.hear(TASK)
    assert of.limit() == pytest.approx(6.0)
    of.hear(WorkReport("grasp", Work.TICK, 5.6))
    assert of.limit() == pytest.approx(5.8)


def test_a_world_that_starts_over_leaves_no_debts():
    of = backlog(TASK, WorkReport("perception", Work.PICTURE, 90.0), pictures=(99.0,))
    of.give(Work.PICTURE, 0.2)
    assert of.limit() == FOREVER


WORDS = st.builds(WorkReport, st.sampled_from("abc"), st.sampled_from(Work), st.none() | st.floats(0.0, 10.0))


@given(st.lists(WORDS, max_size=30), st.lists(st.floats(0.0, 10.0), max_size=20))
def test_nothing_is_owed_longer_than_stated_and_the_clock_waits_for_nothing_else(words, stamps):
    of = backlog(*words, pictures=sorted(stamps))
    for stamp in sorted(stamps):
        of.give(Work.SCAN, stamp)
    newest = {(w.node, w.work): w.until for w in words}
    owed = [FOREVER]
    for (_, work), until in newest.items():
        if until is None or work is Work.TASK:
            continue
        due = [until] if work is Work.TICK else [stamp for stamp in stamps if stamp > until + 1e-6]
        owed += [stamp + getattr(SETTINGS, work.value) for stamp in due]
    working = any(until is not None and work in (Work.TICK, Work.TASK) for (_, work), until in newest.items())
    assert of.limit() == (min(owed) if working else FOREVER)


def test_a_clock_that_is_held_goes_on_when_the_word_comes():
    answers = iter([[WorkReport("grasp", Work.TICK, 1.0)], [], [WorkReport("grasp", Work.TICK, 1.1)]])
    brake = Brake(TimeSyncBacklog(SETTINGS), lambda: next(answers))
    assert brake.wait(1.1, threading.Event()) == 0.0
    assert 0 < brake.wait(1.25, threading.Event()) < SETTINGS.patience
    assert brake.take_written_off() == ()


def test_a_node_without_a_word_costs_its_patience_once():
    said = [WorkReport("grasp", Work.TICK, 1.0)]
    brake = Brake(TimeSyncBacklog(SETTINGS), lambda: [said.pop()] if said else [])
    waited = brake.wait(2.0, threading.Event())
    assert waited > 0.9 * SETTINGS.patience
    assert brake.take_written_off() == ("grasp",) and brake.take_written_off() == ()
    assert brake.wait(60.0, threading.Event()) == 0.0
    assert brake.held == pytest.approx(waited)


def test_a_clock_that_is_held_ends_with_the_simulation():
    stop = threading.Event()
    stop.set()
    backlog = TimeSyncBacklog(SETTINGS.model_copy(update={"patience": 60.0}))
    brake = Brake(backlog, lambda: [WorkReport("grasp", Work.TICK, 1.0)])
    assert brake.wait(2.0, stop) == 0.0


def test_time_that_stood_still_is_not_caught_up_and_slows_the_rest():
    pacer = Pacer(PacingSettings(rtf=0))
    before = pacer.target
    pacer.stood(0.0)
    assert pacer.target == before
    pacer.stood(0.1)
    assert pacer.target < before
    pacer = Pacer(PacingSettings(rtf=2.0))
    begun = time.monotonic()
    pacer.start(0.0)
    pacer.stood(0.2)
    assert time.monotonic() + pacer.ahead(0.1) - begun > 0.24


def test_time_waits_for_who_is_slow_to_look_at_pictures(tmp_path):
    """Six times as fast as real time would be four pictures while one is looked at."""
    clock, pictures, ages = [0.0], [], []
    words = [TASK, WorkReport("perception", Work.PICTURE, -1.0)]
    done = threading.Event()

    def look_at_pictures():
        while not done.is_set():
            if len(pictures) == len(ages):
                done.wait(0.001)
                continue
            stamp = pictures[len(ages)]
            done.wait(0.15)
            ages.append(clock[-1] - stamp)
            words.append(WorkReport("perception", Work.PICTURE, stamp))

    def said():
        taken = words[:]
        del words[:len(taken)]
        return taken

    sensors = SimulationSettings(camera=CameraSettings(width=64, height=48, rate=5), laser=LaserSettings(rays=36))
    settings = EngineSettings(pacing=PacingSettings(rtf=6.0))
    listener = Listener(clock.append, lambda state, odom: None, lambda scan: None,
                        lambda frame: pictures.append(frame.stamp), lambda truth, factor: None, said)
    engine = Engine(simulation(settings=sensors), settings, [listener], tmp_path)
    watching = threading.Thread(target=look_at_pictures)
    watching.start()
    engine.start()
    end = time.monotonic() + 100
    while clock[-1] < 2.0 and time.monotonic() < end:
        time.sleep(0.01)
    done.set()
    engine.close()
    watching.join()
    assert clock[-1] >= 2.0 and engine.brake.held > 0.5
    assert len(ages) >= 8 and max(ages[:-1]) <= settings.debts.picture + 1e-6
