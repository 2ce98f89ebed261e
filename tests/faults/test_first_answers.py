"""Commands sent again, much later: each gets its first answer, and nothing is done."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faults.conftest import DATABASES, Houses
from tests.faults.floor import Floor
from tests.faults.record import OutsideRecord


@pytest.mark.parametrize("kind", DATABASES)
def test_a_command_sent_again_gets_its_first_answer(
    kind: str, houses: Houses, tmp_path: Path
) -> None:
    """After its round, where its wager's id is another's, and after a restart."""
    house = houses.new(kind, tmp_path)
    house.start()
    record = OutsideRecord()
    floor = Floor(house, "triple", record)
    terminal = floor.terminals[0]
    sent = []
    for wager in ("straight_up:17", "red", "straight_up:18"):
        floor.open_round()
        sent.append(terminal.wager(wager, 500, "w1"))
        sent.append(terminal.wager("red", 500, "w1"))  # refused: the id is used
        sent.append(
            terminal.wager("straight_up:5", 1, "w2")
        )  # refused: below the minimum
        sent.append(terminal.wager("red", 700, "w3"))
        for each in sent:
            terminal.answer(each)
        last = terminal.say("wagers", round=terminal.view["round"], withdraw=["w3"])
        assert terminal.answer(last)["registered"]
        record.taken_back.add(("triple", terminal.journal_id(sent[-1])))
        sent.append(last)
        for each in sent:
            terminal.repeat(each)
        floor.finish("17")
        for each in sent:
            terminal.repeat(each)
    house.kill()
    house.start()
    floor.connect()
    for each in sent:
        terminal.repeat(each)

    counts = record.compare(house.export())
    assert counts["refused"] == 6
    assert counts["answered again"] >= 3 * len(sent)
    house.verify()
    assert house.stop() == 0
