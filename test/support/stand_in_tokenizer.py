"""A tokenizer of single characters with ChatML's marks, for tests without the extra train."""

import re

START, END = "<|im_start|>", "<|im_end|>"


class CharacterTokenizer:
    """Of Hugging Face's what `ChatEncoder` asks for. `forgets`: earlier answers are told without their thoughts."""

    eos_token = END
    eos_token_id = 1

    def __init__(self, forgets=False):
        self._forgets = forgets

    def apply_chat_template(self, messages, tokenize, add_generation_prompt, **_):
        assert not tokenize
        text = ""
        for i, message in enumerate(messages):
            told = message["content"]
            if self._forgets and i < len(messages) - 1:
                told = re.sub("<.*?>", "", told)
            text += f"{START}{message['role']}\n{told}{END}\n"
        return text + (f"{START}assistant\n" if add_generation_prompt else "")

    def __call__(self, text, add_special_tokens):
        assert not add_special_tokens
        marks = {START: 0, END: 1}
        return {"input_ids": [marks.get(piece) if piece in marks else 2 + ord(piece)
                              for piece in re.findall(r"<\|im_start\|>|<\|im_end\|>|.", text, re.DOTALL)]}

    @staticmethod
    def decode(ids):
        return "".join({0: START, 1: END}.get(i) or chr(i - 2) for i in ids)
