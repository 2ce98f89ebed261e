"""The key that signs the house's log: recorded, rotated and revoked.

The old key vouches for a rotation with a checkpoint that covers its event. So the first
public key is enough to follow all later ones.
"""

from __future__ import annotations

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from croupier.house.reasons import HouseReason
from croupier.house.records.house_record import HouseRecord, NotDone, NotThere
from croupier.house.records.house_state import HouseState
from croupier.journal.events.house import SigningKeyRevoked, SigningKeySet
from croupier.journal.log.publishing import publish
from croupier.journal.signing_keys import fingerprint, key_id
from croupier.rules.notation import shown


def check_signing_key(state: HouseState, key: Ed25519PrivateKey) -> None:
    """Raise `NotDone` if the house does not sign with this key."""
    name = _id_of(key)
    if name in state.revoked_keys:
        raise NotDone(HouseReason.KEY_IS_REVOKED(key=name))
    if state.signing_keys and name != state.signing_key:
        raise NotDone(HouseReason.KEY_NOT_TAKEN(key=name))


def take_first_key(record: HouseRecord, by: str, key: Ed25519PrivateKey) -> None:
    """Record the key if the house has recorded none."""
    with record.lock:
        if not record.state.signing_keys:
            record.write(_taken(by, key, None))


def rotate_key(
    record: HouseRecord,
    by: str,
    new: Ed25519PrivateKey,
    before: Ed25519PrivateKey | None,
) -> None:
    """Sign with a new key from now on.

    The old key vouches for it with a checkpoint, unless that key is lost or revoked. If
    the rotation is recorded already, the call only signs events that may be unsigned.
    """
    state = record.state
    if not _is_recorded(state, new, before):
        if _id_of(new) in state.signing_keys or _id_of(new) in state.revoked_keys:
            raise NotDone(HouseReason.KEY_USED_BEFORE(key=_id_of(new)))
        if before is not None:
            check_signing_key(state, before)
            take_first_key(record, by, before)
        record.write(_taken(by, new, record.state.signing_key))
    for key in (before, new):
        if key is not None:
            publish(record.store, key, record.clock(), record.state.incarnation)


def revoke_key(
    record: HouseRecord, by: str, name: str, why: str, signer: Ed25519PrivateKey | None
) -> None:
    """Revoke a key; its signatures prove nothing. `signer` vouches for the event."""
    state = record.state
    if name not in state.signing_keys:
        raise NotThere(HouseReason.NO_SUCH_KEY(key=shown(name)))
    if name in state.revoked_keys:
        raise NotDone(HouseReason.KEY_IS_REVOKED(key=name))
    if signer is not None:
        check_signing_key(state, signer)
        if _id_of(signer) == name:
            raise NotDone(HouseReason.KEY_REVOKES_ITSELF(key=name))
    record.write(SigningKeyRevoked(by, name, why))
    if signer is not None:
        publish(record.store, signer, record.clock(), state.incarnation)


def _is_recorded(
    state: HouseState, new: Ed25519PrivateKey, before: Ed25519PrivateKey | None
) -> bool:
    """Return whether the rotation from one key to the other is recorded."""
    if before is None or state.revoked_keys.keys() & {_id_of(new), _id_of(before)}:
        return False
    taken = state.signing_keys.get(_id_of(new))
    is_last = state.signing_key == _id_of(new)
    return is_last and taken is not None and taken.replaces == _id_of(before)


def _id_of(key: Ed25519PrivateKey) -> str:
    return key_id(fingerprint(key.public_key()))


def _taken(by: str, key: Ed25519PrivateKey, replaces: str | None) -> SigningKeySet:
    return SigningKeySet(by, _id_of(key), fingerprint(key.public_key()), replaces)
