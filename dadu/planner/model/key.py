"""The key that a server asks for: read where it is used, and neither logged nor kept with settings or results."""

from __future__ import annotations

import os
from pathlib import Path

from dadu.core.errors import ConfigError

VARIABLE = "OPENAI_API_KEY"


def api_key(file: str) -> str:
    """What `file` holds, else environment variable OPENAI_API_KEY; empty: none. Errors: ConfigError, which does not
    tell the key."""
    if not file:
        return os.environ.get(VARIABLE, "").strip()
    try:
        key = Path(file).expanduser().read_text().strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file}: the server's key cannot be read: {getattr(error, 'strerror', 'it is no text')}") \
            from None
    if not key or not key.isascii() or not key.isprintable():
        raise ConfigError(f"{file}: has to hold one line, the server's key, in ASCII")
    return key


def without(key: str, text: str) -> str:
    """`text` less the key, should a server have sent it back."""
    return text.replace(key, "***") if len(key) > 3 else text
