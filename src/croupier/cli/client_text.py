"""What the house says, in one readable line for each message; pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from croupier.protocol import answers as say
from croupier.rules.cents import write_cents
from croupier.rules.wheel import Number, colour_of

_Tell = Callable[[say.TableEvent], str]


class ClientText:
    """Remembers what has been told, so that only what is new is told again."""

    def __init__(self) -> None:
        self._notices: frozenset[int] = frozenset()
        self._closes_at_ms: int | None = None
        self._dealer: str | None = None
        self._lies = (0, 0)

    def tell(self, message: say.FromHouse) -> str | None:
        """None: nothing that a person needs to read."""
        match message:
            case say.TableSnapshot():
                return self._snapshot(message)
            case say.TableEvent():
                return _happened(message)
            case say.Answered():
                return _answered(message)
            case say.Changed():
                return self._changed(message)
            case say.Stakes():
                return self._stakes(message)
            case say.MessageProblem():
                return f"not done: {message.reason}"
            case say.Bye():
                return f"goodbye: {message.reason}"
        return None

    def _snapshot(self, message: say.TableSnapshot) -> str:
        view = message.view
        self._notices = frozenset(notice.id for notice in view.notices)
        self._closes_at_ms, self._dealer = view.closes_at_ms, view.dealer
        self._lies = (view.stake_cents, view.wager_count)
        parts = [f"{view.table}: {view.document}", f"round {view.round} {view.phase}"]
        if view.virtual_wheel:
            parts.append("virtual wheel, for practice")
        if view.winning_number is not None:
            parts.append(_number(view.winning_number))
        if view.dealer is not None:
            parts.append(f"Dealer {view.dealer}")
        return _joined(*parts, _credit(message.seat))

    def _stakes(self, message: say.Stakes) -> str | None:
        before = self._lies
        self._lies = (message.stake_cents, message.wager_count)
        if before == self._lies:
            return None
        wagers = _count(message.wager_count, "wager")
        return f"on the layout {write_cents(message.stake_cents)} in {wagers}"

    def _changed(self, message: say.Changed) -> str | None:
        parts = []
        if message.dealer != self._dealer:
            parts.append(f"Dealer {message.dealer or 'none'}")
        if message.closes_at_ms not in (None, self._closes_at_ms):
            seconds = (message.closes_at_ms - message.at_ms + 500) // 1000
            parts.append(f"{_count(seconds, 'second')} to bet")
        for notice in message.notices:
            if notice.id not in self._notices:
                clause = f" [{notice.clause}]" if notice.clause else ""
                cents = f" {write_cents(notice.cents)}" if notice.cents else ""
                parts.append(f"notice {notice.id}: {notice.text}{cents}{clause}")
        self._dealer, self._closes_at_ms = message.dealer, message.closes_at_ms
        self._notices = frozenset(notice.id for notice in message.notices)
        return _joined(*parts) if parts else None


def _answered(message: say.Answered) -> str:
    if not message.registered:
        clause = f" [{message.clause}]" if message.clause else ""
        return f"refused{clause}: {message.reason}"
    if message.read_back is not None:
        return f"keyed: {message.read_back}"
    parts = ["registered"]
    if message.wagers:
        parts.append(", ".join(map(_wager, message.wagers)))
    if message.voucher is not None:
        parts.append(f"voucher {message.voucher}")
    return _joined(*parts, _credit(message.seat))


def _wager(wager: say.WagerView) -> str:
    if not wager.pieces:
        return f"{wager.id} withdrawn"
    return f"{wager.id} {wager.wager} {write_cents(wager.stake_cents)}"


def _happened(message: say.TableEvent) -> str | None:
    tell = _EVENTS.get(message.event)
    if tell is None:
        return None
    told = tell(message) if callable(tell) else tell
    where = f"round {message.round}" if message.round else None
    credit = _credit(message.seat) if message.event not in _WITHOUT_CREDIT else None
    return _joined(where, told, credit)


def _outcome(message: say.TableEvent) -> str:
    return _number(message.fields["number"])


def _corrected(message: say.TableEvent) -> str:
    return f"corrected to {_number(message.fields['corrected_to'])}"


def _void(message: say.TableEvent) -> str:
    fields = message.fields
    word = "void" if message.event == "RoundVoided" else "held"
    return f"{word}: {fields['reason']} [{fields['clause']['number']}]"


def _drawn(message: say.TableEvent) -> str:
    return f"Bonus Numbers {' '.join(message.fields['numbers'])}"


def _settled(message: say.TableEvent) -> str:
    number = message.fields["winning_number"]
    wagers: list[dict[str, Any]] = message.fields["wagers"]
    told = f"settled: {'void' if number is None else _number(number)}"
    if not wagers:
        return told
    return _joined(
        told,
        f"staked {_sum(wagers, 'stake_cents')}",
        f"won {_sum(wagers, 'paid_cents')}",
        f"collected {_sum(wagers, 'collected_cents')}",
    )


def _sum(wagers: Iterable[dict[str, Any]], name: str) -> str:
    return write_cents(sum(wager[name] for wager in wagers))


def _money(words: str) -> _Tell:
    return lambda message: f"{words} {write_cents(message.fields['cents'])}"


def _number(number: str) -> str:
    return f"{number} {colour_of(Number(number)).value}"


def _credit(seat: say.SeatView | None) -> str | None:
    return None if seat is None else f"credit {write_cents(seat.credit_cents)}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _joined(*parts: str | None) -> str:
    return " · ".join(part for part in parts if part)


_WITHOUT_CREDIT = frozenset({"PlaceYourBetsAnnounced", "NoMoreBetsAnnounced"})
_EVENTS: dict[str, str | _Tell] = {
    "PlaceYourBetsAnnounced": "place your bets",
    "BallSpun": "the ball is spun",
    "NoMoreBetsAnnounced": "no more bets",
    "BonusNumbersDrawn": _drawn,
    "BallDropped": "the ball has dropped",
    "BallAtRest": lambda message: f"the ball is in {message.fields['number']}",
    "OutcomeAnnounced": _outcome,
    "OutcomeDecided": _outcome,
    "OutcomeCorrected": _corrected,
    "RoundVoided": _void,
    "RoundHeld": _void,
    "RoundSettled": _settled,
    "NoSpinAnnounced": "no spin",
    "TableOpened": "the table is open",
    "TableClosed": "the table is closed",
    "TableInterrupted": "interrupted: staff say where the ball was",
    "BallConfirmed": "the interruption is over",
    "TermsChanged": "new limits, from the next round on",
    "BoughtIn": _money("bought in"),
    "CashedOut": _money("cashed out"),
    "VoucherRedeemed": _money("voucher redeemed"),
    "Adjusted": _money("adjusted by"),
}
"""Wagers are told by their answers, the rest is for the record."""
