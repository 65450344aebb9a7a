"""What is costly to make and the same each time: made once on a machine, and kept in the user's cache folder."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from dadu.core.paths import cached

_DIGEST = sha256().digest_size


def cached_json(name: str, of: object, make: Callable[[], Any]) -> Any:
    """What `make` returns, anything that JSON can hold; from the file `name` where that was made `of` the same.

    `of`: all that it depends on; its repr tells. The file begins with a digest of both: what is not whole, or of
    something else, is made again and takes its place. Where nothing can be written, each process makes its own.
    """
    path, made_of = cached(name), repr(of).encode()
    with suppress(OSError):
        whole = path.read_bytes()
        if whole[:_DIGEST] == sha256(made_of + whole[_DIGEST:]).digest():
            return json.loads(whole[_DIGEST:])
    made = make()
    content = json.dumps(made).encode()
    with suppress(OSError):
        _write(path, sha256(made_of + content).digest() + content)
    return made


def _write(path: Path, content: bytes) -> None:
    """Whole or not at all, whoever else writes it. Errors: OSError."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with NamedTemporaryFile(dir=path.parent, delete=False) as file:
        new = Path(file.name)
        try:
            file.write(content)
            file.flush()
            os.replace(new, path)
        finally:
            new.unlink(missing_ok=True)
