"""The tests that `make test-fast` chooses for a change."""

from __future__ import annotations

import pytest

from tools.fast_tests import chosen_tests


@pytest.mark.parametrize(
    ("changed", "chosen"),
    [
        (
            "src/croupier/ledger/posting.py",
            ["tests/ledger/test_posting.py", "tests/ledger"],
        ),
        (
            "src/croupier/web/security/middleware.py",
            [
                "tests/web/security/test_middleware.py",
                "tests/web/security",
                "tests/web",
            ],
        ),
        ("tests/games/test_readings.py", ["tests/games/test_readings.py"]),
        ("tests/house_server/server.py", ["tests/house_server"]),
        ("tests/e2e/test_home.py", []),
        ("docs/odds.md", ["docs/odds.md"]),
        ("docs/gone.md", []),
        ("README.md", ["README.md"]),
        ("src/croupier/errors.py", ["tests/test_surface.py"]),
        ("src/croupier/samples/wheel.csv", ["tests/docs"]),
        ("Makefile", []),
    ],
)
def test_a_file_names_its_tests_the_nearest_first(
    changed: str, chosen: list[str]
) -> None:
    assert chosen_tests([changed]) == chosen
