"""A language model of random weights, with a tokenizer of single bytes and a chat template."""

from pathlib import Path

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

_MARKS = ["<|pad|>", "<|im_start|>", "<|im_end|>"]
_TEMPLATE = ("{% for m in messages %}{{ '<|im_start|>' + m['role'] + '\\n' + m['content'] + '<|im_end|>\\n' }}"
             "{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}")


def make_tiny(folder: Path) -> Path:
    words = [*_MARKS, *sorted(pre_tokenizers.ByteLevel.alphabet())]
    bare = Tokenizer(models.BPE({word: i for i, word in enumerate(words)}, []))
    bare.pre_tokenizer, bare.decoder = pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel()
    bare.add_special_tokens(_MARKS)
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=bare, eos_token=_MARKS[2], pad_token=_MARKS[0],
                                        chat_template=_TEMPLATE)
    torch.manual_seed(0)
    model = LlamaForCausalLM(LlamaConfig(
        vocab_size=len(tokenizer), hidden_size=32, intermediate_size=48, num_hidden_layers=1, num_attention_heads=2,
        num_key_value_heads=1, tie_word_embeddings=True, max_position_embeddings=512, bos_token_id=None,
        eos_token_id=tokenizer.eos_token_id, pad_token_id=tokenizer.pad_token_id))
    tokenizer.save_pretrained(folder)
    model.save_pretrained(folder)
    return folder
