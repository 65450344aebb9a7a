"""Who hears nobody any more."""

from dadu.bringup.company import Company


def test_a_process_is_deaf_after_so_many_silent_looks_in_a_row():
    company = Company(silence=3)
    assert not company.look(own=1, heard=4)
    assert [company.look(1, heard) for heard in (1, 0, 2, 1, 0)] == [False] * 5
    assert company.look(1, 1)


def test_one_that_never_had_company_misses_none():
    company = Company(silence=2)
    assert not any(company.look(1, heard) for heard in (1, 0, 1, 1, 1))
