"""Settings of the planner, as parameters of its node and as options of an evaluation."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, Field, NonNegativeFloat, NonNegativeInt, PositiveFloat, PositiveInt, model_validator

from dadu.core.config import Settings, Share, Url
from dadu.core.paths import kept
from dadu.knowledge.odds import Odds
from dadu.planner.presets import NO_STORE, OWN_STORE, PRESETS, PlannerName, apply_preset

GOAL = "goal"
"""the protocol in which a model writes what is wanted; and who then chooses the steps: the symbolic planner, by that"""


class LoopSettings(Settings):
    """Bounds of one task."""

    max_steps: NonNegativeInt = 60
    """skills; shutting something, and going there for it, does not count"""
    max_seconds: NonNegativeFloat = 1200.0
    """on the clock in use"""
    same_step: PositiveInt = 5
    """the same skill in the same situation so often: nothing is gained any more"""
    feedback: bool = True
    """false (ablation): the policy is told of no outcome; it takes every skill for carried out"""
    replan: bool = True
    """false (ablation): the first plan is followed to its end"""
    semantic_map: bool = True
    """false (ablation): what kinds of things were met where, in past tasks, has no part in where is searched first"""

    @property
    def odds(self) -> Odds:
        """What searches draw on."""
        return Odds(self.semantic_map)


class ExampleSettings(Settings):
    """Successful tasks of the past, shown to the model where they resemble the new one."""

    path: str = ""
    """file (JSON lines) that they are read from; own: the user's own, `Path` ``dadu/examples.jsonl`` where the user's
    data are kept; none: no file; empty: planner rag has the user's own, others have none"""
    keep: str = ""
    """file that a task is added to when its success is confirmed; own, none: as above; empty: `path`"""
    limit: NonNegativeInt = 1
    """examples in a prompt; planners react and finetuned: 0"""
    tokens: NonNegativeInt = 120
    """of all of them together, at most"""
    similarity: float = Field(0.5, ge=-1, le=1)
    """cosine between instructions from which on an example is of use: other words for the same have 0.54 to 0.72 by
    MiniLM, the best of what is different at most 0.46"""

    @property
    def shown(self) -> Path | None:
        """The file that they are read from, where they are shown at all."""
        return _store(self.path) if self.limit > 0 else None

    @property
    def added_to(self) -> Path | None:
        """The file that more are added to."""
        return _store(self.keep or self.path)


def _store(name: str) -> Path | None:
    if name in ("", NO_STORE):
        return None
    return kept("examples.jsonl") if name == OWN_STORE else Path(name)


class ModelSettings(Settings):
    """The OpenAI-compatible server that serves the model, and how it is talked to."""

    url: Url = "http://localhost:8000/v1"
    """of the server, ending in /v1"""
    api_key_file: str = ""
    """file that holds the key which the server asks for; empty: environment variable OPENAI_API_KEY, or no key"""
    in_process: bool = False
    """no server: the small model runs in this process (planner small)"""
    threads: PositiveInt = 1
    """of the small model in this process"""
    model: str = ""
    """empty: the only one that the server offers, adapters of it aside"""
    protocol: str = "two_phase"
    """two_phase (plan, then adapt), react (one step at a time), goal (what is wanted, once; the symbolic planner finds
    the way), or a YAML file like those in config/prompts/"""
    prompt: str = ""
    """the protocol's words: a YAML file like its own in config/prompts/; empty: its own"""
    constrain: Literal["auto", "always", "never"] = "auto"
    """send the JSON schema; auto: unless the server refuses it"""
    timeout: PositiveFloat = 20.0
    """wall seconds for one turn, retries and repair included"""
    retries: NonNegativeInt = 2
    """requests more, where the server gives no answer"""
    repairs: NonNegativeInt = 2
    """protocol goal: how often it is asked again for a goal that cannot be used, and as often where one could not be
    reached"""
    grammar_first: bool = False
    """protocol goal: `PlannerSettings.interpreter` reads the words, and the model only what that does not understand"""
    certain: Share = 0.95
    """protocol goal: where the model is less certain of its goal (0 to 1, as `ModelCall.certainty`; known of the small
    model alone), or leaves out what the words name, whoever gave the instruction is asked whether that is meant; 0:
    never"""
    max_tokens: PositiveInt = 500
    """of one answer"""
    temperature: NonNegativeFloat = 0.0
    """of sampling; 0: always the likeliest word"""
    no_thinking: bool = False
    """tell the chat template not to think aloud (Qwen3 and its kin; other servers may refuse the option)"""
    parameters: NonNegativeFloat = 0.0
    """billions, for the count of FLOPs; 0: as the model's name says"""
    history: NonNegativeInt = 6
    """newest steps told where a conversation begins anew; older ones in one line"""
    world_tokens: NonNegativeInt = 300
    """of the world's description in a first prompt"""
    turn_tokens: NonNegativeInt = 45
    """of the words that follow a step, estimated; a chat template adds some ten, and ids may be five more than that"""
    context_tokens: NonNegativeInt = 1500
    """of a conversation, before it begins anew"""
    memory: bool = True
    """false (ablation): every turn begins anew, with what the graph holds then; nothing that was told before is left"""
    vision: bool = False
    """the model sees: it is shown the camera's picture after go_to and after a pick that failed, and before done; also
    where another policy chooses. Where it does not, or does not answer, what was detected answers instead"""
    examples: ExampleSettings = ExampleSettings()


class PlannerSettings(Settings):
    """All of it."""

    policy: PlannerName = "symbolic"
    """who chooses the skills; all but symbolic and expert are a model, see `dadu.planner.presets`"""
    interpreter: str = "grammar"
    """what reads the goal that the symbolic policy pursues: a name in `dadu.planner.interpreters`, or where a class of
    one's own is, as FILE.py:Class; a model understands for itself"""
    verify: str = "none"
    """the interpreter by whose reading of the instruction a model's `done` is checked; none: nobody checks it, and the
    task ends UNCERTAIN. What the symbolic policy says is checked by its own goal"""
    llm_url: Url = ""
    """OpenAI-compatible server, ending in /v1; empty: `llm.url`"""
    ask: bool = False
    """where the words of an instruction are not clear, whoever gave it is asked and waited for; a planner that tells no
    goal asks nothing"""
    ask_seconds: PositiveFloat = 60.0
    """wall seconds that an answer is waited for"""
    fallback: bool = True
    """where the model cannot be used the symbolic policy takes over; false: the task ends with code 60"""
    loop: LoopSettings = LoopSettings()
    llm: ModelSettings = ModelSettings()

    @model_validator(mode="before")
    @classmethod
    def _choose_how_it_is_asked(cls, given: Any) -> Any:
        """As the policy's name says, where it says something. Errors: ConfigError for what contradicts it."""
        if not isinstance(given, Mapping) or given.get("policy") not in PRESETS:
            return given
        llm = given.get("llm") or {}
        known = llm.model_dump(exclude_unset=True) if isinstance(llm, BaseModel) else llm
        return {**given, "llm": apply_preset(given["policy"], known)} if isinstance(known, Mapping) else given

    @property
    def asks_model(self) -> bool:
        """True if the policy is a model's."""
        return self.policy in PRESETS

    @property
    def model_settings(self) -> ModelSettings:
        return self.llm.model_copy(update={"url": self.llm_url}) if self.llm_url else self.llm

    @property
    def chooser(self) -> str:
        """Who chooses the steps, as in `Decision.policy`, as long as nobody takes over."""
        return GOAL if self.asks_model and self.llm.protocol == GOAL else self.policy

    @property
    def pictures(self) -> bool:
        """True if the policy looks at the camera's pictures."""
        return self.llm.vision
