"""For all tests: hypothesis draws the same examples every time, and a slow machine is no failure."""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "dadu", deadline=None, derandomize=True, max_examples=50, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("dadu")
