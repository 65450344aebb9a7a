"""Runs a command that dies with whoever started it, even when that was killed with SIGKILL.

``python guard.py PARENT_PID COMMAND...``: asks the kernel for SIGKILL at the parent's death, then becomes the command.
Ctrl-C at the terminal reaches it only once it listens: Python would answer with a traceback while it still imports.
"""

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1


def prefix() -> list[str]:
    """The words before a command that is to die with this process."""
    return [sys.executable, "-I", "-S", __file__, str(os.getpid())]


def main() -> None:
    parent, *command = sys.argv[1:]
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != int(parent):
        sys.exit("the supervisor is gone")  # it died before the request above took hold
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # outlives the next line; ROS listens anew, SIGTERM ends it before
    os.execvp(command[0], command)


if __name__ == "__main__":
    main()
