"""The house's own stream: staff, devices, Players, proposals and days, with faults.

A house of one table is opened as a server opens it. People do what they have to do, and
do it again if the house could not say that it is done, as people would: they look at
the house's own record, never at the table's. After every fault everything is done once.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TypeVar

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from croupier.house.configuration.house_file import read_house
from croupier.house.configuration.setup import has_house, prepare
from croupier.house.history.significant_events import acknowledge
from croupier.house.people import devices, players, proposals, staff, totp
from croupier.house.people.authority import Caller, caller
from croupier.house.people.log_on import Sessions
from croupier.house.people.second_factor import (
    FactorKey,
    IdentityCheck,
    Proof,
    reset_unasked,
)
from croupier.house.records.house_record import (
    Denied,
    HouseRecord,
    NotDone,
    read_house_state,
)
from croupier.house.records.house_snapshot import HouseFold, house_folds
from croupier.house.records.house_state import DeviceKind
from croupier.house.records.vouchers_and_days import (
    close_gaming_day,
    expire_vouchers,
    report_lost,
    sign_last_close,
)
from croupier.journal.events.house import (
    ConfirmationGiven,
    PlayerLimited,
    ProposalConfirmed,
    ProposalEnded,
    Proposed,
)
from croupier.journal.events.plan import Duty, HousePlan, StaffPlan
from croupier.journal.log.publishing import last_ends
from croupier.journal.store import HOUSE_STREAM, JournalError, JournalFailed, Store
from croupier.journal.tables import VoucherState
from croupier.journal.verification import verify
from croupier.learn import AssessedResult
from croupier.ledger.accounts import seat
from croupier.ledger.commands import Adjust, BuyIn, IssueVoucher
from croupier.ledger.money import Adjusted, VoucherIssued
from croupier.rules.game import Game
from croupier.rules.operator import Person, Role
from croupier.table import Answer, NewTable, Submission, Table
from croupier.table.answers import Accepted, event_of, stored_answer
from croupier.table.judgements import Judgement
from tests.house_files import STAFF, house_lines, staff_lines, table_lines
from tests.quick_passwords import quick_passwords
from tests.robustness.books import demand
from tests.robustness.stores import FaultyStore, MemoryStore, ProcessDied
from tests.simulation.seeded import MORNING_MS, Dice, SimulatedClock

S = TypeVar("S", bound="Staffing")
TABLE, RETIRED = "t1", "t2"
FOLDER = Path(__file__).parent
_RULES = f'rules_file = "{Path(__file__).name}"'
"""Any file that is there will do."""
_HELD = {"Mira": 'positions = ["Pit Manager", "Table Games Shift Manager"]'}
FILE = "".join(
    (
        house_lines("The simulated house"),
        table_lines(TABLE, "rws-triple-zero", _RULES, limits='"*" = [1, 10000]'),
        table_lines(RETIRED, "rws-triple-zero"),
        staff_lines("Sam", "Mira", held=STAFF | _HELD),
    )
)
PIN = "73 green chairs"
CHOSEN = "a phrase of his own"
DEALER = Person("Dana", Role.DEALER)
SUPERVISOR = Person("Sam", Role.PIT_SUPERVISOR)
KINDS = ("failed before", "failed after", "died before", "died after")
"""The faults of a write; one after it looks like one before it."""
SNAPSHOT_EVERY = 5
HOUR_MS = 3_600_000


class OneFault(FaultyStore):
    """A store on which one write goes wrong, the n-th of all."""

    def __init__(self, inner: Store, clock: SimulatedClock, at: int, kind: str) -> None:
        super().__init__(inner, Dice("never thrown"), clock, lambda _: None)
        self.writes = 0
        self._at, self._kind = at, kind

    def _before(self) -> None:
        self.writes += 1
        if self.writes == self._at and self._kind.endswith("before"):
            self._break()

    def _after(self) -> None:
        if self.writes == self._at and self._kind.endswith("after"):
            self._break()

    def _break(self) -> None:
        if self._kind.startswith("died"):
            self._die(self._kind)
        self._fail(self._kind)


class SomeFaults(OneFault):
    """A store on which a write goes wrong now and then, in any way."""

    def __init__(self, inner: Store, clock: SimulatedClock, seed: int) -> None:
        super().__init__(inner, clock, 0, "")
        self._faults = Dice(f"{seed} faults")

    def _before(self) -> None:
        self._kind = self._faults.one(KINDS)
        self._at = self.writes + 1 if self._faults.is_one_in(9) else 0
        super()._before()


class _AskedTable:
    """The table as a proposal sees it; one that has failed goes on when asked."""

    def __init__(self, table: Table, store: Store) -> None:
        self._table, self._store = table, store

    @property
    def game(self) -> Game:
        return self._table.state.series.game

    @property
    def is_interrupted(self) -> bool:
        return self._table.state.is_interrupted

    def preview(self, submission: Submission) -> Judgement:
        return self._table.preview(submission)

    def answer_before(self, command_id: str) -> Answer | None:
        return stored_answer(self._store, TABLE, command_id)

    def handle(self, submission: Submission) -> Answer:
        self._table.resume()
        [answer] = self._table.handle([submission])
        return answer


@cache
def _plan(text: str) -> HousePlan:
    """Return the plan of a house file: read once, for hundreds of houses."""
    return read_house(text, "house.toml")


class Staffing:
    """A house process that dies and is started again, and its people."""

    def __init__(self, store: OneFault, clock: SimulatedClock, waits_ms: int) -> None:
        self.store, self.clock = store, clock
        self.trouble = 0
        self._waits_ms = waits_ms
        """How long people wait before they try again."""
        self._key = Ed25519PrivateKey.from_private_bytes(b"k" * 32)
        self._is_open = False

    def do_all(self) -> None:
        """One thing after another, each until the house says that it is done."""
        for act in self.acts():
            self._until_done(act)

    def acts(self) -> tuple[Callable[[], object], ...]:
        return (
            self._enrol,
            self._revoke,
            self._register,
            self._limit,
            self._hire,
            self._give_password,
            self._choose_password,
            self._assign,
            self._enrol_factor,
            self._mistype_code,
            self._give_code,
            self._reset_factor,
            self._buy_in,
            lambda: self._adjust(500),
            self._let_expire,
            self._withdraw,
            lambda: self._adjust(-300),
            lambda: self._issue(200),
            self._lose_voucher,
            lambda: self._issue(100),
            self._expire_voucher,
            self._seat,
            self._leave,
            self._keep_favourite,
            self._exclude,
            self._lock_out,
            self._acknowledge,
            self._unlock,
            self._log_on_and_off,
            self._end_acting,
            self._hire_and_fire,
            self._close_day,
        )

    def _until_done(self, act: Callable[[], object]) -> None:
        for _ in range(40):
            try:
                if not self._is_open:
                    self._start()
                act()
            except JournalFailed:
                self.trouble += 1
            except ProcessDied:
                self.trouble += 1
                self._is_open = False
            else:
                return
            self.clock.pass_by(self._waits_ms)
        raise AssertionError("it is never done")

    def _start(self) -> None:
        """Open the house as a server does."""
        is_new = not has_house(self.store)
        prepare(self.store, self.clock, _plan(FILE) if is_new else None, FOLDER)
        self.record = HouseRecord(self.store, self.clock, snapshot_every=SNAPSHOT_EVERY)
        self.sessions = Sessions(self.record)
        self.identity = IdentityCheck(self.record, self.sessions, FactorKey(b"k" * 32))
        table = Table(
            self.store,
            TABLE,
            clock=self.clock,
            new=NewTable(DEALER, "rws-triple-zero", ("* 1 10000",)),
        )
        self.table = _AskedTable(table, self.store)
        proposals.complete(self.record, {TABLE: self.table})
        sign_last_close(self.record, self._signer)
        self._is_open = True

    @property
    def _signer(self) -> Ed25519PrivateKey:
        """The key with which the house signs."""
        return self._key

    def _by(self, name: str) -> Caller:
        return caller(self.record.state, name, self.clock())

    # What has to be done; each looks first whether the house has it on record.

    def _enrol(self) -> None:
        device = self.record.state.devices.get("S1")
        if device is None or device.token is None:
            code = devices.invite(
                self.record, self._by("Sam"), "S1", DeviceKind.STATION, None
            )
            devices.enrol(self.record, code)

    def _revoke(self) -> None:
        if "S1" in self.record.state.devices:
            devices.revoke(self.record, self._by("Sam"), "S1")

    def _register(self) -> None:
        if "Anna" not in self.record.state.players:
            players.register(self.record, self._by("Sam"), "Anna", PIN)

    def _limit(self) -> None:
        players.limit(self.record, PlayerLimited("Sam", "Anna", 900, None))

    def _hire(self) -> None:
        carl = StaffPlan("Carl", (Role.DEALER,), (Duty.CASHIER,))
        staff.define_unasked(self.record, "Sam", carl)

    def _give_password(self) -> None:
        if self.record.state.account("Carl").password is None:
            staff.set_password_unasked(self.record, "Sam", "Carl", PIN)

    def _choose_password(self) -> None:
        """Carl chooses one beside Mira, who had no part in his account."""
        if self.record.state.account("Carl").no_vouchers:
            staff.take_over(
                self.record,
                self.sessions,
                self.identity,
                name="Carl",
                temporary=PIN,
                chosen=CHOSEN,
                voucher="Mira",
                proof=Proof("demonstration"),
                device=None,
            )

    def _assign(self) -> None:
        start = self.clock()
        staff.assign_acting(
            self.record,
            self._by("Mira"),
            "Carl",
            Role.PIT_SUPERVISOR,
            from_ms=start,
            until_ms=start + 20 * HOUR_MS,
        )

    def _enrol_factor(self) -> None:
        if self.record.state.account("Mira").factor is None:
            self._phone = self.identity.begin("Mira", Proof("demonstration"))
            self.identity.complete("Mira", self._code())

    def _code(self) -> str:
        return totp.code_at(self._phone, self.clock() // totp.STEP_MS)

    def _mistype_code(self) -> None:
        if not self.record.state.account("Mira").code_failures:
            with suppress(Denied):
                self.identity.begin("Mira", Proof("demonstration", "no code"))

    def _give_code(self) -> None:
        if self.record.state.account("Mira").code_failures:
            self.clock.pass_by(totp.STEP_MS)
            self.identity.begin("Mira", Proof("demonstration", self._code()))

    def _reset_factor(self) -> None:
        if self.record.state.account("Mira").factor is not None:
            reset_unasked(self.record, "Sam", "Mira")

    def _buy_in(self) -> None:
        bought = Submission("buy in", (DEALER,), BuyIn("Anna", 1_000))
        demand(isinstance(self.table.handle(bought), Accepted), "no buy-in")

    def _adjust(self, cents: int) -> None:
        """Two people set a credit right: once, by what the house's record says."""
        if self._is_confirmed(cents):
            return
        number = self._waiting(cents) or self._propose(cents)
        _, answer = proposals.confirm(
            self.record,
            self.identity,
            self.table,
            by=self._by("Sam"),
            proof=Proof("demonstration"),
            name=TABLE,
            number=number,
        )
        demand(isinstance(answer, Accepted), f"the adjustment was {answer}")

    def _issue(self, cents: int) -> str:
        """Issue a voucher, once, and return its code."""
        anna, command = Person("Anna", Role.PLAYER), IssueVoucher("Anna", cents)
        answer = self.table.handle(Submission(f"voucher {cents}", (anna,), command))
        assert isinstance(answer, Accepted)
        [issued] = [e for e in answer.events if isinstance(e, VoucherIssued)]
        return issued.code

    def _lose_voucher(self) -> None:
        """Report a voucher lost, if it is not reported yet."""
        code = self._issue(200)
        voucher = self.store.voucher(code)
        assert voucher is not None
        if voucher.state is not VoucherState.LOST:
            report_lost(self.record, SUPERVISOR, code)

    def _expire_voucher(self) -> None:
        self.clock.pass_by(40 * 24 * HOUR_MS)
        expire_vouchers(self.record, SUPERVISOR)

    def _let_expire(self) -> None:
        if not self._is_ended(77):
            self._waiting(77) or self._propose(77)
            self.clock.pass_by(HOUR_MS)
            proposals.expire(self.record)

    def _withdraw(self) -> None:
        if not self._is_ended(88):
            number = self._waiting(88) or self._propose(88)
            proposals.withdraw(self.record, self._by("Sam"), number, "withdrawn")

    def _propose(self, cents: int) -> int:
        return proposals.propose(
            self.record,
            self.identity,
            self.table,
            by=self._by("Mira"),
            proof=Proof("demonstration"),
            name=TABLE,
            command=Adjust("Anna", cents, "a mistake"),
        ).number

    def _waiting(self, cents: int) -> int | None:
        proposals.expire(self.record)
        waiting = self.record.state.proposals.values()
        return next((each.number for each in waiting if _cents(each) == cents), None)

    def _numbers(self, cents: int) -> set[int]:
        events = house_events(self.store.inner)
        proposed = [each for each in events if isinstance(each, Proposed)]
        return {each.number for each in proposed if _cents(each) == cents}

    def _is_confirmed(self, cents: int) -> bool:
        proposals.expire(self.record)
        events = house_events(self.store.inner)
        done = {e.number for e in events if isinstance(e, ProposalConfirmed)}
        return bool(done & self._numbers(cents))

    def _is_ended(self, cents: int) -> bool:
        events = house_events(self.store.inner)
        ended = {e.number for e in events if isinstance(e, ProposalEnded)}
        return bool(ended & self._numbers(cents))

    def _seat(self) -> None:
        if "T1" not in self.record.state.devices:
            devices.invite(
                self.record, self._by("Sam"), "T1", DeviceKind.TERMINAL, TABLE
            )
        players.seat_by_staff(self.record, self._by("Sam"), "Anna", "T1")

    def _leave(self) -> None:
        players.leave_seat(self.record, "Anna")

    def _keep_favourite(self) -> None:
        players.keep_favourite(
            self.record, "Anna", "mine", "rws-triple-zero", ("17@100",)
        )

    def _exclude(self) -> None:
        if not self.record.state.players["Anna"].excluded_until_ms:
            players.exclude(self.record, "Sam", "Anna", self.clock() + 99 * HOUR_MS)

    def _lock_out(self) -> None:
        """Try five wrong passwords."""
        while not self.record.state.account("Carl").locked:
            with suppress(Denied):
                self.sessions.check_password("Carl", "wrong", None)

    def _acknowledge(self) -> None:
        rows = self.store.inner.events(HOUSE_STREAM)
        locked = next(row.sequence for row in rows if row.kind == "LockedOut")
        acknowledge(self.record, self._by("Mira"), None, locked)

    def _unlock(self) -> None:
        if self.record.state.account("Carl").locked:
            staff.unlock(self.record, self._by("Mira"), "Carl")

    def _log_on_and_off(self) -> None:
        token, _ = self.sessions.log_on("Carl", CHOSEN)
        self.sessions.log_off(token)

    def _end_acting(self) -> None:
        if self.record.state.acting.get("Carl"):
            staff.end_acting(self.record, self._by("Mira"), "Carl", Role.PIT_SUPERVISOR)

    def _hire_and_fire(self) -> None:
        staff.define_unasked(self.record, "Mira", StaffPlan("Max", (Role.DEALER,)))
        result = AssessedResult("mbs-roulette-v3", 1, 1, {}, (), 900, "0" * 64)
        staff.file_training(self.record, self._by("Mira"), "Max", result)
        staff.remove(self.record, self._by("Mira"), "Max")

    def _close_day(self) -> None:
        """Close the day on which the house began; what is closed stays closed."""
        day = self.record.settings.gaming_day(MORNING_MS)
        person = Person("Mira", Role.PIT_MANAGER)
        try:
            close_gaming_day(self.record, person, self._signer, day)
        except (JournalFailed, ProcessDied):
            raise
        except JournalError:  # it is on record already, and signed
            return

    # What must hold at the end.

    def check(self) -> None:
        self._check_record()
        self._check_proposals(self.store.inner)
        self._check_day(self.store.inner)
        self._check_people()

    def _check_record(self) -> None:
        store, state = self.store.inner, self.record.state
        demand(read_house_state(store) == state, "the record is not what is on disk")
        fold = HouseFold()
        for row in store.events(HOUSE_STREAM):
            fold.note(row, event_of(row), None)
        demand(fold.state == state, "snapshots make another house than the events")
        verified = verify(store, folds=house_folds())
        demand(verified.is_clean, f"the journal does not verify: {verified.findings}")

    def _check_proposals(self, store: Store) -> None:
        """Each ended once, and as done only if its table did it."""
        events = list(house_events(store))
        demand(not self.record.state.proposals, "a proposal is left waiting")
        demand(not self.record.state.confirmations, "a confirmation is left open")
        given = {e.number for e in events if isinstance(e, ConfirmationGiven)}
        for proposed in (e for e in events if isinstance(e, Proposed)):
            ends = [
                each
                for each in events
                if isinstance(each, ProposalConfirmed | ProposalEnded)
                and each.number == proposed.number
            ]
            demand(len(ends) == 1, f"proposal {proposed.number} ended: {ends}")
            answer = stored_answer(store, TABLE, f"proposal:{proposed.number}")
            is_done = isinstance(answer, Accepted)
            says_done = isinstance(ends[0], ProposalConfirmed)
            demand(is_done == says_done, f"{ends[0]}, and the table says {answer}")
            demand(says_done or proposed.number not in given, "confirmed, and not done")
        adjusted = [
            event.cents
            for event in map(event_of, store.events(TABLE))
            if isinstance(event, Adjusted)
        ]
        demand(adjusted == [500, -300], f"the credit was adjusted by {adjusted}")
        credit = store.balances(TABLE)[seat("Anna")]
        demand(credit == 900, f"{credit} cents are left")
        states = {row.cents: row.state for row in store.vouchers()}
        expired = dict.fromkeys((100, 200), VoucherState.EXPIRED)
        demand(states == expired, f"vouchers are {states}")
        lost = [
            r for r in store.events(HOUSE_STREAM) if r.kind.endswith("ReportedLost")
        ]
        demand(len(lost) == 1, "a voucher was reported lost twice, or never")

    @staticmethod
    def _check_day(store: Store) -> None:
        rows = list(store.events(HOUSE_STREAM))
        closes = [row for row in rows if row.kind == "GamingDayClosed"]
        days = [row.body for row in closes]
        demand(len(set(days)) == len(days) > 0, "a day was closed twice, or never")
        demand(store.last_checkpoint() is not None, "nothing is signed")
        last = last_ends(store)
        streams = () if last is None else last[1].streams
        signed = {end.stream: end.sequence for end in streams}
        demand(signed[HOUSE_STREAM] >= closes[-1].sequence, "a close is not signed")
        times = [row.at_ms for row in rows]
        demand(times == sorted(times), "time goes back")

    def _check_people(self) -> None:
        state = self.record.state
        demand(set(state.staff) == {"Sam", "Mira", "Carl"}, "a person is missing")
        demand(set(state.tables) == {TABLE, RETIRED}, "a table is missing")
        for name in ("Sam", "Mira", "Carl", "Anna"):
            digest = state.account(name).password
            kept = digest and self.store.inner.secret(digest)
            demand(kept is not None, f"{name} can't log on")
        demand(state.players["Anna"].stake_cents == 900, "a limit is lost")
        demand("S1" not in state.devices and not state.tokens, "S1 is not revoked")
        demand(not state.sitting and not state.seated, "Anna still sits")
        demand(set(state.players["Anna"].favourites) == {"mine"}, "a favourite is lost")
        demand(state.players["Anna"].excluded_until_ms > 0, "Anna is not excluded")
        demand(not state.account("Carl").locked, "Carl is still locked")
        demand(not state.acting.get("Carl"), "Carl still acts")


def _cents(proposed: Proposed) -> int:
    act = proposed.act
    assert isinstance(act, Adjust)
    return act.cents


def house_events(store: Store) -> list[object]:
    return [event_of(row) for row in store.events(HOUSE_STREAM)]


def staffed(at: int = 0, kind: str = "", waits_ms: int = 0) -> Staffing:
    """Return a house in which everything was done, with a fault at one write."""
    clock = SimulatedClock()
    store = OneFault(MemoryStore(), clock, at, kind)
    return finished(Staffing(store, clock, waits_ms))


def staffed_from(seed: int) -> Staffing:
    """Return a house in which everything was done, with faults at many writes."""
    clock = SimulatedClock()
    store = SomeFaults(MemoryStore(), clock, seed)
    return finished(Staffing(store, clock, (seed % 3) * HOUR_MS))


def finished(house: S) -> S:
    """Let everything be done and hold; return the house."""
    try:
        with quick_passwords():
            house.do_all()
        house.check()
    except NotDone as error:
        raise AssertionError(f"the house refuses: {error}") from error
    return house
