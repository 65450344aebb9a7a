"""``dadu eval``: verbs and the form without one, exit status, what is written, errors without a trace."""

import json
from functools import partial

import pytest
import yaml

from dadu.cli.eval import EVAL_VERBS, insert_verb
from dadu.cli.eval.arguments import How
from dadu.core.errors import ConfigError

SUITE = {"suite": "one", "episodes": [
    {"id": "lemon", "instruction": "put the lemon on the coffee table", "house": "flat",
     "goal": {"propositions": [{"is_on_top": [["lemon_0"], ["coffee_table_0"]]}]}}]}


@pytest.fixture
def evaluate(dadu):
    """``dadu eval`` with these words."""
    return partial(dadu, "eval")


@pytest.fixture
def suite(tmp_path):
    def write(**changes):
        path = tmp_path / "one.suite.yaml"
        path.write_text(yaml.safe_dump({**SUITE, "episodes": [{**SUITE["episodes"][0], **changes}]}))
        return path
    return write


@pytest.mark.parametrize("verb", EVAL_VERBS)
def test_the_help_of_each_verb_fits_a_screen(evaluate, verb):
    done = evaluate(verb, "--help")
    assert done.returncode == 0 and done.stdout.startswith(f"Usage: dadu eval {verb}")
    assert len(done.stdout.splitlines()) <= 54


def test_without_a_word_it_names_its_verbs(evaluate):
    done = evaluate()
    assert done.returncode == 2 and all(verb in done.stdout + done.stderr for verb in EVAL_VERBS)


@pytest.mark.parametrize(("plain", "verbs"), [
    ("store --planner vllm --no-feedback --out a", "run store --planner vllm --no-feedback --out a"),
    ("--skills oracle store", "run --skills oracle store"), ("store --help", "run store --help"),
    ("--check store --only a", "check store --only a"), ("store --check", "check store"),
    ("--compare a b", "compare a b"), ("--schema", "schema"),
    ("store --ablate memory --out a", "ablate store --ablate memory --out a"),
    ("store --ablate=memory,replan", "ablate store --ablate=memory,replan"),
    ("rearrange --episodes 3 --seed 1 --write f", "generate rearrange --episodes 3 --seed 1 --write f"),
    ("run store", "run store"), ("compare a b", "compare a b"), ("--help", "--help"), ("", ""),
])
def test_the_form_without_a_verb_means_one(plain, verbs):
    assert insert_verb(plain.split()) == verbs.split()


def test_evaluates_and_compares(evaluate, suite, tmp_path):
    done = evaluate("run", suite(), "--skills", "oracle", "--out", tmp_path / "a")
    assert done.returncode == 0, done.stderr
    written = {path.name for path in (tmp_path / "a").iterdir()}
    assert {"episodes.jsonl", "summary.json", "config.yaml", "report.html"} <= written
    summary = json.loads((tmp_path / "a" / "summary.json").read_text())
    assert summary["success"]["mean"] == 1.0
    (line,) = summary["ledger"]
    assert done.stdout.splitlines()[-1] == line and line.startswith("eyes: the oracle's (privileged)")
    assert line in (tmp_path / "a" / "report.html").read_text().replace("&#39;", "'")
    done = evaluate("compare", tmp_path / "a", tmp_path / "a")
    assert done.returncode == 0 and "McNemar" in done.stdout and done.stdout.count(line) == 2


def test_an_unknown_privilege_is_refused(evaluate, suite):
    done = evaluate(suite(), "--privilege", "pose,omniscience")
    assert done.returncode == 2 and "unknown privilege omniscience; valid: instances, pose, states" in done.stderr


def test_the_form_without_a_verb_does_the_same(evaluate, suite, tmp_path):
    options = "--planner symbolic --perception ground_truth --skills oracle --no-feedback --no-memory --workers 1"
    done = evaluate(suite(), *options.split(), "--out", tmp_path / "a")
    assert done.returncode == 0, done.stderr
    used = yaml.safe_load((tmp_path / "a" / "config.yaml").read_text())["options"]
    assert (used["feedback"], used["memory"], used["replan"]) == (False, False, True)
    done = evaluate("--compare", tmp_path / "a", tmp_path / "a")
    assert done.returncode == 0 and "McNemar" in done.stdout
    assert evaluate("--schema").stdout == evaluate("schema").stdout


def test_ablates(evaluate, suite, tmp_path):
    done = evaluate("ablate", suite(), "--without", "feedback,replan", "--skills", "oracle", "--out", tmp_path / "a")
    assert done.returncode == 0, done.stderr
    assert {"base", "no_feedback", "no_replan", "ablation.md"} <= {path.name for path in (tmp_path / "a").iterdir()}
    assert "what each part is worth" in done.stdout
    wrong = evaluate("ablate", suite(), "--without", "gravity")
    assert wrong.returncode == 2 and "valid: feedback, memory" in wrong.stderr


def test_generates_a_suite_that_checks(evaluate, tmp_path):
    file = tmp_path / "two.suite.yaml"
    done = evaluate("generate", "rearrange", "--episodes", 2, "--seed", 5, "--out", file)
    assert done.returncode == 0 and f"wrote {file}" in done.stdout
    assert "2 shown to be feasible" in evaluate("check", file).stdout
    assert evaluate("generate", "store", "--episodes", 2, "--out", file).returncode == 2


def test_lists_the_suites(evaluate):
    done = evaluate("list")
    assert done.returncode == 0 and "rearrange" in done.stdout and "40" in done.stdout


def test_without_a_model_server_it_ends_with_a_sentence(evaluate, suite, tmp_path):
    done = evaluate(suite(), "--planner", "vllm", "--llm-url", "http://127.0.0.1:9/v1", "--out", tmp_path / "none")
    assert done.returncode == 2 and done.stdout == "" and not (tmp_path / "none").exists()
    assert done.stderr.startswith("dadu: the model server at http://127.0.0.1:9/v1 cannot be used: no connection")
    assert done.stderr.count("\n") == 1


def test_checks(evaluate, suite):
    good, bad = evaluate("check", suite()), evaluate("--check", suite(closed=["moon"]))
    assert good.returncode == 0 and "1 shown to be feasible" in good.stdout
    assert bad.returncode == 2 and "one.suite.yaml: episode lemon: closed: 'moon'" in bad.stderr
    assert "Traceback" not in bad.stderr
    cannot = evaluate("check", suite(goal={"propositions": [{"is_sliced": [["lemon_0"]]}]}))
    assert cannot.returncode == 1 and "nobody here can slice" in cannot.stdout


def test_checks_that_the_robot_finds_a_place_for_each_step(evaluate, suite, blocked_fridge):
    wanted = {"propositions": [{"is_on_top": [["milk_0"], ["coffee_table_0"]]}]}
    cannot = evaluate("check", suite(house=str(blocked_fridge), goal=wanted))
    assert cannot.returncode == 1 and "open(fridge_0): there is no free place to stand" in cannot.stdout


def test_names_the_suites(evaluate):
    done = evaluate("nothing_of_the_kind")
    assert done.returncode == 2 and "valid: chores, household, rearrange, store, together" in done.stderr


@pytest.mark.parametrize("given", [{"protocol": "react"}, {"model": "mine"}, {"llm_url": "http://127.0.0.1:1/v1"},
                                   {"fallback": True}])
def test_what_only_a_model_heeds_is_not_passed_over(given):
    with pytest.raises(ConfigError, match=f"--{next(iter(given)).replace('_', '-')} is for a planner that is a model"):
        How(**given).options()
    assert How(**given, planner="vllm").options()
