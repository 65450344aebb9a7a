"""Begins with the weights of an exported file in place of random ones.

An export has no normalisation any more: it is folded into the convolutions, which may be in 8 bits. So these take the
folded weights, and the normalisation behind each takes what makes it the identity by the statistics of some examples.
From there training goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import onnx
import torch
from torch import Tensor, nn

from dadu.core.errors import ConfigError

_LAYERS = {"Conv", "Gemm"}


def take_over(network: nn.Module, path: Path, *examples: Tensor) -> None:
    """Gives `network` the weights of `path`, an ONNX file, exported from the same network; `examples` are a batch of
    its inputs.

    Errors: ConfigError where the file is none of such a network.
    """
    weights, layers = list(_weights(path)), _layers(network, examples)
    shapes = [tuple(layer.weight.shape) for layer, _ in layers]
    if shapes != [weight.shape for weight, _ in weights]:
        raise ConfigError(f"{path} holds a network of other sizes; give its settings, or begin without it")
    for (layer, normalisation), (weight, bias) in zip(layers, weights):
        layer.weight.data.copy_(torch.from_numpy(weight))
        if normalisation is not None:
            _become_identity(normalisation, torch.from_numpy(bias))
        else:
            layer.bias.data.copy_(torch.from_numpy(bias))
    _fit(network, [normalisation for _, normalisation in layers if normalisation is not None], examples)


def _weights(path: Path) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Of the layers, in the order in which they run."""
    graph = onnx.load(path).graph
    kept = {each.name.removesuffix(".half"): onnx.numpy_helper.to_array(each).astype(np.float32)
            for each in graph.initializer}
    for node in graph.node:
        if node.op_type == "DequantizeLinear" and all(name in kept for name in node.input):
            whole, scale, zero = (kept[name] for name in node.input)
            axis = next((each.i for each in node.attribute if each.name == "axis"), 1)
            shape = [-1 if i == axis and scale.ndim else 1 for i in range(whole.ndim)]
            kept[node.output[0]] = (whole - zero.reshape(shape)) * scale.reshape(shape)
        if node.op_type in _LAYERS:
            if not all(name in kept for name in node.input[1:3]) or len(node.input) != 3:
                raise ConfigError(f"{path} holds another kind of network")
            yield kept[node.input[1]], kept[node.input[2]]


def _layers(network: nn.Module, examples: tuple[Tensor, ...]) -> list[tuple[nn.Module, nn.BatchNorm2d | None]]:
    """Convolutions and linear layers in the order in which they run, each with the normalisation behind it."""
    run: list[nn.Module] = []
    _run(network, examples, (nn.Conv2d, nn.Linear, nn.BatchNorm2d), lambda module, _: run.append(module))
    return [(layer, after if isinstance(after, nn.BatchNorm2d) else None)
            for layer, after in zip(run, [*run[1:], None]) if not isinstance(layer, nn.BatchNorm2d)]


def _become_identity(normalisation: nn.BatchNorm2d, bias: Tensor) -> None:
    """But for `bias`, while it is not training."""
    normalisation.running_mean.zero_()
    normalisation.running_var.fill_(1 - normalisation.eps)
    normalisation.weight.data.fill_(1)
    normalisation.bias.data.copy_(bias)


def _fit(network: nn.Module, normalisations: list[nn.BatchNorm2d], examples: tuple[Tensor, ...]) -> None:
    """Statistics of what comes in, and weights that undo them: so it does the same while training, nearly."""
    seen: dict[nn.Module, tuple[Tensor, Tensor]] = {}

    def note(module: nn.Module, inputs: tuple[Tensor, ...]) -> None:
        seen[module] = inputs[0].mean((0, 2, 3)), inputs[0].var((0, 2, 3))
    _run(network, examples, (nn.BatchNorm2d,), note)
    for each in normalisations:
        mean, variance = seen[each]
        each.running_mean.copy_(mean)
        each.running_var.copy_(variance)
        each.weight.data.copy_((variance + each.eps).sqrt())
        each.bias.data.add_(mean)


def _run(network: nn.Module, examples: tuple[Tensor, ...], kinds: tuple[type[nn.Module], ...],
         note: Callable[[nn.Module, tuple[Tensor, ...]], None]) -> None:
    """Calls `note` with each module of `kinds` that runs, and its inputs."""
    hooks = [module.register_forward_pre_hook(note) for module in network.modules() if isinstance(module, kinds)]
    was = network.training
    try:
        with torch.no_grad():
            network.eval()(*examples)
    finally:
        network.train(was)
        for hook in hooks:
            hook.remove()
