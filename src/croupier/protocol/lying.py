"""The wagers that lie on the layout, as a view shows them; pure.

A terminal has its own in its answers, and hears with events of what others did to them;
the staff hear of many at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec.structs import replace

from croupier.protocol.answers import Answered, TableEvent, TableView, WagerView


def placed(view: TableView, message: TableEvent) -> TableView:
    fields = message.fields
    pieces = tuple((piece["area"], piece["cents"]) for piece in fields["pieces"])
    wager = WagerView(
        id=fields["wager_id"],
        player=fields["player"],
        wager=fields["wager"],
        stake_cents=sum(cents for _, cents in pieces),
        pieces=pieces,
        registered=fields["registered"],
        terminal=fields["terminal"],
    )
    return _with_wagers(view, {**_by_id(view), wager.id: wager})


def increased(view: TableView, message: TableEvent) -> TableView:
    """By so much on each piece."""
    added = message.fields["piece_cents"]

    def more(wager: WagerView) -> WagerView:
        pieces = tuple((area, cents + added) for area, cents in wager.pieces)
        stake_cents = sum(cents for _, cents in pieces)
        return replace(wager, pieces=pieces, stake_cents=stake_cents)

    return _changing(view, message.fields["wager_id"], more)


def withdrawn(view: TableView, message: TableEvent) -> TableView:
    gone = message.fields["wager_id"]
    kept = {name: wager for name, wager in _by_id(view).items() if name != gone}
    return _with_wagers(view, kept)


def marked_unclear(view: TableView, message: TableEvent) -> TableView:
    """Until the ruling on it."""
    unclear = message.event == "WagerMarkedUnclear"
    return _changing(
        view,
        message.fields["wager_id"],
        lambda wager: replace(wager, unclear=unclear),
    )


def answered(view: TableView, message: Answered) -> TableView:
    """The sender's own wagers, as they lie after the command."""
    if not message.wagers:
        return view
    wagers = told_at_once(view, message.wagers)
    if message.seat is None:
        return replace(view, wagers=wagers)
    return _with_wagers(view, {wager.id: wager for wager in wagers})


def told_at_once(view: TableView, told: Iterable[WagerView]) -> tuple[WagerView, ...]:
    """The wagers after those of a message; one without stake has been withdrawn."""
    wagers = _by_id(view)
    for wager in told:
        if wager.pieces:
            wagers[wager.id] = wager
        else:
            wagers.pop(wager.id, None)
    return _with_minimums(view, tuple(wagers.values()))


def _by_id(view: TableView) -> dict[str, WagerView]:
    return {wager.id: wager for wager in view.wagers}


def _changing(
    view: TableView, wager_id: str, change: Callable[[WagerView], WagerView]
) -> TableView:
    wagers = _by_id(view)
    if wager_id not in wagers:
        return view
    return _with_wagers(view, {**wagers, wager_id: change(wagers[wager_id])})


def _with_wagers(view: TableView, wagers: dict[str, WagerView]) -> TableView:
    shown = _with_minimums(view, tuple(wagers.values()))
    return replace(
        view,
        wagers=shown,
        stake_cents=sum(wager.stake_cents for wager in shown),
        wager_count=len(shown),
    )


def _with_minimums(
    view: TableView, wagers: tuple[WagerView, ...]
) -> tuple[WagerView, ...]:
    """Each with the areas on which its Player has less than the minimum."""
    least = {each.wager_type: each.minimum_cents or 0 for each in view.limits}
    lies: dict[tuple[str, str], int] = {}
    for wager in wagers:
        for area, cents in wager.pieces if wager.registered else ():
            lies[wager.player, area] = lies.get((wager.player, area), 0) + cents

    def judged(wager: WagerView) -> WagerView:
        low = tuple(
            area
            for area, _ in (wager.pieces if wager.registered else ())
            if lies[wager.player, area] < least.get(area.partition(":")[0], 0)
        )
        if low == wager.under_minimum:
            return wager
        return replace(wager, under_minimum=low)

    return tuple(judged(wager) for wager in wagers)
