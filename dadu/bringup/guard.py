"""Runs a command that dies with whoever started it, even when that was killed with SIGKILL.

``python guard.py PARENT_PID COMMAND...``: asks the kernel for SIGKILL at the parent's death, then becomes the command.
"""

import ctypes
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1


def main() -> None:
    parent, *command = sys.argv[1:]
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != int(parent):
        sys.exit("the supervisor is gone")  # it died before the request above took hold
    os.execvp(command[0], command)


if __name__ == "__main__":
    main()
