"""The simulated person does their share under physics as in the oracle; ways and hands take them time."""

import pytest

from dadu.eval.episode.backends import make_backend
from dadu.eval.episode.companion import make_companion
from dadu.eval.episode.observer import Observer
from dadu.eval.episode.record import demonstration
from dadu.eval.options import EvalOptions
from dadu.tasks.prepare import prepare_all
from dadu.tasks.suite import load_suite


@pytest.mark.parametrize("skills", ["oracle", "physical"])
def test_the_person_does_what_the_robot_cannot(tmp_path, skills):
    path = tmp_path / "s.suite.yaml"
    path.write_text("""{suite: s, episodes: [{id: a, instruction: wash the mug, house: small_flat, person: true, goal: {
        propositions: [{is_clean: [[mug_0]]}, {is_filled: [[mug_0]]}], constraints: [{temporal: [[0, 1]]}]}}]}""")
    prepared = prepare_all(*load_suite(path))[0]
    backend = make_backend(prepared, EvalOptions(skills=skills))
    observer = Observer(prepared, backend, 60.0, False, EvalOptions(skills=skills).privileges_for("layout"))
    companion = make_companion(backend.stack, demonstration(prepared), prepared.episode.goal)
    companion.catch_up(observer)
    assert observer.monitor.percent_complete < 1.0 or skills == "oracle"
    companion.catch_up(observer, finish=True)
    backend.stack.close()
    assert observer.monitor.verdict().success
    assert [a.skill for a in observer.actions if a.gained] == ["clean", "fill"]
    assert {a.agent for a in observer.actions} == {"person"}
