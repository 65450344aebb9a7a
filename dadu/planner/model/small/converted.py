"""The network as it is made once on this machine and kept: whole, or not at all."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from dadu.core.errors import ConfigError
from dadu.core.paths import cached
from dadu.core.python_process import run_main, search_path
from dadu.planner.model.small.weights import Weights, adapter_folder, base_file

NETWORK, TOKENIZER = "network.onnx", "tokenizer.json"
_RECIPE = b"1"
"""of what is made; another number for what earlier versions of DaDu cannot have made"""


def converted_folder() -> Path:
    """Where the conversion of the present weights is kept; it may not be there yet. Errors: ConfigError."""
    digest, adapter = hashlib.sha256(_RECIPE), adapter_folder()
    for file in (base_file(), *(sorted(adapter.glob("adapter_*")) if adapter else ())):
        with file.open("rb") as opened:
            while part := opened.read(1 << 20):
                digest.update(part)
    return cached("planner-small") / digest.hexdigest()[:16]


def converted() -> Path:
    """The folder with `NETWORK` and `TOKENIZER`, made where there is none: 160 MB, half a minute of processor time,
    in a process of its own that gives its memory back. Errors: ConfigError."""
    found = converted_folder()
    if not found.is_dir():
        done = subprocess.run(run_main(__name__, str(found)), env={**os.environ, **search_path(*sys.path)},
                              capture_output=True, text=True)
        if done.returncode:
            why = (done.stderr.strip().splitlines() or ["it was ended"])[-1]
            raise ConfigError(f"the model of planner small cannot be converted: {why}")
    return found


def main() -> None:
    """Converts into the folder that is named."""
    try:
        convert(base_file(), adapter_folder(), Path(sys.argv[1]))
    except (ConfigError, OSError) as error:
        sys.exit(str(error))


def convert(file: Path, adapter: Path | None, into: Path) -> None:
    """Errors: ConfigError, OSError."""
    from dadu.planner.model.small.graph import write_graph  # onnx: of no use once it is done
    from dadu.planner.model.small.tokens import tokenizer_of

    weights = Weights(file, adapter)
    into.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="unfinished-", dir=into.parent) as unfinished:
        made = Path(unfinished) / "made"
        made.mkdir()
        write_graph(weights, made / NETWORK)
        tokenizer_of(weights).save(str(made / TOKENIZER))
        try:
            made.rename(into)
        except OSError:
            if not into.is_dir():  # else another process was faster
                raise
