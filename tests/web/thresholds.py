"""A house with thresholds, for tests."""

from __future__ import annotations

from tests.web.a_house import TEXT

HOUSE = TEXT.replace(
    "[[tables]]",
    """\
[thresholds]
buy_in = 1000
cash_out = 500
voucher = 1000
fill = 5000
float_count = 50

[sums_by_person]
buy_in = 3000
voucher = 3000

[[tables]]""",
    1,
)
