"""A headless Chromium, driven through its DevTools protocol: no more is needed than the browser itself."""

from __future__ import annotations

import base64
import itertools
import json
import shutil
import subprocess
import time
import urllib.request
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from tiers import BROWSERS
from websockets.sync.client import connect

_START = 100.0
"""wall seconds"""


class Browser:
    """One tab."""

    def __init__(self, profile: Path) -> None:
        """`profile`: an empty directory of its own."""
        program = next(filter(None, map(shutil.which, BROWSERS)), BROWSERS[0])
        self._process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
             "--remote-debugging-port=0", f"--user-data-dir={profile}", "--no-first-run", "--hide-scrollbars",
             "about:blank"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        port = self._port(profile / "DevToolsActivePort")
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/json", timeout=100) as answer:
            page = next(tab for tab in json.load(answer) if tab["type"] == "page")
        self._open = ExitStack()
        # Nobody reads between two tests, while the open page goes on telling of its sockets: with a bounded queue the
        # answer to a keepalive ping waits behind that, and the connection is given up after 20 s.
        self._socket = self._open.enter_context(
            connect(page["webSocketDebuggerUrl"], max_size=None, max_queue=None, ping_interval=None))
        self._numbers = itertools.count(1)
        self.errors: list[str] = []
        """that the page's scripts threw, and what its policy stopped"""
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.do(f"{domain}.enable")

    def _port(self, file: Path) -> int:
        deadline = time.monotonic() + _START
        while not (file.exists() and file.read_text().count("\n")):
            if time.monotonic() > deadline or self._process.poll() is not None:
                raise RuntimeError("the browser does not start")
            time.sleep(0.05)
        return int(file.read_text().split()[0])

    def do(self, method: str, **parameters: Any) -> dict[str, Any]:
        """One command of the protocol. Errors: RuntimeError."""
        number = next(self._numbers)
        self._socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while True:
            message = json.loads(self._socket.recv(timeout=100))
            self._listen(message)
            if message.get("id") == number:
                if "error" in message:
                    raise RuntimeError(message["error"]["message"])
                return dict(message["result"])

    def _listen(self, message: dict[str, Any]) -> None:
        if message.get("method") == "Runtime.exceptionThrown":
            details = message["params"]["exceptionDetails"]
            self.errors.append(details.get("exception", {}).get("description", details["text"]))
        entry = message["params"]["entry"] if message.get("method") == "Log.entryAdded" else {"source": ""}
        if entry["source"] in ("security", "javascript"):
            self.errors.append(entry["text"])

    def size(self, width: int, height: int, *, phone: bool = False, dark: bool = False) -> None:
        """Of the window [px]; `phone`: touched rather than clicked."""
        self.do("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=phone)
        self.do("Emulation.setTouchEmulationEnabled", enabled=phone)
        self.do("Emulation.setEmulatedMedia",
                features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def open(self, url: str) -> None:
        """Goes to a page; it may still be loading afterwards."""
        self.do("Page.navigate", url=url)

    def run(self, script: str) -> Any:
        """What an expression of JavaScript is, promises awaited. Errors: RuntimeError where it throws."""
        answer = self.do("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"].get("exception", {}).get("description", "it threw"))
        return answer["result"].get("value")

    def until(self, script: str, seconds: float = 100.0) -> Any:
        """Waits until an expression is true. Errors: AssertionError."""
        deadline = time.monotonic() + seconds
        while not (value := self.run(script)):
            assert time.monotonic() < deadline, f"never: {script}; errors: {self.errors}"
            time.sleep(0.05)
        return value

    def middle(self, selector: str) -> tuple[float, float]:
        """Of an element, once it is there, at rest, and scrolled into view [px]."""
        x, y = self.until(f"(async () => {{ const e = document.querySelector({selector!r}); "
                          "if (!e) return null; "
                          "e.scrollIntoView({block: 'nearest', behavior: 'instant'}); "
                          "const now = () => { const b = e.getBoundingClientRect(); "
                          "return [b.x + b.width / 2, b.y + b.height / 2]; }; "
                          "const before = now(); "
                          "await new Promise((resume) => setTimeout(resume, 100)); "
                          "return e.isConnected && String(now()) === String(before) ? before : null; })()")
        return x, y

    def press(self, selector: str) -> Callable[[], None]:
        """Presses the mouse's button on an element; what is returned lets go."""
        x, y = self.middle(selector)
        mouse = {"x": x, "y": y, "button": "left", "clickCount": 1}
        self.do("Input.dispatchMouseEvent", type="mousePressed", **mouse)

        def let_go() -> None:
            self.do("Input.dispatchMouseEvent", type="mouseReleased", **mouse)
        return let_go

    def click(self, selector: str) -> None:
        """Presses and lets go."""
        self.press(selector)()

    def write(self, selector: str, words: str) -> None:
        """Puts the focus there and types."""
        self.run(f"document.querySelector({selector!r}).focus()")
        self.do("Input.insertText", text=words)

    def key(self, key: str, *, down: bool = True, up: bool = True) -> None:
        """Presses a key of that name (``Escape``, ``ArrowUp``, ``w``), and lets go of it."""
        code = key if len(key) > 1 else f"Key{key.upper()}"
        enter = {"text": "\r"} if key == "Enter" else {}
        if down:
            self.do("Input.dispatchKeyEvent", type="keyDown", key=key, code=code, **enter,
                    windowsVirtualKeyCode={"Enter": 13, "Tab": 9, "Escape": 27}.get(key, 0))
        if up:
            self.do("Input.dispatchKeyEvent", type="keyUp", key=key, code=code)

    def picture(self, file: Path) -> None:
        """A screenshot, PNG, JPEG by its suffix."""
        kind = "jpeg" if file.suffix == ".jpg" else "png"
        file.write_bytes(base64.b64decode(self.do("Page.captureScreenshot", format=kind)["data"]))

    def close(self) -> None:
        """Ends the browser."""
        self._open.close()
        self._process.kill()
        self._process.wait()
