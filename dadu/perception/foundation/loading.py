"""Models and processors by name or folder, with errors in a sentence."""

from __future__ import annotations

from typing import Any

import torch
from transformers import AutoConfig, AutoProcessor

from dadu.core.errors import ConfigError, choices


def device() -> str:
    """Where models run."""
    return "cuda" if torch.cuda.is_available() else "cpu"


def model_type(weights: str) -> str:
    """The architecture, as transformers calls it, of a name on Hugging Face's hub or a folder. Errors: ConfigError."""
    return str(_loaded(AutoConfig, weights).model_type)


def model(kind: Any, weights: str) -> Any:
    """Of a class of transformers, ready to run. Errors: ConfigError."""
    return _loaded(kind, weights).eval().to(device())


def processor(weights: str) -> Any:
    """What prepares pictures and words for it. Errors: ConfigError."""
    return _loaded(AutoProcessor, weights)


def expect(weights: str, what: str, valid: tuple[str, ...]) -> None:
    """Errors: ConfigError where the architecture is none of `valid`."""
    found = model_type(weights)
    if found not in valid:
        raise ConfigError(f"weights {weights!r} are of {found}, which gives no {what}; valid: {choices(valid)}")


def _loaded(kind: Any, weights: str) -> Any:
    try:
        return kind.from_pretrained(weights)
    except (OSError, ValueError, KeyError) as error:
        reason = str(error).strip().splitlines()[0]
        raise ConfigError(f"weights {weights!r} cannot be loaded: {reason}; give a name on Hugging Face's hub or a "
                          "folder") from None
