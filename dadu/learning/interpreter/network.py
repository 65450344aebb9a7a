"""The network: words to states, states and symbols to the next symbol or the word that is pointed at."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from dadu.language.learned.sentence import LONGEST as LONGEST_SENTENCE
from dadu.language.learned.sentence import MARKS
from dadu.language.learned.writing import LONGEST
from dadu.learning.interpreter.settings import InterpreterNetworkSettings


class _Attention(nn.Module):
    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.heads = heads
        self.query, self.both, self.out = nn.Linear(width, width), nn.Linear(width, 2 * width), nn.Linear(width, width)

    def keys(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Keys and values (B, H, N, D / H) of states (B, N, D)."""
        k, v = self.both(x).chunk(2, dim=-1)
        return self._apart(k), self._apart(v)

    def forward(self, x: Tensor, k: Tensor, v: Tensor, mask: Tensor | None) -> Tensor:
        """(B, T, D) of queries (B, T, D); `mask` (broadcastable to B, H, T, N), 0 or -inf, is added."""
        q = self._apart(self.query(x))
        scores = q @ k.transpose(-1, -2) * (q.shape[-1] ** -0.5)
        if mask is not None:
            scores = scores + mask
        return self.out((scores.softmax(-1) @ v).transpose(1, 2).flatten(2))

    def _apart(self, x: Tensor) -> Tensor:
        return x.unflatten(-1, (self.heads, -1)).transpose(1, 2)


class _EncoderLayer(nn.Module):
    def __init__(self, s: InterpreterNetworkSettings, dropout: float) -> None:
        super().__init__()
        self.attention = _Attention(s.width, s.heads)
        self.feed = nn.Sequential(nn.Linear(s.width, s.hidden), nn.GELU(), nn.Linear(s.hidden, s.width))
        self.norms = nn.ModuleList(nn.LayerNorm(s.width) for _ in range(2))
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor, mask: Tensor | None) -> Tensor:
        y = self.norms[0](x)
        x = x + self.dropout(self.attention(y, *self.attention.keys(y), mask))
        return x + self.dropout(self.feed(self.norms[1](x)))


class _DecoderLayer(nn.Module):
    def __init__(self, s: InterpreterNetworkSettings, dropout: float) -> None:
        super().__init__()
        self.past, self.sentence = _Attention(s.width, s.heads), _Attention(s.width, s.heads)
        self.feed = nn.Sequential(nn.Linear(s.width, s.hidden), nn.GELU(), nn.Linear(s.hidden, s.width))
        self.norms = nn.ModuleList(nn.LayerNorm(s.width) for _ in range(3))
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor, past: tuple[Tensor, Tensor] | None, causal: Tensor | None,
                memory: tuple[Tensor, Tensor], mask: Tensor | None) -> tuple[Tensor, tuple[Tensor, Tensor]]:
        y = self.norms[0](x)
        k, v = self.past.keys(y)
        if past is not None:
            k, v = torch.cat([past[0], k], dim=2), torch.cat([past[1], v], dim=2)
        x = x + self.dropout(self.past(y, k, v, causal))
        x = x + self.dropout(self.sentence(self.norms[1](x), *memory, mask))
        return x + self.dropout(self.feed(self.norms[2](x))), (k, v)


class InterpreterNetwork(nn.Module):
    """Symbols are those of the vocabulary; behind them, one for each word of the sentence."""

    def __init__(self, s: InterpreterNetworkSettings, symbols: int, vectors: int, dropout: float = 0.0) -> None:
        """`vectors`: numbers that a word comes with."""
        super().__init__()
        self.words, self.norm = nn.Linear(vectors, s.width), nn.LayerNorm(s.width)
        self.marks, self.places = nn.Embedding(MARKS, s.width), nn.Embedding(LONGEST_SENTENCE, s.width)
        self.encoder = nn.ModuleList(_EncoderLayer(s, dropout) for _ in range(s.encoder))
        self.after = nn.LayerNorm(s.width)
        self.symbols, self.steps = nn.Embedding(symbols + 1, s.width), nn.Embedding(LONGEST + 2, s.width)
        self.pointed = nn.Linear(s.width, s.width)
        self.decoder = nn.ModuleList(_DecoderLayer(s, dropout) for _ in range(s.decoder))
        self.last, self.write = nn.LayerNorm(s.width), nn.Linear(s.width, symbols)
        self.point = nn.Linear(s.width, s.width)

    def encode(self, vectors: Tensor, marks: Tensor, mask: Tensor | None = None) -> Tensor:
        """States (B, N, D) of words' vectors (B, N, V) and marks (B, N); `mask` (B, 1, 1, N) as of attention."""
        places = torch.arange(marks.shape[1], device=marks.device)
        x = self.norm(self.words(vectors) + self.marks(marks) + self.places(places))
        for layer in self.encoder:
            x = layer(x, mask)
        return self.after(x)

    def inputs(self, before: Tensor, states: Tensor) -> Tensor:
        """What is read of the symbols (B, T) written so far: their own embedding, or that of the word pointed at; the
        symbol behind the vocabulary's last one stands for the beginning, words follow it."""
        begin = self.symbols.num_embeddings - 1
        pointed = torch.cat([torch.zeros_like(states[:, :1]), self.pointed(states)], dim=1)
        at = (before - begin).clamp(min=0)
        words = pointed.gather(1, at.unsqueeze(-1).expand(-1, -1, pointed.shape[-1]))
        return words + self.symbols(before.clamp(max=begin))

    def logits(self, x: Tensor, states: Tensor, mask: Tensor | None) -> Tensor:
        """(B, T, symbols + words)"""
        x = self.last(x)
        pointing = self.point(x) @ states.transpose(1, 2) * (states.shape[-1] ** -0.5)
        if mask is not None:
            pointing = pointing + mask[:, 0]
        return torch.cat([self.write(x), pointing], dim=-1)

    def forward(self, vectors: Tensor, marks: Tensor, mask: Tensor, before: Tensor) -> Tensor:
        """All steps at once, for training."""
        states = self.encode(vectors, marks, mask)
        steps = before.shape[1]
        x = self.inputs(before, states) + self.steps(torch.arange(steps, device=before.device))
        causal = torch.full((steps, steps), float("-inf"), device=before.device).triu(1)
        for layer in self.decoder:
            x, _ = layer(x, None, causal, layer.sentence.keys(states), mask)
        return self.logits(x, states, mask)


class EncoderPart(nn.Module):
    """For export: what is computed once a sentence."""

    def __init__(self, network: InterpreterNetwork) -> None:
        super().__init__()
        self.network = network

    def forward(self, vectors: Tensor, marks: Tensor) -> tuple[Tensor, Tensor]:
        """States (1, N, D), and keys and values (2 L, H, N, D / H) of the decoder's layers."""
        states = self.network.encode(vectors, marks)
        keys = [part for layer in self.network.decoder for part in layer.sentence.keys(states)]
        return states, torch.cat(keys)


class DecoderPart(nn.Module):
    """For export: one symbol more."""

    def __init__(self, network: InterpreterNetwork) -> None:
        super().__init__()
        self.network = network

    def forward(self, before: Tensor, step: Tensor, states: Tensor, keys: Tensor, past: Tensor
                ) -> tuple[Tensor, Tensor]:
        """Log-probabilities (symbols + words) behind the symbol `before` (1, 1) of number `step` (1); `past`
        (2 L, H, T, D / H) as it came of the step before."""
        n = self.network
        x = n.inputs(before, states) + n.steps(step)
        kept = []
        for i, layer in enumerate(n.decoder):
            own = (past[2 * i:2 * i + 1], past[2 * i + 1:2 * i + 2])
            x, (k, v) = layer(x, own, None, (keys[2 * i:2 * i + 1], keys[2 * i + 1:2 * i + 2]), None)
            kept += [k, v]
        return F.log_softmax(n.logits(x, states, None)[0, 0], dim=-1), torch.cat(kept)
