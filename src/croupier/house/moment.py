"""What is so at a table at the moment and stands in no event."""

from __future__ import annotations

from dataclasses import dataclass, field

from croupier.house.audience import Audience, Listener
from croupier.house.wheel import Proposal
from croupier.journal.events.table import LightReported, LightsConfirmed
from croupier.protocol.answers import Notice
from croupier.rules.wheel import Number

BUY_IN = "buy_in"
"""The kind of notice that outlasts a round."""


@dataclass(slots=True)
class Moment:
    """Countdown, keyed outcome, lights and notices of the round in play."""

    closes_at_ms: int | None = None
    keyed: Number | None = None
    lit: list[str] = field(default_factory=list)
    dealer_saw_lights: bool = False
    owners: dict[str, str] = field(default_factory=dict)
    """Whose wager it is, by its id."""
    notices: dict[int, Notice] = field(default_factory=dict)
    last_notice: int = 0

    def lights_confirmed(self, drawn: tuple[Number, ...] | None) -> bool:
        """By the Dealer, or by the device for every number that was drawn."""
        by_device = drawn is not None and set(drawn) <= set(self.lit)
        return self.dealer_saw_lights or by_device

    def note_light(self, event: LightReported | LightsConfirmed) -> None:
        if isinstance(event, LightsConfirmed):
            self.dealer_saw_lights = True
        elif event.number not in self.lit:
            self.lit.append(event.number)

    def of_next_round(self) -> Moment:
        """A new round: only what Players have asked for is kept."""
        self.drop_notices()
        return Moment(notices=self.notices, last_notice=self.last_notice)

    def drop_notices(self) -> bool:
        """What was proposed about the round is over; whether there was anything."""
        before = len(self.notices)
        kept = {n: each for n, each in self.notices.items() if each.kind == BUY_IN}
        self.notices = kept
        return len(kept) < before

    def propose(self, proposal: Proposal, seat: str | None, cents: int | None) -> bool:
        """Whether it is new: the same one stands once."""
        for each in self.notices.values():
            if each.text == proposal.text and each.seat == seat:
                return False
        self.last_notice += 1
        self.notices[self.last_notice] = Notice(
            id=self.last_notice,
            kind=proposal.kind,
            text=proposal.text,
            clause=proposal.clause,
            act=proposal.act,
            seat=seat,
            cents=cents,
        )
        return True

    def notices_for(self, listener: Listener) -> tuple[Notice, ...]:
        """All to the staff, their own to a seat."""
        every = self.notices.values()
        if listener.audience is Audience.STAFF:
            return tuple(every)
        return tuple(e for e in every if e.seat is not None and e.seat == listener.seat)
