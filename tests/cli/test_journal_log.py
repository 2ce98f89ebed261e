"""`croupier journal log` and `recall`: the past of a house without a server."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from croupier.ledger.commands import BuyIn, CashOut, IssueVoucher
from croupier.rules import commands as do
from croupier.rules.operator import Person, Role
from croupier.table import Refused, Submission
from tests.cli.running import run_here
from tests.web.a_house import House, in_house

DEALER, PLAYER = Person("Dana", Role.DEALER), Person("Paul", Role.PLAYER)


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two rounds at `t1`, one of them void; refusals to Dana and to Paul."""
    folder = tmp_path_factory.mktemp("log")

    async def play(house: House) -> None:
        dana = await house.log_on("Dana")
        await house.act("t1", BuyIn("Paul", 10_000))
        await house.say("t1", "Dealer: place your bets")
        await house.act("t1", house.wager("Paul", "17", 1_000), PLAYER)
        await house.act("t1", IssueVoucher("Paul", 500))
        await house.finish_round("t1", "17")
        await house.say("t1", "Dealer: place your bets")
        await house.say("t1", "Dealer: irregularity ball_broke", "Dealer: settle")
        for person, command in ((DEALER, do.Settle()), (PLAYER, CashOut("Paul", 5))):
            submission = Submission(f"by {person}", (person,), command)
            table = house.floor.table("t1")
            assert isinstance(await table.submit(submission), Refused)
        await house.refused(403, "GET", "/api/log", token=dana)
        await house.floor.caught_up()

    in_house(folder, play)
    [found] = folder.glob("*.db")
    return found


def printed(*args: str | Path) -> str:
    ran = run_here("journal", *args)
    assert ran.code == 0, ran.stderr
    return ran.stdout


def logged(journal: Path, *args: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(printed("log", journal, *args, "--json"))
    return found


def test_the_log_is_that_of_the_inspector(journal: Path) -> None:
    whole = logged(journal)

    assert [each["at_ms"] for each in whole] == sorted(e["at_ms"] for e in whole)
    assert {"LoggedOn", "RoundVoided", "ActRefused"} <= {e["event"] for e in whole}
    [void] = [each for each in whole if each["event"] == "RoundVoided"]
    assert (void["table"], void["round"], void["is_alarm"]) == ("t1", 2, True)
    assert "round voided: clause 5.4" in printed("log", journal)


def test_it_is_read_by_kind_person_and_round(journal: Path) -> None:
    assert {each["kind"] for each in logged(journal, "--kind", "void")} == {"void"}
    assert {e["round"] for e in logged(journal, "--table", "t1", "--round", "2")} == {2}
    assert {e["table"] for e in logged(journal, "--table", "t1")} == {"t1"}
    dana = logged(journal, "--person", "Dana")
    assert {"LoggedOn", "ActRefused", "AuthorityRefused"} <= {e["event"] for e in dana}
    assert logged(journal, "--person", "Dan") == []


def test_refusals_are_those_of_players_too(journal: Path) -> None:
    refused = logged(journal, "--refusals")

    assert {(e["event"], e["by"]) for e in refused} == {
        ("ActRefused", "Dana"),
        ("ActRefused", "Paul"),
        ("AuthorityRefused", "Dana"),
    }
    assert "Paul" not in {e["by"] for e in logged(journal, "--kind", "authority")}


def test_a_round_is_recalled_in_full(journal: Path) -> None:
    found = json.loads(printed("recall", journal, "t1", "1", "--json"))

    assert (found["table"], found["round"], found["winning_number"]) == ("t1", 1, "17")
    assert found["credit_before"] == {"Paul": 10_000}
    assert found["credit_after"] == {"Paul": 10_000 - 500 + 35_000}
    kinds = [each["event"] for each in found["events"]]
    assert {"WagerPlaced", "VoucherIssued", "RoundSettled"} <= set(kinds)
    assert "command_id" not in found["events"][0]
    text = printed("recall", journal, "t1", "1")
    assert "t1, round 1: 17" in text
    assert "seat:Paul -10.00" in text
    [code] = [e["fields"]["code"] for e in found["events"] if "code" in e["fields"]]
    assert code.startswith("…")


@pytest.mark.parametrize(
    ("args", "sentence"),
    [
        (("log", "--round", "1"), "--round needs --table"),
        (("log", "--table", "t9"), "the journal has no table t9"),
        (("log", "--kind", "x"), "x is none of the kinds log_on, authority"),
        (("recall", "t1", "9"), "t1 has no round 9"),
        (("recall", "t9", "1"), "t9 has no round 1"),
    ],
)
def test_bad_input_is_refused_in_a_sentence(
    journal: Path, args: tuple[str, ...], sentence: str
) -> None:
    command, *rest = args

    ran = run_here("journal", command, journal, *rest)

    assert (ran.code, ran.stdout) == (2, "")
    assert sentence in ran.stderr
