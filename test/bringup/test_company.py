"""Who hears others no more, by whose fault."""

import pytest

from dadu.bringup.company import Company

THERE = ("me", "a", "b")


def looks(company, count, there=THERE, **reports):
    """So many looks, each with these reports: who gives one, and whom that one does not hear."""
    for _ in range(count):
        company.look({name: tuple(unheard) for name, unheard in reports.items()}, lambda: there)
    return company.deaf, company.unheard


@pytest.fixture
def company():
    """Of a process that has met both others."""
    company = Company("me", nobody=3, somebody=5)
    assert looks(company, 1, me=(), a=(), b=()) == (False, ())
    return company


def test_who_hears_nobody_is_deaf(company):
    assert looks(company, 2, me=()) == (False, ())
    assert looks(company, 1, me=(), b=()) == (False, ())
    assert looks(company, 3)[0]


def test_who_alone_does_not_hear_one_is_deaf(company):
    assert looks(company, 4, a=()) == (False, ())
    assert looks(company, 1, a=()) == (True, ("b",))


def test_one_that_nobody_hears_is_at_fault_itself(company):
    assert looks(company, 20, a=("b",)) == (False, ("b",))
    assert looks(company, 1, a=(), b=()) == (False, ())


def test_one_that_is_gone_is_not_missed(company):
    assert looks(company, 20, there=("me", "a"), a=()) == (False, ())
    assert looks(company, 4, a=()) == (False, ())


def test_who_has_not_heard_anybody_from_the_beginning_is_deaf_if_somebody_is_there():
    company = Company("me", nobody=2, somebody=3)
    assert looks(company, 2, me=()) == (False, ()), "they may be known before they are heard"
    assert looks(company, 1, me=()) == (True, ())
    met = Company("me", nobody=2, somebody=3)
    met.look({}, lambda: THERE, strangers=True)
    assert looks(met, 9, me=()) == (False, ()), "a driver's own reports were heard"


def test_who_never_had_company_misses_nobody():
    assert looks(Company("me", nobody=2, somebody=3), 9, there=("me",), me=()) == (False, ())
