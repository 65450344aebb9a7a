"""What may be asked for on the page on which people play, who may ask, and what is kept of an episode."""

from __future__ import annotations

import json
import math
import random
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from fastapi.testclient import TestClient
from played_run import milk_run

from dadu.core.geometry import Pose2
from dadu.eval.results import FILE, read_results
from dadu.eval.run import INTERRUPTED, Run
from dadu.operator.play.app import SEAT, make_app
from dadu.operator.play.scene import Tracks
from dadu.operator.play.seats import Seats
from dadu.skills.call import SkillCall
from dadu.skills.outcome import Code
from dadu.team.settings import TeamSettings
from test.inputs.mangling import mangled_bytes, mangled_data

OURS = {"X-DaDu-Console": "1"}
BODIES = {"/join": {"agent": "person"}, "/order": {"call": ["go_to", "kitchen"]}, "/end": {"done": True},
          "/say": {"act": "take", "job": "is_on_top(the milk, the dining table)", "to": "robot"}}


class Person:
    """At the page, without one."""

    def __init__(self, client: TestClient) -> None:
        self._client, self._key = client, ""

    def post(self, path: str, body: object = None, status: int = 202) -> dict:
        answer = self._client.post(path, json=body or {}, headers={**OURS, SEAT: self._key})
        assert answer.status_code == status, answer.text
        return answer.json() or {}

    def join(self, agent: str = "person") -> None:
        self._key = self.post("/join", {"agent": agent}, 200)["key"]

    def state(self, known: int = 0) -> dict:
        answer = self._client.get(f"/state?known={known}", headers={SEAT: self._key})
        assert answer.status_code == 200
        return answer.json()

    def menu(self, id: str) -> list:
        return [offer["call"] for offer in self._client.get(f"/menu?id={id}", headers={SEAT: self._key}).json()]

    def until(self, condition: Callable[[dict], object]) -> dict:
        """The first state of which it is true."""
        deadline = time.monotonic() + 100
        while not condition(state := self.state()):
            assert time.monotonic() < deadline, state
            time.sleep(0.02)
        return state

    def order(self, *call: str) -> dict:
        """Until it is done."""
        self.post("/order", {"call": call})
        text = f"{call[0]}({', '.join(call[1:])})"
        return self.until(lambda state: not state["doing"] and any(
            step["call"] == text and step["outcome"] for step in state["steps"]))


@pytest.fixture
def playing(tmp_path) -> Iterator[tuple[Run, Person, threading.Thread]]:
    """An episode under way, which ends when the person ends it."""
    run = milk_run(tmp_path)
    person = Person(TestClient(make_app(run.people), "http://localhost"))
    thread = threading.Thread(target=run.execute, daemon=True)
    thread.start()
    person.until(lambda state: state["stage"] == "gathering")
    person.join()
    person.post("/start")
    person.until(lambda state: state["stage"] == "running" and state["things"])
    yield run, person, thread
    person.post("/end", {"done": True}, 202 if thread.is_alive() else 409)
    thread.join(100)


def test_an_episode_by_requests_alone(playing, tmp_path):
    run, person, thread = playing
    state = person.state()
    assert state["you"] == "person" and [a["name"] for a in state["agents"]] == ["person"]
    assert [job["words"] for job in state["jobs"]] == ["the milk on the dining table"] and not state["jobs"][0]["done"]
    assert person.state(state["known"])["things"] is None, "the page has them"
    assert not any(thing["id"] == "milk_0" for thing in state["things"]), "nobody has seen it"
    assert person.menu("fridge_0") == [["go_to", "fridge_0"], ["open", "fridge_0"]] and person.menu("milk_0") == []
    assert person.menu("") == [["wait"]]
    for call in (("open", "fridge_0"), ("pick", "milk_0"), ("place", "on", "dining_table_0")):
        state = person.order(*call)
    assert state["jobs"][0]["done"] and not state["held"]
    assert person.order("pick", "unicorn_0")["steps"][-1]["outcome"] == "UNKNOWN_TARGET"
    person.post("/end", {"done": True})
    thread.join(100)
    verdict = person.state()["verdict"]
    assert verdict["success"] and verdict["percent_complete"] == 1.0
    result, = read_results(tmp_path)
    assert result.success and result.outcomes[-1] == Code.UNKNOWN_TARGET and set(result.team.by) == {"person"}
    assert run.config().options.team.people == ("person",) and "who play person in a browser" in result.ledger


def test_a_seat_is_its_holder_s_and_a_key_is_needed(playing):
    _, person, _ = playing
    other = Person(person._client)
    other.post("/join", {"agent": "person"}, 409)
    other.post("/join", {"agent": "cat"}, 409)
    for path, body in list(BODIES.items())[1:]:
        other.post(path, body, 409)
    assert person._client.post("/stop", json={}, headers={SEAT: person._key}).status_code == 403, "not by our page"
    assert not other.state()["agents"] and not other.state()["things"], "who plays nobody is shown nothing of the home"
    person.post("/say", {"act": "take", "job": "no such job"}, 409)
    assert person.state()["stage"] == "running"


def test_without_the_token_there_is_nothing_to_see_or_to_do():
    seats = Seats(TeamSettings(plan="solo", partner="human"), 1)
    client = TestClient(make_app(seats, ("robot.example",), "s3cret"), "http://robot.example", follow_redirects=False)
    for answer in (client.get("/"), client.get("/state"), client.get("/plan.svg"), client.get("/menu?id=mug_0"),
                   client.post("/join", json={"agent": "person"}, headers=OURS)):
        assert answer.status_code == 401 and "person" not in answer.text
    assert client.get("/?token=s3cret").status_code == 303 and client.get("/state").json()["stage"] == "gathering"
    assert client.get("/state", headers={"Host": "evil.example"}).status_code == 400


def test_what_is_mangled_is_refused_and_the_episode_goes_on(playing):
    _, person, thread = playing
    rng = random.Random(3)
    for number in range(160):
        path, good = list(BODIES.items())[number // 2 % len(BODIES)]
        content = json.dumps(mangled_data(good, rng)).encode() if number % 2 else mangled_bytes(
            json.dumps(good).encode(), rng)
        headers = {**OURS, SEAT: person._key if path != "/end" else "k" * rng.randrange(1, 200)}
        answer = person._client.post(path, headers={**headers, "Content-Type": "application/json"}, content=content)
        assert answer.status_code in (200, 202, 400, 409, 422), (content, answer.text)
        answer.json()
    assert thread.is_alive() and person.state()["stage"] == "running"
    for long in ("x" * 101, "a\nb"):
        person.post("/order", {"call": ["go_to", long]}, 422)
    person.post("/order", {"call": ["done"]}, 422)
    person.post("/order", {"call": ["fly", "kitchen"]}, 422)


def test_two_people_play_together_and_hear_each_other(tmp_path):
    run = milk_run(tmp_path, "central", played=("person", "robot"))
    client = TestClient(make_app(run.people), "http://localhost")
    ann, bob = Person(client), Person(client)
    thread = threading.Thread(target=run.execute, daemon=True)
    thread.start()
    for who, agent in ((ann, "person"), (bob, "robot")):
        who.join(agent)
        who.post("/start")
    state = ann.until(lambda state: bob.state() and state["stage"] == "running" and state["jobs"])
    job = state["jobs"][0]["name"]
    ann.post("/say", {"act": "ask", "job": job, "to": "robot"})
    heard = bob.until(lambda state: state["said"] and state["jobs"])
    assert heard["said"][0]["text"] == "robot, can you do the milk on the dining table?" and heard["you"] == "robot"
    assert heard["jobs"][0]["by"] == "robot" and bob.menu("sofa_0") == [["go_to", "sofa_0"]]
    bob.post("/say", {"act": "cannot", "job": job})
    ann.post("/end", {"done": False})
    bob.post("/end", {"done": False})
    thread.join(100)
    result, = read_results(tmp_path)
    assert not result.success and result.ended == "done" and result.team.messages == 4


def test_time_runs_while_one_thinks_and_ends_the_episode(tmp_path):
    run = milk_run(tmp_path, speed=5000.0)
    person = Person(TestClient(make_app(run.people), "http://localhost"))
    thread = threading.Thread(target=run.execute, daemon=True)
    thread.start()
    person.join()
    person.post("/start")
    person.until(lambda state: state["stage"] == "ended")  # who is not heard for a while has left the seat
    thread.join(100)
    result, = read_results(tmp_path)
    assert result.ended == "limit" and result.sim_seconds >= 300 and result.steps == 0
    assert result.team.thinking == {"person": pytest.approx(result.sim_seconds)}
    assert person.state()["verdict"]["percent_complete"] == 0.0


def test_an_agent_is_shown_between_where_it_was_and_where_its_own_clock_has_it():
    tracks = Tracks()
    for clock, pose in ((0.0, Pose2(0, 0, 3.0)), (2.0, Pose2(1, 0, -3.0)), (2.0, Pose2(1, 0, -3.0))):
        tracks.add("robot", clock, pose)
    assert tracks.at("robot", 1.0)[:2] == (0.5, 0.0) and abs(tracks.at("robot", 1.0).yaw) == pytest.approx(math.pi)
    assert tracks.at("robot", 9.0) == (1.0, 0.0, pytest.approx(-3.0)) and tracks.at("robot", -1.0)[:2] == (0.0, 0.0)


class Interrupted(Seats):
    """Ctrl-C, once the person has done something."""

    def gather(self, episode: str, instruction: str) -> None:
        """Nobody is waited for."""

    def pace(self, agent: str) -> None:
        played = self._team.played[agent]
        if played.steps:
            raise KeyboardInterrupt
        if played.idle and not played.player.wants():
            played.player.order(SkillCall("go_to", ("kitchen",)))


def test_an_episode_that_is_cut_short_is_kept_apart_and_begun_anew(tmp_path):
    run = milk_run(tmp_path)
    with pytest.raises(KeyboardInterrupt):
        replace(run, people=Interrupted(run.options.team, 1)).execute()
    kept = [line for line in (tmp_path / INTERRUPTED).read_text().splitlines()]
    assert len(kept) == 1 and '"go_to"' in kept[0] and (tmp_path / FILE).read_text() == ""
