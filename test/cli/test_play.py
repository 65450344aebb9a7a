"""``dadu eval play`` as a process: it says where its page is, and Ctrl-C ends it."""

import os
import signal
import subprocess
import sys
import time
import urllib.request

import yaml
from played_run import MILK


def ask(url: str) -> bytes:
    with urllib.request.urlopen(f"{url}/state", timeout=100) as answer:
        return answer.read()


def test_it_serves_its_page_until_ctrl_c(tmp_path):
    file = tmp_path / "milk.suite.yaml"
    file.write_text(yaml.safe_dump(MILK))
    words = ["eval", "play", str(file), "--port", "0", "--out", str(tmp_path / "out")]
    with subprocess.Popen([sys.executable, "-m", "dadu.cli", *words], stdout=subprocess.PIPE, text=True,
                          env={**os.environ, "COLUMNS": "200"}) as process:
        try:
            assert process.stdout is not None
            url = process.stdout.readline().split()[-1]
            while b'"number":1,' not in (state := ask(url)):
                time.sleep(0.05)
            assert b'"stage":"gathering"' in state
            process.send_signal(signal.SIGINT)
            rest = process.stdout.read()
            assert process.wait(100) == 130 and "goes on" in rest
        finally:
            process.kill()
    assert (tmp_path / "out" / "episodes.jsonl").read_text() == ""
