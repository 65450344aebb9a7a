"""Whoever asks for a domain has it alone."""

import os
import subprocess
import sys

import pytest

from dadu.bringup.domain import DOMAINS, claim_domain, free_domain
from dadu.core.errors import ConfigError

CLAIM = "from dadu.bringup.domain import claim_domain; claim_domain('/a/b'); print('has it', flush=True); input()"
ASK = "from dadu.bringup.domain import free_domain; print(free_domain(), flush=True); input()"


def test_nobody_gets_a_domain_that_another_has():
    others = [subprocess.Popen([sys.executable, "-c", ASK], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
              for _ in range(3)]
    domains = [int(other.stdout.readline()) for other in others] + [free_domain(), free_domain()]
    for other in others:
        other.communicate("\n")
    assert len(set(domains)) == len(domains) and set(domains) <= set(DOMAINS)


def test_two_graphs_do_not_share_a_domain_but_by_namespaces(monkeypatch):
    monkeypatch.setenv("ROS_DOMAIN_ID", str(free_domain()))
    other = subprocess.Popen([sys.executable, "-c", CLAIM], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert other.stdout.readline() == "has it\n"
    with pytest.raises(ConfigError, match=f"domain {os.environ['ROS_DOMAIN_ID']}, namespace a/b, and would hear"):
        claim_domain("a/b")
    claim_domain()
    claim_domain("a")
    other.communicate("\n")
    claim_domain("a/b")
