"""A view is kept current by what is heard."""

from __future__ import annotations

from functools import reduce
from typing import Any

import pytest
from msgspec.structs import replace

from croupier.protocol import answers as say
from croupier.protocol.folding import HISTORY, apply_message
from tests.protocol.samples import (
    LIMITS,
    SEAT,
    VIEW,
    begun,
    happened,
    placed,
    said,
)

CLAUSE = {"document": "Roulette (MBS) v3", "number": "5.2"}
BETTING = apply_message(
    apply_message(VIEW, begun(4)), happened("PlaceYourBetsAnnounced", round_=4)
)


def _after(view: say.TableView, *messages: Any) -> say.TableView:
    return reduce(apply_message, messages, view)


def _now(event: str, **fields: Any) -> Any:
    return happened(event, round_=4, **fields)


def _lay(wager_id: str, area: str, cents: int) -> Any:
    return replace(placed(wager_id, area, cents), round=4)


def test_a_snapshot_is_taken_as_it_is() -> None:
    other = replace(VIEW, round=9)

    snapshot = say.TableSnapshot("Table 1", 9, 5, "SGD", "real", other, SEAT)

    assert apply_message(VIEW, said(snapshot)) == other


@pytest.mark.parametrize(
    "message",
    [
        say.Answered("1", 9, registered=True),
        say.Answered("1", 9, registered=False, clause="5.13", reason="late"),
        say.Pong(1, 1, 9),
        say.MessageProblem("no"),
        say.Bye("stopping", come_back=True),
        happened("AnnouncementOfTheFuture", anything=1),
    ],
    ids=str,
)
def test_what_says_nothing_about_the_table_changes_nothing(message: Any) -> None:
    assert apply_message(VIEW, message) is VIEW


def test_a_round_begins_with_an_empty_layout() -> None:
    notices = (say.Notice(1, "void", "…"), say.Notice(2, "buy_in", "…", seat="T1"))
    before = replace(
        VIEW,
        standing="…",
        closes_at_ms=9,
        keyed="5",
        lit=("5",),
        lights_confirmed=True,
        bonus=("5",),
        next_limits=LIMITS,
        notices=notices,
        stake_cents=5,
        wager_count=1,
    )

    after = apply_message(before, begun(4, ("* 5 1000", "red 10 50")))

    assert (after.round, after.phase, after.standing) == (4, "awaiting", None)
    assert (after.closes_at_ms, after.keyed, after.lit) == (None, None, ())
    assert (after.winning_number, after.colour, after.at_rest) == (None, None, None)
    assert (after.spun, after.dropped, after.lights_confirmed) == (False, False, False)
    assert (after.bonus, after.super_bonus, after.settled) == ((), (), ())
    assert (after.stake_cents, after.wager_count, after.wagers) == (0, 0, ())
    assert after.next_limits is None
    assert after.limits == (
        *LIMITS[:2],
        say.LimitsView("red", 1_000, 5_000),
        LIMITS[3],
    )
    assert after.notices == notices[1:]
    assert after.history == VIEW.history


def test_a_round_is_played_phase_by_phase() -> None:
    steps = [
        (_now("BallSpun"), "betting"),
        (_now("NoMoreBetsAnnounced"), "closed"),
        (_now("BallDropped"), "closed"),
        (_now("OutcomeAnnounced", number="17"), "decided"),
        (_now("RoundSettled", winning_number="17", wagers=[]), "ended"),
    ]
    view = BETTING

    phases = []
    for message, _ in steps:
        view = apply_message(view, message)
        phases.append(view.phase)

    assert phases == [phase for _, phase in steps]
    assert (view.spun, view.dropped, view.at_rest) == (True, True, "17")
    assert (view.winning_number, view.colour) == ("17", "black")
    assert view.history[-1] == say.PastRound(4, "17", "black")


@pytest.mark.parametrize(
    ("event", "phase"), [("RoundVoided", "void"), ("RoundHeld", "held")]
)
def test_a_void_or_held_round_says_why(event: str, phase: str) -> None:
    running = replace(BETTING, closes_at_ms=99)

    after = apply_message(running, _now(event, clause=CLAUSE, reason="a coin"))

    assert (after.phase, after.standing) == (phase, "a coin [5.2]")
    assert after.closes_at_ms is None


def test_a_decision_ends_the_holding() -> None:
    held = _after(BETTING, _now("RoundHeld", clause=CLAUSE, reason="…"))

    after = apply_message(held, _now("OutcomeDecided", number="0", clause=CLAUSE))

    assert (after.phase, after.standing) == ("decided", None)
    assert (after.winning_number, after.colour) == ("0", "green")


def test_own_wagers_are_laid_increased_and_withdrawn() -> None:
    view = _after(BETTING, _lay("w1", "red", 500), _lay("w2", "split:17/20", 500))

    more = apply_message(view, _now("WagerIncreased", wager_id="w1", piece_cents=300))
    less = apply_message(more, _now("WagerWithdrawn", wager_id="w2"))

    assert [wager.id for wager in more.wagers] == ["w1", "w2"]
    assert more.wagers[0].pieces == (("red", 800),)
    assert (more.stake_cents, more.wager_count) == (1_300, 2)
    assert less.wagers == more.wagers[:1]
    assert (less.stake_cents, less.wager_count) == (800, 1)


def test_who_sent_a_command_has_its_wagers_in_the_answer() -> None:
    view = _after(BETTING, _lay("w1", "red", 500), _lay("w2", "black", 500))
    more = say.WagerView("w1", "T1", "red", 900, (("red", 900),), terminal="T1")
    gone = say.WagerView("w2", "T1", "", 0, ())
    answer = say.Answered("1", 9, registered=True, wagers=(more, gone), seat=SEAT)

    after = apply_message(view, said(answer))
    staff = apply_message(view, said(replace(answer, seat=None)))

    assert after.wagers == staff.wagers == (more,)
    assert (after.stake_cents, after.wager_count) == (900, 1)
    assert (staff.stake_cents, staff.wager_count) == (1_000, 2)


def test_the_minimum_is_judged_on_what_lies_on_the_area_together() -> None:
    low = _after(BETTING, _lay("w1", "red", 200))

    both = apply_message(low, _lay("w2", "red", 300))
    again = apply_message(both, _now("WagerWithdrawn", wager_id="w2"))

    assert low.wagers[0].under_minimum == ("red",)
    assert [wager.under_minimum for wager in both.wagers] == [(), ()]
    assert again.wagers == low.wagers


def test_an_unclear_wager_is_so_until_it_is_ruled_on() -> None:
    laid = _after(BETTING, _lay("w1", "red", 500))

    unclear = apply_message(laid, _now("WagerMarkedUnclear", wager_id="w1"))
    ruled = apply_message(unclear, _now("WagerRuled", wager_id="w1"))

    assert unclear.wagers[0].unclear
    assert ruled == laid


def test_an_event_on_an_unknown_wager_changes_nothing() -> None:
    after = apply_message(BETTING, _now("WagerMarkedUnclear", wager_id="w9"))

    assert after == BETTING


def test_the_staff_hear_of_many_wagers_at_once() -> None:
    first, second, third = (
        say.WagerView(name, "T1", "red", cents, (("red", cents),))
        for name, cents in (("T1.w1", 600), ("T1.w2", 700), ("T2.w1", 800))
    )
    gone = say.WagerView("T1.w1", "T1", "", 0, ())
    begin = say.Stakes("Table 1", 9, 1_300, 2, (first, second), False, 2, ())
    go_on = say.Stakes("Table 1", 10, 1_500, 2, (gone, third), True, 3, ("T9",))

    view = _after(BETTING, said(begin), said(go_on))

    assert view.wagers == (second, third)
    assert (view.stake_cents, view.wager_count) == (1_500, 2)
    assert (view.terminals, view.terminals_lost) == (3, ("T9",))


def test_a_settlement_has_the_own_wagers() -> None:
    piece = say.SettledPieceView("red", 500, 500, 0, 500, "4.1")
    wager = say.SettledWagerView("w1", "T1", "red", 500, 500, 0, 500, (piece,))

    after = apply_message(
        BETTING, _now("RoundSettled", winning_number="32", wagers=[wager])
    )

    assert after.settled == (wager,)


def test_a_correction_of_a_past_round_changes_the_history_alone() -> None:
    after = _after(
        BETTING,
        happened("OutcomeCorrected", round_=3, number="32", corrected_to="15"),
        happened("RoundSettled", round_=3, winning_number="15", wagers=[]),
    )

    assert after.history == (say.PastRound(3, "15", "black"),)
    assert replace(after, history=BETTING.history) == BETTING


def test_a_past_round_that_is_voided_leaves_the_present_one_alone() -> None:
    after = _after(
        BETTING,
        happened("RoundVoided", round_=3, clause=CLAUSE, reason="the ball broke"),
        happened("RoundSettled", round_=3, winning_number=None, wagers=[]),
    )

    assert after.history == (say.PastRound(3, None, None),)
    assert (after.phase, after.standing) == ("betting", None)


def test_a_correction_of_the_last_round_changes_its_number() -> None:
    after = apply_message(
        VIEW, happened("OutcomeCorrected", number="32", corrected_to="15")
    )

    assert (after.winning_number, after.colour) == ("15", "black")
    assert (after.phase, after.at_rest) == ("ended", "32")


def test_the_history_is_bounded() -> None:
    view = replace(VIEW, history=())

    for number in range(1, HISTORY + 3):
        settled = happened("RoundSettled", round_=number, winning_number="0", wagers=[])
        view = apply_message(view, settled)

    assert [each.round for each in view.history] == list(range(3, HISTORY + 3))


def test_bonus_numbers_light_their_links() -> None:
    fast = replace(BETTING, game="mbs-fast-action-v2", phase="closed")
    numbers = ["S", "MBS", "1", "5", "9", "13", "17", "21", "25", "29"]

    after = apply_message(fast, _now("BonusNumbersDrawn", numbers=numbers))
    settled = apply_message(after, _now("RoundSettled", winning_number="5", wagers=[]))

    assert after.bonus == tuple(numbers)
    assert set(after.super_bonus) <= set(numbers)
    assert settled.history[-1].bonus == tuple(numbers)


def test_a_game_that_is_not_known_here_has_no_super_bonus() -> None:
    far = replace(BETTING, game="a-game-of-another-house")

    after = apply_message(far, _now("BonusNumbersDrawn", numbers=["1", "2"]))

    assert (after.bonus, after.super_bonus) == (("1", "2"), ())


def test_new_limits_are_shown_before_they_are_in_force() -> None:
    lines = ["* 5 1000", "red 10 50"]
    changed = _now("TermsChanged", limits=lines, settings=[])

    shown = apply_message(BETTING, changed)
    back = apply_message(shown, _now("TermsChanged", limits=lines[:1], settings=[]))
    next_round = apply_message(shown, begun(5, tuple(lines)))

    red = say.LimitsView("red", 1_000, 5_000)
    assert shown.limits == LIMITS
    assert shown.next_limits is not None
    assert shown.next_limits[2] == red
    assert back.next_limits is None
    assert (next_round.limits[2], next_round.next_limits) == (red, None)


def test_before_the_first_round_new_limits_are_in_force_at_once() -> None:
    fresh = replace(VIEW, round=0, phase="awaiting")

    after = apply_message(fresh, happened("TermsChanged", limits=[], settings=[]))

    assert after.limits[0] == say.LimitsView("straight_up", None, None)
    assert after.next_limits is None


def test_settings_are_written_as_the_house_writes_them() -> None:
    complete = replace(VIEW, game="mbs-complete-bet-v2")
    lines = ["complete_dozen touching"]

    usual = apply_message(complete, happened("TermsChanged", limits=[], settings=lines))
    unknown = apply_message(
        replace(VIEW, game="another"),
        happened("TermsChanged", limits=[], settings=lines),
    )

    assert (usual.settings, unknown.settings) == ((), tuple(lines))


def test_the_table_is_closed_opened_and_interrupted() -> None:
    closed = apply_message(VIEW, happened("TableClosed"))
    opened = apply_message(closed, happened("TableOpened", limits=[], settings=[]))
    found = apply_message(VIEW, happened("TableInterrupted", at_sequence=5))
    nowhere = apply_message(found, happened("BallStated", at_rest=None))
    stated = apply_message(found, happened("BallStated", at_rest="17"))
    confirmed = apply_message(stated, happened("BallConfirmed"))

    assert (closed.is_open, opened) == (False, VIEW)
    assert (found.interrupted, found.ball_stated) == (True, None)
    assert (nowhere.ball_stated, stated.ball_stated) == ("nowhere", "17")
    assert confirmed == VIEW


def test_colours_are_issued_and_returned() -> None:
    issued = apply_message(
        VIEW, happened("ColourIssued", colour="blue", player="Anna", value_cents=500)
    )
    returned = apply_message(
        issued, happened("ColourReturned", colour="blue", player="Anna")
    )

    assert issued.colours == {"blue": ("Anna", 500)}
    assert returned == VIEW


def test_what_no_event_says_is_told_apart() -> None:
    notice = say.Notice(1, "void", "a coin on the wheel", "5.2", "no spin")
    message = say.Changed(
        "Table 1", 9, 5, 20_000, "17", (notice,), ("1", "2"), True, "Dora"
    )

    after = apply_message(BETTING, said(message))

    assert after == replace(
        BETTING,
        closes_at_ms=20_000,
        keyed="17",
        notices=(notice,),
        lit=("1", "2"),
        lights_confirmed=True,
        dealer="Dora",
    )
