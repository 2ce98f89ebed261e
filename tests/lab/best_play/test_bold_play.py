"""The best play is what the theory of bold play says, and what a plain search finds.

In a subfair game with one wager that pays r to 1 nothing beats bold play: stake all, or
as much as reaches the target (Dubins and Savage, for even chances and for every
primitive casino). Its values are sums of products of p and q, exactly known.
"""

from __future__ import annotations

from fractions import Fraction

import pytest

from croupier.lab.best_play import best_play
from croupier.lab.sessions import SessionError

V3 = "mbs-roulette-v3"
P, Q = Fraction(18, 37), Fraction(19, 37)


def bold(p: Fraction, pays: int, part: Fraction, depth: int = 60) -> Fraction:
    """The value of bold play in a primitive casino, from a part of the target."""
    if part <= 0 or depth == 0:
        return Fraction(0)
    if part >= 1:
        return Fraction(1)
    stake = min(part, (1 - part) / pays)
    return p * bold(p, pays, part + pays * stake, depth - 1) + (1 - p) * bold(
        p, pays, part - stake, depth - 1
    )


@pytest.mark.parametrize("area", ["red", "even", "low"])
@pytest.mark.parametrize("bankroll", range(1, 16))
def test_bold_play_on_an_even_chance(area: str, bankroll: int) -> None:
    """Sixteenths of the target: bold play ends after four rounds at most."""
    best = best_play(V3, bankroll=bankroll, target=16, areas=[area])

    assert best.attained == bold(P, 1, Fraction(bankroll, 16))
    assert best.probability.error < Fraction(1, 10**11)
    assert [str(chips) for chips in best.wager(bankroll * 100)] == [
        f"{area}@{min(bankroll, 16 - bankroll)}"
    ]


def test_the_dyadic_values_of_red_and_black() -> None:
    values = {
        bankroll: best_play(V3, bankroll=bankroll, target=8, areas=["red"]).attained
        for bankroll in (1, 2, 3, 4, 5, 6, 7)
    }

    assert values == {
        4: P,
        2: P**2,
        6: P + Q * P,
        1: P**3,
        3: P**2 + P**2 * Q,
        5: P + Q * P**2,
        7: P + Q * P + Q**2 * P,
    }


def test_from_a_third_of_the_target_bold_play_returns_to_it() -> None:
    """From 1/3: win to 2/3, then win, or lose back to 1/3: v = p(p + q·v)."""
    best = best_play(V3, bankroll=10, target=30, areas=["red"])

    assert best.attained == P**2 / (1 - P * Q)


@pytest.mark.parametrize(
    ("area", "pays", "numbers"),
    [("dozen:1", 2, 12), ("1/2/3/4/5/6", 5, 6), ("1/2/3", 11, 3), ("17", 35, 1)],
)
@pytest.mark.parametrize("power", [1, 2])
def test_bold_play_in_a_primitive_casino(
    area: str, pays: int, numbers: int, power: int
) -> None:
    """A power of 1/(1 + pays) of the target: `power` wins in a row."""
    target = (1 + pays) ** power

    best = best_play(V3, bankroll=1, target=target, areas=[area])

    assert best.attained == Fraction(numbers, 37) ** power


@pytest.mark.parametrize(
    ("area", "pays", "numbers"), [("red", 1, 18), ("dozen:1", 2, 12)]
)
def test_no_chip_unit_does_better_than_bold_play(
    area: str, pays: int, numbers: int
) -> None:
    """Whole chips can only lose something against the theory's stakes."""
    p = Fraction(numbers, 37)
    best = best_play(V3, bankroll=50, target=97, areas=[area])

    for cents, _, value in best.plan():
        limit = float(bold(p, pays, Fraction(cents, 9700), 40))
        assert value <= limit + 1e-9


def test_small_limits_force_timid_play() -> None:
    best = best_play(V3, bankroll=5, target=10, areas=["red"], limits=["* 1 1"])

    r = Q / P
    assert best.attained == (1 - r**5) / (1 - r**10)


def test_more_choice_is_never_worse() -> None:
    red = best_play(V3, bankroll=50, target=90, areas=["red"])
    some = best_play(V3, bankroll=50, target=90, areas=["red", "dozen:1", "17"])
    every = best_play(V3, bankroll=50, target=90)

    assert red.attained is not None
    assert some.attained is not None
    assert every.attained is not None
    assert red.attained < some.attained < every.attained < Fraction(50, 90)


def test_the_plan_keeps_to_limits_and_chips() -> None:
    best = best_play(
        V3,
        bankroll="102.50",
        target=200,
        chip=5,
        limits=["* 10 40", "straight_up 5 15"],
    )

    for cents, chips, _ in best.plan():
        assert cents % 500 == 250
        for each in chips:
            assert each.stake_cents is not None
            low, high = (
                (500, 1500)
                if each.wager[0:2] == "st" and "up" in each.wager
                else (
                    1000,
                    4000,
                )
            )
            assert low <= each.stake_cents <= min(high, cents)
            assert each.stake_cents % 500 == 0
    assert best.attained is not None
    assert 10_250 in best.on_the_way


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"bankroll": 10, "target": 10}, "is not above the bankroll"),
        ({"bankroll": 10, "target": 5}, "is not above the bankroll"),
        ({"bankroll": 1, "target": 20, "chip": 5}, "below the chip unit"),
        ({"bankroll": 10, "target": 20_000}, "too many to search"),
        ({"bankroll": 10, "target": 20, "limits": ["* 5 5"], "chip": 7}, "no area"),
        (
            {"bankroll": 10, "target": 20, "areas": ["tiers"]},
            "single area|has no tiers",
        ),
        (
            {"bankroll": 1, "target": 2, "areas": ["red"], "over": "several-areas"},
            "leave out the areas, or search them over one-area",
        ),
    ],
)
def test_arguments_without_a_best_play_are_refused(
    asked: dict[str, object], said: str
) -> None:
    from croupier.rules.clause import WagerRefused

    with pytest.raises((SessionError, WagerRefused), match=said):
        best_play(V3, **asked)  # type: ignore[arg-type]


def test_a_bankroll_below_every_minimum_reaches_nothing() -> None:
    best = best_play(V3, bankroll=5, target=20, limits=["* 10 50"])

    assert best.attained == 0
    assert best.wager(500) == ()
    assert best.wager(1000) != ()
    assert "target reached           0 %" in str(best)
    assert best.rounds_played.value == 0


def test_a_bankroll_outside_the_plan_is_refused() -> None:
    best = best_play(V3, bankroll=10, target=20)

    with pytest.raises(SessionError, match=r"10\.50 is no bankroll on the way"):
        best.wager(1050)
    with pytest.raises(SessionError, match=r"20\.00 is no bankroll on the way"):
        best.wager(2000)


def test_a_game_in_which_the_house_has_no_edge() -> None:
    from croupier.odds import read_what_if

    model = read_what_if(V3, "[pays]\nred = 2\n")

    with pytest.raises(SessionError, match="the House has no edge on red"):
        best_play(model, bankroll=10, target=20)


def test_numbers_that_are_not_alike() -> None:
    """A number that comes less often is worth less than any other."""
    from croupier.odds import read_what_if

    model = read_what_if(V3, "[chances]\n17 = 0.9\n")

    likely, rare = (
        best_play(model, bankroll=10, target=36, areas=[number]).attained
        for number in ("18", "17")
    )
    both = best_play(model, bankroll=10, target=36, areas=["17", "18"])

    assert rare is not None
    assert likely is not None
    assert rare < likely == both.attained
    assert all(each.wager != "straight_up:17" for each in both.wager(1000))


def test_it_tells_itself() -> None:
    best = best_play(V3, bankroll=100, target=200, chip=10)

    told, html, json = str(best), best._repr_html_(), best.json()

    assert "target reached           48.8602 %" in told
    assert "Searched: one of 157 betting areas a round" in told
    assert "<table>" in html
    assert "48.8602 %" in html
    assert json["attained"] == f"{best.attained}"
    assert len(json["plan"]) == 20
    assert json["plan"][10]["wagers"] == [
        {"wager": "six_line:1/2/3/4/5/6", "stake_cents": 2000}
    ]
    assert best.searched == json["searched"]


def test_a_plan_is_a_frame_of_a_row_for_each_bankroll() -> None:
    best = best_play("mbs-roulette-v3", bankroll=3, target=8, areas=["red"])

    frame = best.to_frame()

    assert frame["bankroll_cents"].to_list() == [100 * chips for chips in range(8)]
    assert frame.row(3)[1:3] == ("red@3", 300)
    assert frame["reached"][3] == pytest.approx(float(best.probability))
    assert frame["rounds_played"][3] == pytest.approx(float(best.rounds_played))
