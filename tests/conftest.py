"""How the tests run: the same examples every time, and with arrays checked."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

# Read when numba is first imported, by these tests or by a program that they start.
os.environ["NUMBA_BOUNDSCHECK"] = "1"

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
