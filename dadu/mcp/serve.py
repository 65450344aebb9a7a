"""How a client reaches the tools: standard input and output, or HTTP on this machine."""

from __future__ import annotations

from collections.abc import Callable

from dadu.errors import MissingExtra
from dadu.mcp.tools import SkillTools

HOST = "127.0.0.1"
"""loopback, always: whoever can reach the port can move the robot"""


def serve(make: Callable[[], SkillTools], port: int = 0) -> None:
    """Serves until the client goes (standard input and output) or Ctrl-C. `port`: streamable HTTP at
    ``http://127.0.0.1:PORT/mcp`` instead; `make` brings the robot up. Errors: MissingExtra, before that; `make`'s."""
    try:
        from dadu.mcp.server import make_server
    except ModuleNotFoundError as error:
        raise MissingExtra(f"dadu mcp needs {error.name}: pip install -e '.[mcp]'") from None
    tools = make()
    try:
        server = make_server(tools)
        if port:
            server.run("streamable-http", host=HOST, port=port)
        else:
            server.run("stdio")
    finally:
        tools.close()
