"""Fixtures of the planner's tests."""

import pytest
from stand_in_server import StandInServer


@pytest.fixture
def serve():
    """Starts model servers that give the replies; none survives its test."""
    servers = []

    def start(*replies, **options):
        servers.append(StandInServer(*replies, **options))
        return servers[-1]

    yield start
    for server in servers:
        server.close()
