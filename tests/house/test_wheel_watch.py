"""The watch over a wheel: its bound on false alarms, its power, its memory."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from croupier.games import all_games, find_game
from croupier.house.floor import wheel_watch
from croupier.house.floor.wheel_watch import ALARM_SPINS, RECALLED, WheelWatch
from croupier.rules.game import Game
from tests.web.a_house import opened

_V3 = find_game("mbs-roulette-v3")
_GAMES = pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)


def _spins_to_alarm(game: Game, seed: int, share: float, most: int) -> int | None:
    """Spin a wheel with one number of this share until the watch alarms."""
    rng, watch, biased = Random(seed), WheelWatch(game), game.numbers[5]
    weights = [share if each == biased else 1.0 for each in game.numbers]
    weights = [w * (len(weights) - share) / (len(weights) - 1) for w in weights]
    weights[5] = share
    for spin, number in enumerate(rng.choices(game.numbers, weights, k=most), 1):
        alarm = watch.note("t1", spin, number)
        if alarm is not None:
            return spin if share == 1 or alarm.number == biased else None
    return None


@_GAMES
def test_at_a_fair_wheel_the_evidence_grows_by_one_a_spin_on_average(
    game: Game,
) -> None:
    """So the alarm, at a year's spins, comes after a year on average or later."""
    rng, drawn = Random(5), []
    for _ in range(4):
        drawn += rng.choices(game.numbers, k=30)
        after = []
        for outcome in game.numbers:
            watch = WheelWatch(game)
            for spin, number in enumerate([*drawn, outcome], 1):
                watch.note("t1", spin, number)
            after.append(sum(watch._sums.values()) / len(game.numbers))
        before = WheelWatch(game)
        for spin, number in enumerate(drawn, 1):
            before.note("t1", spin, number)
        now = sum(before._sums.values()) / len(game.numbers)
        assert sum(after) / len(after) == pytest.approx(now + 1)


def test_the_alarm_is_at_a_years_spins() -> None:
    assert ALARM_SPINS == 350_400


def test_a_fair_wheel_raises_at_most_one_alarm_in_a_simulated_year() -> None:
    first = _spins_to_alarm(_V3, 1, 1.0, ALARM_SPINS)
    rest = ALARM_SPINS - (first or ALARM_SPINS)
    assert first is None or _spins_to_alarm(_V3, 2, 1.0, rest) is None


def test_a_number_with_1_3_times_its_share_is_found_within_20_000_spins() -> None:
    most = 60_000
    found = [_spins_to_alarm(_V3, seed, 1.3, most) or most for seed in range(40)]
    assert sum(found) / len(found) < 10_000
    assert sum(each <= RECALLED for each in found) >= 0.95 * len(found)


@pytest.mark.anyio
async def test_an_alarm_is_on_record_and_in_the_pit_and_the_watch_begins_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wheel_watch, "ALARM_SPINS", 8)
    async with opened(tmp_path) as house:
        for _ in range(9):
            await house.play_round("t2", outcome="17")
        await house.floor.caught_up()
        sam = await house.log_on("Sam")
        log = await house.get("/api/log?kind=table", sam)
        [alarm] = [e for e in log["events"] if e["event"] == "WheelDoubted"]
        meters = await house.get("/api/meters", sam)
        fields = alarm["fields"]
        kept = house.floor.table("t2").wheel.seen
        again = WheelWatch(_V3)
        again.read(house.store, "t2", 9)

    assert alarm["is_alarm"]
    assert (fields["table"], fields["number"]) == ("t2", "17")
    [shown] = [each["wheel"] for each in meters if each["table"] == "t2"]
    assert shown["spins"] == kept.spins == 9 - int(fields["round"])
    assert again.seen == kept
