"""A skipped test of the base tier fails; one of something optional may be skipped; --all runs more."""

from pathlib import Path

import pytest

SKIPS = {
    "called": "import pytest\ndef test_it():\n    pytest.skip('not today')",
    "imported": "import pytest\ndef test_it():\n    pytest.importorskip('no_such_module')",
    "whole_file": "import pytest\npytest.importorskip('no_such_module')\ndef test_it():\n    pass",
    "marked": "import pytest\n@pytest.mark.skipif(True, reason='slow')\ndef test_it():\n    pass",
    "no_cases": "import pytest\n@pytest.mark.parametrize('case', [])\ndef test_it(case):\n    pass",
    "expected_to_fail": "import pytest\n@pytest.mark.xfail\ndef test_it():\n    assert False",
    "in_a_fixture": "import pytest\n@pytest.fixture\ndef it():\n    pytest.skip('no')\ndef test_it(it):\n    pass",
}
OPTIONAL = """
import pytest
import tiers
tiers.EXTRAS["here"] = tiers.Extra("the extra here", lambda: True)
tiers.EXTRAS["moon"] = tiers.Extra("the extra moon", lambda: False)
@pytest.mark.needs("here")
def test_of_what_is_installed():
    pass
@pytest.mark.needs("here", "moon")
def test_of_what_is_not():
    assert False
"""


@pytest.fixture
def run(pytester):
    """Runs pytest in a process of its own with the project's tiers: on files of tests by name, or on one."""
    pytester.makeini(f"[pytest]\npythonpath = {Path(__file__).parent}\nmarkers =\n    needs(name)\n    thorough\n")
    pytester.makeconftest("pytest_plugins = ['tiers']")

    def run(code, *options):
        pytester.makepyfile(**code if isinstance(code, dict) else {"test_it": code})
        return pytester.runpytest_subprocess("-p", "no:cacheprovider", *options)

    return run


def test_a_skip_is_a_failure(run):
    result = run({f"test_{how}": code for how, code in SKIPS.items()}, "--continue-on-collection-errors")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.assert_outcomes(errors=4, failed=3)  # before the test, and in it


def test_a_test_of_an_extra_runs_where_it_is_installed(run):
    result = run(OPTIONAL, "-rs")
    assert result.ret == pytest.ExitCode.OK
    result.assert_outcomes(passed=1, skipped=1)
    result.stdout.fnmatch_lines("SKIPPED*: needs the extra moon")


def test_an_extra_that_there_is_not_is_no_excuse(run):
    result = run("import pytest\n@pytest.mark.needs('luck')\ndef test_it():\n    pass")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines("*needs luck; valid: *mcp*")


EXPLORE = """
from pathlib import Path
import pytest
from hypothesis import given, strategies
from tiers import examples
drawn = []
@given(strategies.floats())
def test_draw(number):
    drawn.append(repr(number))
@given(strategies.floats())
@examples(10)
def test_draw_less(number):
    drawn.append(repr(number))
@pytest.mark.thorough
def test_more():
    drawn.append("more")
def test_tell():
    Path("drawn").write_text("|".join(drawn))
"""


def test_all_runs_what_is_thorough_and_draws_other_examples_each_time(run, pytester, monkeypatch):
    monkeypatch.setenv("CI", "true")  # there hypothesis repeats its examples unless it is told not to

    def drawn(*options):
        result = run(EXPLORE, *options)
        return (pytester.path / "drawn").read_text().split("|"), result

    fixed, result = drawn()
    result.assert_outcomes(passed=3, deselected=1)
    random, result = drawn("--all")
    result.assert_outcomes(passed=4)
    assert len(fixed) == 30 + 10 and len(random) == 10 * len(fixed) + 1
    assert random[:30] != fixed[:30]
    seed = next(w for line in result.outlines for w in line.split() if w.startswith("--hypothesis-seed="))
    assert drawn("--all", seed)[0] == random
