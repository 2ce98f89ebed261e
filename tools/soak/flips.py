"""One bit of a journal's file is flipped: a finding or one sentence, never a traceback.

python -m tools.soak.flips --count 10000 --seed 1
"""

from __future__ import annotations

import argparse
import sys
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from croupier.errors import CroupierError
from croupier.house.configuration.setup import demonstration_plan, prepare
from croupier.house.records.house_record import HouseRecord
from croupier.house.records.house_snapshot import house_folds
from croupier.house.records.start_check import check_start
from croupier.journal.export import backup_journal
from croupier.journal.records import records, to_line
from croupier.journal.store import Store
from croupier.journal.stores.sqlite import SqliteStore
from croupier.journal.verification import verify
from croupier.rules import commands
from croupier.table import Submission, Table
from tests.journal.scene import DEALER, START_MS, play

_TABLES = ("t1", "t2")


class FlippedJournal:
    """A small house's journal, with one bit of its file flipped at a time."""

    def __init__(self, folder: Path) -> None:
        self._file, self._backup = folder / "flipped.db", folder / "backup.db"
        with SqliteStore(self._file) as store:
            prepare(store, _clock, demonstration_plan())
            play(store)
            self._content = _content(store)
        self._bytes = self._file.read_bytes()

    @property
    def bits(self) -> int:
        return 8 * len(self._bytes)

    def outcomes(self, bit: int) -> Iterator[str]:
        """Yield the outcome of each act; raise the errors that no act may raise."""
        for act in (self._verify, self._back_up, self._start):
            flipped = bytearray(self._bytes)
            flipped[bit // 8] ^= 1 << bit % 8
            for end in ("", "-wal", "-shm", "-lease"):
                Path(f"{self._file}{end}").unlink(missing_ok=True)
            self._file.write_bytes(flipped)
            yield f"{act.__name__[1:]}: {self._outcome(act)}"

    def _outcome(self, act: Callable[[Store], str]) -> str:
        try:
            with SqliteStore(self._file) as store:
                return act(store)
        except CroupierError as error:
            sentence = str(error)
            assert len(sentence.splitlines()) == 1, sentence
            return "one sentence"

    def _verify(self, store: Store) -> str:
        """Check that each change of an export's content makes a finding."""
        if not verify(store, folds=house_folds()).is_clean:
            return "findings"
        assert _content(store) == self._content, "changed without a finding"
        return "no harm"

    def _back_up(self, store: Store) -> str:
        self._backup.unlink(missing_ok=True)
        report = backup_journal(store, self._backup)
        return "no harm" if report.is_clean else "findings"

    def _start(self, store: Store) -> str:
        """Check the journal and let its tables go on, as a server does.

        With findings it is only read, and a table that can't be read is left out.
        """
        if check_start(store):
            return "findings"
        HouseRecord(store, _clock)
        for name in _TABLES:
            table = Table(store, name, clock=_clock)
            table.handle([Submission("opens", (DEALER,), commands.PlaceYourBets())])
        return "no harm"


def _clock() -> int:
    return START_MS


def _content(store: Store) -> list[bytes]:
    """Return all records but the end, whose digest follows from them."""
    *found, _ = records(store)
    return [to_line(each) for each in found]


def campaign(
    journal: FlippedJournal, bits: list[int]
) -> tuple[Counter[str], list[str]]:
    """Flip each of the bits; return counts of outcomes, and the failures."""
    counts: Counter[str] = Counter()
    failures = []
    for bit in bits:
        try:
            for outcome in journal.outcomes(bit):
                counts[outcome] += 1
        except Exception:  # noqa: BLE001 - each is a fault of ours
            failures.append(f"bit {bit}:\n{traceback.format_exc()}")
    return counts, failures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    with TemporaryDirectory() as folder:
        journal = FlippedJournal(Path(folder))
        random = Random(asked.seed)
        bits = [random.randrange(journal.bits) for _ in range(asked.count)]
        counts, failures = campaign(journal, bits)
    for failure in failures[:20]:
        sys.stdout.write(f"{failure}\n")
    for outcome, count in sorted(counts.items()):
        sys.stdout.write(f"{outcome}: {count}\n")
    flips = f"{asked.count} flips, {len(failures)} failures"
    sys.stdout.write(f"seed {asked.seed}: {flips}\n")
    raise SystemExit(bool(failures))


if __name__ == "__main__":
    main()
