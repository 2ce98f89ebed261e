"""How the tests of properties run: the same examples every time, on any machine."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

settings.register_profile(
    "croupier",
    derandomize=True,
    deadline=None,
    print_blob=True,
    max_examples=40,
    report_multiple_bugs=False,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("croupier")
