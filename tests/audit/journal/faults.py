"""Faults planted in a journal: what each is, and where the auditor must see it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from croupier.journal.events.table import SnapshotTaken
from croupier.journal.findings import FindingKind
from croupier.ledger import money
from croupier.ledger.accounts import Account, Entry
from croupier.rules.events import (
    BallAtRest,
    BonusNumbersDrawn,
    LayoutFrozen,
    NoMoreBetsAnnounced,
    OutcomeAnnounced,
    OutcomeCorrected,
    PiecePlaced,
    PlaceYourBetsAnnounced,
    ResultSent,
    RoundBegun,
    RoundSettled,
    RoundVoided,
    SettledWager,
    WagerIncreased,
    WagerPlaced,
    WagerRuled,
    WagerWithdrawn,
)
from croupier.rules.operator import Person, Role
from croupier.rules.reasons import PlainReason
from croupier.rules.wheel import Number
from tests.audit.floor import DEALER, SUPERVISOR
from tests.audit.journal.forging import Forgery, Item
from tests.values import replaced

ANNA = Person("Anna", Role.PLAYER)
BEN = Person("Ben", Role.PLAYER)


@dataclass(frozen=True)
class Seen:
    """Where a fault must be reported."""

    kind: FindingKind
    item: Item
    wager: str | None = None
    expected_cents: int | None = None
    found_cents: int | None = None


Fault = Callable[[Forgery], Seen]


def _settled(item: Item, wager_id: str) -> SettledWager:
    wagers: tuple[SettledWager, ...] = item.event.wagers
    return next(wager for wager in wagers if wager.wager_id == wager_id)


def _with_piece(item: Item, wager_id: str, **figures: Any) -> None:
    """One settled wager with other figures on its first piece."""
    first, *rest = _settled(item, wager_id).pieces
    pieces = (first._replace(**figures), *rest)
    item.change(
        wagers=tuple(
            wager._replace(pieces=pieces) if wager.wager_id == wager_id else wager
            for wager in item.event.wagers
        )
    )


def pays_36(f: Forgery) -> Seen:
    """A straight-up paid 36 to 1, and posted so."""
    item = f.one("v3", RoundSettled, 1)
    _with_piece(item, "w1", paid_cents=36_000)
    item.move("house", "seat:Anna", 1_000)
    return Seen(
        FindingKind.SETTLEMENT,
        item,
        wager="w1",
        expected_cents=36_000,
        found_cents=37_000,
    )


def at_risk_raised(f: Forgery) -> Seen:
    """More was recorded as at risk than was paid for; no cent differs."""
    item = f.one("v3", RoundSettled, 1)
    _with_piece(item, "w1", at_risk_cents=1_001)
    return Seen(
        FindingKind.SETTLEMENT,
        item,
        wager="w1",
        expected_cents=36_000,
        found_cents=36_000,
    )


def pays_a_loser(f: Forgery) -> Seen:
    """A losing wager was paid."""
    item = f.one("triple", RoundSettled, 4)
    [piece] = _settled(item, "w1").pieces
    assert piece.paid_cents == 35_000
    other = f.one("v3", RoundSettled, 6)
    _with_piece(other, "w1", paid_cents=1_000, collected_cents=0, returned_cents=1_000)
    other.move("house", "seat:Ben", 2_000)
    return Seen(
        FindingKind.SETTLEMENT, other, wager="w1", expected_cents=0, found_cents=2_000
    )


def cap_ignored(f: Forgery) -> Seen:
    """An over-maximum wager paid on the whole stake (v3 5.16)."""
    item = f.one("v3", RoundSettled, 2)
    _with_piece(item, "w2", paid_cents=2_500 * 35)
    item.move("house", "chips", 1_500 * 35)
    return Seen(FindingKind.SETTLEMENT, item, wager="w2")


def cap_in_wrong_order(f: Forgery) -> Seen:
    """The maximum used up by the later chips first (A10)."""
    item = f.one("v3", RoundSettled, 2)
    _with_piece(item, "w1", paid_cents=7_500 * 35)
    _with_piece(item, "w2", paid_cents=2_500 * 35)
    return Seen(FindingKind.SETTLEMENT, item, wager="w1")


def status_ignored(f: Forgery) -> Seen:
    """A Bonus Number paid as any other number (Fast Action 4.1)."""
    item = f.one("fast", RoundSettled, 1)
    assert _settled(item, "w1").pieces[0].paid_cents in {40_000, 80_000}
    less = _settled(item, "w1").pieces[0].paid_cents - 35_000
    _with_piece(item, "w1", paid_cents=35_000)
    item.move("chips", "house", less)
    return Seen(FindingKind.SETTLEMENT, item, wager="w1", found_cents=36_000)


def ruling_ignored(f: Forgery) -> Seen:
    """The whole wager collected where a ruling put less at risk."""
    item = f.one("v3", RoundSettled, 3)
    ruled = f.all("v3", WagerRuled, 3)[1]
    f.drop(ruled)
    return Seen(FindingKind.SETTLEMENT, item, wager="w3")


def late_wager(f: Forgery) -> Seen:
    """A wager taken after “No more bets”."""
    placed = f.all("v3", WagerPlaced, 1)[0]
    return Seen(FindingKind.LATE_WAGER, _after_close(f, placed), wager="w1")


def _after_close(f: Forgery, placed: Item) -> Item:
    number = placed.row.round_number
    closed = f.one(placed.row.stream, LayoutFrozen, number)
    f.drop(placed)
    events = f.streams[placed.row.stream]
    events.insert(events.index(closed) + 1, placed)
    return placed


def late_increase(f: Forgery) -> Seen:
    """A wager increased after “No more bets”."""
    return Seen(
        FindingKind.LATE_WAGER,
        _after_close(f, f.one("v3", WagerIncreased)),
        wager="w2",
    )


def late_withdrawal(f: Forgery) -> Seen:
    """A wager given back after “No more bets”."""
    withdrawn = f.one("v3", WagerWithdrawn, 5)
    return Seen(FindingKind.LATE_WITHDRAWAL, _after_close(f, withdrawn), wager="w3")


def wager_before_opening(f: Forgery) -> Seen:
    """A wager taken before “Place your bets”."""
    opening = f.one("v2", PlaceYourBetsAnnounced, 1)
    placed = f.one("v2", WagerPlaced, 1)
    f.drop(placed)
    events = f.streams["v2"]
    placed.row = placed.row._replace(command_id=opening.row.command_id)
    events.insert(events.index(opening), placed)
    return Seen(FindingKind.WAGER_BEFORE_OPENING, placed, wager="w1")


def outcome_before_close(f: Forgery) -> Seen:
    """The outcome announced while bets were open."""
    closed = f.one("v2", NoMoreBetsAnnounced, 1)
    outcome = f.one("v2", OutcomeAnnounced, 1)
    f.drop(closed)
    events = f.streams["v2"]
    closed.row = closed.row._replace(command_id=outcome.row.command_id)
    events.insert(events.index(outcome) + 1, closed)
    return Seen(FindingKind.OUTCOME_BEFORE_CLOSE, outcome)


def outcome_not_at_rest(f: Forgery) -> Seen:
    """Another number announced than the one where the ball lay."""
    outcome = f.one("v2", OutcomeAnnounced, 2)
    at_rest = BallAtRest(DEALER, Number("9"))
    before = f.streams["v2"][f.streams["v2"].index(outcome) - 1]
    f.insert(before, at_rest)
    return Seen(FindingKind.OUTCOME_NOT_AT_REST, outcome)


def outcome_changed(f: Forgery) -> Seen:
    """A second outcome announced, and settled by."""
    sent = f.one("triple", ResultSent, 4)
    again = f.insert(sent, OutcomeAnnounced(DEALER, Number("2")))
    return Seen(FindingKind.OUTCOME_TWICE, again)


def settled_to_another_number(f: Forgery) -> Seen:
    """The settlement names a number that did not come up."""
    item = f.one("v2", RoundSettled, 1).change(winning_number=Number("33"))
    return Seen(FindingKind.WINNING_NUMBER, item)


def no_such_compartment(f: Forgery) -> Seen:
    """00 at a single-zero wheel."""
    item = f.one("v2", OutcomeAnnounced, 1).change(number=Number("00"))
    return Seen(FindingKind.NO_COMPARTMENT, item)


def settled_without_outcome(f: Forgery) -> Seen:
    """A round settled that had no outcome."""
    f.drop(f.one("v2", OutcomeAnnounced, 2))
    return Seen(FindingKind.SETTLED_WITHOUT_OUTCOME, f.one("v2", RoundSettled, 2))


def double_payment(f: Forgery) -> Seen:
    """A round settled and paid a second time."""
    item = f.one("v3", RoundSettled, 1)
    again = f.insert(item, item.event, item.entries)
    return Seen(FindingKind.SETTLED_TWICE, again)


def wager_paid_twice(f: Forgery) -> Seen:
    """One wager twice in a settlement."""
    item = f.one("v3", RoundSettled, 1)
    wager = _settled(item, "w1")
    item.change(wagers=(*item.event.wagers, wager))
    item.post("layout", -1_000)
    item.post("seat:Anna", 36_000)
    item.post("house", -35_000)
    return Seen(FindingKind.SETTLED_REPEATEDLY, item, wager="w1")


def wager_forgotten(f: Forgery) -> Seen:
    """A wager left out of the settlement."""
    item = f.one("v3", RoundSettled, 1)
    item.change(wagers=tuple(w for w in item.event.wagers if w.wager_id != "w1"))
    item.entries = [Entry(Account("layout"), -5_000), Entry(Account("house"), 5_000)]
    return Seen(
        FindingKind.NOT_SETTLED, item, wager="w1", expected_cents=36_000, found_cents=0
    )


def wager_never_placed(f: Forgery) -> Seen:
    """A winning wager in the settlement that nobody placed."""
    item = f.one("v2", RoundSettled, 1)
    ghost = _settled(item, "w1")._replace(wager_id="w9", player="Zoe")
    item.change(wagers=(*item.event.wagers, ghost))
    return Seen(FindingKind.SETTLED_UNPLACED, item, wager="w9")


def stake_changed(f: Forgery) -> Seen:
    """A wager settled with a larger stake than was laid."""
    item = f.one("v2", RoundSettled, 1)
    figures = {"stake_cents": 2_000, "paid_cents": 70_000, "returned_cents": 2_000}
    _with_piece(item, "w1", **figures)
    return Seen(FindingKind.SETTLEMENT, item, wager="w1", expected_cents=36_000)


def settled_to_another_player(f: Forgery) -> Seen:
    """A wager settled in another Player's name."""
    item = f.one("v2", RoundSettled, 1)
    first, *rest = item.event.wagers
    item.change(wagers=(first._replace(player="Ben"), *rest))
    return Seen(FindingKind.SETTLED_OTHERWISE, item, wager="w1")


def lost_reversal(f: Forgery) -> Seen:
    """A correction whose new settlement is missing."""
    corrected = f.one("v3", OutcomeCorrected)
    f.drop(f.all("v3", RoundSettled, 5)[1])
    return Seen(FindingKind.LOST_REVERSAL, corrected)


def reversal_not_posted(f: Forgery) -> Seen:
    """A correction that pays anew, and takes nothing back."""
    again = f.all("v3", RoundSettled, 5)[1]
    first = f.one("v3", RoundSettled, 5)
    reversed_lines = [Entry(account, -cents) for account, cents in first.entries]
    for line in reversed_lines:
        again.entries.remove(line)
    return Seen(FindingKind.ENTRIES, again)


def correction_by_one(f: Forgery) -> Seen:
    """One person alone corrected an outcome (A29)."""
    item = f.one("v3", OutcomeCorrected).change(by=(DEALER,))
    return Seen(FindingKind.CORRECTION, item)


def correction_by_one_twice(f: Forgery) -> Seen:
    """The same person in two positions."""
    alone = Person(DEALER.name, Role.PIT_SUPERVISOR)
    item = f.one("triple", OutcomeCorrected).change(by=(DEALER, alone))
    return Seen(FindingKind.CORRECTION, item)


def void_kept_money(f: Forgery) -> Seen:
    """A void round that collected a wager."""
    item = f.one("v3", RoundSettled, 4)
    _with_piece(item, "w1", collected_cents=2_000, returned_cents=0)
    item.move("seat:Anna", "house", 2_000)
    return Seen(
        FindingKind.VOID_KEPT, item, wager="w1", expected_cents=2_000, found_cents=0
    )


def void_of_no_round(f: Forgery) -> Seen:
    """A void that names a round which does not exist."""
    voided = f.all("triple", RoundVoided)[-1]
    settled = f.all("triple", RoundSettled, 3)[-1]
    forged = f.insert(settled, voided.event, round_number=77)
    return Seen(FindingKind.UNKNOWN_ROUND, forged)


def settled_round_voided(f: Forgery) -> Seen:
    """A settled round voided where no clause reopens rounds."""
    settled = f.one("v2", RoundSettled, 1)
    clause = f.one("v3", RoundVoided).event.clause
    voided = f.insert(
        settled, RoundVoided(clause, PlainReason.RECORDED(text="so decided"))
    )
    return Seen(FindingKind.OUT_OF_ORDER, voided)


def exemption_twice(f: Forgery) -> Seen:
    """Under-minimum wagers of a Player stood a second time (A9)."""
    item = f.one("v3", RoundSettled, 3)
    _with_piece(item, "w1", paid_cents=7_000)
    item.move("house", "chips", 7_000)
    return Seen(
        FindingKind.SETTLEMENT, item, wager="w1", expected_cents=200, found_cents=7_200
    )


def exemption_refused(f: Forgery) -> Seen:
    """An under-minimum wager returned that should have stood (A9)."""
    item = f.one("v3", RoundSettled, 2).change(under_minimum=())
    return Seen(FindingKind.UNDER_MINIMUM, item)


def exemption_invented(f: Forgery) -> Seen:
    """A settlement that uses up a Player's one time for nothing."""
    item = f.one("v2", RoundSettled, 1).change(under_minimum=("Anna",))
    return Seen(FindingKind.UNDER_MINIMUM, item)


def warned_forgotten(f: Forgery) -> Seen:
    """A round that does not know whose under-minimum wagers have stood."""
    return Seen(FindingKind.UNDER_MINIMUM, f.one("v3", RoundBegun, 3).change(warned=()))


def limit_breached(f: Forgery) -> Seen:
    """An electronic wager above the maximum (A11)."""
    placed = f.all("v3", WagerPlaced, 5)[1]
    limit = 100_000
    excess = limit + 500
    placed.change(pieces=(PiecePlaced("even", excess),))
    return Seen(
        FindingKind.LIMIT_BREACHED,
        placed,
        wager="w2",
        expected_cents=limit,
        found_cents=excess,
    )


def below_minimum(f: Forgery) -> Seen:
    """Chips under the minimum where the game refuses them (A11)."""
    placed = f.one("v2", WagerPlaced, 1)
    placed.change(pieces=(PiecePlaced("straight_up:32", 100),))
    return Seen(
        FindingKind.LIMIT_BREACHED,
        placed,
        wager="w1",
        expected_cents=500,
        found_cents=100,
    )


def area_full(f: Forgery) -> Seen:
    """More on an area than the table allows over all Players (A8)."""
    placed = f.all("v3", WagerPlaced, 6)[1]
    placed.change(pieces=(PiecePlaced("corner:0/1/2/3", 600_000),))
    return Seen(FindingKind.AREA_MAXIMUM, placed, wager="w2", expected_cents=500_000)


def area_unknown(f: Forgery) -> Seen:
    """A wager on an area of another game."""
    placed = f.all("v2", WagerPlaced, 1)[1]
    placed.change(wager="top_line", pieces=(PiecePlaced("top_line", 1_000),))
    return Seen(FindingKind.NO_SUCH_AREA, placed, wager="w2")


def pieces_wrong(f: Forgery) -> Seen:
    """Tiers with a piece on the wrong split."""
    placed = f.all("complete", WagerPlaced, 1)[1]
    first, *rest = placed.event.pieces
    placed.change(pieces=(replaced(first, area="split:1/2"), *rest))
    return Seen(FindingKind.WRONG_PIECES, placed, wager="w2")


def unit_uneven(f: Forgery) -> Seen:
    """Orphelins with more on one piece than on the others."""
    placed = f.one("complete", WagerPlaced, 1)
    *rest, last = placed.event.pieces
    placed.change(pieces=(*rest, replaced(last, cents=1_500)))
    sums = {"expected_cents": 500, "found_cents": 1_500}
    return Seen(FindingKind.WRONG_PIECES, placed, wager="w1", **sums)


def below_its_maximum(f: Forgery) -> Seen:
    """A complete maximum wager with less than the maximum on an area (A6)."""
    placed = f.all("complete", WagerPlaced, 3)[1]
    first, *rest = placed.event.pieces
    placed.change(pieces=(replaced(first, cents=99_000), *rest))
    sums = {"expected_cents": 100_000, "found_cents": 99_000}
    return Seen(FindingKind.WRONG_PIECES, placed, wager="w2", **sums)


def layout_frozen_otherwise(f: Forgery) -> Seen:
    """The layout frozen with a wager less."""
    item = f.one("v3", LayoutFrozen, 1)
    item.change(wagers=1, stake_cents=1_000)
    return Seen(
        FindingKind.LAYOUT_FROZEN, item, expected_cents=6_000, found_cents=1_000
    )


def unclear_unruled(f: Forgery) -> Seen:
    """An unclear wager settled without a ruling."""
    f.drop(f.one("v3", WagerRuled, 3))
    return Seen(FindingKind.UNCLEAR, f.one("v3", RoundSettled, 3), wager="w2")


def ruling_by_a_player(f: Forgery) -> Seen:
    """A Player ruled on a wager."""
    return Seen(
        FindingKind.POSITION, f.one("v3", WagerRuled, 3).change(by=ANNA), wager="w2"
    )


def nine_bonus_numbers(f: Forgery) -> Seen:
    """A number drawn twice."""
    item = f.one("fast", BonusNumbersDrawn, 2)
    first, _, *rest = item.event.numbers
    return Seen(FindingKind.BONUS_DRAW, item.change(numbers=(first, first, *rest)))


def round_left_open(f: Forgery) -> Seen:
    """A round with its money on the layout, and another begun."""
    f.drop(f.one("v2", RoundSettled, 1))
    return Seen(FindingKind.ROUND_LEFT_OPEN, f.one("v2", RoundBegun, 2))


def round_skipped(f: Forgery) -> Seen:
    """A round taken out whole."""
    events = f.streams["complete"]
    kept = [i for i in events if i.row.round_number != 2 or i.snapshot is not None]
    f.streams["complete"] = kept
    return Seen(FindingKind.ROUND_NUMBER, f.one("complete", RoundBegun, 3))


def terms_swapped(f: Forgery) -> Seen:
    """A round begun by other limits than those in force."""
    item = f.one("v3", RoundBegun, 2).change(limits=("* 5 1000",))
    return Seen(FindingKind.TERMS, item)


def terms_digest(f: Forgery) -> Seen:
    """An event that says it was judged by other terms."""
    item = f.one("v3", WagerPlaced, 1)
    item.row = item.row._replace(terms="0123456789abcdef")
    return Seen(FindingKind.TERMS, item)


def unknown_document(f: Forgery) -> Seen:
    """A round by a document that no game carries out."""
    item = f.one("v2", RoundBegun, 1).change(document="Roulette (XYZ) v9")
    return Seen(FindingKind.UNKNOWN_DOCUMENT, item)


def other_rules(f: Forgery) -> Seen:
    """A round judged by rows that differ from those installed."""
    item = f.one("v3", RoundBegun, 1).change(rules="0" * 64)
    return Seen(FindingKind.OTHER_RULES, item)


def entries_differ(f: Forgery) -> Seen:
    """A buy-in posted to another seat."""
    item = f.one("v3", money.BoughtIn)
    item.move("seat:Anna", "seat:Zoe", 5_000)
    return Seen(FindingKind.ENTRIES, item)


def entries_missing(f: Forgery) -> Seen:
    """A settlement without its entries: winnings that never arrived."""
    item = f.one("v3", RoundSettled, 1)
    item.entries = []
    return Seen(FindingKind.ENTRIES, item)


def credit_below_zero(f: Forgery) -> Seen:
    """Cash paid out that the seat did not have."""
    item = f.one("triple", money.CashedOut)
    cents = item.event.cents + 5_000
    item.change(cents=cents)
    item.entries = [Entry(Account("seat:Anna"), -cents), Entry(Account("cash"), cents)]
    return Seen(FindingKind.CREDIT_BELOW_ZERO, item, found_cents=-4_000)


def voucher_twice(f: Forgery) -> Seen:
    """A voucher redeemed at a second table."""
    redeemed = f.one("v2", money.VoucherRedeemed)
    bought = f.one("triple", money.BoughtIn)
    again = f.insert(bought, redeemed.event, redeemed.entries)
    again.row = again.row._replace(at_ms=redeemed.row.at_ms + 1_000)
    return Seen(FindingKind.VOUCHER_TWICE, again)


def voucher_paid_again(f: Forgery) -> Seen:
    """A voucher paid in cash that had become credit before."""
    redeemed = f.one("v2", money.VoucherRedeemed)
    event = money.VoucherPaid(DEALER, 2_500, redeemed.event.code)
    cash = [Entry(Account("vouchers"), -2_500), Entry(Account("cash"), 2_500)]
    again = f.insert(f.one("triple", money.BoughtIn), event, cash)
    again.row = again.row._replace(at_ms=redeemed.row.at_ms + 1_000)
    return Seen(FindingKind.VOUCHER_TWICE, again)


def voucher_amount(f: Forgery) -> Seen:
    """A voucher redeemed for more than it was issued for."""
    item = f.one("v2", money.VoucherRedeemed).change(cents=9_500)
    item.entries = [
        Entry(Account("vouchers"), -9_500),
        Entry(Account("seat:Anna"), 9_500),
    ]
    return Seen(
        FindingKind.VOUCHER_AMOUNT, item, expected_cents=2_500, found_cents=9_500
    )


def voucher_expired(f: Forgery) -> Seen:
    """A voucher redeemed long after its last day."""
    item = f.one("v2", money.VoucherRedeemed)
    item.row = item.row._replace(at_ms=item.row.at_ms + 60 * 86_400_000)
    return Seen(FindingKind.VOUCHER_EXPIRED, item)


def voucher_from_nowhere(f: Forgery) -> Seen:
    """A voucher redeemed that nobody issued."""
    item = f.one("v2", money.VoucherRedeemed).change(code="made-up")
    return Seen(FindingKind.VOUCHER_UNKNOWN, item)


def colour_of_another(f: Forgery) -> Seen:
    """Colour chips laid by somebody whose colour they are not."""
    placed = f.one("v3", WagerPlaced, 5).change(player="Ben", by=BEN)
    return Seen(FindingKind.COLOUR_CHIPS, placed, wager="w1")


def colour_overpaid(f: Forgery) -> Seen:
    """Colour chips bought back above their value."""
    item = f.one("v3", money.ColourChipsBoughtBack).change(cents=3_000)
    item.entries = [
        Entry(Account("colour:blue"), -3_000),
        Entry(Account("cash"), 3_000),
    ]
    return Seen(FindingKind.COLOUR_CHIPS, item, expected_cents=1_500, found_cents=3_000)


def float_miscounted(f: Forgery) -> Seen:
    """A count of the float against another book than the real one."""
    item = f.one("v2", money.FloatCounted).change(booked_cents=399_000)
    item.entries = []
    return Seen(FindingKind.MONEY, item, expected_cents=400_000, found_cents=399_000)


def meters_lowered(f: Forgery) -> Seen:
    """A snapshot whose meters say that less was won."""
    item = f.one("v3", SnapshotTaken)
    assert item.snapshot is not None
    kept: Any = _json(item.snapshot)
    meter = next(key for key in kept["meters"] if key.endswith("/won"))
    kept["meters"][meter] -= 100
    item.snapshot = _text(kept)
    return Seen(FindingKind.METERS, item)


def colour_meter_raised(f: Forgery) -> Seen:
    """A snapshot whose meters say that more colour chips were sold."""
    item = f.all("v3", SnapshotTaken)[-1]
    assert item.snapshot is not None
    kept: Any = _json(item.snapshot)
    meter = next(key for key in kept["meters"] if key.endswith("/colour_sold"))
    kept["meters"][meter] += 100
    item.snapshot = _text(kept)
    return Seen(FindingKind.METERS, item)


def snapshot_forgets(f: Forgery) -> Seen:
    """A snapshot that forgets whose under-minimum wagers have stood."""
    item = f.all("v3", SnapshotTaken)[-1]
    assert item.snapshot is not None
    kept: Any = _json(item.snapshot)
    assert kept["stood"]
    kept["stood"] = {}
    item.snapshot = _text(kept)
    return Seen(FindingKind.SNAPSHOT, item)


def adjusted_by_one(f: Forgery) -> Seen:
    """An adjustment by one person alone."""
    item = f.one("triple", money.Adjusted).change(authoriser=DEALER)
    assert item.event.initiator == DEALER != SUPERVISOR
    return Seen(FindingKind.POSITION, item)


def _json(text: str) -> Any:
    import json

    return json.loads(text)


def _text(value: Any) -> str:
    import json

    return json.dumps(value, separators=(",", ":"))


FAULTS: Mapping[str, Fault] = {
    fault.__name__: fault
    for fault in (
        pays_36,
        at_risk_raised,
        pays_a_loser,
        cap_ignored,
        cap_in_wrong_order,
        status_ignored,
        ruling_ignored,
        late_wager,
        late_increase,
        late_withdrawal,
        wager_before_opening,
        outcome_before_close,
        outcome_not_at_rest,
        outcome_changed,
        settled_to_another_number,
        no_such_compartment,
        settled_without_outcome,
        double_payment,
        wager_paid_twice,
        wager_forgotten,
        wager_never_placed,
        stake_changed,
        settled_to_another_player,
        lost_reversal,
        reversal_not_posted,
        correction_by_one,
        correction_by_one_twice,
        void_kept_money,
        void_of_no_round,
        settled_round_voided,
        exemption_twice,
        exemption_refused,
        exemption_invented,
        warned_forgotten,
        limit_breached,
        below_minimum,
        area_full,
        area_unknown,
        pieces_wrong,
        unit_uneven,
        below_its_maximum,
        layout_frozen_otherwise,
        unclear_unruled,
        ruling_by_a_player,
        nine_bonus_numbers,
        round_left_open,
        round_skipped,
        terms_swapped,
        terms_digest,
        unknown_document,
        other_rules,
        entries_differ,
        entries_missing,
        credit_below_zero,
        voucher_twice,
        voucher_paid_again,
        voucher_amount,
        voucher_expired,
        voucher_from_nowhere,
        colour_of_another,
        colour_overpaid,
        float_miscounted,
        meters_lowered,
        colour_meter_raised,
        snapshot_forgets,
        adjusted_by_one,
    )
}


TOGETHER = (
    "pays_36",
    "cap_ignored",
    "exemption_twice",
    "void_kept_money",
    "limit_breached",
    "area_full",
    "late_withdrawal",
    "correction_by_one",
    "colour_overpaid",
    "meters_lowered",
    "snapshot_forgets",
    "terms_digest",
    "outcome_before_close",
    "settled_without_outcome",
    "voucher_amount",
    "float_miscounted",
    "pieces_wrong",
    "nine_bonus_numbers",
    "status_ignored",
    "credit_below_zero",
    "correction_by_one_twice",
    "void_of_no_round",
    "adjusted_by_one",
    "outcome_changed",
)
"""Faults of which none hides another."""
