"""Money besides wagers: the amounts that events name, held against the books."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

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
            _expect(
                replay, "in the float by the book", -_balance(replay, acc.FLOAT), booked
            )
        case money.ClaimPaid(player=player, cents=cents):
            owed = -_balance(replay, acc.claim(player))
            if cents > owed:
                _expect(replay, f"owed by {player}", owed, cents)
        case money.ColourChipsBought() | money.ColourChipsBoughtBack():
            _judge_colour(replay, event)
        case money.Adjusted(initiator=one, authoriser=other):
            if one.name == other.name:
                replay.say(
                    FindingKind.POSITION, "an adjustment takes two different people"
                )
        case _:
            cents = getattr(event, "cents", 1)
            if cents <= 0:
                replay.say(
                    FindingKind.MONEY, "an amount is above zero", None, None, cents
                )


def _judge_colour(
    replay: Replay, event: money.ColourChipsBought | money.ColourChipsBoughtBack
) -> None:
    player, value = replay.colours.get(event.colour, ("", 0))
    if player != event.player:
        replay.say(
            FindingKind.COLOUR_CHIPS, f"{event.colour} is not {event.player}'s colour"
        )
    elif event.cents != event.chips * value:
        problem = f"{event.chips} {event.colour} chips are worth something else"
        sums = (event.chips * value, event.cents)
        replay.say(FindingKind.COLOUR_CHIPS, problem, None, *sums)
    out = _balance(replay, acc.colour(event.colour))
    if isinstance(event, money.ColourChipsBoughtBack) and event.cents > out:
        problem = f"fewer {event.colour} chips were out"
        replay.say(FindingKind.MONEY, problem, None, out, event.cents)


def _balance(replay: Replay, account: acc.Account) -> int:
    return replay.credit.get(account, 0)


def _expect(replay: Replay, what: str, expected: int, found: int) -> None:
    if expected != found:
        problem = f"{expected} cents are {what}, not {found}"
        replay.say(FindingKind.MONEY, problem, None, expected, found)
