"""A layout is lawful or not whatever the order in which its chips are named.

The limits judge a Player's sum on an area (A8): the verdict is held against sums made
here, and against every other order of the same chips.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier import PracticeTable
from croupier.lab.best_play import best_play
from croupier.lab.sessions import SessionError
from croupier.lab.sessions.request import unit_wager
from croupier.odds import Chips, correlation, exposure_of, layout_odds
from croupier.odds.chips import read_terms
from croupier.odds.chips_odds import layout_parts
from croupier.odds.model import model_of
from croupier.rules.cents import write_cents
from croupier.rules.clause import WagerRefused
from tests.cli.running import run_here
from tests.rules import oracle

V2, V3, FAST = "mbs-roulette-v2", "mbs-roulette-v3", "mbs-fast-action-v2"
COMPLETE, TRIPLE = "mbs-complete-bet-v2", "rws-triple-zero"
LIMITS = ["* 5 50", "red 10 100", "straight_up 3 20"]
LIMITS_WITHOUT_RED = ["* 5 50", "straight_up 3 20"]
BOUNDS = {"red": (1000, 10_000), "straight_up": (300, 2000)}
CAP, CAP_CENTS = ["area_maximum 60"], 6000
TREATS_BREACHES = {V3, FAST}
STAKES = (100, 200, 300, 500, 900, 1000, 2000, 4500, 5000)
# Few areas, so that chips meet; in Complete Bet wagers of several pieces too.
AREAS = ("straight_up:12", "straight_up:17", "split:17/20", "red", "dozen:1")
NAMES = {
    V2: AREAS,
    V3: AREAS,
    TRIPLE: AREAS,
    FAST: ("straight_up:12", "straight_up:S", "bonus_win"),
    COMPLETE: (*AREAS, "tiers", "complete:17", "complete_maximum:20", "neighbours:0"),
}


def limits_of(game: str) -> list[str]:
    """Return the limits of the tests, of the types that the game has."""
    return LIMITS_WITHOUT_RED if game == FAST else LIMITS


def random_layout(game: str, random: Random) -> list[Chips]:
    chips = []
    for _ in range(random.randint(1, 6)):
        name = random.choice(NAMES[game])
        stake = None if name.startswith("complete_m") else random.choice(STAKES)
        chips.append(Chips(name, stake, random.choice(["Anna", "Ben"])))
    return chips


def of_one_player(chips: list[Chips]) -> list[Chips]:
    return [Chips(each.wager, each.stake_cents) for each in chips]


def is_lawful(game: str, chips: list[Chips], *, laid: bool, cap: bool = True) -> bool:
    """By the sums alone; only v3 and Fast Action let laid chips lie outside (A11)."""
    sums: Counter[tuple[str, str]] = Counter()
    on_area: Counter[str] = Counter()
    for each in chips:
        sums[each.player, each.wager] += each.stake_cents or 0
        on_area[each.wager] += each.stake_cents or 0
    if cap and game != FAST and max(on_area.values()) > CAP_CENTS:
        return False
    if laid and game in TREATS_BREACHES:
        return True
    return all(
        low <= cents <= high
        for (_, area), cents in sums.items()
        for low, high in [BOUNDS.get(area.partition(":")[0], (500, 5000))]
    )


def exposed(game: str, chips: list[Chips], *, laid: bool) -> object:
    """What the House pays at each outcome, or that the layout is refused."""
    try:
        found = exposure_of(
            game,
            chips,
            limits=limits_of(game),
            settings=[] if game == FAST else CAP,
            laid=laid,
        )
    except WagerRefused:
        return "refused"
    return [(each.outcome, each.net_cents) for each in found.cases]


def random_way(game: str, random: Random) -> bool:
    """Laid, or placed electronically: both in v3 and Fast Action."""
    if game in TREATS_BREACHES:
        return random.random() < 0.5
    return game != TRIPLE


@pytest.mark.parametrize("game", oracle.FIVE_GAMES)
@given(seed=st.integers(0, 2**32))
@settings(max_examples=40)
def test_the_verdict_and_the_figures_ignore_the_order(game: str, seed: int) -> None:
    random = Random(seed)
    chips = random_layout(game, random)
    laid = random_way(game, random)
    first = exposed(game, chips, laid=laid)

    for _ in range(3):
        random.shuffle(chips)
        assert exposed(game, chips, laid=laid) == first


@pytest.mark.parametrize("game", [V2, V3, FAST, TRIPLE])
@given(seed=st.integers(0, 2**32))
@settings(max_examples=40)
def test_the_limits_judge_the_sums(game: str, seed: int) -> None:
    random = Random(seed)
    chips = random_layout(game, random)
    laid = random_way(game, random)

    found = exposed(game, chips, laid=laid)

    assert (found != "refused") == is_lawful(game, chips, laid=laid)


def test_chips_that_reach_the_minimum_together_are_lawful() -> None:
    for chips in ("12@10 12@1", "12@1 12@10", "12@3 12@3"):
        for game in oracle.FIVE_GAMES:
            assert layout_odds(game, chips, limits=["* 5 50"]).stake > 500

    with pytest.raises(WagerRefused, match=r"4\.00 on straight_up:12"):
        layout_odds(V2, "12@2 red@5 12@2", limits=["* 5 50"])
    with pytest.raises(WagerRefused, match=r"51\.00 on straight_up:12"):
        layout_odds(V2, "12@1 12@50", limits=["* 5 50"])


@pytest.mark.parametrize(
    "chips", [["complete_maximum:17", "17@5"], ["17/20@5", "complete_maximum:17"]]
)
def test_a_complete_maximum_wager_shares_no_area(chips: list[str]) -> None:
    for order in (chips, chips[::-1]):
        with pytest.raises(WagerRefused, match="has chips on"):
            layout_odds(COMPLETE, order, limits=["* 5 50"])

    apart = layout_odds(COMPLETE, ["1@5", "complete_maximum:17"], limits=["* 5 50"])
    assert apart.stake == 500 + 12 * 5000


@given(seed=st.integers(0, 2**32))
@settings(max_examples=30)
def test_the_parts_of_a_layout_add_up_to_it(seed: int) -> None:
    random = Random(seed)
    game = random.choice(oracle.FIVE_GAMES)
    chips = of_one_player(random_layout(game, random))
    model = model_of(game)

    try:
        whole, parts, pairs = layout_parts(
            model, chips, read_terms(model.game, limits=limits_of(game))
        )
    except WagerRefused:
        return

    assert sum(part.mean for part in parts) == whole.mean
    assert sum(part.at_risk for part in parts) == whole.at_risk
    stakes = [Fraction(part.stake) for part in parts]
    places = [(i, j) for i in range(len(parts)) for j in range(i + 1, len(parts))]
    assert len(pairs) == len(places)
    twice = sum(
        2 * stakes[i] * stakes[j] * pair.covariance
        for (i, j), pair in zip(places, pairs, strict=True)
    )
    assert sum(part.variance for part in parts) + twice == whole.variance


def test_the_limits_apply_to_wagers_laid_alone() -> None:
    pair = correlation(V3, "17@100", "red@5", limits=["* 5 50"])

    assert pair.one.at_risk == Fraction(1, 2)
    with pytest.raises(WagerRefused):
        correlation(V2, "17@1", "red@5", limits=["* 5 50"])


@pytest.mark.parametrize("game", [V2, V3, TRIPLE])
@given(seed=st.integers(0, 2**32))
@settings(max_examples=20)
def test_a_session_and_a_settlement_judge_by_the_sums_too(game: str, seed: int) -> None:
    random = Random(seed)
    chips = of_one_player(random_layout(game, random))

    # A session's unit is within the limits in every game, or it is none.
    assert is_session_wager(game, chips) == is_lawful(
        game, chips, laid=False, cap=False
    )
    assert settles(game, chips) == is_lawful(game, chips, laid=True, cap=False)


def settles(game: str, chips: list[Chips]) -> bool:
    table = PracticeTable(game, limits=limits_of(game))
    table.place_your_bets()
    word = "place" if game == TRIPLE else "lay"
    stakes = [write_cents(each.stake_cents or 0) for each in chips]
    try:
        table.act_together(
            f"Anna: {word} {each.wager} {stake} as w{place}"
            for place, (each, stake) in enumerate(zip(chips, stakes, strict=True))
        )
    except WagerRefused:
        assert not table.state.board.stake_cents
        return False
    laid = [wager.wager_id for wager in table.state.board.in_order()]
    assert laid == [f"w{place}" for place in range(len(chips))]
    return True


def is_session_wager(game: str, chips: list[Chips]) -> bool:
    model = model_of(game)
    try:
        unit_wager(model, chips, read_terms(model.game, limits=limits_of(game)), 100)
    except (WagerRefused, SessionError):
        return False
    return True


def test_a_refused_layout_leaves_no_wager() -> None:
    table = PracticeTable(V2, limits=["* 5 50"])
    table.place_your_bets()

    with pytest.raises(WagerRefused):
        table.act_together(["Anna: lay 12 10 as w1", "Anna: lay red 1 as w2"])

    assert table.state.board.stake_cents == 0
    table.spin()
    table.no_more_bets()
    with pytest.raises(WagerRefused, match="closed"):
        table.act_together(["Anna: lay 12 10 as w1"])


COMMANDS = {
    "odds": ("odds", V2, "{0}", "{1}", "--limits", "* 5 50", "--json"),
    "exposure": ("exposure", V2, "A:{0}", "A:{1}", "--limits", "* 5 50", "--json"),
    "settle": ("settle", V2, "17", "{0}", "{1}", "--limits", "* 5 50", "--json"),
    "session": (
        *("session", V2, "-w", "{0} + {1}", "--bankroll", "50", "--target", "100"),
        *("--limits", "* 5 50", "--json"),
    ),
}


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    ("one", "other", "lawful"),
    [("12@10", "12@1", True), ("12@3", "12@3", True), ("12@10", "red@1", False)],
)
def test_the_commands_take_the_chips_in_either_order(
    command: str, one: str, other: str, lawful: bool
) -> None:
    for pair in ((one, other), (other, one)):
        ran = run_here(*(word.format(*pair) for word in COMMANDS[command]))

        assert (ran.code == 0) == lawful, ran.stderr
        assert lawful or "minimum" in ran.stderr or "limits" in ran.stderr


def test_best_play_ignores_the_order_of_the_areas() -> None:
    areas = ["17", "red", "dozen:1"]

    found = [
        best_play(V3, bankroll=5, target=20, areas=order).probability
        for order in (areas, areas[::-1])
    ]

    assert found[0] == found[1]
