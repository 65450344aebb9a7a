"""Reading suites: what is wrong is named by file, episode and field; the schema is the one in the repository."""

import json

import pytest
import yaml

from dadu.core.errors import ConfigError
from dadu.core.paths import shared
from dadu.tasks.generate import homes
from dadu.tasks.prepare import prepare_all
from dadu.tasks.suite import load_suite, parse_suite, schema, suite_names

GOOD = {"id": "milk", "instruction": "put the milk on the dining table", "house": "flat",
        "goal": {"propositions": [{"is_on_top": [["milk_0"], ["dining_table_0"]]}]}}


def suite(**changes):
    return {"suite": "s", "defaults": {"steps": 12}, "episodes": [{**GOOD, **changes}]}


def prepared(tmp_path, **changes):
    path = tmp_path / "mine.suite.yaml"
    path.write_text(yaml.safe_dump(suite(**changes)))
    return prepare_all(*load_suite(path))[0]


def test_defaults_fill_in_and_give_way():
    assert parse_suite(suite(), "s").episodes[0].steps == 12
    assert parse_suite(suite(steps=3), "s").episodes[0].steps == 3


@pytest.mark.parametrize("changes, says", [
    ({"step": 3}, "episode milk: step: unknown key; valid: .*steps"),
    ({"steps": 0}, "episode milk: steps: .*greater than 0"),
    ({"known": "everything"}, "episode milk: known: .*'layout'"),
    ({"house": {"generate": "home"}}, "episode milk: house: .*needs a seed"),
    ({"house": {"name": "flat", "generate": "home", "seed": 1}}, "episode milk: house: .*either"),
    ({"start": {}}, "episode milk: start: .*either a room or a pose"),
    ({"events": [{"after_step": 1}]}, "episode milk: events.0: .*needs one of"),
    ({"goal": {"propositions": [{"is_over": ["a", "b"]}]}}, "episode milk: goal.propositions.0: .*is_on_top"),
    ({"goal": {"propositions": [{"is_held": ["a"]}], "constraints": [{"terminal": [4]}]}}, "goal: .*proposition 4"),
])
def test_a_mistake_is_named(changes, says):
    with pytest.raises(ConfigError, match=f"^mine: {says}" if says.startswith("episode") else says):
        parse_suite(suite(**changes), "mine")


@pytest.mark.parametrize("changes, says", [
    ({"house": "castle"}, "no house called 'castle'; valid: .*flat"),
    ({"robot": "butler"}, "butler.*stretch"),
    ({"goal": {"propositions": [{"is_held": ["ghost_0"]}]}}, "goal.propositions.0: .*nothing is called 'ghost_0'"),
    ({"goal": {"propositions": [{"is_on_top": ["kitchen", "sofa_0"]}]}},
     "goal.propositions.0: is_on_top: 'kitchen' is of kind room; argument 0 is object"),
    ({"goal": {"propositions": [{"is_next_to": ["milk_0", "fridge_0/door"]}]}},
     "'fridge_0/door' is a part of fridge_0; argument 1 is furniture or object"),
    ({"closed": ["sofa_0"]}, "closed: 'sofa_0' has nothing to open; valid: .*fridge_0"),
    ({"start": {"room": "cellar"}}, "start.room: no room called 'cellar'; valid: .*kitchen"),
    ({"start": {"pose": [50, 50, 0]}}, "start.pose: .*in no room"),
    ({"events": [{"after_step": 1, "move": {"object": "ghost_0", "on": "sofa_0"}}]}, "events.0.move.object: .*milk_0"),
    ({"events": [{"after_step": 1, "move": {"object": "milk_0", "on": "moon"}}]}, "events.0.move: no place .*'moon'"),
    ({"keypaths": [[["grab", "milk_0"]]]}, "keypaths.0.0: unknown skill 'grab'; valid: .*pick"),
    ({"keypaths": [[["pick", "milk"]]]}, "keypaths.0.0: nothing is called 'milk'"),
    ({"objects": [{"name": "milk_0", "category": "milk_carton", "in": "shed"}]}, "objects.0 .*'shed'"),
    ({"objects": [{"name": "x_0", "category": "unheard_of", "on": "sofa_0"}]}, "objects.0 .*unheard_of"),
])
def test_a_name_that_cannot_be_found_is_named(tmp_path, changes, says):
    with pytest.raises(ConfigError, match=rf"(?s)mine\.suite\.yaml: episode milk: .*{says}"):
        prepared(tmp_path, **changes)


def test_all_mistakes_are_told_at_once():
    data = suite(steps=0)
    data["episodes"].append({**GOOD, "id": "two", "known": "none"})
    data["episodes"] += [GOOD, GOOD]
    with pytest.raises(ConfigError) as error:
        parse_suite(data, "mine")
    assert [line.split(":")[1].strip() for line in str(error.value).splitlines()] == ["episode milk", "episode two",
                                                                                      "episode milk"]


def test_a_category_of_its_own_and_a_house_beside_the_suite(tmp_path):
    house = (shared("maps") / "flat.house.yaml").read_text()
    (tmp_path / "other.house.yaml").write_text(house.replace("house: flat", "house: other"))
    widget = {"name": "widget_0", "category": "widget", "on": "sofa_0", "shape": "box", "size": [0.05, 0.05, 0.1]}
    found = prepared(tmp_path, house="other.house.yaml", objects=[widget], start={"room": "bedroom"},
                     goal={"propositions": [{"is_held": ["widget_0"]}]})
    assert found.house.house == "other" and [o.name for o in found.house.objects] == ["widget_0"]
    x, y, _ = found.house.robot.pose
    assert 0 < x < 3.6 and 3.5 < y < 7.2, "in the bedroom"


def test_a_robot_beside_the_suite(tmp_path):
    for suffix in ("yaml", "urdf"):
        (tmp_path / f"ur3.{suffix}").write_text((shared("config", "robots") / f"ur3.{suffix}").read_text())
    found = prepared(tmp_path, robot="ur3.yaml")
    assert found.episode.robot == str(tmp_path / "ur3.yaml")


def test_a_seed_of_the_house_is_the_simulation_s(tmp_path):
    assert prepared(tmp_path).seed == -1
    assert prepared(tmp_path, house={"name": "flat", "seed": 3}).seed == 3


def test_schema_in_the_repository_is_the_code_s():
    kept = json.loads((shared("config") / "suites" / "suite.schema.json").read_text())
    assert kept == schema(), "run: dadu eval schema > config/suites/suite.schema.json"


@pytest.mark.parametrize("name", suite_names())
def test_our_suites_read(name):
    found, _ = load_suite(name)
    assert len({e.instruction for e in found.episodes}) == len(found.episodes) or name in ("rearrange", "together")
    wanted = {"store": 40, "household": 60}
    assert len(found.episodes) >= wanted.get(name, 20)


def test_generated_episodes_are_about_what_a_hand_can_hold():
    """The oracle carries a laptop's cover, which no gripper of ours takes."""
    house = next(homes.generated_homes(77)).house
    things = {thing.category for thing in homes.loose(house)}
    assert "laptop_cover" in {thing.category for thing in house.objects} - things and things
