"""Properties of the core: no cent made or lost, nothing mutated, all reads back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from croupier.games import find_game
from croupier.journal.events.codec import SCHEMA, decode, encode
from croupier.rules import commands as do
from croupier.rules.cents import MAXIMUM_CENTS, write_cents
from croupier.rules.clause import Refusal
from croupier.rules.events import SettledPiece, SettledWager
from croupier.rules.game import Settings
from croupier.rules.layout import WagerType
from croupier.rules.notation import AreaText, NotationError, read_cents, read_wager
from croupier.rules.operator import Person, Role
from croupier.rules.pieces import find_placement
from croupier.rules.series import Series, apply_recorded
from croupier.rules.terms import Limit, Limits
from croupier.transcript import play, played_json
from tests.rules import oracle
from tests.rules.random_play import (
    multiple_names,
    seeds,
    sensible_plan,
    wager_names,
    wild_plan,
)
from tests.rules.tables import DEALER, Chips, Table, picture

FIVE = pytest.mark.parametrize("name", oracle.FIVE_GAMES)
LIMITS_AT_THE_OUTCOME = ("mbs-roulette-v3", "mbs-fast-action-v2")
"""The games that let chips lie outside the limits until the outcome (A11)."""


class Money(NamedTuple):
    stake: int
    paid: int
    collected: int
    returned: int


def money(pieces: Iterable[SettledPiece]) -> Money:
    all_pieces = list(pieces)
    return Money(
        sum(piece.stake_cents for piece in all_pieces),
        sum(piece.paid_cents for piece in all_pieces),
        sum(piece.collected_cents for piece in all_pieces),
        sum(piece.returned_cents for piece in all_pieces),
    )


@FIVE
@settings(max_examples=60)
@given(seed=seeds)
def test_the_json_of_a_round_adds_up_too(name: str, seed: int) -> None:
    printed = played_json(play(sensible_plan(name, seed).transcript()))

    for each in printed["rounds"]:
        is_over = each["status"] in {"settled", "void"}
        for wager in [*each["wagers"], *each["players"].values()]:
            ends = wager["collected_cents"] + wager["returned_cents"]
            assert ends == (wager["stake_cents"] if is_over else 0)
            assert is_over or wager["paid_cents"] == 0
        for sums in ("stake_cents", "paid_cents", "collected_cents", "returned_cents"):
            by_wager = sum(wager[sums] for wager in each["wagers"])
            assert by_wager == sum(own[sums] for own in each["players"].values())
            for wager in each["wagers"]:
                assert wager[sums] == sum(piece[sums] for piece in wager["pieces"])


@FIVE
@settings(max_examples=60)
@given(seed=seeds)
def test_the_same_acts_give_the_same_events(name: str, seed: int) -> None:
    transcript = wild_plan(name, seed).transcript()

    first, second = play(transcript), play(transcript)

    assert first.records == second.records
    assert first.lines == second.lines
    assert first.series == second.series


@FIVE
@settings(max_examples=60)
@given(seed=seeds)
def test_events_folded_from_the_start_give_the_live_state(name: str, seed: int) -> None:
    plan = wild_plan(name, seed)
    played = play(plan.transcript())

    series = Series(plan.game, plan.limits, plan.settings)
    for record in played.records:
        series = apply_recorded(series, record)

    assert series == played.series
    assert picture(series) == picture(played.series)


@FIVE
@settings(max_examples=60)
@given(seed=seeds)
def test_events_read_back_from_their_json(name: str, seed: int) -> None:
    records = play(wild_plan(name, seed).transcript()).records

    for record in records:
        kind = type(record.event).__name__

        assert decode(SCHEMA, kind, encode(record.event)) == record.event


@dataclass(frozen=True)
class Laid:
    """A Player's wager: what is laid first, and each increase, on every piece."""

    player: str
    wager: str
    layers: tuple[int, ...]


@dataclass(frozen=True)
class Spin:
    """A round of wagers: who laid what, in which order, and what came up."""

    name: str
    limits: Limits
    wagers: tuple[Laid, ...]
    number: str
    drawn: tuple[str, ...]

    def orders(self, random: Random, count: int) -> list[list[int]]:
        """Ways of placing: a wager's place in the list, once for each of its layers."""
        tokens = [place for place, laid in enumerate(self.wagers) for _ in laid.layers]
        return [random.sample(tokens, len(tokens)) for _ in range(count)]

    def play(self, order: Sequence[int]) -> tuple[SettledWager, ...]:
        table = Table(find_game(self.name), self.limits)
        table.begin()
        table.do(DEALER, do.PlaceYourBets())
        left = [list(laid.layers) for laid in self.wagers]
        for place in order:
            laid, cents = self.wagers[place], left[place].pop(0)
            if len(left[place]) == len(laid.layers) - 1:
                table.lay(Chips(f"w{place}", laid.player, laid.wager, cents))
            else:
                raised = do.IncreaseWager(f"w{place}", laid.player, cents)
                table.do(Person(laid.player, Role.PLAYER), raised)
        table.conclude(self.number, self.drawn)
        return table.settled()


def random_spin(name: str, random: Random, *, multiples: bool) -> Spin:
    """Wagers that meet on few areas; limits only where they don't refuse chips."""
    numbers = oracle.NUMBERS[name]
    links = [list(link) for link in oracle.LINKS]
    random.shuffle(links)
    names = list(find_game(name).area_by_name)
    several = [n for n in multiple_names(name) if not n.startswith("complete_maximum")]
    wagers = []
    for _ in range(random.randint(1, 6)):
        wager = random.choice([names[17], names[0], random.choice(names)])
        if multiples and several and random.random() < 0.4:
            wager = random.choice(several)
        layers = tuple(
            100 * random.randint(1, 60) for _ in range(random.choice((1, 1, 2, 3)))
        )
        wagers.append(Laid(random.choice(("Anna", "Ben")), wager, layers))
    limits = Limits()
    if name in LIMITS_AT_THE_OUTCOME:
        least = 100 * random.randint(0, 30)
        straight = Limit(least, least + 100 * random.randint(0, 50))
        limits = Limits(Limit(1000, 6000), {WagerType.STRAIGHT_UP: straight})
    return Spin(
        name,
        limits,
        tuple(wagers),
        random.choice([names[17].partition(":")[2], "0", random.choice(numbers)]),
        tuple(n for link in links for n in link)[:10],
    )


def by_player_and_area(
    settled: Iterable[SettledWager],
) -> dict[tuple[str, str], Money]:
    pieces: dict[tuple[str, str], list[SettledPiece]] = {}
    for wager in settled:
        for piece in wager.pieces:
            pieces.setdefault((wager.player, piece.area), []).append(piece)
    return {key: money(some) for key, some in pieces.items()}


@FIVE
@settings(max_examples=60)
@given(seed=seeds)
def test_no_order_of_placing_changes_a_total(name: str, seed: int) -> None:
    random = Random(seed)
    spin = random_spin(name, random, multiples=True)

    totals = [by_player_and_area(spin.play(order)) for order in spin.orders(random, 3)]

    assert totals[1] == totals[0]
    assert totals[2] == totals[0]


@FIVE
@settings(max_examples=60)
@given(seed=seeds)
def test_the_limits_judge_a_players_total_on_an_area(name: str, seed: int) -> None:
    random = Random(seed)
    spin = random_spin(name, random, multiples=False)
    pays = oracle.pays_at(name, spin.number, spin.drawn)
    stakes: dict[tuple[str, str], int] = {}
    for laid in spin.wagers:
        key = (laid.player, laid.wager)
        stakes[key] = stakes.get(key, 0) + sum(laid.layers)

    [order] = spin.orders(random, 1)
    totals = by_player_and_area(spin.play(order))

    expected = {}
    for (player, area), stake in stakes.items():
        limit = spin.limits.of(WagerType(area.partition(":")[0]))
        at_risk = stake if limit is None else min(stake, limit.maximum_cents)
        to_one = pays[area]
        expected[player, area] = (
            Money(stake, 0, at_risk, stake - at_risk)
            if to_one is None
            else Money(stake, at_risk * to_one, 0, stake)
        )
    assert totals == expected


@pytest.mark.parametrize("name", LIMITS_AT_THE_OUTCOME)
@settings(max_examples=80)
@given(seed=seeds)
def test_the_maximum_is_used_up_in_the_order_of_placing(name: str, seed: int) -> None:
    random = Random(seed)
    spin = random_spin(name, random, multiples=False)
    pays = oracle.pays_at(name, spin.number, spin.drawn)
    [order] = spin.orders(random, 1)
    at_risk = _at_risk_in_order(spin, order)

    settled = {wager.wager_id: wager for wager in spin.play(order)}

    for place, laid in enumerate(spin.wagers):
        stake, to_one = sum(laid.layers), pays[laid.wager]
        own = at_risk[place]
        risked = sum(piece.at_risk_cents for piece in settled[f"w{place}"].pieces)
        assert risked == own
        assert money(settled[f"w{place}"].pieces) == (
            Money(stake, 0, own, stake - own)
            if to_one is None
            else Money(stake, own * to_one, 0, stake)
        )


def _at_risk_in_order(spin: Spin, order: Sequence[int]) -> list[int]:
    """What the maximum covers of each wager, layer after layer as they came."""
    left: dict[tuple[str, str], int] = {}
    layers = [list(laid.layers) for laid in spin.wagers]
    at_risk = [0] * len(layers)
    for place in order:
        laid = spin.wagers[place]
        limit = spin.limits.of(WagerType(laid.wager.partition(":")[0]))
        assert limit is not None
        key = (laid.player, laid.wager)
        covered = min(layers[place].pop(0), left.get(key, limit.maximum_cents))
        left[key] = left.get(key, limit.maximum_cents) - covered
        at_risk[place] += covered
    return at_risk


@pytest.mark.parametrize("name", LIMITS_AT_THE_OUTCOME)
@settings(max_examples=80)
@given(
    rounds=st.lists(
        st.tuples(st.integers(1, 9), st.booleans(), st.booleans()),
        min_size=1,
        max_size=5,
    )
)
@example(rounds=[(1, True, True), (1, False, True), (1, True, False), (9, True, True)])
def test_under_minimum_wagers_stand_only_in_the_first_round_with_an_outcome(
    name: str, rounds: list[tuple[int, bool, bool]]
) -> None:
    table = Table(find_game(name), Limits(Limit(500, 10_000)))
    ten = oracle.FAST_ACTION[:10]
    has_stood = False
    for units, wins, is_void in rounds:
        table.begin()
        table.do(DEALER, do.PlaceYourBets())
        table.lay(Chips("w1", "Anna", "17", 100 * units))
        if is_void:
            table.do(DEALER, do.AnnounceNoSpin())
            table.do(DEALER, do.Settle())
        else:
            table.conclude("17" if wins else "36", ten)

        [wager] = table.settled()

        stake, is_under = 100 * units, units < 5
        if is_void or (is_under and has_stood):
            expected = Money(stake, 0, 0, stake)
        elif wins:
            expected = Money(stake, 35 * stake, 0, stake)
        else:
            expected = Money(stake, 0, stake, 0)
        assert money(wager.pieces) == expected
        has_stood = has_stood or (is_under and not is_void)


@FIVE
def test_every_wager_reads_back_under_its_own_name(name: str) -> None:
    game = find_game(name)

    for written in wager_names(name):
        text = read_wager(written, game.multiples)
        placement = find_placement(game, Settings(), text)

        assert not isinstance(placement, Refusal), written
        assert text.name == placement.name == written
        again = find_placement(game, Settings(), read_wager(placement.name))
        assert again == placement


@FIVE
def test_the_areas_of_each_piece_are_areas_of_the_game(name: str) -> None:
    game = find_game(name)

    for written in wager_names(name):
        placement = find_placement(game, Settings(), read_wager(written))

        assert not isinstance(placement, Refusal), written
        assert placement.areas
        assert all(game.area_by_name[each.name] is each for each in placement.areas)
        assert list(placement.areas) == sorted(placement.areas, key=lambda a: a.order)


@FIVE
@given(seed=seeds)
def test_short_forms_in_any_order_name_the_same_area(name: str, seed: int) -> None:
    game = find_game(name)
    random = Random(seed)
    inside = ("straight_up", "split", "street", "corner", "six_line", "top_line")

    for area in game.areas:
        if area.wager_type.value in inside:
            short = "/".join(random.sample(sorted(area.numbers), len(area.numbers)))
            text = read_wager(short)
            placement = find_placement(game, Settings(), text)

            assert not isinstance(placement, Refusal), short
            assert placement.name == area.name
            assert isinstance(text, AreaText)
            assert text.name == "/".join(sorted(area.numbers, key=oracle.ORDER.index))


@FIVE
@given(seed=seeds)
def test_an_areas_numbers_may_be_written_in_any_order_behind_its_type(
    name: str, seed: int
) -> None:
    game = find_game(name)
    random = Random(seed)

    for area in game.areas:
        kind, _, detail = area.name.partition(":")
        if "/" in detail:
            mixed = random.sample(detail.split("/"), detail.count("/") + 1)

            assert read_wager(f"{kind}:{'/'.join(mixed)}").name == area.name


@given(cents=st.integers(1, MAXIMUM_CENTS))
@example(cents=1)
@example(cents=99)
@example(cents=100)
@example(cents=MAXIMUM_CENTS)
def test_amounts_read_back_as_they_are_written(cents: int) -> None:
    written = write_cents(cents)

    assert read_cents(written) == cents
    assert Fraction(written) == Fraction(cents, 100)


@given(
    units=st.integers(0, 10**13), decimals=st.sampled_from(["", "0", "5", "05", "99"])
)
def test_an_amount_has_units_and_at_most_two_decimals(
    units: int, decimals: str
) -> None:
    text = f"{units}.{decimals}" if decimals else str(units)
    exact = Fraction(text) * 100

    if not 1 <= exact <= MAXIMUM_CENTS:
        with pytest.raises(NotationError):
            read_cents(text)
    else:
        assert read_cents(text) == exact


@given(st.integers(-(10**15), 10**15))
def test_a_sum_is_written_with_its_sign_and_two_decimals(cents: int) -> None:
    written = write_cents(cents)

    assert Fraction(written) == Fraction(cents, 100)
    assert written[-3] == "."
