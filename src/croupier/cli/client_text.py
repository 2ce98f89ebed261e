"""The house's messages as lines for people to read, by the views that they change."""

from __future__ import annotations

from croupier.protocol import answers
from croupier.protocol.answers import TableSnapshot, TableView, TotalsView
from croupier.protocol.feed import updated
from croupier.rules.cents import write_cents
from croupier.rules.wheel import Number, colour_of
from croupier.tabular.figures import counted


class ClientText:
    """Turns messages into lines; remembers the table, to print only changes."""

    def __init__(self) -> None:
        self._known: TableSnapshot | None = None

    def tell(self, message: answers.FromHouse) -> str | None:
        """Return the line to print for a message, or None."""
        before = self._known
        if isinstance(message, TableSnapshot):
            self._known = message
            return _snapshot(message)
        if before is not None:
            self._known = updated(before, message)
        match message:
            case answers.Answered():
                return _answered(message, _credit(self._known))
            case answers.MessageProblem(again=True):
                return "unknown: the house can't say yet; it is sent again"
            case answers.MessageProblem():
                return f"not done: {message.reason.text}"
            case answers.Bye():
                return f"goodbye: {message.reason.text}"
        if before is None or self._known is None:
            return None
        return _changed(before, self._known) or None


def _snapshot(message: TableSnapshot) -> str:
    view = message.view
    return _joined(
        f"{view.table}: {view.document}",
        f"round {view.round} {view.phase}",
        "virtual wheel, for practice" if view.virtual_wheel else None,
        _number(view),
        None if view.dealer is None else f"Dealer {view.dealer}",
        _credit(message),
    )


def _changed(before: TableSnapshot, after: TableSnapshot) -> str:
    """Return the changes on the table, at the seat and for the staff."""
    was, view = before.view, after.view
    parts: list[str | None] = []
    is_new = (view.round, view.status) != (was.round, was.status)
    if is_new or view.winning_number != was.winning_number:
        parts += [f"round {view.round}" if view.round else None, _status(view)]
        parts.append(_number(view))
    totals = _totals(after)
    if totals is not None and totals != _totals(before):
        parts.append(_sums(totals))
    if view.bonus and view.bonus != was.bonus:
        parts.append(f"Bonus Numbers {' '.join(view.bonus)}")
    if view.dealer != was.dealer:
        parts.append(f"Dealer {view.dealer or 'none'}")
    if view.closes_at_ms is not None and view.closes_at_ms != was.closes_at_ms:
        seconds = (view.closes_at_ms - after.at_ms + 500) // 1000
        parts.append(f"{counted(seconds, 'second')} to bet")
    known = {notice.id for notice in _notices(before)}
    parts += [_notice(each) for each in _notices(after) if each.id not in known]
    stakes = after.stakes
    if stakes is not None and stakes.wager_count and stakes != before.stakes:
        cents = write_cents(stakes.stake_cents)
        parts.append(f"on the layout {cents} in {counted(stakes.wager_count, 'wager')}")
    if _credit(after) != _credit(before):
        parts.append(_credit(after))
    return _joined(*parts)


def _status(view: TableView) -> str:
    return f"{view.status}: {view.standing}" if view.standing else view.status


def _notices(known: TableSnapshot) -> tuple[answers.Notice, ...]:
    shown = known.staff or known.seat
    return shown.notices if shown else ()


def _notice(notice: answers.Notice) -> str:
    cents = f" {write_cents(notice.cents)}" if notice.cents else ""
    return f"notice {notice.id}: {notice.reason}{cents}"


def _answered(message: answers.Answered, credit: str | None) -> str:
    if message.refusal is not None:
        clause = f" [{message.refusal.clause}]" if message.refusal.clause else ""
        return f"refused{clause}: {message.refusal.text}"
    if message.read_back is not None:
        return f"keyed: {message.read_back}"
    laid = [f"{e.id} {e.wager} {write_cents(e.stake_cents)}" for e in message.wagers]
    gone = [f"{wager_id} withdrawn" for wager_id in message.gone]
    voucher = None if message.voucher is None else f"voucher {message.voucher}"
    return _joined("registered", ", ".join([*laid, *gone]), voucher, credit)


def _credit(known: TableSnapshot | None) -> str | None:
    seat = known.seat if known else None
    return None if seat is None else f"credit {write_cents(seat.credit_cents)}"


def _totals(known: TableSnapshot) -> TotalsView | None:
    """Return the sums of the round's settlement that this client may see."""
    shown = known.seat or known.staff
    return shown.totals if shown else None


def _sums(totals: TotalsView) -> str:
    return _joined(
        f"staked {write_cents(totals.stake_cents)}",
        f"won {write_cents(totals.paid_cents)}",
        f"collected {write_cents(totals.collected_cents)}",
    )


def _number(view: TableView) -> str | None:
    number = view.winning_number
    return None if number is None else f"{number} {colour_of(Number(number)).value}"


def _joined(*parts: str | None) -> str:
    return " · ".join(part for part in parts if part)
