"""Who hears others no more, by whose fault."""

import pytest

from dadu.bringup.peer_liveness import PeerLiveness

THERE = ("me", "a", "b")


def looks(peers, count, there=THERE, **reports):
    """So many looks, each with these reports: who gives one, and whom that one does not hear."""
    for _ in range(count):
        peers.look({name: tuple(unheard) for name, unheard in reports.items()}, lambda: there)
    return peers.isolated, peers.unheard


@pytest.fixture
def peers():
    """Of a process that has met both others."""
    peers = PeerLiveness("me", nobody=3, somebody=5)
    assert looks(peers, 1, me=(), a=(), b=()) == (False, ())
    return peers


def test_who_hears_nobody_is_deaf(peers):
    assert looks(peers, 2, me=()) == (False, ())
    assert looks(peers, 1, me=(), b=()) == (False, ())
    assert looks(peers, 3)[0]


def test_who_alone_does_not_hear_one_is_deaf(peers):
    assert looks(peers, 4, a=()) == (False, ())
    assert looks(peers, 1, a=()) == (True, ("b",))


def test_one_that_nobody_hears_is_at_fault_itself(peers):
    assert looks(peers, 20, a=("b",)) == (False, ("b",))
    assert looks(peers, 1, a=(), b=()) == (False, ())


def test_one_that_is_gone_is_not_missed(peers):
    assert looks(peers, 20, there=("me", "a"), a=()) == (False, ())
    assert looks(peers, 4, a=()) == (False, ())


def test_who_has_not_heard_anybody_from_the_beginning_is_deaf_if_somebody_is_there():
    peers = PeerLiveness("me", nobody=2, somebody=3)
    assert looks(peers, 2, me=()) == (False, ()), "they may be known before they are heard"
    assert looks(peers, 1, me=()) == (True, ())
    met = PeerLiveness("me", nobody=2, somebody=3)
    met.look({}, lambda: THERE, strangers=True)
    assert looks(met, 9, me=()) == (False, ()), "a driver's own reports were heard"


def test_who_never_had_company_misses_nobody():
    assert looks(PeerLiveness("me", nobody=2, somebody=3), 9, there=("me",), me=()) == (False, ())
