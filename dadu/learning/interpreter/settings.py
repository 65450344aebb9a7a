"""What may be set when the interpreter is trained; the resolved copy lies beside its checkpoint."""

from __future__ import annotations

from pydantic import Field, PositiveFloat, PositiveInt

from dadu.core.config import Settings
from dadu.learning.settings import RunSettings


class InterpreterNetworkSettings(Settings):
    """Size of the network."""

    width: PositiveInt = 160
    heads: PositiveInt = 4
    hidden: PositiveInt = 480
    encoder: PositiveInt = 3
    """layers"""
    decoder: PositiveInt = 2


class InterpreterTrainSettings(RunSettings):
    """A training run."""

    network: InterpreterNetworkSettings = InterpreterNetworkSettings()
    symbols: PositiveInt = 3000
    """of a batch, padding included; its sentences are of like length"""
    dropout: float = Field(0.0, ge=0, lt=1)
    """sentences are drawn without end, and few are seen twice"""
    nameless: float = Field(0.15, ge=0, le=1)
    """share of sentences read as if no name were known"""
    rate: PositiveFloat = 1.5e-3
    weight_decay: float = Field(0.01, ge=0)
    warm_up: PositiveInt = 300
    clip: PositiveFloat = 1.0
    report: PositiveInt = 50
