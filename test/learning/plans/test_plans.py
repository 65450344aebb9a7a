"""Plans for training a planner model: right by the true state, the same every time, kept apart."""

import json
import re
import shutil

import pytest

from dadu.core.errors import ConfigError
from dadu.core.paths import shared
from dadu.core.work import WorkDone, Workers, WorkFailed
from dadu.house.catalogue import object_categories
from dadu.knowledge.lexicon import plural_of
from dadu.learning.plans.card import write_card
from dadu.learning.plans.check import problems_of, splits_of
from dadu.learning.plans.home import PlanHomeOrder, make_home
from dadu.learning.plans.kept_out import write_kept_out
from dadu.learning.plans.run import make_homes, make_plans, orders
from dadu.learning.plans.settings import PlanSettings
from dadu.learning.plans.store import PlanFolder
from dadu.learning.sentences.held_out import is_held_out, kept_out, may_be_taught
from dadu.planner.model.goal.interpreter import load_goal_prompts
from dadu.planner.model.prompt import load_prompts
from dadu.tasks.prepare import prepare_all
from dadu.tasks.suite import load_suite
from test.learning.plans.conftest import HOMES, SETTINGS


def lines(folder, pattern):
    return [json.loads(line) for path in sorted(folder.path.glob(pattern)) for line in path.read_text().splitlines()]


def test_every_home_gives_what_is_asked_of_it(plans):
    episodes = list(plans.episodes())
    assert [sum(e.split == split for e in episodes) for split in ("train", "test")] == [6, 6]
    assert all(plans.kept(order) == 6 for order in HOMES)


def test_conversations_go_to_and_fro(plans):
    """The messages of `trl`: a system's, then a user's and the assistant's in turn, the assistant's last."""
    found = lines(plans, "sft/*.jsonl")
    assert len(found) >= 12
    for line in found:
        assert list(line) == ["messages"]
        system, *said = line["messages"]
        assert system["role"] == "system" and len(said) % 2 == 0
        assert [m["role"] for m in said] == ["user", "assistant"] * (len(said) // 2)


def test_replies_are_those_of_the_protocol(plans):
    """A plan with the first reply of two_phase alone, one action in each; done where an episode ends."""
    assert load_prompts("two_phase").plan_first
    for protocol in ("two_phase", "react"):
        for line in lines(plans, f"sft/{protocol}.*.jsonl"):
            replies = [json.loads(m["content"]) for m in line["messages"] if m["role"] == "assistant"]
            assert ["plan" in reply for reply in replies] == [protocol == "two_phase"] + [False] * (len(replies) - 1)
            assert all(reply["action"] and isinstance(reply["arguments"], dict) for reply in replies)
    ended = [json.loads(line["messages"][-1]["content"])["action"] for line in lines(plans, "sft/react.*.jsonl")]
    assert ended.count("done") == sum("react" in e.protocols for e in plans.episodes())


def test_protocol_goal_writes_frames(plans):
    found = lines(plans, "sft/goal.*.jsonl")
    ends = set()
    for episode in lines(plans, "episodes/*.jsonl"):
        said = [json.loads(line["messages"][2]["content"]) for line in found
                if f"Instruction: {episode['instruction']}\n" in line["messages"][1]["content"]]
        assert episode["wording"] < SETTINGS.wordings and said
        ends.add(episode["ends"])
        if episode["ends"] == "done":
            assert [f["frame"] for f in said[0]["frames"]] == [f["frame"] for f in episode["frames"]]
            assert len(said) == 1
        else:
            assert ("refuse" in said[-1]) == (episode["ends"] == "refused")
    assert "done" in ends and ends & {"refused", "asked"}


def test_pairs_differ_in_the_reply_alone(plans):
    """The prompt of preference data is that of a conversation; its right reply is taught there."""
    taught = {json.dumps(line["messages"][:i + 1], sort_keys=True)
              for line in lines(plans, "sft/*.jsonl") for i in range(len(line["messages"]))}
    pairs = lines(plans, "dpo/*.jsonl")
    assert {"order", "wrong_object", "wrong_skill", "premature_end", "late_end"} <= {pair["kind"] for pair in pairs}
    for pair in pairs:
        assert set(pair) == {"prompt", "chosen", "rejected", "kind"} and pair["chosen"] != pair["rejected"]
        assert json.dumps(pair["prompt"] + pair["chosen"], sort_keys=True) in taught


def test_done_is_as_often_the_right_answer_as_the_wrong_one(plans):
    """Else preferences teach never to say it."""
    steps = [pair for pair in lines(plans, "dpo/*.jsonl") if '"action"' in pair["chosen"][0]["content"]]
    chosen, rejected = (sum('"action": "done"' in pair[side][0]["content"] for pair in steps)
                        for side in ("chosen", "rejected"))
    assert 0.5 < chosen / rejected < 2


def test_goals_ask_for_something(plans):
    """Each speaks of what there is, and is not so already."""
    for order in HOMES:
        home = make_home(order, SETTINGS)
        for episode in [e for e in plans.episodes() if e.home == order.seed and e.ends == "done"]:
            assert episode.goal is not None and not home.holds(episode.goal)
            assert {name.partition("/")[0] for name in episode.goal.names} <= set(home.truth.entities)


def test_training_knows_nothing_of_what_is_kept_out(plans):
    """Neither homes, nor forms, nor categories."""
    train = [e for e in plans.episodes() if e.split == "train"]
    test = [e for e in plans.episodes() if e.split == "test"]
    assert not {e.home for e in train} & {e.home for e in test} and all(100_000 <= e.home < 900_000 for e in train)
    assert all(e.form % 20 not in (0, 1) for e in train) and any(e.form % 20 == 0 for e in test)
    kept = [c for c in object_categories() if kept_out(c)]
    said = "\n".join(path.read_text() for path in sorted(plans.path.glob("sft/*.train-*.jsonl")))
    assert kept and not [c for c in kept if re.search(rf"\b{c}_\d", said)]
    called = {name: {name.replace("_", " "), *c.aliases} for name, c in object_categories().items()}
    names = {n for ns in called.values() for n in ns if is_held_out(n)} | {n for c in kept for n in called[c]}
    for episode in train:
        words = episode.instruction.lower()
        assert not [n for n in names for w in (n, plural_of(n)) if re.search(rf"\b{w}\b", words)], words


@pytest.mark.parametrize(("name", "may"), [
    ("mug", True), ("candle holder", True), ("apple", False), ("cellphone", False), ("phone", False), ("phones", False),
    ("car keys", False), ("quilt", False), ("bottle of wine", False)])
def test_no_name_of_what_is_kept_out_is_taught(name, may):
    """Neither a category's own, nor its aliases; nor names that are kept out by themselves."""
    assert may_be_taught(name) is may


def test_protocol_goal_in_words_of_one_s_own(tmp_path):
    """Those with which it is served: of the world no more than they show."""
    brief = shared("config", "prompts", "goal") / "brief.yaml"
    settings = PlanSettings(episodes=2, rooms=(3, 3), steps=30, declined=0, prompt=str(brief))
    folder = PlanFolder(tmp_path)
    folder.begin(settings)
    list(make_homes(folder, [HOMES[0]], Workers()))
    told = [line["messages"] for line in lines(folder, "sft/goal.*.jsonl")]
    assert told and {m[0]["content"] for m in told} == {load_goal_prompts(str(brief)).system.strip()}
    asked = {episode["instruction"] for episode in lines(folder, "episodes/*.jsonl")}
    assert {user["content"] for _, user, _ in told} == asked


def test_one_protocol_alone_in_words_of_one_s_own(tmp_path):
    """A reply is an action without reasoning there, the wrong ones of pairs too."""
    brief = shared("config", "prompts", "react") / "brief.yaml"
    settings = PlanSettings(episodes=2, rooms=(3, 3), steps=30, protocols=("react",),
                            step_prompts={"react": str(brief)})
    folder = PlanFolder(tmp_path)
    folder.begin(settings)
    list(make_homes(folder, [HOMES[0]], Workers()))
    assert {path.name.partition(".")[0] for path in folder.path.glob("*/*.train-*.jsonl")} == {"react"}
    told = [line["messages"] for line in lines(folder, "sft/*.jsonl")]
    replies = [m for messages in told for m in messages if m["role"] == "assistant"]
    replies += [m for pair in lines(folder, "dpo/*.jsonl") for m in pair["chosen"] + pair["rejected"]]
    assert replies and all(list(json.loads(m["content"])) == ["action", "arguments"] for m in replies)
    assert all(e.protocols == ("react",) for e in folder.episodes())


def test_what_is_kept_out_becomes_a_suite(plans, tmp_path):
    """Its goals are not reached yet; homes are as they were made."""
    count = write_kept_out(plans, tmp_path / "mine.suite.yaml", "test", 100)
    suite, path = load_suite(tmp_path / "mine.suite.yaml")
    tasks = {(e.home, e.number) for e in plans.episodes() if e.split == "test" and e.goal}
    assert len(suite.episodes) == count == len(tasks)
    for prepared in prepare_all(suite, path):
        assert prepared.house.objects == make_home(HOMES[1], SETTINGS).house.objects
        assert not make_home(HOMES[1], SETTINGS).holds(prepared.episode.goal)


@pytest.mark.parametrize(("name", "split", "why"), [
    ("mine.yaml", "test", "NAME.suite.yaml"), ("mine.suite.yaml", "validation", "no episodes of split validation")])
def test_no_suite_of_what_is_not_there(plans, tmp_path, name, split, why):
    with pytest.raises(ConfigError, match=why):
        write_kept_out(plans, tmp_path / name, split, 100)


def test_homes_are_dealt_out():
    found = orders(43)
    assert [o.split for o in found].count("validation") == [o.split for o in found].count("test") == 3
    assert orders(20) == found[:20] and len(set(found)) == 43


def test_a_folder_of_other_settings_is_refused(plans):
    with pytest.raises(ConfigError, match="steps: 30, now 40"):
        plans.begin(PlanSettings(episodes=6, rooms=(3, 3), steps=40))


def test_a_run_goes_on_and_ends_with_enough(tmp_path):
    """What is there is kept. Files are the same whoever makes them, in whichever process."""
    small = PlanSettings(seed=1, episodes=1, rooms=(3, 3), steps=30)
    folder, alone = PlanFolder(tmp_path / "parts"), PlanFolder(tmp_path / "alone")
    for one in (folder, alone):
        one.begin(small)
    list(make_homes(folder, [PlanHomeOrder(100_000, "train")], Workers()))
    before = {path: path.stat().st_mtime_ns for path in folder.path.rglob("*100000*")}
    events = list(make_plans(folder, 2, Workers(2)))
    assert [e.item.name for e in events if isinstance(e, WorkDone)] == ["validation-100009"]
    assert not any(isinstance(e, WorkFailed) for e in events)
    assert all(path.stat().st_mtime_ns == time for path, time in before.items())
    assert "| train | 1 |" in write_card(folder)
    list(make_homes(alone, [PlanHomeOrder(100_009, "validation")], Workers()))
    made = sorted(alone.path.rglob("*100009*"))
    assert len(made) >= 4
    assert all(path.read_bytes() == (folder.path / path.relative_to(alone.path)).read_bytes() for path in made)


def test_only_new_forms_have_to_be_new(plans, tmp_path):
    """Half of the tests are said in forms of training, on purpose."""
    copy = tmp_path / "copy"
    shutil.copytree(plans.path, copy)
    file = next(copy.glob("episodes/test-*.jsonl"))
    shown = json.loads(next(copy.glob("episodes/train-*.jsonl")).read_text().splitlines()[0])
    tests = [json.loads(line) for line in file.read_text().splitlines()]
    same = {"form": shown["form"], "instruction": shown["instruction"]}
    home_only = next(one for one in tests if "form" not in one["new"])
    file.write_text("\n".join(map(json.dumps, [*tests, home_only | same])))
    assert not list(problems_of(copy, splits_of(copy)))
    file.write_text("\n".join(map(json.dumps, [*tests, home_only | same | {"new": ["home", "form"]}])))
    assert [p.split(" are in")[0] for p in problems_of(copy, splits_of(copy))] == ["1 forms", "1 instructions"]


def test_a_stranger_finds_what_is_kept_out_absent_and_what_is_put_in(plans, tmp_path):
    assert not list(problems_of(plans.path, splits_of(plans.path)))
    copy = tmp_path / "copy"
    shutil.copytree(plans.path, copy)
    file = next(copy.glob("episodes/train-*.jsonl"))
    first = json.loads(file.read_text().splitlines()[0])
    tests = next(copy.glob("episodes/test-*.jsonl")).read_text().splitlines()
    other = next(one for one in map(json.loads, tests) if "form" in one["new"])
    kept = next(c for c in object_categories() if kept_out(c) and c != "orange").replace("_", " ")
    bad = first | {"home": other["home"], "form": other["form"], "instruction": f"take the {kept} to the phone",
                   "frames": [{"frame": "take", "what": [{"name": kept}], "to": [{"nouns": [{"name": "phone"}]}]}]}
    file.write_text(file.read_text() + json.dumps(bad) + "\n")
    with next(copy.glob("sft/goal.train-*.jsonl")).open("a") as lines:
        lines.write(json.dumps({"messages": [{"role": "user", "content": f"{kept.replace(' ', '_')}_0"}]}) + "\n")
    told = "\n".join(problems_of(copy, splits_of(copy)))
    for part in ("1 homes are in test and in train", "1 forms are in test and in train", kept, "phone",
                 "train shows things of kept-out categories", "train speaks of kept-out categories: "):
        assert part in told
