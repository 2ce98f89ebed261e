"""The second factor of the staff, required with the password at sensitive acts.

- The owner enrols it: the secret is shown once, and counts after its first code.
- A code works once. Five wrong codes in a row lock the account for a while.
- A new password does not change it, so setting a password gives no control of it.
- The secret is kept outside the events, sealed with a key that is not in the database:
  neither the journal nor a backup reveals a code.
- A lost second factor is reset at the journal's machine; the account is then limited.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from binascii import Error as NotBase64
from dataclasses import dataclass
from pathlib import Path
from secrets import token_bytes

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from croupier.house.people import totp
from croupier.house.people.limited_accounts import setting
from croupier.house.people.log_on import Sessions, locked_out
from croupier.house.reasons import HouseReason
from croupier.house.records.house_record import Denied, HouseRecord, NotDone
from croupier.journal.events.house import (
    AccountSetting,
    SecondFactorBegun,
    SecondFactorFailed,
    SecondFactorReset,
    SecondFactorSet,
    SecondFactorUsed,
)
from croupier.journal.events.plan import SensitiveAct
from croupier.journal.private_files import BadKey, read_key, write_key

_KEY_BYTES = 32
_NONCE_BYTES = 12
ENROLMENT_MINUTES = 10


@dataclass(frozen=True, slots=True)
class Proof:
    """The password and code with which a person proves their identity again."""

    password: str
    code: str | None = None
    """A code of the second factor."""


@dataclass(frozen=True, slots=True)
class FactorKey:
    """The key that seals the secrets of second factors."""

    content: bytes

    def seal(self, name: str, secret: bytes) -> str:
        nonce = token_bytes(_NONCE_BYTES)
        sealed = AESGCM(self.content).encrypt(nonce, secret, name.encode())
        return b64encode(nonce + sealed).decode()

    def open(self, name: str, sealed: str) -> bytes | None:
        """Return the secret; None if it belongs to another person or another key."""
        data = b64decode(sealed)
        nonce, rest = data[:_NONCE_BYTES], data[_NONCE_BYTES:]
        try:
            return AESGCM(self.content).decrypt(nonce, rest, name.encode())
        except InvalidTag:
            return None


def make_factor_key(path: Path) -> None:
    write_key(path, b64encode(token_bytes(_KEY_BYTES)) + b"\n")


def read_factor_key(path: Path) -> FactorKey:
    """Return the key in a file; raise `BadKey` if there is none."""
    try:
        content = b64decode(read_key(path).strip(), validate=True)
    except NotBase64:
        content = b""
    if len(content) != _KEY_BYTES:
        raise BadKey(f"{path} holds no key of second factors")
    return FactorKey(content)


class IdentityCheck:
    """Checks the password, and the code if the act takes one."""

    def __init__(
        self, record: HouseRecord, sessions: Sessions, key: FactorKey | None = None
    ) -> None:
        self._record = record
        self._sessions = sessions
        self._key = key

    def check(self, name: str, proof: Proof, act: SensitiveAct) -> None:
        """Raise `Denied` if the proof is wrong, and count it."""
        self._sessions.check_password(name, proof.password, None)
        if act in self._record.settings.second_factor:
            self._check_code(name, proof.code, act.value)

    def begin(self, name: str, proof: Proof) -> bytes:
        """Return a new secret for a person, to be shown once.

        It is stored sealed, so that any node can check the first code. A person who has
        a second factor already must also give a code of it.
        """
        record, key = self._record, self._needed_key()
        self._sessions.check_password(name, proof.password, None)
        if record.state.account(name).factor is not None:
            self._check_code(name, proof.code, "enrol another")
        secret = totp.new_secret()
        until = record.clock() + ENROLMENT_MINUTES * 60_000
        with record.lock:
            before = record.state.account(name).enrolment
            kept = record.store.keep_secret(key.seal(name, secret))
            record.write(SecondFactorBegun(name, kept, until))
        if before is not None:
            record.store.drop_secret(before)
        return secret

    def complete(self, name: str, code: str) -> None:
        """Activate the enrolled secret by its first code; raises `NotDone`."""
        record = self._record
        with record.lock:
            now, account = record.clock(), record.state.account(name)
            if account.enrolment is None or now > account.enrolment_until_ms:
                raise NotDone(HouseReason.NO_ENROLMENT())
            secret = self._secret(name, account.enrolment)
            step = totp.step_of_code(secret, code, now, after=0)
            if step is None:
                raise NotDone(HouseReason.WRONG_CODE())
            record.write(SecondFactorSet(name, account.enrolment, step))
        if account.factor is not None:
            record.store.drop_secret(account.factor)

    def _check_code(self, name: str, code: str | None, act: str) -> None:
        """Raise `Denied` for a wrong or used code, and count it."""
        record = self._record
        with record.lock:
            account = record.state.account(name)
            if account.factor is None:
                raise Denied(HouseReason.NO_SECOND_FACTOR(person=name))
            secret = self._secret(name, account.factor)
            if code is None:
                raise Denied(HouseReason.CODE_NEEDED())
            now = record.clock()
            step = totp.step_of_code(secret, code, now, after=account.factor_step)
            if step is not None:
                record.write(SecondFactorUsed(name, act, step))
                return
            failures = account.code_failures + 1
            locked = locked_out(record, name, failures)
            record.write(SecondFactorFailed(name, act, failures), *locked)
        if locked:
            self._sessions.end_all_of(name, HouseReason.ACCOUNT_LOCKED())
        raise Denied(HouseReason.WRONG_CODE())

    def _secret(self, name: str, kept: str) -> bytes:
        sealed = self._record.store.secret(kept)
        secret = None if sealed is None else self._needed_key().open(name, sealed)
        if secret is None:
            raise Denied(HouseReason.FACTOR_NOT_READABLE(person=name))
        return secret

    def _needed_key(self) -> FactorKey:
        if self._key is None:
            raise NotDone(HouseReason.FACTOR_KEY_NOT_GIVEN())
        return self._key


def reset_unasked(record: HouseRecord, by: str, name: str) -> None:
    """Reset a second factor at the machine, which limits the account."""
    with record.lock:
        kept = record.state.account(name).factor
        if kept is None:
            raise NotDone(HouseReason.NO_SECOND_FACTOR(person=name))
        record.write(
            SecondFactorReset(by, name),
            *setting(record.state, by, name, AccountSetting.SECOND_FACTOR),
        )
    record.store.drop_secret(kept)
