"""The model ``tiny``: made here, from random weights and the data's own words."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import torch
from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

from dadu.learning.planner.settings import PlannerTrainSettings

_PAD, _START, _END = "<|pad|>", "<|im_start|>", "<|im_end|>"
_TEMPLATE = (
    "{% for message in messages %}"
    "{{ '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>' + '\\n' }}"
    "{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}"
)
"""ChatML"""
_PIECES = r"[A-Za-z]+|[0-9]|[^A-Za-z0-9]+"
"""within which tokens are made"""
_CONTEXT = 4096
"""positions that it may be asked about, whatever it was trained on"""


def make_tiny(settings: PlannerTrainSettings, texts: Iterable[str], folder: Path) -> None:
    """Writes model and tokenizer to `folder`; the same for the same settings and texts."""
    tokenizer = _tokenizer(settings.tiny.shape.vocabulary, texts)
    torch.manual_seed(settings.seed)
    model = LlamaForCausalLM(_config(settings, tokenizer))
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer.save_pretrained(folder)
    model.save_pretrained(folder)  # last: its config.json says that all is there


def _tokenizer(vocabulary: int, texts: Iterable[str]) -> PreTrainedTokenizerFast:
    """Byte-level BPE; digits stand alone, so that milk_12 is made of what milk_1 is, and so do words, without the blank
    before them: what is copied from the instruction between quotes is the same tokens, which little training learns.
    What stands between words, such as ``": [{"``, may be one."""
    bare = Tokenizer(models.BPE())
    bare.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Split(Regex(_PIECES), "isolated"),
         pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)])
    bare.decoder = decoders.ByteLevel()
    bare.train_from_iterator(texts, trainers.BpeTrainer(
        vocab_size=vocabulary, special_tokens=[_PAD, _START, _END], show_progress=False,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet()))
    return PreTrainedTokenizerFast(tokenizer_object=bare, eos_token=_END, pad_token=_PAD, chat_template=_TEMPLATE,
                                   model_max_length=_CONTEXT, clean_up_tokenization_spaces=False)


def _config(settings: PlannerTrainSettings, tokenizer: PreTrainedTokenizerFast) -> LlamaConfig:
    shape = settings.tiny.shape
    return LlamaConfig(
        vocab_size=max(shape.vocabulary, len(tokenizer)), hidden_size=shape.width, intermediate_size=shape.hidden,
        num_hidden_layers=shape.layers, num_attention_heads=shape.heads, num_key_value_heads=shape.key_value_heads,
        head_dim=shape.head_size, tie_word_embeddings=shape.tied, max_position_embeddings=_CONTEXT,
        bos_token_id=None, eos_token_id=tokenizer.eos_token_id, pad_token_id=tokenizer.pad_token_id)
