"""The house's messages as lines for people to read."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec import convert

from croupier.protocol import answers as say
from croupier.protocol.feed import updated
from croupier.rules.cents import write_cents
from croupier.rules.wheel import Number, colour_of

_Tell = Callable[[say.TableEvent], str]
_SETTLED = "RoundSettled"


class ClientText:
    """Keeps what has been said, so that only what is new is printed again."""

    def __init__(self) -> None:
        self._known: say.TableSnapshot | None = None
        self._own: set[int] = set()
        """Events that were told to the own seat."""

    def tell(self, message: say.FromHouse) -> str | None:
        """Return a message in lines for people, or None if they need none."""
        if isinstance(message, say.TableSnapshot):
            self._known = message
            return _snapshot(message)
        before, self._known = self._known, self._known and updated(self._known, message)
        match message:
            case say.Answered():
                return _answered(message, self._credit())
            case say.MessageProblem(again=True):
                return "unknown: the house can't say yet; it is sent again"
            case say.MessageProblem():
                return f"not done: {message.reason.text}"
            case say.Bye():
                return f"goodbye: {message.reason.text}"
        if before is None or self._known is None:
            return None
        lines: list[str | None] = []
        match message:
            case say.TableUpdate():
                lines = [
                    _line(each, self._totals() if each.event == _SETTLED else None)
                    for each in message.happened
                    if each.sequence not in self._own
                ]
                lines.append(_changed(before, self._known))
            case say.SeatUpdate():
                self._own |= {each.sequence for each in message.happened}
                lines = [_line(each, self._credit()) for each in message.happened]
                lines.append(_changed(before, self._known))
            case say.StakesUpdate(stakes=stakes) if _lies(before) != _lies(self._known):
                wagers = _count(stakes.wager_count, "wager")
                cents = write_cents(stakes.stake_cents)
                lines = [f"on the layout {cents} in {wagers}"]
        return "\n".join(line for line in lines if line) or None

    def _totals(self) -> str | None:
        """Return what the settlement of the round came to, for this place."""
        seat = self._known.seat if self._known else None
        staff = self._known.staff if self._known else None
        if seat is not None:
            return _joined(_sums([seat.totals] if seat.totals else ()), self._credit())
        return _sums(staff.settled if staff else ()) or None

    def _credit(self) -> str | None:
        seat = self._known.seat if self._known else None
        return None if seat is None else f"credit {write_cents(seat.credit_cents)}"


def _snapshot(message: say.TableSnapshot) -> str:
    view, seat = message.view, message.seat
    parts = [f"{view.table}: {view.document}", f"round {view.round} {view.phase}"]
    if view.virtual_wheel:
        parts.append("virtual wheel, for practice")
    if view.winning_number is not None:
        parts.append(_number(view.winning_number))
    if view.dealer is not None:
        parts.append(f"Dealer {view.dealer}")
    if seat is not None:
        parts.append(f"credit {write_cents(seat.credit_cents)}")
    return _joined(*parts)


def _lies(known: say.TableSnapshot) -> tuple[int, int]:
    stakes = known.stakes
    return (stakes.stake_cents, stakes.wager_count) if stakes else (0, 0)


def _changed(before: say.TableSnapshot, after: say.TableSnapshot) -> str | None:
    """Return what no event says: the Dealer, the countdown, and notices."""
    parts = []
    was, view = before.view, after.view
    if view.dealer != was.dealer:
        parts.append(f"Dealer {view.dealer or 'none'}")
    if view.closes_at_ms is not None and view.closes_at_ms != was.closes_at_ms:
        seconds = (view.closes_at_ms - after.at_ms + 500) // 1000
        parts.append(f"{_count(seconds, 'second')} to bet")
    told = {notice.id for notice in _notices(before)}
    for notice in _notices(after):
        if notice.id not in told:
            clause = f" [{notice.reason.clause}]" if notice.reason.clause else ""
            cents = f" {write_cents(notice.cents)}" if notice.cents else ""
            parts.append(f"notice {notice.id}: {notice.reason.text}{cents}{clause}")
    return _joined(*parts) if parts else None


def _notices(known: say.TableSnapshot) -> tuple[say.Notice, ...]:
    shown = known.staff or known.seat
    return shown.notices if shown else ()


def _answered(message: say.Answered, credit: str | None) -> str:
    if message.refusal is not None:
        clause = f" [{message.refusal.clause}]" if message.refusal.clause else ""
        return f"refused{clause}: {message.refusal.text}"
    if message.read_back is not None:
        return f"keyed: {message.read_back}"
    parts = ["registered"]
    if message.wagers or message.gone:
        gone = [f"{wager_id} withdrawn" for wager_id in message.gone]
        parts.append(", ".join([*map(_wager, message.wagers), *gone]))
    if message.voucher is not None:
        parts.append(f"voucher {message.voucher}")
    return _joined(*parts, credit)


def _wager(wager: say.WagerView) -> str:
    return f"{wager.id} {wager.wager} {write_cents(wager.stake_cents)}"


def _line(event: say.TableEvent, more: str | None) -> str | None:
    tell = _EVENTS.get(event.event)
    if tell is None:
        return None
    told = tell(event) if callable(tell) else tell
    where = f"round {event.round}" if event.round else None
    return _joined(where, told, more)


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
    number, wagers = message.fields["winning_number"], message.fields.get("wagers", ())
    told = f"settled: {'void' if number is None else _number(number)}"
    return _joined(told, _sums(convert(wagers, list[say.SettledWagerView])))


def _sums(settled: Iterable[say.SettledWagerView | say.TotalsView]) -> str:
    every = list(settled)
    if not every:
        return ""
    return _joined(
        f"staked {write_cents(sum(each.stake_cents for each in every))}",
        f"won {write_cents(sum(each.paid_cents for each in every))}",
        f"collected {write_cents(sum(each.collected_cents for each in every))}",
    )


def _money(words: str) -> _Tell:
    return lambda message: f"{words} {write_cents(message.fields['cents'])}"


def _number(number: str) -> str:
    return f"{number} {colour_of(Number(number)).value}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _joined(*parts: str | None) -> str:
    return " · ".join(part for part in parts if part)


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
    _SETTLED: _settled,
    "NoSpinAnnounced": "no spin",
    "TableOpened": "the table is open",
    "TableClosed": "the table is closed",
    "TableInterrupted": "interrupted: staff say where the ball was",
    "BallConfirmed": "the interruption is over",
    "TermsChanged": "new limits, from the next round on",
    "BoughtIn": _money("bought in"),
    "CashedOut": _money("cashed out"),
    "VoucherRedeemed": _money("voucher redeemed"),
    "VoucherPaid": _money("voucher paid in cash"),
    "Adjusted": _money("adjusted by"),
}
"""Wagers are told by their answers, the rest is for the record."""
