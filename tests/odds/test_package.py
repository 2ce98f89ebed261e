"""The package `croupier.odds`: its names, loaded when they are first used."""

from __future__ import annotations

import subprocess
import sys

import pytest

from croupier import odds


def test_every_public_name_can_be_imported() -> None:
    for name in odds.__all__:
        assert getattr(odds, name).__name__ == name
    assert dir(odds) == sorted(odds.__all__)
    with pytest.raises(AttributeError, match="no attribute 'luck'"):
        odds.luck  # noqa: B018


def test_a_wager_s_odds_load_neither_sessions_nor_what_ifs() -> None:
    program = (
        "import sys\n"
        "from croupier.odds import odds_of\n"
        "odds_of('mbs-roulette-v3', 'red')\n"
        "print(*sys.modules)"
    )

    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )

    loaded = set(done.stdout.split())
    assert "croupier.odds.wager_odds" in loaded
    assert not any(
        name.startswith(("croupier.lab.sessions", "croupier.lab.best_play"))
        for name in loaded
    )
    assert loaded.isdisjoint({"croupier.odds.what_if", "numpy", "matplotlib"})
