"""Reads an instruction with trained weights: every output is frames, and comes with how sure the network is."""

from __future__ import annotations

import json
import math
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from dadu.core.errors import ConfigError
from dadu.language.frames.frame import Utterance
from dadu.language.learned.codec import to_utterance
from dadu.language.learned.sentence import KnownNames, WordVectors, words_of
from dadu.language.learned.slots import vocabulary
from dadu.language.learned.writing import LONGEST, Writing

_UNKNOWN = (0.0, 0.0)
"""calibration of weights that were never checked: a half"""
_REQUEST = 20
"""symbols of a short request"""
ENCODER, DECODER, CARD = "encoder.onnx", "decoder.onnx", "card.json"


@dataclass(frozen=True)
class LearnedReading:
    """What was read into an instruction."""

    utterance: Utterance
    confidence: float
    """probability that it is right, 0 to 1, as far as the generator's kept-out sentences tell"""
    score: float
    """mean log-probability of a symbol"""
    symbols: tuple[int, ...]

    @property
    def sure_of_all(self) -> float:
        """Probability that every request in it is right, 0 to 1: `score`, being a mean, says no less of a long reading
        than of a short one, and a chain of requests is as likely right as all of them together."""
        return float(self.confidence ** max(1.0, len(self.symbols) / _REQUEST))


class Scorer(Protocol):
    """Says how likely each symbol comes next."""

    def begin(self, vectors: np.ndarray, marks: np.ndarray) -> None:
        """A sentence: float32 (N, V) and int64 (N,)."""
        ...

    def scores(self, before: int) -> np.ndarray:
        """float32 (S + N,), unitless, of S symbols and N words: log-probabilities behind the last one, -1 for none."""
        ...


def write(scorer: Scorer, words: int) -> tuple[Writing, list[int], list[float]] | None:
    """The likeliest symbol at each step of those that may come; None where no end comes.

    `words` of the sentence that `scorer` has begun. Returns the writing, its symbols and their log-probabilities.
    """
    writing, symbols, told = Writing(words), list[int](), list[float]()
    while not writing.done and len(symbols) < LONGEST:
        scores = scorer.scores(symbols[-1] if symbols else -1)
        allowed = writing.allowed()
        best = allowed[int(np.argmax(scores[allowed]))]
        writing.push(best)
        symbols.append(best)
        told.append(float(scores[best]))
    return (writing, symbols, told) if writing.done else None


class LearnedReader:
    """The network of one file of weights."""

    def __init__(self, path: Path) -> None:
        """Errors: ConfigError for a file that is none, is damaged, or of another frame language."""
        self.card, encoder, decoder = _opened(path)
        if self.card.get("vocabulary") != list(vocabulary()):
            raise ConfigError(f"{path} writes other frames than this version's; train it again")
        try:
            self._slope, self._offset = map(float, self.card.get("calibration", _UNKNOWN))
            self._scorer = _OnnxScorer(encoder, decoder, self.card)
        except (KeyError, ValueError, TypeError, ArithmeticError) as error:
            raise ConfigError(f"{path}: its card is damaged: {error!r}") from None
        self._vectors = WordVectors()

    def read(self, instruction: str, names: KnownNames) -> LearnedReading | None:
        """None where there are no words, or no end comes of them."""
        words = words_of(instruction)
        if not words:
            return None
        self._scorer.begin(self._vectors.vectors(words), names.marks(words))
        written = write(self._scorer, len(words))
        if written is None:
            return None
        writing, symbols, told = written
        score = sum(told) / len(told)
        return LearnedReading(to_utterance(writing, words), self._confidence(score), score, tuple(symbols))

    def _confidence(self, score: float) -> float:
        return 1 / (1 + math.exp(-max(min(self._slope * score + self._offset, 30.0), -30.0)))


class _OnnxScorer:
    """One core; keys and values of what was written are kept between steps."""

    def __init__(self, encoder: bytes, decoder: bytes, card: dict[str, Any]) -> None:
        """`encoder` and `decoder`: whole, by their file's checksums. Errors: KeyError, ValueError, TypeError,
        ArithmeticError where the card is not theirs."""
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        self._encoder, self._decoder = (onnxruntime.InferenceSession(
            model, options, providers=["CPUExecutionProvider"]) for model in (encoder, decoder))
        shape = (2 * card["layers"], card["heads"], 0, card["width"] // card["heads"])
        past = {each.name: each.shape for each in self._decoder.get_inputs()}["past"]
        if any(isinstance(size, int) and size != told for size, told in zip(past, shape)):
            raise ValueError(f"its network remembers {past}, and not {shape}")
        self._empty = np.zeros(shape, np.float32)

    def begin(self, vectors: np.ndarray, marks: np.ndarray) -> None:
        """float32 (N, V), int64 (N,)"""
        self._states, self._keys = self._encoder.run(None, {"vectors": vectors[None], "marks": marks[None]})
        self._past, self._step = self._empty, 0

    def scores(self, before: int) -> np.ndarray:
        """float32 (S + N,), unitless"""
        begin = len(vocabulary())
        symbol = begin if before < 0 else before + (before >= begin)  # the beginning's own stands before the words
        scores, self._past = self._decoder.run(None, {
            "before": np.array([[symbol]]), "step": np.array([self._step]), "states": self._states,
            "keys": self._keys, "past": self._past})
        self._step += 1
        return scores


def _opened(path: Path) -> tuple[dict[str, Any], bytes, bytes]:
    try:
        with zipfile.ZipFile(path) as file:
            card = json.loads(file.read(CARD))
            if not isinstance(card, dict):
                raise ValueError(f"{CARD} is no table")
            return card, file.read(ENCODER), file.read(DECODER)
    except (OSError, zipfile.BadZipFile, KeyError, ValueError) as error:
        raise ConfigError(f"{path} holds no learned interpreter ({error}); "
                          "`dadu train interpreter` makes one") from None
