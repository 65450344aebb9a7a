"""Work for the tests of `dadu.core.work`, where other processes find it."""

import os
import signal
import time
from dataclasses import dataclass
from pathlib import Path

from dadu.core.errors import ConfigError


@dataclass(frozen=True)
class Sums:
    """Adds up numbers, one a part; what odd ones do to their worker is told by `kills`. Four is refused."""

    folder: str
    kills: str = ""
    """once, always, abort, leave, hang"""
    pause: float = 0.0
    """that each part takes [s]"""

    def __call__(self, count):
        (Path(self.folder) / f"worker-{os.getpid()}").touch()
        found = 0
        for i in range(count):
            found += i
            time.sleep(self.pause)
            yield
            if i == 2 and count % 2:
                self._end(count)
        if count == 4:
            raise ConfigError("four is refused")
        return found

    def _end(self, count):
        """Of the worker."""
        done = Path(self.folder) / str(count)
        if self.kills == "always" or (self.kills == "once" and not done.exists()):
            done.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        elif self.kills == "abort":
            os.abort()
        elif self.kills == "leave":
            os._exit(7)
        elif self.kills == "hang":
            time.sleep(1000)
