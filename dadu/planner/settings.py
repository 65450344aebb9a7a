"""Settings of the planner, as parameters of its node and as options of an evaluation."""

from __future__ import annotations

from typing import Literal

from dadu.config import Settings


class LoopSettings(Settings):
    """Bounds of one task."""

    max_steps: int = 60
    max_seconds: float = 1200.0
    """on the clock in use"""
    same_step: int = 5
    """the same skill in the same situation so often: nothing is gained any more"""
    backend_tries: int = 12
    """steps in a row that fail because a skill's server or the simulator is gone"""
    failures_in_a_row: int = 12
    """the robot cannot do anything any more"""
    format_tries: int = 3
    """turns in a row in which a model gives no skill that can be used"""


class ModelSettings(Settings):
    """The OpenAI-compatible server that serves the model."""

    url: str = "http://localhost:8000/v1"
    model: str = ""
    """empty: the first that the server offers"""
    timeout: float = 20.0
    """wall seconds for one turn, retries included"""
    retries: int = 2
    max_tokens: int = 400
    temperature: float = 0.0
    history: int = 8
    """newest steps that the prompt shows"""
    max_words: int = 300
    """of the world's description in the prompt"""


class PlannerSettings(Settings):
    """All of it."""

    policy: Literal["symbolic", "vllm"] = "symbolic"
    llm_url: str = ""
    """OpenAI-compatible server, ending in /v1; empty: `llm.url`"""
    loop: LoopSettings = LoopSettings()
    llm: ModelSettings = ModelSettings()

    @property
    def model_settings(self) -> ModelSettings:
        return self.llm.model_copy(update={"url": self.llm_url}) if self.llm_url else self.llm
