"""Reports on journals: corrections, voids, draws and gaming days."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from croupier.audit.report.days import chosen_days, read_span
from croupier.audit.report.documents import report_csv
from croupier.audit.report.journal_rounds import days_of_journal
from croupier.audit.report.report_text import verdict
from croupier.audit.report.return_report import (
    ReportRequest,
    ReturnReport,
    make_report,
    read_groupings,
)
from croupier.audit.report.rounds import AMOUNTS, Dimension
from croupier.journal.addresses import SourceError
from croupier.journal.events.codec import SCHEMA, encode
from croupier.journal.events.house import HouseDefined
from croupier.journal.events.plan import DEFAULT_HOUSE
from croupier.journal.export import export_journal
from croupier.journal.settlements import dealers_of
from croupier.journal.store import Store
from croupier.journal.stores import open_store
from croupier.journal.stores.sqlite import SqliteStore
from croupier.journal.tables import EventRow
from croupier.ledger.accounts import Account
from croupier.table import Accepted
from croupier.table.commands import DrawNow
from tests.table.a_table import NOON, Played

DAY_MS = 86_400_000
OTHER_GAMES = ("mbs-roulette-v2", "mbs-roulette-v3", "mbs-complete-bet-v2")
SINGAPORE = chosen_days("Asia/Singapore", 6)
"""The days of a table without a house."""


def _amounts(report: ReturnReport) -> dict[str, int]:
    return dict(zip(AMOUNTS, report.whole.group.amounts, strict=True))


def _groups(report: ReturnReport, *by: Dimension) -> dict[Any, Any]:
    [section] = [each for each in report.sections if each.grouping == by]
    return {judged.key: judged.group for judged in section.groups}


def _accepted(answers: list[Any]) -> None:
    assert all(isinstance(answer, Accepted) for answer in answers), answers


def _played(store: Store, **options: Any) -> Played:
    """Three rounds on two days: the second void, the third corrected on the second."""
    played = Played(store, **options)
    played.buy_in("Anna", 1_000_000)
    played.play_round("17", ["Anna: place 17 10 as w1", "Anna: place red 50 as w2"])
    _accepted(played.say("Dealer: place your bets", "Anna: place 5 10 as w3"))
    _accepted(played.say("Dealer: irregularity ball_broke", "Dealer: settle"))
    played.play_round("8", ["Anna: place red 20 as w4", "Anna: place 5/8 5 as w5"])
    played.now_ms += DAY_MS
    played.play_round("0", ["Anna: place black 7 as w6"])
    _accepted(played.say("Dealer + Pit Supervisor: correct round 3 to 5"))
    return played


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "house.db")


def test_a_round_counts_once_as_it_was_settled_last(path: str) -> None:
    with open_store(path) as store:
        _played(store)

    report = make_report(path, ReportRequest(days=SINGAPORE))

    # Round 1: 17 pays 35 × 10.00, red (black 17) loses 50.00. Round 3, at 5 in the end:
    # red pays 20.00, 5/8 pays 17 × 5.00. Round 4: black loses 7.00 on 0.
    assert _amounts(report) == {
        "stake": 1_000 + 5_000 + 2_000 + 500 + 700,
        "at_risk": 9_200,
        "paid": 35_000 + 2_000 + 8_500,
        "collected": 5_700,
        "returned": 1_000 + 2_000 + 500,
    }
    group = report.whole.group
    assert (group.rounds, group.wagers, group.hits) == (3, 5, 3)
    assert group.theoretical_return == Fraction(12, 13)
    first, second = sorted(_groups(report, Dimension.DAY).items())
    assert (first[1].rounds, second[1].rounds) == (2, 1)
    assert second[1].win_cents == 700


def test_meters_are_those_of_the_table_itself(path: str) -> None:
    with open_store(path) as store:
        played = _played(store)
        kept = played.table.state.meters

    report = make_report(path, ReportRequest(days=SINGAPORE))

    assert len(report.meters) == 2
    for (table, day), meter in report.meters.items():
        assert table == "t1"
        assert meter.rounds == kept.get(f"{day}/rounds", 0)
        assert meter.voids == kept.get(f"{day}/voids", 0)
        assert meter.handle_cents == kept.get(f"{day}/staked", 0)
        assert meter.paid_cents == kept.get(f"{day}/won", 0)
        assert meter.win_cents == kept.get(f"{day}/hold", 0)
    corrections = [meter.corrections for meter in report.meters.values()]
    assert corrections == [0, 1]
    assert report.meters.whole.win_cents == report.whole.group.win_cents


def test_a_round_voided_after_its_settlement_does_not_count(path: str) -> None:
    with open_store(path) as store:
        played = Played(store)
        played.buy_in("Anna", 100_000)
        played.play_round("17", ["Anna: place 17 10 as w1"])
        played.play_round("8", ["Anna: place 17 10 as w2"])
        manager = "Table Games Shift Manager"
        _accepted(played.say(f"{manager}: void rounds 1 ball_broke"))
        kept = played.table.state.meters

    report = make_report(path, ReportRequest(days=SINGAPORE))

    assert _amounts(report)["paid"] == 0
    assert report.whole.group.rounds == 1
    [(place, meter)] = report.meters.items()
    assert (meter.rounds, meter.voids, meter.corrections) == (1, 1, 1)
    assert meter.win_cents == kept[f"{place[1]}/hold"] == 1_000


@pytest.mark.parametrize("game", OTHER_GAMES)
def test_every_game_has_its_own_theory(path: str, game: str) -> None:
    with open_store(path) as store:
        played = Played(store, game)
        played.buy_in("Anna", 100_000)
        played.play_round("17", ["Anna: place 17 10 as w1", "Anna: place red 50 as w2"])

    report = make_report(path)

    assert [each.name for each in report.games] == [game]
    assert report.whole.group.theoretical_return == Fraction(36, 37)
    assert report.whole.group.win_cents == 5_000 - 35_000


def test_a_draw_of_bonus_numbers_has_the_theory_of_all_draws(path: str) -> None:
    with open_store(path) as store:
        played = Played(store, "mbs-fast-action-v2")
        played.buy_in("Anna", 100_000)
        wagers = ["Anna: place 17 10 as w1", "Anna: place bonus_win 10 as w2"]
        _accepted(played.say("Dealer: place your bets", *wagers, "Dealer: spin"))
        _accepted(played.say("Dealer: no more bets"))
        drawn = played.done(DrawNow()).events[0]
        _accepted(played.say("Dealer: outcome 17", "Dealer: settle"))

    report = make_report(path)

    edges = Fraction(97169, 1462240) + Fraction(1, 4)  # readings, per unit
    assert report.whole.group.theoretical_return == 1 - edges / 2
    is_bonus = "17" in drawn.numbers  # type: ignore[union-attr]
    assert report.whole.group.hits == (2 if is_bonus else 1)
    assert report.whole.group.amounts[AMOUNTS.index("at_risk")] == 2_000


def test_chips_above_a_maximum_were_not_at_risk(path: str) -> None:
    with open_store(path) as store:
        played = Played(store, "mbs-roulette-v3")
        played.play_round(
            "17", ["Anna: lay black 20000 as w1", "Anna: lay red 20000 as w2"]
        )

    report = make_report(path)

    # The table's maximum is 10,000.00: paid once, collected once (5.16).
    assert _amounts(report) == {
        "stake": 4_000_000,
        "at_risk": 2_000_000,
        "paid": 1_000_000,
        "collected": 1_000_000,
        "returned": 3_000_000,
    }
    assert report.whole.group.actual_return == 1


def test_a_wager_ruled_down_had_the_ruled_amount_at_risk(path: str) -> None:
    with open_store(path) as store:
        played = Played(store, "mbs-roulette-v3")
        _accepted(
            played.say(
                "Dealer: place your bets",
                "Anna: lay black 50 as w1",
                "Dealer: spin",
                "Dealer: no more bets",
                "Dealer: outcome 17",
                "Pit Supervisor: rule w1 amount 30",
                "Dealer: settle",
            )
        )

    report = make_report(path)

    assert _amounts(report)["at_risk"] == 3_000
    assert _amounts(report)["paid"] == 3_000


def test_two_tables_of_two_games_are_told_apart_and_together(path: str) -> None:
    with open_store(path) as store:
        for stream, game in (("t1", "rws-triple-zero"), ("t2", "mbs-roulette-v3")):
            played = Played(store, game, stream=stream)
            played.buy_in("Anna", 100_000)
            played.play_round("17", ["Anna: place red 10 as w1"])

    report = make_report(path, ReportRequest(by=read_groupings(["table"])))

    found = _groups(report, Dimension.TABLE)
    assert found["t1",].theoretical_return == Fraction(12, 13)
    assert found["t2",].theoretical_return == Fraction(36, 37)
    mean = Fraction(1_000, 13) + Fraction(1_000, 37)
    assert report.whole.group.win.mean == mean
    assert {game.name for game in report.games} == {
        "rws-triple-zero",
        "mbs-roulette-v3",
    }


def test_rounds_without_wagers_are_rounds(path: str) -> None:
    with open_store(path) as store:
        Played(store).play_round("17")

    report = make_report(path)

    assert report.whole.group.rounds == 1
    assert report.whole.group.actual_return is None
    assert report.meters.whole.rounds == 1
    assert "Nothing was at risk." in verdict(report)
    assert report_csv(report).count("\n") == 6


def test_only_the_asked_days_count(path: str) -> None:
    with open_store(path) as store:
        _played(store)
    second = DEFAULT_HOUSE.gaming_day(NOON + DAY_MS)

    report = make_report(
        path, ReportRequest(days=SINGAPORE, span=read_span(second, None))
    )

    assert report.whole.group.rounds == 1
    assert {day for _, day in report.meters} == {second}
    with pytest.raises(SourceError, match="has no settled round with an outcome"):
        make_report(path, ReportRequest(span=read_span(None, "2000-01-01")))


@pytest.mark.parametrize("hour", range(0, 24, 5))
@pytest.mark.parametrize("zone", ["Asia/Singapore", "America/New_York", "UTC"])
def test_gaming_days_are_those_of_the_house(zone: str, hour: int) -> None:
    days = chosen_days(zone, hour)
    house = replace(DEFAULT_HOUSE, time_zone=zone, gaming_day_begins=hour)
    # Every 41 minutes of a year, the nights of the clocks' changes among them.
    moments = range(NOON, NOON + 366 * DAY_MS, 41 * 60_000)

    assert days is not None
    assert all(days.day(at_ms) == house.gaming_day(at_ms) for at_ms in moments)
    assert date.fromisoformat(days.day(NOON)).year == 2027


def test_the_house_s_win_is_what_the_ledger_s_house_account_holds(
    played: SqliteStore, tmp_path: Path
) -> None:
    address = str(tmp_path / "export.jsonl")
    export_journal(played, Path(address))

    report = make_report(address)

    groups = _groups(report, Dimension.TABLE)
    assert len(groups) == 5
    for (table,), group in groups.items():
        assert group.win_cents == played.balances(table)[Account("house")]
    meters = {table: meter.win_cents for (table, _), meter in report.meters.items()}
    assert meters == {table: group.win_cents for (table,), group in groups.items()}


def test_a_journal_on_postgresql_is_reported_on_alike(
    path: str, postgres_url: str
) -> None:
    for address in (path, postgres_url):
        with open_store(address) as store:
            _played(store)

    one, other = make_report(path), make_report(postgres_url)

    assert one.whole.group.amounts == other.whole.group.amounts
    assert one.whole.win.bounds == other.whole.win.bounds
    assert one.meters == other.meters


class _House:
    """The stream of a house that changed its clock."""

    def __init__(self, clocks: list[tuple[int, str, int]]) -> None:
        self._clocks = clocks

    def events(self, stream: str, *, kinds: Sequence[str]) -> Iterator[EventRow]:
        assert (stream, *kinds) == ("house", "HouseDefined")
        for at_ms, zone, begins in self._clocks:
            clock = replace(DEFAULT_HOUSE, time_zone=zone, gaming_day_begins=begins)
            event = HouseDefined("Ann", clock)
            kind, body = "HouseDefined", encode(event)
            yield EventRow("house", 1, 0, "c", at_ms, SCHEMA, "", "", kind, body, "")


def test_a_journal_s_days_are_those_of_its_house_at_that_time() -> None:
    clocks = [(NOON, "Asia/Singapore", 6), (NOON + 10 * DAY_MS, "UTC", 0)]

    days = days_of_journal(_House(clocks))  # type: ignore[arg-type]

    singapore = replace(DEFAULT_HOUSE, time_zone="Asia/Singapore", gaming_day_begins=6)
    for at_ms in range(NOON - DAY_MS, NOON + 9 * DAY_MS, 3_600_000):
        assert days.day(at_ms) == singapore.gaming_day(at_ms)
    later = replace(DEFAULT_HOUSE, time_zone="UTC", gaming_day_begins=0)
    assert days.day(NOON + 10 * DAY_MS) == later.gaming_day(NOON + 10 * DAY_MS)
    assert days.is_told
    assert not days_of_journal(_House([])).is_told  # type: ignore[arg-type]


def test_an_export_is_reported_on_like_the_journal(tmp_path: Path, path: str) -> None:
    file = tmp_path / "export.jsonl"
    with open_store(path) as store:
        _played(store)
        export_journal(store, file)

    journal, export = make_report(path), make_report(str(file))

    assert export.whole.group.amounts == journal.whole.group.amounts
    assert export.meters == journal.meters


def test_a_journal_that_is_none_is_refused(tmp_path: Path) -> None:
    empty = tmp_path / "empty.db"
    with open_store(str(empty)):
        pass
    broken = tmp_path / "broken.db"
    broken.write_bytes(b"SQLite format 3\x00" + b"\xff" * 4_000)

    with pytest.raises(SourceError, match="there is no table in the journal"):
        make_report(str(empty))
    with pytest.raises(SourceError, match="there is no such journal"):
        make_report(f"sqlite:{tmp_path / 'nowhere.db'}")
    with pytest.raises(SourceError):
        make_report(str(broken))


def test_the_drop_is_the_buy_ins_at_the_table(path: str) -> None:
    with open_store(path) as store:
        played = _played(store)
        played.now_ms += DAY_MS
        played.buy_in("Ben", 7_000)
        kept = played.table.state.meters

    report = make_report(path, ReportRequest(days=SINGAPORE))

    drops = {day: meter.drop_cents for (_, day), meter in report.meters.items()}
    assert drops == {day: kept.get(f"{day}/bought_in", 0) for day in drops}
    assert set(drops.values()) == {0, 7_000, 1_000_000}
    whole = report.meters.whole
    assert whole.drop_cents == 1_007_000
    assert whole.hold_of_drop == Fraction(whole.win_cents, 1_007_000)
    [idle] = [m for (_, day), m in report.meters.items() if m.drop_cents == 7_000]
    assert (idle.rounds, idle.hold) == (0, None)
    assert idle.hold_of_drop == 0


def test_the_sample_house_s_drop_is_cash_vouchers_and_colour_chips(
    played: SqliteStore, tmp_path: Path
) -> None:
    address = str(tmp_path / "export.jsonl")
    export_journal(played, Path(address))

    report = make_report(address)

    bought: dict[str, int] = {}
    for line in Path(address).read_text("utf-8").splitlines():
        row = json.loads(line)
        if row.get("kind") in ("BoughtIn", "VoucherRedeemed", "ColourChipsBought"):
            body = json.loads(row["body"])
            bought[row["stream"]] = bought.get(row["stream"], 0) + body["cents"]
    found = {table: meter.drop_cents for (table, _), meter in report.meters.items()}
    assert bought
    assert found == {table: bought.get(table, 0) for table in found}


def test_rounds_are_told_apart_by_their_dealers(path: str) -> None:
    with open_store(path) as store:
        _played(store)
        names = dealers_of(store, "t1")

    report = make_report(path)

    found = _groups(report, Dimension.DEALER)
    assert set(names.values()) == {key for (key,) in found}
    assert sum(group.rounds for group in found.values()) == 3
