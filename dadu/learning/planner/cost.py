"""What training will ask of a GPU: a calculation, before anything is fetched or run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from dadu.learning.planner.settings import Method, PlannerTrainSettings
from dadu.learning.planner.shape import ModelShape

GPUS = {"RTX 4090, 24 GB": 165e12, "A100, 80 GB": 312e12, "H100, 80 GB": 989e12}
"""products of matrices in bfloat16 [FLOP/s], dense, as their makers say"""
USED = 0.35
"""of that, as a rule, by training without special kernels"""
_HALF, _FULL = 2, 4
"""[byte]"""
_ADAM = 8
"""[byte] a parameter that learns"""
_CONTEXT = 10**9
"""[byte] of CUDA itself and of memory in pieces too small to be used"""


@dataclass(frozen=True)
class TrainingCost:
    """Calculated, not measured."""

    parameters: int
    learned: int
    memory: Mapping[str, float]
    """[byte] at most, by what it is for; full context, whole logits, attention that keeps no matrix of tokens by
    tokens"""
    tokens: int
    """of a step, at most"""
    flops: float
    """of a step"""

    def seconds(self, gpu: str) -> float:
        """Of a step."""
        return self.flops / (GPUS[gpu] * USED)


def cost(shape: ModelShape, settings: PlannerTrainSettings, method: Method, lora: bool) -> TrainingCost:
    """Of one step at full context."""
    own = settings.sft if method == "sft" else settings.dpo
    answers = 1 if method == "sft" else 2
    learned = adapter_parameters(shape, settings) if lora else shape.parameters
    at_once = own.batch_at_once * answers * settings.context
    tokens = own.batch * answers * settings.context
    memory = {
        "weights": shape.parameters * (_HALF if lora else _FULL),
        "what is learned, gradients, Adam": learned * (_FULL + _ADAM + (_FULL if lora else 0)),
        "reference model": shape.parameters * _FULL if method == "dpo" and not lora else 0,
        "activations": at_once * _activations(shape, settings),
        "logits": at_once * shape.vocabulary * (_HALF + 2 * _FULL),
        "CUDA": _CONTEXT,
    }
    passes = 2 + (0 if lora else 1) + (1 if settings.recompute else 0) + (1 if method == "dpo" else 0)
    flops = tokens * passes * (2 * shape.parameters + 2 * shape.layers * settings.context * shape.heads
                               * shape.head_size)
    return TrainingCost(shape.parameters, learned, memory, tokens, flops)


def adapter_parameters(shape: ModelShape, settings: PlannerTrainSettings) -> int:
    """Of LoRA."""
    matrices = shape.matrices()
    return shape.layers * sum(settings.lora.rank * sum(matrices[name]) for name in settings.lora.modules
                              if name in matrices)


def told(found: TrainingCost, steps: int) -> Iterator[str]:
    """Lines for people; hours of `steps` steps where there are any."""
    yield ("calculated, not run: memory at full context, so rather more than it will be; time of large batches, so "
           "less than short conversations one at a time will take (docs/results/models.md has both as measured)")
    yield f"parameters: {found.parameters / 1e9:.2f} billion, of which {found.learned / 1e6:.1f} million learn"
    for name, size in found.memory.items():
        if size:
            yield f"  {size / 1e9:6.1f} GB  {name}"
    yield f"  {sum(found.memory.values()) / 1e9:6.1f} GB  in all"
    yield f"a step: {found.tokens} tokens, {found.flops / 1e12:.0f} TFLOP"
    for gpu in GPUS:
        whole = f", {steps} steps {steps * found.seconds(gpu) / 3600:.1f} h" if steps else ""
        yield f"  {gpu}: {found.seconds(gpu):.1f} s a step at {USED:.0%} of its peak{whole}"


def _activations(shape: ModelShape, settings: PlannerTrainSettings) -> int:
    """[byte] a token: of every layer its input where the rest is computed again, else all that goes backwards."""
    attention = shape.head_size * (2 * shape.heads + 2 * shape.key_value_heads)
    layer = _HALF * (6 * shape.width + attention + 4 * shape.hidden)
    return layer + shape.layers * _HALF * shape.width if settings.recompute else shape.layers * layer
