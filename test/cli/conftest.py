"""The command ``dadu`` in this process, which spares a test the start of another."""

import subprocess
import sys

import pytest

from dadu.cli import main


@pytest.fixture
def dadu(monkeypatch, capfd):
    """Runs the command line and gives what a process of its own would: exit status, stdout and stderr."""
    monkeypatch.setenv("COLUMNS", "80")

    def dadu(*words):
        monkeypatch.setattr(sys, "argv", ["dadu", *map(str, words)])
        capfd.readouterr()
        try:
            main()
            status = 0
        except SystemExit as end:
            status = end.code or 0
        return subprocess.CompletedProcess(words, status, *capfd.readouterr())

    return dadu
