"""A second set of books: what the events of a stream must have done to its money.

Nothing of the ledger is used here. A round counts as it was settled last, so that a
correction that forgets to take something back shows at once.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from croupier.journal.events import table as hap
from croupier.journal.events.codec import JournalEvent
from croupier.ledger import money
from croupier.rules import events as ev

MOVES: dict[type[object], tuple[str, str]] = {
    money.BoughtIn: ("cash", "player:{seat}"),
    money.CashedOut: ("player:{seat}", "cash"),
    money.VoucherIssued: ("player:{seat}", "vouchers"),
    money.VoucherRedeemed: ("vouchers", "player:{seat}"),
    money.VoucherPaid: ("vouchers", "cash"),
    money.VoucherExpired: ("vouchers", "expired"),
    money.Filled: ("float", "cage"),
    money.CreditTaken: ("cage", "float"),
    money.ColourChipsBought: ("cash", "colour:{colour}"),
    money.ColourChipsBoughtBack: ("colour:{colour}", "cash"),
    money.Adjusted: ("adjustments", "player:{seat}"),
    money.ClaimPaid: ("cash", "player:{player}"),
    money.ClaimSetOff: ("player:{seat}", "player:{player}"),
    money.OwedPaid: ("player:{player}", "cash"),
    money.StayEnded: ("player:{seat}", "player:{seat}"),
}
"""From where to where an event moves its cents."""


_PUT_RIGHT = {
    ev.OutcomeCorrected,
    ev.BonusNumbersCorrected,
    ev.RoundVoided,
    ev.WagerRuled,
}
"""After which a settled round is settled again."""


class Violation(AssertionError):
    """Something that must hold in every house does not."""


def demand(holds: bool, what: str) -> None:
    if not holds:
        raise Violation(what)


@dataclass
class _Wager:
    source: str
    is_registered: bool
    piece_count: int
    stake_cents: int
    dispositions: int = 0


@dataclass
class _Round:
    wagers: dict[str, _Wager] = field(default_factory=dict)
    withdrawn: set[str] = field(default_factory=set)
    is_closed: bool = False
    is_held: bool = False
    is_settled: bool = False
    may_settle_again: bool = False
    draws: int = 0
    rests: int = 0
    effect: Counter[str] = field(default_factory=Counter)
    """What its last settlement did to the accounts."""


@dataclass
class Books:
    """The accounts of one stream.

    `player:` is credit and what is kept for the Player, less what the Player owes.
    """

    accounts: Counter[str] = field(default_factory=Counter)
    colours: dict[str, str] = field(default_factory=dict)
    """Whose each colour is now; who had it before has it no more."""
    rounds: dict[int, _Round] = field(default_factory=dict)
    is_virtual: bool = False

    def note(self, number: int, event: JournalEvent) -> None:
        """One more event, in the order of the stream."""
        match event:
            case hap.TableOpened(virtual_wheel=virtual):
                self.is_virtual = virtual
            case ev.RoundBegun():
                self._begin(event.round_number)
            case ev.WagerPlaced() | ev.WagerIncreased() | ev.WagerWithdrawn():
                self._wagered(self.rounds[number], event)
            case ev.RoundSettled():
                self._settled(self.rounds[number], event)
            case ev.ColourIssued(colour=colour, player=player):
                self.colours[colour] = player
            case ev.ColourReturned(colour=colour, player=player):
                self._take_back(colour, player)
            case money.FloatCounted(cents=cents, booked_cents=booked):
                demand(booked == -self.accounts["float"], "the float's book is wrong")
                self._move("float", "cage", cents - booked)
            case _ if type(event) in MOVES:
                source, target = (_named(each, event) for each in MOVES[type(event)])
                self._move(source, target, event.cents)  # type: ignore[union-attr]
            case _:
                self._announced(number, event)

    def _begin(self, number: int) -> None:
        last = max(self.rounds, default=0)
        demand(number == last + 1, f"round {number} follows round {last}")
        demand(last == 0 or self.rounds[last].is_settled, f"round {last} is not over")
        self.rounds[number] = _Round()

    def _announced(self, number: int, event: JournalEvent) -> None:
        match event:
            case ev.NoMoreBetsAnnounced():
                self.rounds[number].is_closed = True
            case ev.RoundHeld() | ev.PlayContinued():
                self.rounds[number].is_held = isinstance(event, ev.RoundHeld)
            case ev.OutcomeDecided():
                self.rounds[number].is_closed = True
                self.rounds[number].may_settle_again = True
            case _ if type(event) in _PUT_RIGHT:
                self.rounds[number].may_settle_again = True
            case ev.BonusNumbersDrawn():
                self.rounds[number].draws += 1
                self._drawn_late(self.rounds[number], self.rounds[number].draws)
            case ev.BallAtRest(by=by) if self.is_virtual and by.name == "virtual wheel":
                self.rounds[number].rests += 1
                self._drawn_late(self.rounds[number], self.rounds[number].rests)

    def _drawn_late(self, current: _Round, times: int) -> None:
        may_draw = current.is_closed or current.is_held
        demand(may_draw, "chance spoke before the betting was closed")
        current.is_closed = True  # no wager counts after a draw, held or not (A35)
        demand(times == 1, "chance spoke twice in a round")

    def _take_back(self, colour: str, player: str) -> None:
        """Clear the account of a colour that goes back: cash, or a debt."""
        left = self.accounts[f"colour:{colour}"]
        target = "cash" if left > 0 else f"player:{player}"
        self._move(f"colour:{colour}", target, left)
        del self.colours[colour]

    def _whose(self, source: str) -> str:
        """Return the account of who laid a wager, as it stands now."""
        kind, _, rest = source.partition(":")
        if kind != "colour":
            return source
        colour, _, player = rest.partition(":")
        is_theirs = self.colours.get(colour) == player
        return f"colour:{colour}" if is_theirs else f"player:{player}"

    def _move(self, source: str, target: str, cents: int) -> None:
        self.accounts[source] -= cents
        self.accounts[target] += cents

    def _wagered(
        self,
        current: _Round,
        event: ev.WagerPlaced | ev.WagerIncreased | ev.WagerWithdrawn,
    ) -> None:
        demand(not current.is_closed, f"{event.wager_id} counts after the close")
        if isinstance(event, ev.WagerWithdrawn) and event.late:
            return  # it stays listed until the settlement returns it (A28)
        if isinstance(event, ev.WagerPlaced):
            demand(event.wager_id not in current.wagers, f"two {event.wager_id}")
            cents = sum(piece.cents for piece in event.pieces)
            wager = _Wager(_source(event), event.registered, len(event.pieces), 0)
            current.wagers[event.wager_id] = wager
        else:
            wager = current.wagers[event.wager_id]
            is_increase = isinstance(event, ev.WagerIncreased)
            cents = -wager.stake_cents
            if isinstance(event, ev.WagerIncreased):
                cents = event.piece_cents * wager.piece_count
            if not is_increase:
                current.withdrawn.add(event.wager_id)
                del current.wagers[event.wager_id]
        wager.stake_cents += cents
        if wager.is_registered:
            self._move(self._whose(wager.source), "layout", cents)

    def _settled(self, current: _Round, event: ev.RoundSettled) -> None:
        again = current.is_settled
        demand(not again or current.may_settle_again, "a round is settled twice")
        ids = [settled.wager_id for settled in event.wagers]
        demand(len(set(ids)) == len(ids), "a wager has two dispositions")
        demand(set(ids) == set(current.wagers), "not every wager has a disposition")
        effect: Counter[str] = Counter()
        for settled in event.wagers:
            wager = current.wagers[settled.wager_id]
            stake = sum(piece.stake_cents for piece in settled.pieces)
            collected = sum(piece.collected_cents for piece in settled.pieces)
            returned = sum(piece.returned_cents for piece in settled.pieces)
            paid = sum(piece.paid_cents for piece in settled.pieces)
            demand(stake == wager.stake_cents, f"{settled.wager_id}: another stake")
            demand(stake == collected + returned, f"{settled.wager_id}: cents are lost")
            if wager.is_registered:
                effect["layout"] -= stake
                effect["house"] += collected - paid
                effect[wager.source] += returned + paid
        for source, cents in current.effect.items():
            self.accounts[self._whose(source)] -= cents
        for source, cents in effect.items():
            self.accounts[self._whose(source)] += cents
        current.effect = effect
        current.is_settled, current.may_settle_again = True, False


def _named(account: str, event: object) -> str:
    kind, _, name = account.partition(":")
    if not name:
        return kind
    return f"{kind}:{player_of(getattr(event, name.strip('{}')))}"


def player_of(name: str) -> str:
    """Return the seat of a stay, `3@T1`, or the Player's own name."""
    return name.rpartition("@")[2]


def _source(event: ev.WagerPlaced) -> str:
    if event.electronic:
        return f"player:{event.player}"
    if event.colour is None:
        return "chips"
    return f"colour:{event.colour}:{event.player}"
