"""How a client reaches the tools: standard input and output, or HTTP on this machine."""

from __future__ import annotations

import signal
from collections.abc import Callable

from dadu.core.errors import MissingExtra
from dadu.mcp.tools import SkillTools

HOST = "127.0.0.1"
"""loopback, always: whoever can reach the port can move the robot"""
_GRACE = 1
"""wall seconds that requests have to end when the server is asked to; then they are cancelled, and the robot is"""


def serve(make: Callable[[], SkillTools], port: int = 0) -> None:
    """Serves until the client goes (standard input and output), Ctrl-C or SIGTERM; what runs then is cancelled.

    `port`: streamable HTTP at ``http://127.0.0.1:PORT/mcp`` instead; `make` brings the robot up. Errors: MissingExtra,
    before that; `make`'s.
    """
    try:
        from dadu.mcp.server import make_server
    except ModuleNotFoundError as error:
        raise MissingExtra(f"dadu mcp needs {error.name}: pip install -e '.[mcp]'") from None
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # as Ctrl-C: the robot is brought to rest first
    tools = make()
    try:
        server = make_server(tools)
        if port:
            import uvicorn

            # The SDK's own way to run this waits for requests in progress, however long they take.
            uvicorn.run(server.streamable_http_app(host=HOST), host=HOST, port=port, log_level="warning",
                        timeout_graceful_shutdown=_GRACE)
        else:
            server.run("stdio")
    except KeyboardInterrupt:
        pass  # the ordinary end
    finally:
        tools.close()
