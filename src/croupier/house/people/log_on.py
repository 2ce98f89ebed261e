"""Passwords, kept as argon2id hashes outside the journal, and staff sessions."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from secrets import token_urlsafe

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from croupier.house.people.authority import Caller, caller
from croupier.house.people.limited_accounts import check_not_limited, is_limited
from croupier.house.people.passwords import LONGEST, check_password
from croupier.house.reasons import HouseReason
from croupier.house.records.house_record import Denied, HouseRecord, NotDone, NotThere
from croupier.house.records.house_state import HouseState, LogOnAccount, StaffSession
from croupier.journal.events.house import (
    HouseEvent,
    LockedOut,
    LoggedOff,
    LoggedOn,
    LogOnFailed,
    PasswordSet,
)
from croupier.journal.sharing import HouseSharing
from croupier.rules.notation import shown
from croupier.rules.reasons import Reason

_hasher = PasswordHasher()


def digest_of(secret: str) -> str:
    """Return the SHA-256 of a token or code; these are too random to be guessed."""
    return sha256(secret.encode()).hexdigest()


async def hear_of_tokens(record: HouseRecord, *tokens: str | None) -> None:
    """Read the journal if a token is unknown here: another node may have issued it."""
    digests = {digest_of(token) for token in tokens if token}

    def are_known(house: HouseState) -> bool:
        return all(each in house.sessions or each in house.tokens for each in digests)

    await record.hear_of(are_known)


def check_new_password(record: HouseRecord, name: str, password: str) -> None:
    """Raise `NotDone` for an easily guessed password, or the current one."""
    check_password(password, name, record.settings.name)
    has_one = record.state.account(name).password is not None
    if has_one and is_password(record, name, password):
        raise NotDone(HouseReason.PASSWORD_AS_BEFORE())


def choose_password(record: HouseRecord, name: str, password: str) -> None:
    check_new_password(record, name, password)
    replace_password(record, keep_password(record, name, name, password))


def replace_password(record: HouseRecord, kept: PasswordSet, *more: HouseEvent) -> None:
    """Record a kept password with other events, and drop the old hash."""
    before = record.state.account(kept.name).password
    record.write(kept, *more)
    if before is not None:
        record.store.drop_secret(before)


def keep_password(
    record: HouseRecord, by: str, name: str, password: str
) -> PasswordSet:
    """Store the hash outside the events, and return the event that sets it."""
    return PasswordSet(by, name, record.store.keep_secret(_hasher.hash(password)))


def is_password(record: HouseRecord, name: str, password: str) -> bool:
    """Return whether the password is right; the time is the same for unknown names."""
    digest = record.state.account(name).password
    kept = record.store.secret(digest) if digest is not None else None
    if kept is None or digest_of(kept) != digest:
        _is_hash_of(_decoy_hash(), password)
        return False
    return _is_hash_of(kept, password)


def _is_hash_of(kept: str, password: str) -> bool:
    try:
        return _hasher.verify(kept, password[:LONGEST])
    except (VerificationError, InvalidHashError):
        return False


@cache
def _decoy_hash() -> str:
    return _hasher.hash("nobody has this password")


FAILURES_ALLOWED = 5
"""Wrong attempts in a row; each further one locks the account for twice as long."""
_LONGEST_LOCK_MINUTES = 30


def locked_out(record: HouseRecord, name: str, failures: int) -> list[HouseEvent]:
    """Return the event that locks an account, or nothing below the bound."""
    if failures < FAILURES_ALLOWED:
        return []
    doubled = min(failures - FAILURES_ALLOWED, _LONGEST_LOCK_MINUTES)
    minutes = min(1 << doubled, _LONGEST_LOCK_MINUTES)
    return [LockedOut(name, record.clock() + minutes * 60_000)]


_ID_LENGTH = 16
_LONGEST_MS = 12 * 60 * 60 * 1000
"""A session ends after this time even if it is in use."""
TELL_EVERY_MS = 10_000
"""The interval at which nodes exchange the last use of sessions."""


def session_id(token: str) -> str:
    """Return the public id of a session; it is no token."""
    return digest_of(token)[:_ID_LENGTH]


def csrf_of(token: str) -> str:
    return digest_of(f"csrf {token}")


class UsedElsewhere(Denied):
    """A session was used without the token of its device."""

    def __init__(self, name: str, device: str) -> None:
        super().__init__(HouseReason.SESSION_OF_ANOTHER_DEVICE())
        self.name = name
        self.device = device


class Sessions:
    """The sessions of the staff, by the house's record, which all nodes share."""

    def __init__(
        self, record: HouseRecord, sharing: HouseSharing | None = None
    ) -> None:
        """With `sharing`, use of a session at another node counts here too."""
        self._record, self._sharing = record, sharing
        self._seen: dict[str, int] = {}
        """The last use of each session, here or at another node."""
        self._used: set[str] = set()
        """Sessions used here since the last exchange with other nodes."""
        self._ended: set[str] = set()
        """Sessions that are ending; their end may not be recorded yet."""

    def log_on(
        self, name: str, password: str, device: str | None = None
    ) -> tuple[str, StaffSession]:
        """Open a session and return its token; raise `Denied` for a wrong password."""
        self.check_password(name, password, device)
        return self._open(name, device)

    def log_on_unasked(self, name: str) -> tuple[str, StaffSession]:
        """Open a session without a password; raise `NotThere` for an unknown name."""
        if name not in self._record.state.staff:
            raise NotThere(HouseReason.NOT_ON_STAFF(person=shown(name)))
        return self._open(name, None)

    def _open(self, name: str, device: str | None) -> tuple[str, StaffSession]:
        token, now = token_urlsafe(32), self._record.clock()
        key = digest_of(token)
        with self._record.lock:
            caller(self._record.state, name, now)
            check_not_limited(self._record.state, name)
            self._record.note(LoggedOn(name, device, key))
        self._use(key, now)
        return token, StaffSession(name, device, now)

    def _use(self, key: str, now: int) -> None:
        self._seen[key] = now
        if self._sharing is not None:
            self._used.add(key)

    def check_password(self, name: str, password: str, device: str | None) -> None:
        """Raise `Denied` for a wrong password of the staff, and count it.

        If that locks the account, its sessions end: one of them may be the guesser's.
        """
        if not self._is_right(name, password, device, of_player=False):
            if self._record.state.account(name).is_locked(self._record.clock()):
                self.end_all_of(name, HouseReason.ACCOUNT_LOCKED())
            raise Denied(HouseReason.WRONG_PASSWORD())

    def check_pin(self, name: str, pin: str, terminal: str) -> None:
        if not self._is_right(name, pin, terminal, of_player=True):
            raise Denied(HouseReason.WRONG_PIN())

    def _is_right(
        self, name: str, password: str, device: str | None, *, of_player: bool
    ) -> bool:
        """Return whether the password is right; count a wrong one.

        Staff and Players are looked up apart, so no terminal can lock an account of the
        staff or guess its password. A locked account gets the answer of an unknown
        name, in the same time, and the attempt does not count.
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
            is_there = account.password is not None
            locked = locked_out(record, name, failures) if is_there else ()
            record.note(LogOnFailed(name, device, failures, of_player), *locked)
        return False

    def _account(self, name: str, *, of_player: bool) -> LogOnAccount:
        state = self._record.state
        known = name in (state.players if of_player else state.staff)
        return state.account(name) if known else LogOnAccount()

    def find(self, token: str) -> tuple[StaffSession, Caller]:
        """Return the session and owner of a token; raise `Denied` if it has ended.

        It writes nothing, so the event loop may call it.
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
        """Return the session and owner of a token, with the token of its device.

        Raises `Denied` as `find` does, and `UsedElsewhere` for another device or none.
        """
        session = self._record.state.sessions.get(digest_of(token))
        if session is not None and session.device is not None:
            tokens = self._record.state.tokens
            at = None if device is None else tokens.get(digest_of(device))
            if at != session.device:
                raise UsedElsewhere(session.name, session.device)
        return self.find(token)

    def name_of(self, token: str) -> str | None:
        """Return the owner of an open session; this does not count as use."""
        key = digest_of(token)
        session = self._record.state.sessions.get(key)
        if session is None or self._is_over(key, session, self._record.clock()):
            return None
        return session.name

    def _is_over(self, key: str, session: StaffSession, now: int) -> bool:
        if key in self._ended:
            return True
        idle = self._record.settings.idle_minutes * 60_000
        if self._sharing is not None:  # use at another node may not be known here yet
            idle += 2 * TELL_EVERY_MS
        is_idle = now - self._seen.get(key, session.began_ms) > idle
        is_old = now - session.began_ms > _LONGEST_MS
        return is_idle or is_old or is_limited(self._record.state, session.name)

    def tell_others(self) -> None:
        """Exchange the last use of sessions with the other nodes."""
        if self._sharing is None:
            return
        used, self._used = self._used, set()
        known = self._record.state.sessions
        mine = {key: self._seen[key] for key in tuple(used) if key in known}
        for key, seen in self._sharing.note_seen(mine).items():
            if key in known:
                self._seen[key] = max(seen, self._seen.get(key, 0))
        for key in tuple(self._seen):
            if key not in known:
                self._seen.pop(key, None)

    def _each(self) -> list[tuple[str, StaffSession, bool]]:
        now, sessions = self._record.clock(), self._record.state.sessions
        return [(k, each, self._is_over(k, each, now)) for k, each in sessions.items()]

    def has_over(self) -> bool:
        return any(is_over for _, _, is_over in self._each())

    def end_over(self) -> None:
        """Log off the sessions that were idle or open for too long."""
        self.tell_others()
        for key, _, is_over in self._each():
            if is_over:
                self._end(key, HouseReason.IDLE_TOO_LONG())

    def _end(self, key: str, reason: Reason) -> None:
        """End a session, unless another thread or node has ended it."""
        self._ended.add(key)
        with self._record.lock:
            session = self._record.state.sessions.get(key)
            if session is not None:
                self._record.note(LoggedOff(session.name, reason, key))
        self._ended.discard(key)
        self._seen.pop(key, None)

    def log_off(self, token: str, reason: Reason | None = None) -> None:
        self._end(digest_of(token), reason or HouseReason.LOGGED_OFF())

    def open_now(self) -> dict[str, tuple[StaffSession, int]]:
        """Return the open sessions by public id, each with its last request's time."""
        return {
            key[:_ID_LENGTH]: (each, self._seen.get(key, each.began_ms))
            for key, each, is_over in self._each()
            if not is_over
        }

    def end(self, session_id: str, reason: Reason) -> None:
        for key, _, _ in self._each():
            if key[:_ID_LENGTH] == session_id:
                self._end(key, reason)

    def end_all_of(self, name: str, reason: Reason) -> None:
        for key, session, _ in self._each():
            if session.name == name:
                self._end(key, reason)

    def end_all_at(self, device: str) -> None:
        for key, session, _ in self._each():
            if session.device == device:
                self._end(key, HouseReason.DEVICE_REVOKED())
