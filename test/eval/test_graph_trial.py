"""Judging an episode from what a bag holds, with recorded states made by hand; running a graph is not needed for it."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
import yaml

from dadu.bringup.arguments import Arguments
from dadu.core.geometry import Pose2
from dadu.eval.episode.graph_trial import RecordedMap, _report, replay
from dadu.eval.episode.record import record
from dadu.house.layout import build_graph
from dadu.operator.demo import DemoRun
from dadu.operator.run.episode import ClockMap, RecordedEpisode, RecordedSighting, StepRecord
from dadu.operator.run.identity import Believed
from dadu.operator.run.pose_error import BelievedPath
from dadu.operator.run.snapshots import Snapshot
from dadu.planner.policies.fallback import WithFallback
from dadu.planner.policies.make import make_planner
from dadu.planner.policies.own_goal import WithOwnGoal
from dadu.planner.policies.policy import PolicyUnavailable, Turn
from dadu.planner.situation import Situation
from dadu.replay.recording import EpisodeRecorder
from dadu.skills.call import SkillCall
from dadu.skills.outcome import Code
from dadu.tasks.prepare import prepare_all
from dadu.tasks.suite import load_suite
from dadu.world.boxes import OrientedBox
from dadu.world.detection import DetectionFrame
from dadu.world.graph import Entity, Kind
from dadu.world.state import ObjectState, WorldState

PRIVILEGE_REPORT = Arguments().privilege_report


@pytest.fixture
def prepared(tmp_path):
    path = tmp_path / "s.suite.yaml"
    path.write_text(yaml.safe_dump({"suite": "s", "episodes": [
        {"id": "lemon", "instruction": "put the lemon on the coffee table", "house": "flat", "keypaths": [
            [["pick", "lemon_0"], ["place", "lemon_0", "coffee_table_0"], ["done"]]],
         "goal": {"propositions": [{"is_on_top": [["lemon_0"], ["coffee_table_0"]]}]}}]}))
    return prepare_all(*load_suite(path))[0]


def states(prepared):
    """The lemon lies on the fruit table, is carried, lies on the coffee table."""
    table = prepared.layout["coffee_table_0"]
    for stamp, (x, y), bottom, held in ((0.0, (4.4, 0.26), 0.8, False), (5.0, (5.0, 2.0), 1.0, True),
                                        (10.0, table.position[:2], table.size[2], False)):
        box = OrientedBox.upright(x, y, bottom, 0.0, (0.07, 0.07, 0.07))
        yield WorldState(stamp, Pose2(x, y + 0.6, 0.0), {"lemon_0": ObjectState("lemon_0", "lemon", box, held)}, {})


def step(number, skill, arguments, start, end, code=Code.SUCCEEDED, policy="symbolic", reasoning=""):
    return StepRecord(number, SkillCall(skill, arguments), reasoning, policy, start, 0.01, end, code)


class Gone:
    name = "vllm"

    def choose(self, turn):
        raise PolicyUnavailable("the model server is gone")


def test_a_bag_is_judged_as_in_process(prepared, tmp_path):
    truth = list(states(prepared))
    steps = [step(1, "pick", ("lemon_7",), 1.0, 4.9), step(2, "place", ("on", "coffee_table_0"), 5.0, 9.9)]
    episode = RecordedEpisode(tmp_path, prepared.episode.instruction, steps, None, (), truth, np.zeros((0, 4)),
                              ClockMap([0.0, 10.0], [0.0, 10.0]),
                              sightings={"lemon_7": RecordedSighting(0.0, Believed("lemon", (4.4, 0.3, 0.8)))})
    seen = replay(prepared, episode, PRIVILEGE_REPORT, pictures=False)
    done = record(seen, None, _report(DemoRun(tmp_path, 3.0, 0, None), episode), "", 0.0, "symbolic")
    assert done.success and done.ended == "done" and done.tp == 1.0
    assert done.plan == [["pick", "lemon_0"], ["place", "on", "coffee_table_0"]], "memory's lemon_7 is the lemon_0"
    assert done.sim_seconds == 10.0 and done.latency["grasp"] == pytest.approx(3.9)
    assert done.stages["pick"] == 1.0 and done.path_length > 3.0
    lost = record(seen, None, _report(DemoRun(tmp_path, 3.0, None, None), episode), "gone", 0.0, "symbolic")
    assert lost.ended == "limit" and not lost.success and lost.goal_reached


def test_who_chose_is_read_from_the_trace(prepared, tmp_path, monkeypatch):
    """By the words that the fallback puts there."""
    turn = Turn(prepared.episode.instruction, build_graph(prepared.house, "all"), None, Situation(), ())
    reasoning = WithFallback(Gone(), WithOwnGoal(make_planner())).choose(turn).reasoning
    steps = [step(1, "pick", ("lemon_0",), 1.0, 4.9, policy="vllm"),
             step(2, "place", ("on", "coffee_table_0"), 5.0, 9.9, reasoning=reasoning)]
    episode = RecordedEpisode(tmp_path, prepared.episode.instruction, steps, None, (), list(states(prepared)),
                              np.zeros((0, 4)),
                              ClockMap([0.0, 10.0], [0.0, 10.0]))
    health = SimpleNamespace(status=[SimpleNamespace(values=[SimpleNamespace(key="task.outcome", value="60")])])
    monkeypatch.setattr("dadu.eval.episode.graph_trial.recorded",
                        lambda _, topics: [SimpleNamespace(message=health)] if len(topics) == 1 else [])
    report = _report(DemoRun(tmp_path, 3.0, 1, None), episode)
    done = record(replay(prepared, episode, PRIVILEGE_REPORT, pictures=False), None, report, "", 0.0, "vllm")
    assert done.turns == {"vllm": 1, "symbolic": 1} and done.fallback_turns == 1
    assert (done.ended, done.outcome, done.said_done) == ("crashed", Code.UNREACHABLE_BACKEND, False)


@pytest.mark.parametrize("failures, moment, of", [
    ((4.9, 9.9), 5.0, "2: pick(lemon_0)"),
    ((), 5.0, "the last step"),
])
def test_the_bag_is_read_for_one_picture(prepared, tmp_path, monkeypatch, failures, moment, of):
    asked = []

    def camera(run_dir, stamps):
        asked.append((run_dir, list(stamps)))
        return [Snapshot(stamps[0], b"jpeg", 4, 3)]

    monkeypatch.setattr("dadu.eval.episode.graph_trial.snapshots", camera)
    steps = [step(i, "pick", ("lemon_0",), end - 1.0, end, Code.EXECUTION_FAILED) for i, end in enumerate(failures, 1)]
    unfinished = list(states(prepared))[:3 if failures else 2]
    episode = RecordedEpisode(tmp_path, prepared.episode.instruction, steps, None, (), unfinished, np.zeros((0, 4)),
                              ClockMap([0.0, 10.0], [0.0, 10.0]))
    seen = replay(prepared, episode, PRIVILEGE_REPORT)
    assert asked == [(tmp_path, [moment])]
    assert (seen.trace.picture, seen.trace.picture_of) == (b"jpeg", of)


def picture(stamp, eye=(4.4, 0.26 - 1.5, 0.835)):
    """Level along +y from `eye`, all of it 1.5 m away, where the lemon is at first."""
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = np.array([[1.0, 0, 0], [0, 0, 1], [0, -1, 0]]), eye
    K = np.array([[300.0, 0, 160], [0, 300, 120], [0, 0, 1]])
    return DetectionFrame(stamp, T, K, 320, 240, np.full((30, 40), 1.5, np.float32), ())


def thing(id, category, position, confidence=1.0):
    return Entity(id, Kind.OBJECT, category, tuple(map(float, position)), size=(0.07, 0.07, 0.07),
                  provenance="detection", confidence=confidence)


@pytest.fixture
def run(prepared, tmp_path):
    """Memory learns of a lemon at 1 s; at 8 s it has it on the table, a second time beside, and a mug that is none."""
    told, table = build_graph(prepared.house, "layout"), prepared.layout["coffee_table_0"]
    (x, y, _), top = table.position, table.size[2] + 0.035
    with EpisodeRecorder(tmp_path / "bag", "tool") as bag:
        for stamp in (0.2, 0.4, 0.6, 0.8):
            bag.seen(picture(stamp))
        told.put(thing("lemon_7", "lemon", (4.4, 0.26, 0.835)))
        bag.remembered(told, 1, 1.0)
        bag.seen(picture(1.6))
        for entity in (thing("lemon_7", "lemon", (x + 0.02, y, top)), thing("mug_0", "mug", (x, y + 2.0, 0.5)),
                       thing("lemon_8", "lemon", (x - 0.04, y, top), 0.2)):
            told.put(entity)
        bag.remembered(told, 2, 8.0)
    return tmp_path


def test_a_moment_has_what_was_published_before_it(run):
    there = RecordedMap(run)
    assert there.at(0.9) is None, "memory has published nothing yet"
    first, same, last = there.at(1.5), there.at(2.0), there.at(20.0)
    assert [e.id for e in first.graph.of(Kind.OBJECT)] == ["lemon_7"] and same.graph is first.graph
    assert {e.id for e in last.graph.of(Kind.OBJECT)} == {"lemon_7", "lemon_8", "mug_0"}
    assert first.picture.stamp == pytest.approx(0.8), "of 0.2, 0.4, 0.6 and 0.8 the first and that 0.5 s later"


def test_without_a_bag_there_is_no_map(tmp_path):
    assert RecordedMap(tmp_path).at(1.0) is None


def test_an_episode_over_the_graph_has_the_figures_of_its_map(prepared, run):
    truth = [replace(state, stamp=stamp) for state, stamp in zip(
        (list(states(prepared))[0], *states(prepared)), (1.0, 2.0, 5.0, 10.0))]
    steps = [step(1, "pick", ("lemon_7",), 1.0, 4.9), step(2, "place", ("on", "coffee_table_0"), 5.0, 9.9)]
    odometry = np.array([[t, s.robot.x, s.robot.y, s.robot.yaw] for t in np.arange(0.0, 10.05, 0.1)
                         for s in (max((s for s in truth if s.stamp <= max(t, 1.0)), key=lambda s: s.stamp),)])
    episode = RecordedEpisode(run, prepared.episode.instruction, steps, None, (), truth, np.zeros((0, 4)),
                              ClockMap([0.0, 10.0], [0.0, 10.0]),
                              believed=BelievedPath(odometry, np.array([[t, 0.0, 0.0, 0.0] for t in range(11)], float)))
    seen = replay(prepared, episode, PRIVILEGE_REPORT, pictures=False)
    assert seen.backend.believed_pose() == Pose2(*odometry[-1, 1:])
    objects = record(seen, None, None, "", 0.0, "symbolic").map.objects
    assert (objects.found, objects.duplicates, objects.false, objects.doubted) == (1, 1, 1, 1)
    assert objects.place_error == pytest.approx(0.02, abs=1e-3) and seen.trace.map is not None
