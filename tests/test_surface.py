"""What a Python user meets first: names, errors, money, short texts of values."""

from __future__ import annotations

import ast
import inspect
import sys
from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa  # type: ignore[import-untyped]
import pytest

import croupier
from croupier.rules.notation import NotationError
from croupier.rules.terms import read_limits
from croupier.tabular import PlotError

SOURCES = Path(croupier.__file__).parent
V3 = "mbs-roulette-v3"
INTERNAL = {"CroupierError", "ApiError", "ClientGone", "TooLong", "TooManyCuts"}
INTERNAL |= {"TooManyStates"}
"""Errors that we catch ourselves, or answer over HTTP."""


def test_every_name_is_there() -> None:
    for name in croupier.__all__:
        assert getattr(croupier, name) is not None
    assert {"settle", "odds", "session", "simulate"} <= {*croupier.__all__}
    assert {"settle_frame", "check_wheel", "make_report"} <= {*croupier.__all__}


def test_every_error_has_the_one_base() -> None:
    bases = {
        node.name: {each.id for each in node.bases if isinstance(each, ast.Name)}
        for path in SOURCES.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ClassDef)
    }

    plain = {name for name, of in bases.items() if "Exception" in of and name[0] != "_"}
    builtin = {
        name
        for name, of in bases.items()
        if of & {"ValueError", "LookupError", "KeyError", "RuntimeError"}
        if "CroupierError" not in of
    }

    assert plain == INTERNAL
    assert builtin == {"BadAddress"}


def test_a_public_class_has_a_name_of_its_own() -> None:
    classes = Counter(
        node.name
        for path in SOURCES.rglob("*.py")
        for node in ast.parse(path.read_text("utf-8")).body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )

    assert [name for name, count in classes.items() if count > 1] == []
    assert classes["RoundOfPlay"] == 1


def test_odds_can_be_called_and_has_its_names() -> None:
    """Without a word to the type checker, too: the tests are checked as strictly."""
    assert croupier.odds(V3, "red").house_edge == Fraction(1, 37)
    assert croupier.odds(V3, "17@10", "red@50").name == "17@10 red@50"
    assert croupier.odds.odds_of is croupier.odds_of


def test_settle_pays_collects_and_returns() -> None:
    settled = croupier.settle("mbs-complete-bet-v2", 17, ["complete:17@5", "red@10"])

    sums = (settled.paid_cents, settled.collected_cents, settled.returned_cents)
    assert sum(sums[1:]) == settled.stake_cents
    assert str(sums[0] // 100) in str(settled).splitlines()[-1]
    assert {wager.wager for wager in settled.wagers} == {"complete:17", "red"}


@pytest.mark.parametrize("wager", ["17@10 as w9", "", "17@10 # late", "red"])
def test_settle_takes_wagers_and_no_further_words(wager: str) -> None:
    with pytest.raises(croupier.CroupierError):
        croupier.settle(V3, "17", wager)


@pytest.mark.parametrize("amount", [100, "100.0", Decimal(100), Decimal("100.000")])
def test_money_is_taken_exactly(amount: int | str | Decimal) -> None:
    result = croupier.session(V3, "red@10", bankroll=amount, rounds=3)

    assert result.request.bankroll_cents == 10_000


def _laid(amount: Any) -> object:
    table = croupier.PracticeTable(V3)
    table.place_your_bets()
    return table.lay("Anna", "17", amount)


@pytest.mark.parametrize(
    "use",
    [
        lambda amount: croupier.session(V3, "red@10", bankroll=amount, rounds=3),
        lambda amount: croupier.best_play(V3, bankroll=amount, target=200),
        _laid,
    ],
    ids=["session", "best_play", "lay"],
)
def test_a_float_is_no_money(use: Callable[[Any], object]) -> None:
    with pytest.raises(NotationError, match="is a float"):
        use(100.0)


@pytest.mark.parametrize("amount", [Decimal("2.505"), Decimal("NaN"), Decimal(-5), 0])
def test_no_amount_is_refused(amount: Decimal | int) -> None:
    with pytest.raises(croupier.CroupierError):
        _laid(amount)


FRAME = pa.table({"number": ["17"], "wager": ["17"], "stake_cents": [1000]})


def _seat(seat: Any) -> None:
    seat.lay(0, 100)


MONEY: dict[str, Any] = {"bankroll": 10, "target": 20, "rounds": 3}
TERMS: dict[str, Any] = {"limits": ["* 5 100"], "settings": []}
PLAYED: dict[str, Any] = {
    "sessions": 5,
    "seed": 1,
    "level": 0.9,
    "engine": "plain",
    "workers": 1,
}
SURFACE: dict[str, tuple[tuple[str, ...], dict[str, Any]]] = {
    "PracticeTable": (("game",), {"game": V3, **TERMS}),
    "settle": (
        ("game", "outcome", "wagers"),
        {"game": V3, "outcome": "17", "wagers": ["17@10"], "bonus": (), **TERMS},
    ),
    "odds": (("game", "wager"), {"game": V3, "wager": "red"}),
    "odds_of": (("game", "wager"), {"game": V3, "wager": "red"}),
    "layout_odds": (("game", "wagers"), {"game": V3, "wagers": "17@10", **TERMS}),
    "round_result": (("game", "wagers"), {"game": V3, "wagers": ["17@10"], **TERMS}),
    "exposure_of": (("game", "wagers"), {"game": V3, "wagers": ["17@10"], **TERMS}),
    "maximum_liability": (("game",), {"game": V3, "players": 1, **TERMS}),
    "par_sheet": (("game",), {"game": V3, **TERMS}),
    "best_play": (
        ("game",),
        {"game": V3, "bankroll": 5, "target": 10, "areas": ["red"], "chip": 5, **TERMS},
    ),
    "session": (
        ("game", "wager"),
        {"game": V3, "wager": "red@5", "strategy": "flat", **MONEY, **TERMS},
    ),
    "simulate": (
        ("game", "wager"),
        {"game": V3, "wager": "red@5", "strategy": "flat", **MONEY, **TERMS, **PLAYED},
    ),
    "play_strategy": (
        ("game", "strategy"),
        {"game": V3, "strategy": _seat, **MONEY, **TERMS, **PLAYED},
    ),
    "settle_frame": (("game", "frame"), {"game": V3, "frame": FRAME, **TERMS}),
    "check_wheel": (("record", "plan"), {"record": "no.txt", "plan": None, "game": V3}),
    "make_report": (("source", "asked"), {"source": "no", "asked": None, "game": V3}),
    "draw": (("what", "wager"), {"what": V3, "wager": "red"}),
    "find_game": (("name",), {"name": V3}),
    "area_codes": (("game",), {"game": V3}),
    "read_transcript": (("lines",), {"lines": ["game mbs-roulette-v3"]}),
}
"""What each is given, the first by their places and the rest by their names."""
WRONG: list[object] = [{"red": (5, 100)}, 5.5, object(), [None], b"x", [5]]


def _called(name: str, given: dict[str, Any]) -> object:
    places, _ = SURFACE[name]
    rest = {each: given[each] for each in given if each not in places}
    return getattr(croupier, name)(*(given[each] for each in places), **rest)


@pytest.mark.parametrize("name", SURFACE)
def test_a_value_of_a_wrong_type_is_refused_in_a_sentence(name: str) -> None:
    _, right = SURFACE[name]
    for argument in right:
        for wrong in WRONG:
            if (name, argument, wrong) == ("check_wheel", "record", [5]):
                continue  # a list of outcomes
            with pytest.raises(croupier.CroupierError) as refused:
                _called(name, {**right, argument: wrong})

            said = str(refused.value)
            assert "\n" not in said, (argument, wrong)
            assert 10 < len(said) < 200, (argument, wrong)


@pytest.mark.parametrize(
    "name", ["maximum_liability", "best_play", "session", "simulate", "play_strategy"]
)
def test_a_whole_number_of_numpy_is_one(name: str) -> None:
    _, given = SURFACE[name]
    given = {**given, "rounds": 3} if "rounds" in given else given
    whole = {key: np.int64(each) for key, each in given.items() if type(each) is int}

    assert whole
    assert _called(name, {**given, **whole})


def test_chips_and_strategies_take_whole_numbers_of_numpy() -> None:
    [chips] = croupier.odds.chips.chips_of(["17@10"])
    of_numpy = msgspec.structs.replace(chips, stake_cents=np.int64(1000))
    staked = SimpleNamespace(
        name="one", start=0, stake=lambda _: np.int64(1), after=lambda s, *_: s
    )

    assert croupier.layout_odds(V3, [of_numpy]) == croupier.layout_odds(V3, [chips])
    asked: dict[str, Any] = {"bankroll": 10, "rounds": 2}
    own = croupier.session(V3, "red@5", strategy=staked, **asked)
    assert own.ruined == croupier.session(V3, "red@5", **asked).ruined
    part: Any = np.float64(2)
    with pytest.raises(croupier.CroupierError):
        croupier.maximum_liability(V3, limits=["* 5 100"], players=part)
    with pytest.raises(croupier.CroupierError, match="rounds, not"):
        croupier.session(V3, "red@5", bankroll=10, rounds=True)


@pytest.mark.parametrize("name", SURFACE)
def test_an_unknown_keyword_names_the_function(name: str) -> None:
    _, given = SURFACE[name]

    with pytest.raises(TypeError, match=f"^{name}.* argument 'colour'"):
        _called(name, {**given, "colour": 1})


@pytest.mark.parametrize("name", ["odds", "session", "simulate"])
def test_the_signature_shows_every_argument(name: str) -> None:
    shown = inspect.signature(getattr(croupier, name)).parameters

    assert {*SURFACE[name][1]} - {"wager"} <= {*shown}
    assert {"limits", "settings"} <= {*shown}
    assert not [each for each in shown.values() if each.kind is each.VAR_KEYWORD]


def test_a_session_without_a_bankroll_says_so() -> None:
    with pytest.raises(TypeError, match=r"session\(\) missing .* 'bankroll'"):
        croupier.session(V3, "red@5", rounds=2)  # type: ignore[call-arg]


def test_terms_of_chips_need_chips() -> None:
    with pytest.raises(TypeError, match="laid and warned go with stakes"):
        croupier.odds(V3, "red", laid=True)


@pytest.mark.parametrize(
    ("package", "name", "extra"),
    [
        ("numpy", "simulate", "simulator"),
        ("pyarrow", "settle_frame", "batch"),
        ("numba", "make_report", "batch"),
        ("scipy", "check_wheel", "batch"),
    ],
)
def test_a_missing_extra_is_named(
    monkeypatch: pytest.MonkeyPatch, package: str, name: str, extra: str
) -> None:
    monkeypatch.setitem(sys.modules, package, None)

    with pytest.raises(croupier.CroupierError) as refused:
        getattr(croupier, name)

    assert isinstance(refused.value, ImportError)
    said = f"this needs {package}: pip install 'croupier[{extra}]'"
    assert str(refused.value) == said


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (
            {"red": (5, 100)},
            "limits must be lines of text, such as ['* 5 1000'], not a",
        ),
        ([("red", 5, 100)], "each of limits must be lines of text"),
        (None, "limits must be lines of text, such as ['* 5 1000'], not None"),
    ],
)
def test_limits_of_a_wrong_type_say_what_to_give(wrong: Any, said: str) -> None:
    with pytest.raises(TypeError) as refused:
        croupier.PracticeTable(V3, limits=wrong)

    assert said in str(refused.value)
    assert isinstance(refused.value, croupier.CroupierError)


def test_limits_are_given_as_one_line_as_lines_or_as_a_value() -> None:
    limits = read_limits(["* 5 100"])

    for given in ("* 5 100", ["* 5 100"], limits):
        table = croupier.PracticeTable("rws-triple-zero", limits=given)
        table.place_your_bets()
        with pytest.raises(croupier.WagerRefused):
            table.place("Anna", "red", 4)


def test_texts_of_values_are_short_and_say_what_they_are() -> None:
    table = croupier.PracticeTable(V3)
    session = croupier.session(V3, "red@10", bankroll=100, rounds=20)
    best = croupier.best_play(V3, bankroll=10, target=20)
    picture = croupier.draw(V3)
    settled = croupier.settle(V3, 17, "17@10")
    lines = (SOURCES / "samples" / f"{V3}.txt").read_text("utf-8").splitlines()
    read = croupier.read_transcript(lines)
    results = (session, session.peak, best, settled, croupier.play(read))

    for value in (croupier.find_game(V3), table, picture, read, *results):
        assert len(repr(value)) < 120, value
    assert repr(croupier.find_game(V3)) == f"<Game {V3}: Roulette (MBS) v3>"
    assert "red@10" in repr(session)
    assert len(repr(table.state)) < 2000


def test_plots_are_of_one_type_and_are_saved(tmp_path: Path) -> None:
    session = croupier.session(V3, "red@10", bankroll=50, rounds=5)
    plots = [croupier.draw(V3), croupier.odds_of(V3, "red").plot(), session.plot()]

    assert {type(plot) for plot in plots} == {croupier.Plot}
    for plot in plots:
        plot.save(tmp_path / "plot.svg")
        assert (tmp_path / "plot.svg").read_text("utf-8") == plot.svg
        assert plot._repr_svg_() == plot.svg
    assert plots[-1].svg == session.plot().svg
    plots[-1].save(tmp_path / "plot.png")
    assert (tmp_path / "plot.png").read_bytes().startswith(b"\x89PNG")
    assert len(plots[-1].figure.axes) > 1
    with pytest.raises(PlotError, match=r"must end in \.svg"):
        plots[0].save(tmp_path / "plot.png")


class _Frame:
    """A frame of some other library: all that is known of it is the Arrow interface."""

    def __init__(self, table: Any) -> None:
        self._table = table

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._table.__arrow_c_stream__(requested_schema)


def test_any_frame_with_the_arrow_interface_is_settled() -> None:
    columns = {"round": [1], "area": ["17"], "stake": ["10"], "outcome": ["17"]}

    done: Any = croupier.settle_frame(V3, _Frame(pa.table(columns)))

    assert done.settled["paid_cents"].to_pylist() == [35_000]
    assert "1 rows settled" in repr(done)


def test_a_pandas_frame_is_settled_and_comes_back_as_one() -> None:
    import pandas  # type: ignore[import-untyped]  # slow: not for every worker

    columns = {"round": [1, 2], "area": ["17", "red"], "stake": ["10", "2.50"]}
    frame = pandas.DataFrame({**columns, "outcome": ["17", "20"]})

    done: Any = croupier.settle_frame(V3, frame)

    assert isinstance(done.settled, pandas.DataFrame)
    assert done.settled["paid_cents"].tolist() == [35_000, 0]
    assert done.settled["collected_cents"].tolist() == [0, 250]


def test_a_wheel_is_checked_and_a_report_made_from_a_file_and_a_name() -> None:
    samples = SOURCES / "samples"

    check = croupier.check_wheel(samples / "wheel.csv", game="rws-triple-zero")
    report = croupier.make_report(samples / "settled.csv", game=V3)

    assert (check.record.spins, report.whole.group.rounds) == (2000, 179)
    assert max(len(repr(check)), len(repr(report))) < 120
