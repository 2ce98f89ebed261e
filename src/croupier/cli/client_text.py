"""The house's messages as lines for people to read."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec import convert

from croupier.protocol import answers
from croupier.protocol.feed import updated
from croupier.rules.cents import write_cents
from croupier.rules.wheel import Number, colour_of
from croupier.tabular.figures import counted

_Tell = Callable[[answers.TableEvent], str]
_SETTLED = "RoundSettled"


class ClientText:
    """Turns messages into lines; remembers the table, to print only changes."""

    def __init__(self) -> None:
        self._known: answers.TableSnapshot | None = None
        self._own: set[int] = set()
        """Sequences of the events that the seat's own messages have told."""

    def tell(self, message: answers.FromHouse) -> str | None:
        """Return the lines to print for a message, or None."""
        if isinstance(message, answers.TableSnapshot):
            self._known = message
            return _snapshot(message)
        before, self._known = self._known, self._known and updated(self._known, message)
        match message:
            case answers.Answered():
                return _answered(message, self._credit())
            case answers.MessageProblem(again=True):
                return "unknown: the house can't say yet; it is sent again"
            case answers.MessageProblem():
                return f"not done: {message.reason.text}"
            case answers.Bye():
                return f"goodbye: {message.reason.text}"
        if before is None or self._known is None:
            return None
        lines: list[str | None] = []
        match message:
            case answers.TableUpdate():
                lines = [
                    _line(each, self._totals() if each.event == _SETTLED else None)
                    for each in message.happened
                    if each.sequence not in self._own
                ]
                lines.append(_changed(before, self._known))
            case answers.SeatUpdate():
                self._own |= {each.sequence for each in message.happened}
                lines = [_line(each, self._credit()) for each in message.happened]
                lines.append(_changed(before, self._known))
            case answers.StakesUpdate(stakes=stakes) if _lies(before) != _lies(
                self._known
            ):
                wagers = counted(stakes.wager_count, "wager")
                cents = write_cents(stakes.stake_cents)
                lines = [f"on the layout {cents} in {wagers}"]
        return "\n".join(line for line in lines if line) or None

    def _totals(self) -> str | None:
        """Return the sums of the settlement that this client may see."""
        seat = self._known.seat if self._known else None
        staff = self._known.staff if self._known else None
        if seat is not None:
            return _joined(_sums([seat.totals] if seat.totals else ()), self._credit())
        return _sums(staff.settled if staff else ()) or None

    def _credit(self) -> str | None:
        seat = self._known.seat if self._known else None
        return None if seat is None else f"credit {write_cents(seat.credit_cents)}"


def _snapshot(message: answers.TableSnapshot) -> str:
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


def _lies(known: answers.TableSnapshot) -> tuple[int, int]:
    stakes = known.stakes
    return (stakes.stake_cents, stakes.wager_count) if stakes else (0, 0)


def _changed(before: answers.TableSnapshot, after: answers.TableSnapshot) -> str | None:
    """Return changes that no event reports: Dealer, countdown, notices."""
    parts = []
    was, view = before.view, after.view
    if view.dealer != was.dealer:
        parts.append(f"Dealer {view.dealer or 'none'}")
    if view.closes_at_ms is not None and view.closes_at_ms != was.closes_at_ms:
        seconds = (view.closes_at_ms - after.at_ms + 500) // 1000
        parts.append(f"{counted(seconds, 'second')} to bet")
    told = {notice.id for notice in _notices(before)}
    for notice in _notices(after):
        if notice.id not in told:
            clause = f" [{notice.reason.clause}]" if notice.reason.clause else ""
            cents = f" {write_cents(notice.cents)}" if notice.cents else ""
            parts.append(f"notice {notice.id}: {notice.reason.text}{cents}{clause}")
    return _joined(*parts) if parts else None


def _notices(known: answers.TableSnapshot) -> tuple[answers.Notice, ...]:
    shown = known.staff or known.seat
    return shown.notices if shown else ()


def _answered(message: answers.Answered, credit: str | None) -> str:
    if message.refusal is not None:
        clause = f" [{message.refusal.clause}]" if message.refusal.clause else ""
        return f"refused{clause}: {message.refusal.text}"
    if message.read_back is not None:
        return f"keyed: {message.read_back}"
    parts = ["registered"]
    if message.wagers or message.gone:
        gone = [f"{wager_id} withdrawn" for wager_id in message.gone]
        laid = [
            f"{each.id} {each.wager} {write_cents(each.stake_cents)}"
            for each in message.wagers
        ]
        parts.append(", ".join([*laid, *gone]))
    if message.voucher is not None:
        parts.append(f"voucher {message.voucher}")
    return _joined(*parts, credit)


def _line(event: answers.TableEvent, more: str | None) -> str | None:
    tell = _EVENTS.get(event.event)
    if tell is None:
        return None
    told = tell(event) if callable(tell) else tell
    where = f"round {event.round}" if event.round else None
    return _joined(where, told, more)


def _outcome(message: answers.TableEvent) -> str:
    return _number(message.fields["number"])


def _void(message: answers.TableEvent) -> str:
    fields = message.fields
    word = "void" if message.event == "RoundVoided" else "held"
    return f"{word}: {fields['reason']} [{fields['clause']['number']}]"


def _settled(message: answers.TableEvent) -> str:
    number, wagers = message.fields["winning_number"], message.fields.get("wagers", ())
    told = f"settled: {'void' if number is None else _number(number)}"
    return _joined(told, _sums(convert(wagers, list[answers.SettledWagerView])))


def _sums(settled: Iterable[answers.SettledWagerView | answers.TotalsView]) -> str:
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


def _joined(*parts: str | None) -> str:
    return " · ".join(part for part in parts if part)


_EVENTS: dict[str, str | _Tell] = {
    "PlaceYourBetsAnnounced": "place your bets",
    "BallSpun": "the ball is spun",
    "NoMoreBetsAnnounced": "no more bets",
    "BonusNumbersDrawn": lambda e: f"Bonus Numbers {' '.join(e.fields['numbers'])}",
    "BallDropped": "the ball has dropped",
    "BallAtRest": lambda e: f"the ball is in {e.fields['number']}",
    "OutcomeAnnounced": _outcome,
    "OutcomeDecided": _outcome,
    "OutcomeCorrected": lambda e: f"corrected to {_number(e.fields['corrected_to'])}",
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
"""Wagers are printed with their answers; other events are not printed."""
