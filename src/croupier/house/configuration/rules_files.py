"""The operator's approved rules files: attached to tables with their hash and date."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from croupier.house.reasons import HouseReason
from croupier.house.records.house_record import HouseRecord, NotDone, NotThere
from croupier.journal.events.house import RulesAttached
from croupier.rules.notation import shown

_LARGEST = 20_000_000


def attach_rules(record: HouseRecord, folder: Path, by: str) -> None:
    """Record each table's file as it is now, where it is new or another one."""
    state = record.state
    for table in state.tables.values():
        if table.rules_file is None:
            continue
        path = folder / table.rules_file
        content = _read(path)
        digest = sha256(content).hexdigest()
        known = state.rules.get(table.name)
        if known is None or (known.file, known.digest) != (str(path), digest):
            dated_ms = path.stat().st_mtime_ns // 1_000_000
            record.write(RulesAttached(by, table.name, str(path), digest, dated_ms))


def rules_of(record: HouseRecord, table: str) -> RulesAttached:
    attached = record.state.rules.get(table)
    if attached is None:
        raise NotThere(HouseReason.NO_RULES_FILE(table=shown(table)))
    return attached


def content_of(attached: RulesAttached) -> bytes:
    """Return the file, if it is still the one that was attached."""
    content = _read(Path(attached.file))
    if sha256(content).hexdigest() != attached.digest:
        raise NotDone(HouseReason.RULES_FILE_CHANGED())
    return content


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            content = file.read(_LARGEST + 1)
    except OSError as error:
        raise NotDone(
            HouseReason.FILE_UNREADABLE(name=path.name, text=str(error.strerror))
        ) from error
    if len(content) > _LARGEST:
        raise NotDone(HouseReason.FILE_TOO_LARGE(name=path.name, size=f"{_LARGEST:,}"))
    return content
