"""Who dealt each round of a journal."""

from __future__ import annotations

from pathlib import Path

from croupier.journal.settlements import dealers_of
from croupier.journal.stores import open_store
from croupier.rules.commands import (
    AnnounceOutcome,
    NoMoreBets,
    PlaceYourBets,
    Settle,
    SpinBall,
)
from croupier.rules.operator import Person, Role
from croupier.rules.wheel import Number
from croupier.table.commands import AnyCommand
from tests.table.a_table import Played

ANN, BO, CY = (Person(name, Role.DEALER) for name in ("Ann", "Bo", "Cy"))


def _round(played: Played, *acts: tuple[AnyCommand, Person]) -> None:
    for command, person in acts:
        played.done(command, person)


def test_the_one_who_spun_the_ball_dealt_the_round(tmp_path: Path) -> None:
    with open_store(f"sqlite:///{tmp_path / 'house.db'}") as store:
        played = Played(store)
        _round(
            played,
            (PlaceYourBets(), ANN),
            (SpinBall(), BO),
            (NoMoreBets(), ANN),
            (AnnounceOutcome(Number("17")), CY),
            (Settle(), CY),
        )
        played.play_round("5")

        assert dealers_of(store, "t1") == {1: "Bo", 2: "Dealer"}
