"""Whoever asks for a domain has it alone."""

import subprocess
import sys

from dadu.bringup.domain import DOMAINS, free_domain

ASK = "from dadu.bringup.domain import free_domain; print(free_domain(), flush=True); input()"


def test_nobody_gets_a_domain_that_another_has():
    others = [subprocess.Popen([sys.executable, "-c", ASK], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
              for _ in range(3)]
    domains = [int(other.stdout.readline()) for other in others] + [free_domain(), free_domain()]
    for other in others:
        other.communicate("\n")
    assert len(set(domains)) == len(domains) and set(domains) <= set(DOMAINS)
