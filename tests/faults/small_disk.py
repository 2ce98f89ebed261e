"""A disk of a few megabytes that PostgreSQL runs out of, where one can be mounted."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.faults.conftest import Houses
from tests.faults.device import Terminal
from tests.faults.floor import Floor, at_once
from tests.faults.house_process import HouseProcess
from tests.faults.record import OutsideRecord
from tests.waiting import wait_for

_MEGABYTES = 40
_PIECE = b"x" * 4096
_MOST_LAID = 400


class NotMounted(Exception):
    """This machine lets nobody mount a disk here."""


def run_out_of_room(houses: Houses, folder: Path) -> Counter[str]:
    """Let the server's disk be full while wagers come in, and then not."""
    with _mounted() as place:
        server = houses.server
        owner = (server.folder / "data").stat()
        os.chown(place, owner.st_uid, owner.st_gid)
        server.execute(f"CREATE TABLESPACE small LOCATION '{place}'")
        server.execute("CREATE DATABASE small TEMPLATE template0 TABLESPACE small")
        house = houses.served_from(server.address("small"), folder)
        house.start("--create")
        record = OutsideRecord()
        floor = Floor(house, "triple", record)
        floor.open_round()
        _fill(place / "filler")
        sent: list[tuple[Terminal, str]] = []
        while "disk full" not in house.log:
            assert len(sent) < _MOST_LAID, "there is still room"
            sent += floor.lay(*["straight_up:18"] * 10, cents=100)
            at_once(lambda each: _hears_or_waits(each, house), floor.terminals)
        (place / "filler").unlink()
        floor.all_heard(sent)
        wait_for(house.is_ready, 30)
        floor.finish("17")
        counts = record.compare(house.export())
        assert counts["unanswered"] == 0
        house.verify()
        assert house.stop() == 0
        server.drop_database("small")
        server.execute("DROP TABLESPACE small")
    return counts


def _hears_or_waits(terminal: Terminal, house: HouseProcess) -> None:
    """Hear every answer, unless the disk is full by now."""
    terminal.until(lambda: "disk full" in house.log or not terminal.is_waiting)


def _fill(file: Path) -> None:
    written = os.open(file, os.O_CREAT | os.O_WRONLY)
    try:
        while os.write(written, _PIECE):
            pass
    except OSError:
        pass
    finally:
        os.close(written)


@contextmanager
def _mounted() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as place:
        size = f"size={_MEGABYTES}m"
        command = ["mount", "-t", "tmpfs", "-o", size, "tmpfs", place]
        done = subprocess.run(command, check=False, capture_output=True, text=True)
        if done.returncode:
            raise NotMounted(done.stderr.strip())
        try:
            yield Path(place)
        finally:
            subprocess.run(["umount", "--lazy", place], check=True)
