"""Who dealt each round of a journal."""

from __future__ import annotations

from croupier.audit.report.journal_rounds import event_of
from croupier.journal.store import Store
from croupier.rules.events import (
    BallSpun,
    NoMoreBetsAnnounced,
    OutcomeAnnounced,
    PlaceYourBetsAnnounced,
)
from croupier.rules.operator import Role

_TELLING = (BallSpun, NoMoreBetsAnnounced, PlaceYourBetsAnnounced, OutcomeAnnounced)
"""What a Dealer does in a round; the first of them that is told says who dealt it."""
_RANKS = {kind.__name__: rank for rank, kind in enumerate(_TELLING)}


def dealers_of(store: Store, stream: str) -> dict[int, str]:
    """Return the Dealer's name by round; raises `JournalError`.

    It is the one who spun the ball. Where a sensor told of the spin, it is the one who
    closed the bets, opened them or announced the outcome. A round in which no Dealer
    acted is absent.
    """
    found: dict[int, tuple[int, str]] = {}
    for row in store.events(stream):
        rank = _RANKS.get(row.kind)
        if rank is None:
            continue
        event = event_of(row)
        assert isinstance(event, _TELLING)
        known = found.get(row.round_number)
        # The latest of a kind counts: a ball spun again was spun by the second one.
        if event.by.role is Role.DEALER and (known is None or rank <= known[0]):
            found[row.round_number] = rank, event.by.name
    return {number: name for number, (_, name) in found.items()}
