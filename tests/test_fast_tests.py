"""The tests that `make test-fast` chooses for a change."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.fast_tests import chosen_tests, nearest_tests


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
    assert nearest_tests([changed]) == chosen


def test_changed_tests_come_first_and_then_those_that_import_the_module(
    tmp_path: Path,
) -> None:
    sources = {
        "tests/ledger/test_money.py": "",
        "tests/web/test_door.py": "from croupier.ledger.posting import post",
        "tests/web/test_gate.py": "from croupier.ledger import posting as booked",
        "tests/web/test_hall.py": "from croupier.ledger.postings import post",
        "tests/e2e/test_hall.py": "import croupier.ledger.posting",
    }
    for name, source in sources.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(source)
    changed = ["src/croupier/ledger/posting.py", "tests/ledger/test_money.py"]

    assert chosen_tests(changed, tmp_path) == [
        "tests/ledger/test_money.py",
        "tests/ledger",
        "tests/web/test_door.py",
        "tests/web/test_gate.py",
    ]
