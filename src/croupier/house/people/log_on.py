"""Passwords, kept as argon2id hashes outside the journal, and staff sessions."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from secrets import token_urlsafe

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from croupier.house.people.authority import Caller, caller
from croupier.house.people.limited_accounts import check_not_limited, is_limited
from croupier.house.people.passwords import LONGEST, check_password, check_pin
from croupier.house.reasons import HouseReason
from croupier.house.records.house_follower import HouseFollower
from croupier.house.records.house_record import Denied, HouseRecord, NotDone, NotThere
from croupier.house.records.house_state import Account, HouseState, StaffSession
from croupier.journal.events import house as ev
from croupier.journal.events.house import PasswordSet
from croupier.journal.sharing import SharedCounters
from croupier.rules.notation import shown
from croupier.rules.reasons import Reason

_hasher = PasswordHasher()


def digest_of(secret: str) -> str:
    """Digest a token or a code, which are long and random enough for it."""
    return sha256(secret.encode()).hexdigest()


async def hear_of_tokens(follower: HouseFollower | None, *tokens: str | None) -> None:
    """Find out about tokens that another node may just have given out."""
    digests = {digest_of(token) for token in tokens if token}

    def are_known(house: HouseState) -> bool:
        return all(each in house.sessions or each in house.tokens for each in digests)

    if follower is not None:
        await follower.hear_of(are_known)


def check_new_password(record: HouseRecord, name: str, password: str) -> None:
    """Raise `NotDone` for a password that is easily guessed, or the one before."""
    check_password(password, name, record.settings.name)
    has_one = record.state.account(name).password is not None
    if has_one and is_password(record, name, password):
        raise NotDone(HouseReason.PASSWORD_AS_BEFORE())


def choose_password(record: HouseRecord, name: str, password: str) -> None:
    """Let the owner of an account log on with this password alone, from now on."""
    check_new_password(record, name, password)
    replace_password(record, keep_password(record, name, name, password))


def set_pin(record: HouseRecord, by: str, name: str, pin: str) -> None:
    """Let a Player sit down with this PIN alone, from now on."""
    check_pin(pin)
    replace_password(record, keep_password(record, by, name, pin))


def replace_password(
    record: HouseRecord, kept: PasswordSet, *more: ev.HouseEvent
) -> None:
    """Record a kept password with what else happens, and drop the one before."""
    before = record.state.account(kept.name).password
    record.write(kept, *more)
    if before is not None:
        record.store.drop_secret(before)


def keep_password(
    record: HouseRecord, by: str, name: str, password: str
) -> PasswordSet:
    """Keep the hash, and return the event that makes it somebody's password."""
    return PasswordSet(by, name, record.store.keep_secret(_hasher.hash(password)))


def is_password(record: HouseRecord, name: str, password: str) -> bool:
    """Return whether it is theirs; it takes as long where there is no such name."""
    digest = record.state.account(name).password
    kept = record.store.secret(digest) if digest is not None else None
    if kept is None or digest_of(kept) != digest:
        _is_hash_of(_nobody(), password)
        return False
    return _is_hash_of(kept, password)


def _is_hash_of(kept: str, password: str) -> bool:
    try:
        return _hasher.verify(kept, password[:LONGEST])
    except (VerificationError, InvalidHashError):
        return False


@cache
def _nobody() -> str:
    return _hasher.hash("nobody has this password")


FAILURES_ALLOWED = 5
"""Wrong ones in a row; each further one locks the account for twice as long."""
_LONGEST_LOCK_MINUTES = 30


def lock_minutes(failures: int) -> int:
    """Return for how long an account is locked after so many wrong ones in a row."""
    doubled = min(failures - FAILURES_ALLOWED, _LONGEST_LOCK_MINUTES)
    return min(1 << doubled, _LONGEST_LOCK_MINUTES)


_ID_LENGTH = 16
_LONGEST_MS = 12 * 60 * 60 * 1000
"""A session ends after these hours, however busy it is."""
TELL_EVERY_MS = 10_000
"""So often nodes tell each other which sessions were used."""


@dataclass(frozen=True, slots=True)
class OpenSession:
    """Somebody's log-on, and when something was last asked with it."""

    name: str
    device: str | None
    began_ms: int
    seen_ms: int


def session_id(token: str) -> str:
    """Return what names a session and opens nothing."""
    return digest_of(token)[:_ID_LENGTH]


def csrf_of(token: str) -> str:
    """Return what a browser must send along with its session's token."""
    return digest_of(f"csrf {token}")


class UsedElsewhere(Denied):
    """A session was used away from the device at which it was opened."""

    def __init__(self, name: str, device: str) -> None:
        super().__init__(HouseReason.SESSION_OF_ANOTHER_DEVICE())
        self.name = name
        self.device = device


class Sessions:
    """The sessions of the staff, by the house's record, and so at each of its nodes."""

    def __init__(
        self, record: HouseRecord, counters: SharedCounters | None = None
    ) -> None:
        """With `counters`, a session that is used at another node is not idle here."""
        self._record, self._counters = record, counters
        self._seen: dict[str, int] = {}
        """When each session was last used, here or at another node."""
        self._used: set[str] = set()
        """Those used here since the other nodes were told."""
        self._ended: set[str] = set()
        """Those that end here, whether or not that is on record yet."""

    def log_on(
        self, name: str, password: str, device: str | None = None
    ) -> tuple[str, StaffSession]:
        """Return a token for a password; five wrong ones lock the account a while."""
        self.check_password(name, password, device)
        return self._open(name, device)

    def log_on_unasked(self, name: str) -> tuple[str, StaffSession]:
        """Return a token without a password; raise `NotThere` where nobody has it."""
        if name not in self._record.state.staff:
            raise NotThere(HouseReason.NOT_ON_STAFF(person=shown(name)))
        return self._open(name, None)

    def _open(self, name: str, device: str | None) -> tuple[str, StaffSession]:
        token, now = token_urlsafe(32), self._record.clock()
        key = digest_of(token)
        with self._record.lock:
            caller(self._record.state, name, now)
            check_not_limited(self._record.state, name)
            self._record.write(ev.LoggedOn(name, device, key))
        self._use(key, now)
        return token, StaffSession(name, device, now)

    def _use(self, key: str, now: int) -> None:
        self._seen[key] = now
        if self._counters is not None:
            self._used.add(key)

    def check_password(self, name: str, password: str, device: str | None) -> None:
        """Raise `Denied` for a wrong one of the staff, and count it.

        Where that locks the account, its sessions end: one of them may have guessed.
        """
        if not self._is_right(name, password, device, of_player=False):
            if self._record.state.account(name).is_locked(self._record.clock()):
                self.end_all_of(name, HouseReason.ACCOUNT_LOCKED())
            raise Denied(HouseReason.WRONG_PASSWORD())

    def check_pin(self, name: str, pin: str, terminal: str) -> None:
        """Raise `Denied` for a wrong one of a Player, and count it.

        Whoever sits elsewhere with the right one stays there.
        """
        if not self._is_right(name, pin, terminal, of_player=True):
            raise Denied(HouseReason.WRONG_PIN())

    def _is_right(
        self, name: str, password: str, device: str | None, *, of_player: bool
    ) -> bool:
        """Return whether it opens an account of staff or a Player; count a wrong one.

        A name of the other kind is nobody's here: no terminal locks, or finds out, what
        is the staff's. While an account is locked nothing is right and nothing counts;
        it takes as long and is answered as a name that nobody has.
        """
        record = self._record
        record.follow()  # another node may just have changed it
        tried = self._account(name, of_player=of_player).password
        is_right = is_password(record, name, password)  # slow: outside the lock
        with record.lock:
            account = self._account(name, of_player=of_player)
            if account.is_locked(record.clock()):
                return False
            if is_right and account.password is not None and account.password == tried:
                return True
            failures = account.failures + 1
            failed = ev.LogOnFailed(name, device, failures, of_player)
            events: list[ev.HouseEvent] = [failed]
            if failures >= FAILURES_ALLOWED and account.password is not None:
                until = record.clock() + lock_minutes(failures) * 60_000
                events.append(ev.LockedOut(name, until))
            record.write(*events)
        return False

    def _account(self, name: str, *, of_player: bool) -> Account:
        """Return the account of that kind, or an empty one."""
        state = self._record.state
        known = name in (state.players if of_player else state.staff)
        return state.account(name) if known else Account()

    def find(self, token: str) -> tuple[StaffSession, Caller]:
        """Return who has this token; raise `Denied` where it is unknown or over.

        It writes nothing, so that the event loop may ask.
        """
        key, now = digest_of(token), self._record.clock()
        session = self._record.state.sessions.get(key)
        if session is None or key in self._ended:
            raise Denied(HouseReason.NOBODY_LOGGED_ON())
        if self._is_over(key, session, now):
            raise Denied(HouseReason.SESSION_ENDED())
        self._use(key, now)
        return session, caller(self._record.state, session.name, now)

    def find_at(self, token: str, device: str | None) -> tuple[StaffSession, Caller]:
        """Return who has this token, beside that of the device where it was opened.

        Raises `Denied` as `find` does, and `UsedElsewhere` without the device's token.
        """
        session = self._record.state.sessions.get(digest_of(token))
        if session is not None and session.device is not None:
            tokens = self._record.state.tokens
            at = None if device is None else tokens.get(digest_of(device))
            if at != session.device:
                raise UsedElsewhere(session.name, session.device)
        return self.find(token)

    def name_of(self, token: str) -> str | None:
        """Whose token it is, without taking it for a sign of life."""
        key = digest_of(token)
        session = self._record.state.sessions.get(key)
        if session is None or key in self._ended:
            return None
        is_over = self._is_over(key, session, self._record.clock())
        return None if is_over else session.name

    def _is_over(self, key: str, session: StaffSession, now: int) -> bool:
        idle = self._record.settings.idle_minutes * 60_000
        if self._counters is not None:  # its use elsewhere may not be known here yet
            idle += 2 * TELL_EVERY_MS
        is_idle = now - self._seen_ms(key, session) > idle
        is_old = now - session.began_ms > _LONGEST_MS
        return is_idle or is_old or is_limited(self._record.state, session.name)

    def _seen_ms(self, key: str, session: StaffSession) -> int:
        return self._seen.get(key, session.began_ms)

    def tell_others(self) -> None:
        """Tell the other nodes what was used here, and hear what was used there."""
        if self._counters is None:
            return
        used, self._used = self._used, set()
        known = self._record.state.sessions
        mine = {key: self._seen[key] for key in tuple(used) if key in known}
        for key, seen in self._counters.note_seen(mine).items():
            if key in known:
                self._seen[key] = max(seen, self._seen.get(key, 0))
        for key in tuple(self._seen):
            if key not in known:
                self._seen.pop(key, None)

    def _all(self) -> list[tuple[str, StaffSession]]:
        return list(self._record.state.sessions.items())

    def has_over(self) -> bool:
        """Return whether `end_over` would end something."""
        now = self._record.clock()
        return any(
            key in self._ended or self._is_over(key, each, now)
            for key, each in self._all()
        )

    def end_over(self) -> None:
        """Sessions that were idle, or lasted, for too long are logged off."""
        self.tell_others()
        now = self._record.clock()
        for key, session in self._all():
            if key in self._ended or self._is_over(key, session, now):
                self._end(key, HouseReason.IDLE_TOO_LONG())

    def _end(self, key: str, reason: Reason) -> None:
        """End a session, once: another thread or node may have ended it."""
        self._ended.add(key)
        with self._record.lock:
            session = self._record.state.sessions.get(key)
            if session is not None:
                self._record.write(ev.LoggedOff(session.name, reason, key))
        self._ended.discard(key)
        self._seen.pop(key, None)

    def log_off(self, token: str, reason: Reason | None = None) -> None:
        self._end(digest_of(token), reason or HouseReason.LOGGED_OFF())

    def open_now(self) -> dict[str, OpenSession]:
        """Return who is logged on, by an id that is no token."""
        now = self._record.clock()
        return {
            key[:_ID_LENGTH]: OpenSession(
                each.name,
                each.device,
                each.began_ms,
                self._seen.get(key, each.began_ms),
            )
            for key, each in self._all()
            if key not in self._ended and not self._is_over(key, each, now)
        }

    def end(self, session_id: str, reason: Reason) -> None:
        """End one session by its id; once it is over, do nothing."""
        for key, _ in self._all():
            if key[:_ID_LENGTH] == session_id:
                self._end(key, reason)

    def end_all_of(self, name: str, reason: Reason) -> None:
        """End the sessions of somebody who was removed, locked or set."""
        for key, session in self._all():
            if session.name == name:
                self._end(key, reason)

    def end_all_at(self, device: str) -> None:
        """End the sessions of a revoked device."""
        for key, session in self._all():
            if session.device == device:
                self._end(key, HouseReason.DEVICE_REVOKED())
