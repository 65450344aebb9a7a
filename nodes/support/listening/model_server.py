"""Health of a language model's server, asked now and then while no task does."""

from __future__ import annotations

import time
from threading import Thread

from dadu.planner.policies.policy import PolicyUnavailable
from dadu.planner.settings import PlannerSettings

PERIOD = 30.0
"""wall seconds between two questions"""


class ModelServer:
    """`problem` says what is wrong with it; `look`, called often, asks in a thread of its own."""

    def __init__(self, settings: PlannerSettings) -> None:
        self._settings = settings
        self._problem = ""
        self._due = 0.0
        self._asking: Thread | None = None

    def problem(self) -> str:
        """What is wrong, in a sentence; empty: nothing, or no model is to be asked."""
        if self._problem and self._settings.fallback:
            return f"{self._problem}; the symbolic planner takes over"
        return self._problem

    def look(self) -> None:
        """Asks where the answer to the last question is old; without waiting."""
        due = time.monotonic() >= self._due and (self._asking is None or not self._asking.is_alive())
        if due and self._settings.asks_model:
            self._due = time.monotonic() + PERIOD
            self._asking = Thread(target=self._ask, daemon=True)
            self._asking.start()

    def heard(self, problem: str) -> None:
        """A task has asked it: what went wrong, empty where nothing did. Any thread may say so."""
        self._problem, self._due = problem, time.monotonic() + PERIOD

    def _ask(self) -> None:
        from dadu.planner.model.client import ModelClient  # openai takes a second, and most planners ask no model

        try:
            ModelClient(self._settings.model_settings).check()
            self._problem = ""
        except PolicyUnavailable as error:
            self._problem = str(error)
