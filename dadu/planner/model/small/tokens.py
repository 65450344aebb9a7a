"""Words to tokens as SmolLM2 has them: byte-level BPE, digits one by one, and conversations in ChatML."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tokenizers import Tokenizer, decoders, models, pre_tokenizers

from dadu.core.errors import ConfigError
from dadu.planner.model.small.weights import Weights

if TYPE_CHECKING:
    from dadu.planner.model.client import Message

BEGIN, END = "<|im_start|>", "<|im_end|>"
_CONTROL = 3
"""GGUF's kind of a token that is no text"""


def tokenizer_of(weights: Weights) -> Tokenizer:
    """As the file's head has it."""
    tokens, kinds = weights.entry("tokenizer.ggml.tokens"), weights.entry("tokenizer.ggml.token_type")
    merges = [tuple(pair.split(" ")) for pair in weights.entry("tokenizer.ggml.merges")]
    made = Tokenizer(models.BPE({token: i for i, token in enumerate(tokens)}, merges))
    made.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)])
    made.decoder = decoders.ByteLevel()
    made.add_special_tokens([token for token, kind in zip(tokens, kinds, strict=True) if kind == _CONTROL])
    return made


def control(tokenizer: Tokenizer, name: str) -> int:
    """Of a token that is no text. Errors: ConfigError."""
    found = tokenizer.token_to_id(name)
    if found is None:
        raise ConfigError(f"the small model's tokenizer has no {name}")
    return int(found)


def conversation(tokenizer: Tokenizer, messages: Sequence[Message]) -> list[int]:
    """The tokens after which an answer begins. What is said never ends its own turn: it is taken as text."""
    tokenizer.encode_special_tokens = True
    begin, end = (control(tokenizer, name) for name in (BEGIN, END))

    def text(words: Any) -> list[int]:
        return list(tokenizer.encode(str(words)).ids)

    turns = ([begin, *text(f"{m['role']}\n{m['content']}"), end, *text("\n")] for m in messages)
    return [*(token for turn in turns for token in turn), begin, *text("assistant\n")]
