"""The network in ONNX Runtime: what may come next after some tokens. What it has read of them already stays read."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnxruntime
from numpy.typing import NDArray

from dadu.planner.model.small.graph import CONTEXT

_CHUNK = 64
"""tokens read at once: how often the clock is looked at"""


class Network:
    """One conversation at a time; not for several threads at once."""

    def __init__(self, file: Path, threads: int = 1) -> None:
        """`file`: as written by `graph.write_graph`."""
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        self._session = onnxruntime.InferenceSession(file, options, providers=["CPUExecutionProvider"])
        self._binding = self._session.io_binding()
        self._read: list[int] = []
        self._bound: dict[str, object] = {}
        """by input, what is bound to it: a binding keeps nothing alive"""
        for value in self._session.get_inputs():
            if value.shape[2:3] == [CONTEXT]:
                cache = onnxruntime.OrtValue.ortvalue_from_numpy(np.zeros(value.shape, np.float32))
                self._bound[value.name] = cache
                self._binding.bind_ortvalue_input(value.name, cache)
                self._binding.bind_ortvalue_output(f"{value.name}.new", cache)
        self._binding.bind_output("logits")

    def logits(self, tokens: Sequence[int], deadline: float = np.inf) -> tuple[NDArray[np.float32], int]:
        """Of what follows `tokens`, [vocabulary]; and how many of them had been read before. Errors: TimeoutError
        after `deadline` (of time.monotonic); ValueError for more tokens than `CONTEXT`."""
        if len(tokens) > CONTEXT:
            raise ValueError(f"{len(tokens)} tokens; {CONTEXT} are read at most")
        same = next((i for i, (a, b) in enumerate(zip(self._read, tokens)) if a != b),
                    min(len(self._read), len(tokens)))
        known = min(same, len(tokens) - 1)  # the last one's answer is wanted
        del self._read[known:]
        while len(self._read) < len(tokens):
            if time.monotonic() > deadline:
                raise TimeoutError
            self._step(tokens[len(self._read):len(self._read) + _CHUNK])
        return self._binding.get_outputs()[-1].numpy()[0], known

    def _step(self, tokens: Sequence[int]) -> None:
        total = len(self._read) + len(tokens)
        for name, value in (("ids", np.array([tokens], np.int64)), ("last", np.array([[total - 1]], np.int32)),
                            ("total", np.array([total], np.int32))):
            self._bound[name] = value
            self._binding.bind_cpu_input(name, value)
        self._session.run_with_iobinding(self._binding)
        self._read += tokens
