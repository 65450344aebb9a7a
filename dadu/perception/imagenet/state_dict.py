"""Reads arrays from a file that PyTorch before 1.6 saved, without PyTorch: a few pickles and then the numbers.

Nothing in the file can call anything: the pickles may name tensors, storages and ordered dictionaries alone."""

from __future__ import annotations

import os
import pickle
import struct
from collections import OrderedDict
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from dadu.core.errors import ConfigError

_MAGIC = 0x1950A86A20F9469CFC6C
_TYPES = {"FloatStorage": "<f4", "LongStorage": "<i8"}


def state_dict(path: Path) -> Mapping[str, np.ndarray]:
    """Arrays (...) by name, unitless. Errors: ConfigError where the file is missing, damaged, or of another format."""
    try:
        with path.open("rb") as file:
            if _Unpickler(file).load() != _MAGIC:
                raise ValueError("it does not begin as such files do")
            for _ in ("protocol version", "byte order and sizes"):
                _Unpickler(file).load()
            tensors: dict[str, _Tensor] = _Unpickler(file).load()
            keys: list[str] = _Unpickler(file).load()
            types = {tensor.key: tensor.type for tensor in tensors.values()}
            numbers = {key: _numbers(file, types[key]) for key in keys}
        return {name: tensor.array(numbers[tensor.key]) for name, tensor in tensors.items()}
    except (OSError, pickle.UnpicklingError, EOFError, ValueError, KeyError, IndexError, TypeError, AttributeError,
            struct.error, OverflowError, MemoryError) as error:
        raise ConfigError(f"{path} holds no weights of a network: {error or type(error).__name__}") from None


class _Tensor:
    def __init__(self, storage: Any, offset: int, size: tuple[int, ...], stride: tuple[int, ...], *_: Any) -> None:
        _, self.type, self.key, *_ = storage
        self._offset, self._size, self._stride = offset, size, stride

    def array(self, numbers: np.ndarray) -> np.ndarray:
        """Errors: ValueError where it lies beyond the numbers."""
        if np.prod(self._size, dtype=float) > len(numbers):
            raise ValueError("a tensor is larger than its storage")
        last = self._offset + sum((size - 1) * step for size, step in zip(self._size, self._stride))
        if not 0 <= self._offset <= last < len(numbers) or min(self._stride, default=0) < 0:
            raise ValueError("a tensor lies beyond its storage")
        steps = [step * numbers.itemsize for step in self._stride]
        return np.array(np.lib.stride_tricks.as_strided(numbers[self._offset:], self._size, steps))


class _Unpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        """See `pickle.Unpickler`."""
        if (module, name) == ("collections", "OrderedDict"):
            return OrderedDict
        if (module, name) == ("torch._utils", "_rebuild_tensor_v2"):
            return _Tensor
        if module == "torch" and name in _TYPES:
            return name
        raise pickle.UnpicklingError(f"{module}.{name} has no place in it")

    def persistent_load(self, pid: Any) -> Any:
        """See `pickle.Unpickler`; a storage, told as it is."""
        return pid


def _numbers(file: BinaryIO, kind: str) -> np.ndarray:
    count, = struct.unpack("<q", file.read(8))
    size, left = count * np.dtype(_TYPES[kind]).itemsize, os.fstat(file.fileno()).st_size - file.tell()
    if not 0 <= size <= left:
        raise ValueError("numbers are missing")
    return np.frombuffer(file.read(size), _TYPES[kind])
