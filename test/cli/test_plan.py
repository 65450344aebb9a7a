"""``dadu plan``: JSON, exit codes, files of one's own."""

import json
from functools import partial

import pytest
from stand_in_server import StandInServer


@pytest.fixture
def plan(dadu):
    """``dadu plan`` with these words."""
    return partial(dadu, "plan")


def test_goal_plan_and_substitutions(plan):
    run = plan("put the milk on the couch", "--house", "flat", "--known", "all")
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout) == {
        "goal": {"propositions": [{"is_on_top": [["milk_0"], ["sofa_0"]]}], "dependencies": [], "constraints": []},
        "plan": [["go_to", "fridge_0"], ["open", "fridge_0"], ["go_to", "milk_0"], ["pick", "milk_0"],
                 ["go_to", "sofa_0"], ["place", "on", "sofa_0"], ["go_to", "fridge_0"], ["close", "fridge_0"],
                 ["done"]],
        "refused": None, "substitutions": [],
        "notes": []}


def test_what_is_not_known_is_searched_for(plan):
    found = json.loads(plan("put the milk on the sofa", "--house", "flat", "--known", "layout").stdout)
    assert ["open", "fridge_0"] in found["plan"] and ["pick", "milk_carton"] in found["plan"]
    assert not any("milk_0" in step for step in found["plan"])


def test_frames_are_those_of_the_model_where_one_reads(plan):
    frames = [{"frame": "move", "what": [{"name": "milk"}], "to": [{"preposition": "on", "nouns": [{"name": "sofa"}]}]}]
    for reply, said in (({"frames": frames}, {"frames": frames}),
                        ({"refuse": "no"}, {"refusal": "the model refuses: no"})):
        server = StandInServer(reply)
        run = plan("anything at all", "--frames", "--llm-url", server.url, "--llm-timeout", "60")
        server.close()
        assert json.loads(run.stdout) == said, run.stderr


def test_a_refusal_is_a_sentence(plan):
    for words in ([], ["--frames"]):
        run = plan("put the milk on the moon and frobnicate the fridge", *words)
        assert run.returncode == 5 and ("frobnicate" in run.stdout or "moon" in run.stdout), run.stdout
    found = json.loads(plan("put the milk on the moon").stdout)
    assert "moon" in found["refused"] and found["plan"] == []


def test_a_house_with_categories_of_its_own(plan, tmp_path):
    house = tmp_path / "shop.house.yaml"
    house.write_text("""
house: small_shop
rooms: [{name: shop, category: living_room, floor: [[0, 0], [5, 0], [5, 4], [0, 4]]}]
doors: []
furniture:
  - {name: rack, category: table, room: shop, pose: [1, 3.4, -1.5708]}
  - {name: bench, category: table, room: shop, pose: [4, 3.4, -1.5708]}
objects: [{name: widget_0, category: widget, on: rack, shape: box, size: [0.05, 0.05, 0.1]}]
robot: {pose: [2.5, 1.5, 0.0]}
""")
    for known, thing in (("all", "widget_0"), ("layout", "widget")):
        run = plan("bring the widget to the bench", "--house", str(house), "--known", known)
        assert run.returncode == 0, run.stderr
        assert ["pick", thing] in json.loads(run.stdout)["plan"]


def test_wrong_input_is_told(plan):
    missing = plan("go to the kitchen", "--house", "nowhere")
    assert missing.returncode == 2 and "flat" in missing.stderr
    assert plan("go to the kitchen", "--known", "everything").returncode == 2


def test_a_model_may_read_the_words(plan):
    server = StandInServer({"frames": [{"frame": "move", "what": [{"name": "milk"}], "to": [
        {"preposition": "on", "nouns": [{"name": "sofa"}]}]}]})
    found = json.loads(plan("whatever I say", "--llm-url", server.url, "--model", "mine").stdout)
    server.close()
    assert found["refused"] is None and ["place", "on", "sofa_0"] in found["plan"]
    assert [request["model"] for request in server.requests] == ["mine"]
    assert "cannot be used" in json.loads(plan("whatever", "--llm-url", server.url).stdout)["refused"]
