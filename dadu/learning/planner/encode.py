"""From conversations to tokens, and which of these are learned: an assistant's answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from dadu.learning.planner.chats import ChatMessage, plain

NOT_LEARNED = -100
"""label of a token that no loss is taken of, as PyTorch's cross-entropy has it"""
_TEMPLATE = {"enable_thinking": False}
"""told to the chat template: models that think aloud (Qwen3) are asked not to, as `llm.no_thinking` does when they are
served; other templates pass over it"""


@dataclass(frozen=True)
class EncodedChat:
    """Tokens, and what is to be said at each."""

    input_ids: list[int]
    labels: list[int]


class ChatEncoder:
    """Encodes as a server does: the template's text of what was said, then the answer."""

    def __init__(self, tokenizer: Any, context: int) -> None:
        """`tokenizer`: Hugging Face's, with a chat template; `context`: tokens at most."""
        self._tokenizer, self._context = tokenizer, context

    def chat(self, messages: Sequence[ChatMessage]) -> Iterator[EncodedChat]:
        """One, with all answers; more where the template tells an earlier answer otherwise than it was given (without
        its thoughts, say); none where not even the first answer fits in the context."""
        ids: list[int] = []
        labels: list[int] = []
        said = ""
        for before, answer in self.answers(messages):
            prompt = self._text(before)
            if not prompt.startswith(said):
                yield from _if_any(ids, labels)
                ids, labels, said = [], [], ""
            text = self._answer(before, answer, prompt)
            asked, told = self._tokens(prompt[len(said):]), self._tokens(text)
            if len(ids) + len(asked) + len(told) > self._context:
                break
            ids += asked + told
            labels += [NOT_LEARNED] * len(asked) + told
            said = prompt + text
        yield from _if_any(ids, labels)

    def answers(self, messages: Sequence[ChatMessage]) -> Iterator[tuple[tuple[ChatMessage, ...], ChatMessage]]:
        """Every answer with what was said before it."""
        for i, message in enumerate(messages):
            if message.role == "assistant":
                yield tuple(messages[:i]), message

    def prompt(self, before: Sequence[ChatMessage]) -> list[int]:
        """What a server would give the model."""
        return self._tokens(self._text(before))

    def _text(self, messages: Sequence[ChatMessage], asks: bool = True) -> str:
        return str(self._tokenizer.apply_chat_template(plain(messages), tokenize=False, add_generation_prompt=asks,
                                                       **_TEMPLATE))

    def _answer(self, before: Sequence[ChatMessage], answer: ChatMessage, prompt: str) -> str:
        """An answer with the token that ends it, as text."""
        whole, end = self._text((*before, answer), asks=False), str(self._tokenizer.eos_token)
        text = whole[len(prompt):] if whole.startswith(prompt) else answer.content
        return text.partition(end)[0] + end

    def _tokens(self, text: str) -> list[int]:
        return list(self._tokenizer(text, add_special_tokens=False)["input_ids"])


def _if_any(ids: list[int], labels: list[int]) -> Iterator[EncodedChat]:
    if ids:
        yield EncodedChat(ids, labels)
