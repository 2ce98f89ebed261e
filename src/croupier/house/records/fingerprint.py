"""Hashes of the code that runs, of the games and of the tables' terms.

Every hash is the SHA-256 of a text that anyone can reproduce: for a package, the lines
`HASH  PATH` of its files, as `sha256sum` prints them; for a game or a table's terms,
JSON with sorted keys.
"""

from __future__ import annotations

import csv
import os
from base64 import urlsafe_b64decode
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

import croupier
from croupier.games import all_games
from croupier.games.digest import game_digest, value_digest
from croupier.journal.events.table import TableOpened, TermsChanged
from croupier.journal.store import HOUSE_STREAM, Store
from croupier.rules.terms import write_limits, write_settings
from croupier.table.answers import event_of
from croupier.table.state import read_snapshot

PACKAGE = Path(croupier.__file__).parent
_TERMS = ("TableOpened", "TermsChanged")


@dataclass(frozen=True, slots=True)
class CodeFiles:
    """The hashes of the installed package's files."""

    files: Mapping[str, str]
    """By the path below the package's folder: `rules/game.py`."""

    @property
    def digest(self) -> str:
        return _listing_digest(self.files.items())

    @property
    def packages(self) -> dict[str, str]:
        """The hash of each package; files in no package count as `croupier`."""
        listed: dict[str, list[tuple[str, str]]] = {}
        for path, digest in self.files.items():
            package, slash, _ = path.partition("/")
            name = package if slash else "croupier"
            listed.setdefault(name, []).append((path, digest))
        return {name: _listing_digest(each) for name, each in sorted(listed.items())}


@dataclass(frozen=True, slots=True)
class TableTerms:
    """The terms of a table's next round."""

    game: str
    limits: tuple[str, ...]
    settings: tuple[str, ...]

    @property
    def digest(self) -> str:
        return value_digest(self)


def read_code(folder: Path = PACKAGE) -> CodeFiles:
    """Hash every file of a folder except compiled ones."""
    start = f"{folder.as_posix()}/"
    found = {}
    for place, folders, names in os.walk(folder):
        if "__pycache__" in folders:
            folders.remove("__pycache__")
        for name in names:
            path = f"{place}/{name}"
            with open(path, "rb") as file:  # noqa: PTH123 - a start hashes hundreds
                digest = sha256(file.read()).hexdigest()
            found[path.removeprefix(start)] = digest
    return CodeFiles(dict(sorted(found.items())))


@cache
def running_code() -> CodeFiles:
    """Return the package's files as they were at the first call."""
    return read_code()


def code_digest() -> str:
    return running_code().digest


def fingerprint(store: Store | None = None) -> dict[str, Any]:
    """Return all hashes, with those of a journal's tables, for `version --json`."""
    code = running_code()
    document: dict[str, Any] = {
        "version": croupier.__version__,
        "code": {"digest": code.digest, "packages": code.packages},
        "games": game_digests(),
    }
    if store is not None:
        document["tables"] = {
            table: {**asdict(terms), "digest": terms.digest}
            for table, terms in terms_in_force(store).items()
        }
    return document


def game_digests() -> dict[str, str]:
    """Return the digest of each game's rows, with the readings."""
    return {game.name: game_digest(game) for game in all_games()}


def terms_in_force(store: Store) -> dict[str, TableTerms]:
    tables = sorted({head.stream for head in store.heads()} - {HOUSE_STREAM})
    found = {table: _terms_of(store, table) for table in tables}
    return {table: terms for table, terms in found.items() if terms is not None}


def _terms_of(store: Store, stream: str) -> TableTerms | None:
    snapshot, after = store.snapshot(stream), 0
    terms: TableTerms | None = None
    if snapshot is not None:
        series, after = read_snapshot(snapshot.body).series, snapshot.sequence
        limits, settings = write_limits(series.limits), write_settings(series.settings)
        terms = TableTerms(series.game.name, limits, settings)
    for row in store.events(stream, after=after, kinds=_TERMS):
        event = event_of(row)
        if isinstance(event, TermsChanged) and terms is not None:
            terms = TableTerms(terms.game, event.limits, event.settings)
        elif isinstance(event, TableOpened) and terms is None:
            terms = TableTerms(event.game, event.limits, event.settings)
    return terms


def _listing_digest(files: Iterable[tuple[str, str]]) -> str:
    text = "".join(f"{digest}  {path}\n" for path, digest in files)
    return sha256(text.encode()).hexdigest()


def wheel_differences() -> list[str] | None:
    """Return the differences from the installed wheel; None if there is no wheel."""
    recorded, files = _recorded(), running_code().files
    if not recorded:
        return None
    found = []
    for path in sorted({*recorded, *files}):
        if path not in files:
            found.append(f"croupier/{path} is missing")
        elif path not in recorded:
            found.append(f"croupier/{path} is not from the wheel")
        elif recorded[path] != files[path]:
            found.append(f"croupier/{path} was changed")
    return found


def _recorded() -> dict[str, str]:
    """Return the hashes that the installer recorded, by path."""
    try:
        installed = distribution("croupier")
    except PackageNotFoundError:
        return {}
    if Path(str(installed.locate_file("croupier"))).resolve() != PACKAGE.resolve():
        return {}
    # From Python 3.12 on, `installed.files` leaves out deleted files.
    rows = csv.reader((installed.read_text("RECORD") or "").splitlines())
    return {
        path.removeprefix("croupier/"): _hex(digest.removeprefix("sha256="))
        for path, digest, *_ in rows
        if path.startswith("croupier/") and digest.startswith("sha256=")
        if "/__pycache__/" not in path
    }


def _hex(digest: str) -> str:
    return urlsafe_b64decode(f"{digest}{'=' * (-len(digest) % 4)}").hex()
