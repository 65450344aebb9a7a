"""Node ``foxglove_bridge``: the topics of this robot for the Foxglove app, by the package foxglove-sdk.

Takes every topic, once somebody looks at it, as it comes off the wire. Read-only: clients can neither publish nor call.
"""

from __future__ import annotations

import queue
from collections.abc import Callable
from functools import partial
from typing import Any

from dadu_nodes.support.listening.topics import Topic, published_topics, requested
from dadu_nodes.support.message_types import message_class, share_directory
from dadu_nodes.support.node import DaduNode, run
from dadu_nodes.support.polled import PolledSubscriptions
from dadu_nodes.support.wall import DISCOVERY, STEADY

from dadu.core.config import Port, Settings
from dadu.core.errors import DaduError, MissingExtra
from dadu.operator.bags.definitions import UnknownDefinition, load_definition

_HANDING_PERIOD = 0.05
"""wall seconds"""


class FoxgloveBridgeSettings(Settings):
    host: str = "127.0.0.1"
    """address that is listened on: by default this machine only"""
    port: Port = 8765
    """of the server; 0: any that is free"""


class FoxgloveBridge(DaduNode[FoxgloveBridgeSettings]):
    """Advertises what there is, and subscribes what is looked at."""

    def __init__(self) -> None:
        super().__init__("foxglove_bridge", FoxgloveBridgeSettings)
        self._sdk = _sdk()
        self._seen: set[str] = set()
        self._topics: dict[str, tuple[Topic, Any]] = {}
        """with the channel of each"""
        self._watched: dict[str, PolledSubscriptions] = {}
        self._changes: queue.SimpleQueue[tuple[str, bool]] = queue.SimpleQueue()
        """topics that clients have begun (True) or ceased to look at: the server has threads of its own"""
        self.create_timer(DISCOVERY, self._discover, clock=STEADY)
        self._handing = self.create_timer(_HANDING_PERIOD, self._hand_on, clock=STEADY)
        self._handing.cancel()  # while nobody looks
        self._wake = self.create_guard_condition(self._hand_on)
        self._server = self._serve()
        self._discover()

    def close(self) -> None:
        self._server.stop()

    def _serve(self) -> Any:
        host, port = self.settings.host, self.settings.port
        try:
            server = self._sdk.start_server(name=f"DaDu {self.get_namespace()}", host=host, port=port, capabilities=[],
                                            server_listener=Watchers(self._change))
        except RuntimeError as error:
            raise DaduError(f"{host}:{port} cannot be had ({error}); set foxglove_bridge's parameter `port`") from None
        self.get_logger().info(f"Foxglove: open ws://{host}:{server.port} with the layout config/dadu.foxglove.json")
        return server

    def _change(self, topic: str, looked_at: bool) -> None:
        """In a thread of the server."""
        self._changes.put((topic, looked_at))
        self._wake.trigger()

    def _discover(self) -> None:
        for topic in published_topics(self, self._seen):
            self._seen.add(topic.name)
            try:
                definition = load_definition(topic.type, share_directory)
            except (UnknownDefinition, LookupError) as error:
                self.get_logger().warning(f"{topic.name} is not shown: {error}")
                continue
            schema = self._sdk.Schema(name=topic.type, encoding="ros2msg", data=definition.text.encode())
            self._topics[topic.name] = topic, self._sdk.Channel(topic.name, schema=schema, message_encoding="cdr")

    def _hand_on(self) -> None:
        """What has come since the last time, to those who look."""
        while not self._changes.empty():
            self._follow(*self._changes.get())
        for subscriptions in self._watched.values():
            subscriptions.poll()

    def _follow(self, name: str, looked_at: bool) -> None:
        """Subscribes anew for every client, so that each gets what is latched."""
        if name in self._watched:
            self._watched.pop(name).close()
        if looked_at and name in self._topics:
            topic, channel = self._topics[name]
            subscriptions = self._watched[name] = PolledSubscriptions(self)
            offer = requested(topic.publishers)
            subscriptions.add(message_class(topic.type), name, partial(_log, channel), offer, raw=True)
        if self._watched:
            self._handing.reset()
        else:
            self._handing.cancel()


class Watchers:
    """Told by the server, in its threads, who looks at what; tells of every newcomer, and when the last has gone."""

    def __init__(self, change: Callable[[str, bool], None]) -> None:
        self._change = change
        self._looking: dict[str, set[int]] = {}

    def on_subscribe(self, client: Any, channel: Any) -> None:
        self._looking.setdefault(channel.topic, set()).add(client.id)
        self._change(channel.topic, True)

    def on_unsubscribe(self, client: Any, channel: Any) -> None:
        clients = self._looking.get(channel.topic, set())
        clients.discard(client.id)
        if not clients:
            self._change(channel.topic, False)


def _log(channel: Any, data: bytes, received: int) -> None:
    channel.log(data, log_time=received)


def _sdk() -> Any:
    try:
        import foxglove
    except ModuleNotFoundError:
        raise MissingExtra("foxglove:=true needs the package foxglove-sdk: pip install -e '.[foxglove]'") from None
    return foxglove


def main() -> None:
    run(FoxgloveBridge)
