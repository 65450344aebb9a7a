"""Which model a configuration asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dadu.planner.model.client import ModelClient
from dadu.planner.settings import ModelSettings

if TYPE_CHECKING:
    from dadu.planner.model.small.model import SmallModel


def make_model(settings: ModelSettings) -> ModelClient | SmallModel:
    """A server's, or the small one of this process. Errors: ConfigError for one that is not there."""
    if not settings.in_process:
        return ModelClient(settings)
    from dadu.planner.model.small.model import SmallModel  # its runtime, which a server needs not

    return SmallModel(settings)
