"""What must hold of a journal, read from its store and its tables.

Simulated houses are held to it after every step, and killed processes after their end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from croupier.journal.chain import digest, event_hash
from croupier.journal.events import table as hap
from croupier.journal.events.codec import JournalEvent, decode
from croupier.journal.events.plan import DEFAULT_HOUSE, HouseSettings
from croupier.journal.store import HOUSE_STREAM, Store
from croupier.journal.tables import GENESIS, EventRow, HeadRow, VoucherRow, VoucherState
from croupier.ledger import money
from croupier.ledger.accounts import LAYOUT, Account, Entry
from croupier.table.replay import recall_round, recover
from croupier.table.state import TableState, advance, opened
from croupier.table.table import Table
from tests.journal.stored import stored_snapshots
from tests.robustness.books import Books, demand, player_of

_REACHING_BACK = set(map(hap.RefusedAct, ("CorrectOutcome", "VoidRounds", "Settle")))
"""What no Player can prevent by having spent the money."""


def seen(state: TableState) -> TableState:
    """A state without its past rounds, which are recalled when they are needed."""
    if state.series.last == 0:
        return state
    return replace(state, series=state.series.forgetting_past())


@dataclass
class Follower:
    """Reads one stream as it grows and holds every event to account."""

    stream: str
    house: HouseSettings
    sequence: int = 0
    hash: str = GENESIS
    at_ms: int = 0
    """The time of the last event."""
    state: TableState | None = None
    """Replayed from event 1."""
    balances: Counter[Account] = field(default_factory=Counter)
    books: Books = field(default_factory=Books)
    kinds: Counter[str] = field(default_factory=Counter)
    commands: dict[str, tuple[int, int]] = field(default_factory=dict)
    issued: dict[str, int] = field(default_factory=dict)
    ended: dict[str, int] = field(default_factory=dict)
    """Vouchers that were redeemed or expired here, with their cents."""
    lost: set[str] = field(default_factory=set)
    claims: int = 0
    _checked: tuple[HeadRow | None, TableState | None] = (None, None)
    """The head and the very state that were found to be sound."""

    def follow(self, store: Store, head: HeadRow | None = None) -> None:
        """Everything that has been written since the last time."""
        if head is not None and head.hash == self.hash:
            return
        entries: dict[int, list[Entry]] = {}
        for sequence, line, entry in store.entries(self.stream, after=self.sequence):
            of_event = entries.setdefault(sequence, [])
            demand(line == len(of_event), "the lines of entries are not in order")
            of_event.append(entry)
        fresh: list[str] = []
        for row in store.events(self.stream, after=self.sequence):
            if row.command_id not in self.commands:
                fresh.append(row.command_id)
            self._note(row, entries.pop(row.sequence, []), store)
        demand(not entries, "there are entries without an event")
        for command_id in fresh:
            found = store.answer(self.stream, command_id)
            told = self.commands[command_id]
            demand(found is not None, f"{command_id} has no stored answer")
            assert found is not None
            demand((found.first, found.last) == told, f"{command_id} answers another")

    def _note(self, row: EventRow, entries: list[Entry], store: Store) -> None:
        demand(row.sequence == self.sequence + 1, "a sequence number is missing")
        hashed = event_hash(self.hash, row, entries)
        demand(row.hash == hashed, f"the chain breaks at {row.sequence}")
        event = decode(row.schema, row.kind, row.body)
        demand(row.at_ms >= self.at_ms, f"time goes back at {row.sequence}")
        self.sequence, self.hash, self.at_ms = row.sequence, row.hash, row.at_ms
        self.kinds[row.kind] += 1
        self._post(event, entries)
        self.books.note(row.round_number, event)
        self._replay(row, event, tuple(entries))
        self._note_command(row, event, store)
        match event:
            case hap.ClockBehind(clock_ms=clock_ms):
                demand(clock_ms < row.at_ms, "a clock that was not behind")
            case money.VoucherIssued(code=code, cents=cents):
                self.issued[code] = cents
            case (
                money.VoucherRedeemed(code=code)
                | money.VoucherPaid(code=code)
                | money.VoucherExpired(code=code)
            ):
                demand(code not in self.ended, f"voucher {code} twice")
                self.ended[code] = event.cents
            case hap.ActRefused(acts=(act,), reason=reason) if act in _REACHING_BACK:
                demand("of credit" not in str(reason), f"{act} for want of credit")
            case money.VoucherReportedLost(code=code):
                demand(code not in self.lost, f"voucher {code} lost twice")
                self.lost.add(code)

    def _post(self, event: JournalEvent, entries: list[Entry]) -> None:
        total = sum(entry.cents for entry in entries)
        demand(total == 0, f"the entries of {event} sum to {total}")
        for account, cents in entries:
            self.balances[account] += cents
        for account, cents in entries:
            credit = self.balances[account]
            demand(credit >= 0 or not account.startswith("seat:"), f"{account}: credit")
            if account.startswith("claim:") and cents < 0:
                self.claims += 1
                credit_of = Account("seat:" + account[6:])
                left = self.balances[credit_of]
                posted = {each for each, _ in entries}
                is_theirs = credit_of in posted and "owed:" + account[6:] not in posted
                demand(
                    left == 0 or not is_theirs,
                    f"{account} though {left} cents are left",
                )

    def _replay(
        self, row: EventRow, event: JournalEvent, entries: tuple[Entry, ...]
    ) -> None:
        if self.stream == HOUSE_STREAM:
            return
        if self.state is None:
            demand(isinstance(event, hap.TableOpened), "a stream begins with its table")
            assert isinstance(event, hap.TableOpened)
            self.state = opened(event)
            return
        day = self.state.day(self.house.gaming_day(row.at_ms))
        self.state = advance(self.state, row.round_number, event, entries, day)

    def _note_command(self, row: EventRow, event: JournalEvent, store: Store) -> None:
        """Each command is judged once: its events stand together."""
        if isinstance(event, hap.SnapshotTaken):
            self._check_snapshot(event, store)
            return
        first, last = self.commands.get(row.command_id, (row.sequence, row.sequence))
        demand(row.sequence - last <= 1, f"{row.command_id} was executed twice")
        self.commands[row.command_id] = (first, row.sequence)

    def _check_snapshot(self, event: hap.SnapshotTaken, store: Store) -> None:
        found = [
            snapshot
            for snapshot in stored_snapshots(store, self.stream)
            if snapshot.sequence == event.at_sequence
        ]
        demand(len(found) == 1, "a snapshot is missing")
        sound = digest(found[0].body) == event.digest == found[0].digest
        demand(sound, "a snapshot is not what the chain says")

    def check(
        self, store: Store, table: Table | None, head: HeadRow | None = None
    ) -> None:
        """The stream against its stored sums and against the table in play."""
        head = head or store.head(self.stream)
        assert head is not None
        demand((head.sequence, head.hash) == (self.sequence, self.hash), "another head")
        now = (head, None if table is None else table.state)
        if now[0] == self._checked[0] and now[1] is self._checked[1]:
            return
        self._checked = now
        stored = {k: v for k, v in store.balances(self.stream).items() if v}
        folded = {k: v for k, v in self.balances.items() if v}
        demand(stored == folded, f"{self.stream}: the balances are not their entries")
        self._check_books()
        if table is not None:
            demand(table.head == head, f"{self.stream}: the table is elsewhere")
            assert self.state is not None
            same = seen(table.state) == seen(self.state)
            demand(same, f"{self.stream}: replay is another state than the table's")

    def _check_books(self) -> None:
        """What a Player has and owes is what the second books say of them."""
        sums: Counter[str] = Counter()
        for account, cents in self.balances.items():
            kind, _, name = account.partition(":")
            is_players = kind in {"seat", "claim", "owed"}
            sums[f"player:{player_of(name)}" if is_players else account] += cents
        kept = {k: v for k, v in sums.items() if v}
        expected = {k: v for k, v in self.books.accounts.items() if v}
        demand(kept == expected, f"{self.stream}: {kept} should be {expected}")
        owed = [v for k, v in self.balances.items() if k.startswith("claim:")]
        demand(all(cents <= 0 for cents in owed), "the House owes a claim")
        if self.state is None:
            return
        held = sum(_meter(self.state.meters, "hold"))
        demand(held == sums["house"], f"{self.stream}: hold {held} is not the House's")

    def check_whole(self, store: Store) -> None:
        """Everything again: from event 1, and from the last snapshot."""
        again = Follower(self.stream, self.house)
        again.follow(store)
        demand(again.balances == self.balances, "a second fold is different")
        if self.state is None or again.state is None:
            return
        demand(seen(again.state) == seen(self.state), "a second replay is different")
        recovered = recover(store, self.stream, self.house).state
        demand(
            seen(recovered) == seen(self.state),
            f"{self.stream}: snapshot and replay are another state than replay alone",
        )
        self._check_recall(store)

    def _check_recall(self, store: Store) -> None:
        """Rounds of the past, recalled, are what they were."""
        assert self.state is not None
        series = self.state.series
        for number in range(1, series.last + 1, max(1, series.last // 4)):
            recalled = recall_round(store, self.stream, series.game, number)
            played = replace(series.round(number), colours=recalled.colours)
            demand(recalled == played, f"round {number} is recalled as another")


def _meter(meters: Mapping[str, int], name: str) -> Iterable[int]:
    return (v for k, v in meters.items() if k.partition("/")[2] == name)


def check_house(store: Store, followers: Iterable[Follower]) -> None:
    """Vouchers, and the money of all tables together."""
    issued: dict[str, int] = {}
    ended: dict[str, tuple[str, int]] = {}
    lost: set[str] = set()
    sums: Counter[str] = Counter()
    for each in followers:
        issued.update(each.issued)
        lost.update(each.lost)
        for code, cents in each.ended.items():
            demand(code not in ended, f"voucher {code} ended at two places")
            ended[code] = (each.stream, cents)
        sums.update(each.balances)
    demand(sum(sums.values()) == 0, "the house's books do not sum to zero")
    rows = {row.code: row for row in store.vouchers()}
    demand(set(rows) == set(issued), "vouchers and events differ")
    demand(set(ended) <= set(issued), "a voucher ended that was not issued")
    for code, row in rows.items():
        demand(row.cents == issued[code], f"voucher {code}: other cents")
        _check_voucher(row, ended.get(code), code in lost)
    owed = sum(row.cents for code, row in rows.items() if code not in ended)
    demand(sums["vouchers"] == owed, "vouchers outstanding are not the account")


def _check_voucher(row: VoucherRow, end: tuple[str, int] | None, is_lost: bool) -> None:
    """Its row against what the events say became of it."""
    if end is not None:
        done = row.state in {VoucherState.REDEEMED, VoucherState.EXPIRED}
        demand(done, f"voucher {row.code} is {row.state.value}")
        demand((row.holder, row.cents) == end, f"voucher {row.code} ended elsewhere")
        is_house = row.holder == HOUSE_STREAM
        demand(is_house == (row.state is VoucherState.EXPIRED), f"voucher {row.code}")
    elif is_lost:
        demand(row.state is VoucherState.LOST, f"voucher {row.code} was lost")
    else:
        still = row.state in {VoucherState.OUTSTANDING, VoucherState.CLAIMED}
        demand(still, f"voucher {row.code} is {row.state.value}")


def check_journal(store: Store) -> None:
    """Check every stream of a journal from its first event, and all together."""
    followers = [Follower(head.stream, DEFAULT_HOUSE) for head in store.heads()]
    for each in followers:
        each.follow(store)
        each.check(store, None)
    check_house(store, followers)


def check_finished(store: Store) -> None:
    """Check that no stake lies, every round is settled and no voucher is claimed."""
    for head in store.heads():
        lying = store.balances(head.stream).get(LAYOUT, 0)
        demand(lying == 0, f"{head.stream}: {lying} cents lie on the layout")
        rounds: dict[str, set[int]] = {"RoundBegun": set(), "RoundSettled": set()}
        for row in store.events(head.stream):
            rounds.setdefault(row.kind, set()).add(row.round_number)
        open_rounds = rounds["RoundBegun"] ^ rounds["RoundSettled"]
        demand(not open_rounds, f"{head.stream}: {open_rounds} not settled")
    claimed = [
        row.code for row in store.vouchers() if row.state is VoucherState.CLAIMED
    ]
    demand(not claimed, f"{claimed} are neither here nor there")
