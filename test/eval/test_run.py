"""Whole runs in the oracle: the same every time, wherever they run, and after a kill; crashes and time-outs count."""

import json
import shutil
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from dadu.core.config import load, save
from dadu.core.errors import ConfigError
from dadu.core.work import Workers
from dadu.eval.compare.ablate import ablate, parse_parts, variants
from dadu.eval.compare.compare import compare, won_and_lost
from dadu.eval.episode.trial import run_episode
from dadu.eval.options import EvalOptions
from dadu.eval.report.page import write_report
from dadu.eval.results import read_results, write_results
from dadu.eval.run import Run, RunConfig
from dadu.eval.summary import summarise
from dadu.tasks.prepare import prepare_all
from dadu.tasks.suite import load_suite, parse_suite

ORACLE = EvalOptions(skills="oracle")
WALL = ("wall_seconds", "latency")
SUITE = {
    "suite": "small", "defaults": {"house": "flat", "level": 1},
    "episodes": [
        {"id": "milk", "instruction": "put the milk on the dining table", "closed": ["fridge_0"],
         "keypaths": [[["open", "fridge_0"], ["pick", "milk_0"], ["place", "milk_0", "dining_table_0"], ["done"]]],
         "goal": {"propositions": [{"is_on_top": [["milk_0"], ["dining_table_0"]]}]}},
        {"id": "lemon", "instruction": "put the lemon on the coffee table", "level": 2,
         "events": [{"after_step": 1, "move": {"object": "apple_0", "on": "sofa_0"}}],
         "goal": {"propositions": [{"is_on_top": [["lemon_0"], ["coffee_table_0"]]}]}},
        {"id": "wrong", "instruction": "put the lemon on the coffee table", "level": 2,
         "goal": {"propositions": [{"is_on_top": [["lemon_0"], ["bed_0"]]}]}},
        {"id": "short", "instruction": "put the milk on the dining table", "steps": 3,
         "goal": {"propositions": [{"is_on_top": [["milk_0"], ["dining_table_0"]]}]}},
    ],
}


@pytest.fixture(scope="module")
def episodes(tmp_path_factory):
    path = tmp_path_factory.mktemp("suite") / "small.suite.yaml"
    path.write_text(yaml.safe_dump(SUITE))
    return prepare_all(*load_suite(path))


@pytest.fixture(scope="module")
def run(episodes, tmp_path_factory):
    run = Run("small", "small.suite.yaml", episodes, ORACLE, tmp_path_factory.mktemp("runs") / "a",
              command="dadu eval small.suite.yaml")
    run.execute()
    return run


def told(results):
    """All but what the wall clock says."""
    return [r.model_dump(mode="json", exclude={"wall_seconds"}) | {"latency": {
        k: v for k, v in r.latency.items() if k != "plan"}} for r in results]


def test_what_is_recorded(run):
    milk, lemon, wrong, short = read_results(run.out)
    assert milk.success and milk.tp == 1.0 and milk.ended == "done" and milk.gc == 1.0
    assert milk.plan[0] == ["go_to", "fridge_0"] and ["pick", "milk_0"] in milk.plan and set(milk.outcomes) == {0}
    assert milk.stages == dict.fromkeys(milk.stages, 1.0)
    assert 0 < milk.spl <= 1 and milk.path_length == pytest.approx(milk.shortest_length, rel=0.5)
    assert lemon.success
    assert not wrong.success and wrong.ended == "done" and "lemon_0 is on coffee_table_0" in wrong.explanation
    assert wrong.stages["pick"] == 1.0 and wrong.stages["place"] == 0.0 and wrong.spl == 0.0
    assert not short.success and short.ended == "limit" and short.steps == 3 and 0 < short.tp < 1


def test_keys_of_the_lines(run):
    line = json.loads((run.out / "episodes.jsonl").read_text().splitlines()[0])
    assert {"id", "level", "seed", "instruction", "success", "percent_complete", "explanation", "steps", "plan",
            "outcomes", "sim_seconds", "wall_seconds", "path_length", "shortest_length", "spl", "tp", "replans",
            "ended", "llm_calls", "tokens_in", "tokens_out", "flops"} <= set(line)


def test_again_and_with_workers(run, episodes, tmp_path):
    first = told(read_results(run.out))
    assert told(replace(run, out=tmp_path / "again").execute()) == first
    assert told(replace(run, out=tmp_path / "workers", workers=Workers(2)).execute()) == first


def test_a_run_is_taken_up_where_it_stopped(run, tmp_path):
    whole = read_results(run.out)
    done = []
    again = replace(run, out=tmp_path / "cut", done=lambda r: done.append(r.id))
    again.out.mkdir()
    (again.out / "config.yaml").write_text((run.out / "config.yaml").read_text())
    write_results(again.out, whole[:2])
    with (again.out / "episodes.jsonl").open("a") as file:
        file.write('{"id": "wrong", "se')  # what a kill leaves
    assert told(again.execute()) == told(whole)
    assert read_results(again.out)[:2] == whole[:2], "kept, not run again"
    with pytest.raises(ConfigError, match="another options"):
        replace(again, options=EvalOptions(skills="oracle", memory=False)).execute()


def test_a_killed_process_leaves_a_run_that_can_go_on(tmp_path):
    path = tmp_path / "many.suite.yaml"
    path.write_text(yaml.safe_dump({**SUITE, "episodes": [{**SUITE["episodes"][0], "id": f"e{n}"} for n in range(8)]}))
    command = [sys.executable, "-m", "dadu.cli", "eval", str(path), "--skills", "oracle", "--out", str(tmp_path / "o")]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    lines = tmp_path / "o" / "episodes.jsonl"
    end = time.monotonic() + 1000
    while not (lines.exists() and lines.read_text().count("\n") >= 1) and time.monotonic() < end:
        time.sleep(0.02)
    process.kill()
    process.wait()
    before = len(read_results(tmp_path / "o"))
    assert 1 <= before < 8
    assert subprocess.run(command, stdout=subprocess.DEVNULL).returncode == 0
    after = read_results(tmp_path / "o")
    assert len({r.id for r in after}) == 8 and all(r.success for r in after)


def test_a_crash_counts(episodes, tmp_path, monkeypatch):
    def explode(prepared, options):
        raise ZeroDivisionError("no house")
    monkeypatch.setattr("dadu.eval.episode.trial.make_backend", explode)
    results = Run("small", "s", episodes[:2], ORACLE, tmp_path / "crash").execute()
    assert [r.ended for r in results] == ["crashed"] * 2 and "no house" in results[0].explanation
    summary = summarise(results)
    assert summary["success"]["mean"] == 0.0 and summary["episodes"] == 2 and summary["spl"]["count"] == 2


def test_what_is_not_to_be_had_is_said_at_once(episodes, tmp_path):
    with pytest.raises(ConfigError, match="'yolo': the oracle has no pictures"):
        Run("small", "s", episodes, EvalOptions(skills="oracle", perception="yolo"), tmp_path / "no").execute()
    with pytest.raises(ConfigError, match="valid: ground_truth"):
        Run("small", "s", episodes, EvalOptions(perception="telepathy"), tmp_path / "no").execute()
    lemon = [p for p in episodes if p.episode.events]
    with pytest.raises(ConfigError, match="events: not to be had on the graph"):
        Run("small", "s", lemon, EvalOptions(), tmp_path / "no", ros=True).execute()


def test_time_out_counts(episodes):
    result = run_episode(episodes[0], EvalOptions(skills="oracle", wall_seconds=1e-6)).result
    assert result.ended == "limit" and not result.success and "wall clock" in result.verdict


def test_summary(run):
    summary = summarise(read_results(run.out))
    assert summary["episodes"] == 4 and summary["success"]["mean"] == 0.5
    assert summary["levels"]["1"]["episodes"] == 2 and summary["levels"]["2"]["success"]["mean"] == 0.5
    assert summary["ser"] == pytest.approx(2 / 3), "three said done, two of them rightly"
    assert summary["outcomes"]["failed"]["SUCCEEDED"] > 0
    assert summary["success"]["low"] < 0.5 < summary["success"]["high"]


def test_comparison(run, tmp_path):
    results = read_results(run.out)
    assert all(c.test.p == 1.0 for c in compare(results, results) if c.measure == "success")
    worse = [r.model_copy(update={"success": False}) for r in results]
    assert won_and_lost(results, worse) == ([], ["milk@-1", "lemon@-1"])
    with pytest.raises(ConfigError, match="not the same episodes.*short@-1"):
        compare(results, results[:3])


def test_ablation(episodes, tmp_path):
    run = Run("small", "s", episodes[:1], ORACLE, tmp_path / "ablation")
    results = ablate(run, parse_parts("memory,replan"))
    assert list(results) == ["base", "no_memory", "no_replan"]
    assert load(RunConfig, run.out / "no_memory" / "config.yaml").options.memory is False
    table = json.loads((run.out / "ablation.json").read_text())
    assert table["base"]["summary"]["levels"]["1"]["success"]["mean"] == 1.0
    assert table["no_replan"]["against_base"][0]["measure"] == "success"
    with pytest.raises(ConfigError, match="wheels.*valid: feedback"):
        parse_parts("memory,wheels")


def test_report(run, episodes, tmp_path):
    given = tmp_path / "given"
    shutil.copytree(run.out, given)
    config = load(RunConfig, given / "config.yaml")
    save(config.model_copy(update={"command": "dadu eval small.suite.yaml --out a --only 'w*,s*' --slips 0.2"}),
         given / "config.yaml")
    assert "dadu eval small.suite.yaml --slips 0.2 --only wrong" in write_report(given, episodes).read_text()
    page = write_report(run.out, episodes).read_text()
    assert "50 %" in page and "lemon_0 is on coffee_table_0" in page and page.count('class="floor-plan"') == 4
    assert "dadu eval small.suite.yaml --only wrong" in page
    assert "http://" not in page.replace("http://www.w3.org", "") and "<script src" not in page and "<link" not in page


def test_seeds_change_what_slips(episodes, tmp_path):
    options = EvalOptions(skills="oracle", slips=0.5)
    seeds = [replace(episodes[0], seed=n) for n in range(6)]
    first = Run("small", "s", seeds, options, tmp_path / "a").execute()
    assert told(first) == told(Run("small", "s", seeds, options, tmp_path / "b").execute())
    assert len({len(r.plan) for r in first}) > 1 and any(r.replans for r in first)


def test_what_past_tasks_have_shown_says_where_to_look():
    """The mug was met on the bed before; now it has been washed, and put back there."""
    things = [{"name": "lemon_0", "category": "lemon", "on": "coffee_table_0"}]
    mug = {"name": "mug_0", "category": "mug"}
    cup = {"name": "cup_0", "category": "cup", "on": "bed_0"}
    episode = {"id": "cup", "instruction": "bring the cup to the coffee table", "house": "flat",
               "objects": [cup, *things], "goal": {"propositions": [{"is_on_top": [["cup_0"], ["coffee_table_0"]]}]},
               "past": [{"instruction": "bring the mug to the coffee table",
                         "objects": [{**mug, "on": "bed_0"}, *things]}] * 3}
    prepared = prepare_all(parse_suite({"suite": "past", "episodes": [episode]}, "past"), Path("past.suite.yaml"))
    runs = variants(Run("past", "past", prepared, ORACLE, Path("unused")), ["semantic_map"])
    plans = {name: run_episode(prepared[0], run.options).result for name, run in runs.items()}
    assert all(result.success for result in plans.values()), [r.explanation for r in plans.values()]
    first = {name: result.plan[0] for name, result in plans.items()}
    assert first["base"] in (["go_to", "bed_0"], ["explore", "bedroom"])
    assert first["no_semantic_map"] not in (["go_to", "bed_0"], ["explore", "bedroom"])
    assert plans["base"].path_length < plans["no_semantic_map"].path_length
