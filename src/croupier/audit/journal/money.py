"""Money besides wagers: the amounts that events name, held against the books."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from croupier.audit.journal.problems import AuditProblem
from croupier.journal.events.codec import JournalEvent
from croupier.journal.findings import FindingKind
from croupier.ledger import accounts as acc
from croupier.ledger import money

if TYPE_CHECKING:
    from croupier.audit.journal.replay import Replay

METERS: Mapping[str, str] = {
    "BoughtIn": "bought_in",
    "VoucherRedeemed": "bought_in",
    "CashedOut": "cashed_out",
    "VoucherIssued": "cashed_out",
}
"""Which meter counts the money of which event."""


def judge_money(replay: Replay, event: JournalEvent) -> None:
    """Note the meters, and say what the books do not bear out."""
    meter = METERS.get(type(event).__name__)
    if meter is not None:
        replay.resettlement.meters[meter] += event.cents  # type: ignore[union-attr]
    match event:
        case money.FloatCounted(booked_cents=booked):
            expected = -_balance(replay, acc.FLOAT)
            if booked != expected:
                problem = AuditProblem.FLOAT_BOOKED(expected=expected, found=booked)
                replay.say(FindingKind.MONEY, problem, None, expected, booked)
        case money.ClaimPaid(player=player, cents=cents):
            owed = -_balance(replay, acc.claim(player))
            if cents > owed:
                problem = AuditProblem.CLAIM_OWED(
                    expected=owed, player=player, found=cents
                )
                replay.say(FindingKind.MONEY, problem, None, owed, cents)
        case money.ColourChipsBought() | money.ColourChipsBoughtBack():
            _judge_colour(replay, event)
        case money.Adjusted(initiator=one, authoriser=other):
            if one.name == other.name:
                replay.say(FindingKind.POSITION, AuditProblem.ADJUSTED_BY_ONE())
        case _:
            cents = getattr(event, "cents", 1)
            if cents <= 0:
                replay.say(
                    FindingKind.MONEY,
                    AuditProblem.AMOUNT_OF_NOTHING(),
                    None,
                    None,
                    cents,
                )


def _judge_colour(
    replay: Replay, event: money.ColourChipsBought | money.ColourChipsBoughtBack
) -> None:
    player, value = replay.colours.get(event.colour, ("", 0))
    if player != event.player:
        replay.say(
            FindingKind.COLOUR_CHIPS,
            AuditProblem.COLOUR_WRONG_PLAYER(colour=event.colour, player=event.player),
        )
    elif event.cents != event.chips * value:
        problem = AuditProblem.COLOUR_CHIPS_WORTH(
            chips=event.chips, colour=event.colour
        )
        sums = (event.chips * value, event.cents)
        replay.say(FindingKind.COLOUR_CHIPS, problem, None, *sums)
    out = _balance(replay, acc.colour(event.colour))
    if isinstance(event, money.ColourChipsBoughtBack) and event.cents > out:
        problem = AuditProblem.COLOUR_CHIPS_OUT(colour=event.colour)
        replay.say(FindingKind.MONEY, problem, None, out, event.cents)


def _balance(replay: Replay, account: acc.Account) -> int:
    return replay.credit.get(account, 0)
