"""A run of one short episode that somebody plays, and its page."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import yaml

from dadu.eval.options import EvalOptions
from dadu.eval.run import Run
from dadu.operator.console.serving import serve
from dadu.operator.play.app import make_app
from dadu.operator.play.seats import Seats
from dadu.tasks.prepare import prepare_all
from dadu.tasks.suite import load_suite

MILK = {"suite": "milk", "episodes": [{
    "id": "milk", "sim_seconds": 300, "house": "flat", "instruction": "put the milk on the dining table",
    "goal": {"propositions": [{"is_on_top": [["milk_0"], ["dining_table_0"]]}]}}]}


def milk_run(folder: Path, plan: str = "solo", **team: object) -> Run:
    """In which time waits for who plays, not begun. Results go to `folder`."""
    file = folder / "milk.suite.yaml"
    file.write_text(yaml.safe_dump(MILK))
    suite, path = load_suite(str(file))
    options = EvalOptions.model_validate(
        {"skills": "oracle", "team": {"plan": plan, "partner": "human", "speed": 0.0, **team}})
    return Run("milk", str(file), prepare_all(suite, path), options, folder, people=Seats(options.team, 1))


@contextmanager
def page_of(people: Seats) -> Iterator[str]:
    """Base address."""
    served = serve(partial(make_app, people), "127.0.0.1", 0)
    yield served.url
    served.end()
