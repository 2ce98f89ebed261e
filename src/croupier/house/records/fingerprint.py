"""Hashes of the code that runs, of the games and of the tables' terms.

Every hash is the SHA-256 of text that anyone can write again: of a package, the lines
`HASH  PATH` of its files, as `sha256sum` prints them; of a game and of a table's terms,
JSON with sorted keys.
"""

from __future__ import annotations

import csv
import json
from base64 import urlsafe_b64decode
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from enum import Enum
from functools import cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any

import croupier
from croupier.games import all_games
from croupier.journal.events import table as hap
from croupier.journal.store import Store
from croupier.rules.game import Game
from croupier.rules.terms import write_limits, write_settings
from croupier.table.answers import event_of
from croupier.table.state import read_snapshot

PACKAGE = Path(croupier.__file__).parent
_TERMS = {"TableOpened", "TermsChanged"}
_COMPILED = {"__pycache__"}


@dataclass(frozen=True, slots=True)
class CodeFiles:
    """The files of the installed package, each with its hash."""

    files: Mapping[str, str]
    """By the path from the package's folder: `rules/game.py`."""

    @property
    def digest(self) -> str:
        return _listing_digest(self.files.items())

    @property
    def packages(self) -> dict[str, str]:
        """A hash for each package; the few files beside them are `croupier`."""
        listed: dict[str, list[tuple[str, str]]] = {}
        for path, digest in self.files.items():
            package, slash, _ = path.partition("/")
            listed.setdefault(package if slash else "croupier", []).append(
                (path, digest)
            )
        return {name: _listing_digest(each) for name, each in sorted(listed.items())}


@dataclass(frozen=True, slots=True)
class TableTerms:
    """The terms that the next round at a table will be judged by."""

    game: str
    limits: tuple[str, ...]
    settings: tuple[str, ...]

    @property
    def digest(self) -> str:
        return _digest(_plain(self))


def read_code(folder: Path = PACKAGE) -> CodeFiles:
    """Every file but what Python compiled."""
    paths = [
        path
        for path in folder.rglob("*")
        if path.is_file() and not _COMPILED.intersection(path.parts)
    ]
    return CodeFiles(
        {
            path.relative_to(folder).as_posix(): sha256(path.read_bytes()).hexdigest()
            for path in sorted(paths, key=lambda path: path.as_posix())
        }
    )


@cache
def running_code() -> CodeFiles:
    """Return the files as they were when this process first asked."""
    return read_code()


def code_digest() -> str:
    return running_code().digest


def fingerprint(store: Store | None = None) -> dict[str, Any]:
    """Return all hashes as `croupier version --json` prints them; a journal's too."""
    code = running_code()
    document: dict[str, Any] = {
        "version": croupier.__version__,
        "code": {"digest": code.digest, "packages": code.packages},
        "games": game_digests(),
    }
    if store is not None:
        document["tables"] = {
            table: {
                "game": terms.game,
                "limits": list(terms.limits),
                "settings": list(terms.settings),
                "digest": terms.digest,
            }
            for table, terms in terms_in_force(store).items()
        }
    return document


def game_digests() -> dict[str, str]:
    """Return a hash for each game: its rows, areas, pay table and ring."""
    return {game.name: game_digest(game) for game in all_games()}


def game_digest(game: Game) -> str:
    return _digest(
        {
            "document": game.document,
            "effective": game.effective,
            "operator": _plain(game.operator),
            "ring": list(game.ring),
            "illustrative_ring": game.illustrative_ring,
            "settings": list(game.settings),
            "clauses": _plain(game.clauses),
            "areas": [
                [area.name, area.wager_type.name, _plain(area.numbers)]
                for area in game.areas
            ],
            "pay_table": _plain(game.pay_table),
        }
    )


def terms_in_force(store: Store) -> dict[str, TableTerms]:
    """Return the terms at each table of the journal; only read."""
    found = {head.stream: _terms_of(store, head.stream) for head in store.heads()}
    return {
        stream: terms for stream, terms in sorted(found.items()) if terms is not None
    }


def _terms_of(store: Store, stream: str) -> TableTerms | None:
    snapshot = store.snapshot(stream)
    terms: TableTerms | None = None
    if snapshot is not None:
        series = read_snapshot(snapshot.body).series
        terms = TableTerms(
            series.game.name,
            write_limits(series.limits),
            write_settings(series.settings),
        )
    for row in store.events(stream, after=snapshot.sequence if snapshot else 0):
        if row.kind not in _TERMS:
            continue
        event = event_of(row)
        if isinstance(event, hap.TermsChanged) and terms is not None:
            terms = TableTerms(terms.game, event.limits, event.settings)
        elif isinstance(event, hap.TableOpened) and terms is None:
            terms = TableTerms(event.game, event.limits, event.settings)
    return terms


def _listing_digest(files: Iterable[tuple[str, str]]) -> str:
    text = "".join(f"{digest}  {path}\n" for path, digest in files)
    return sha256(text.encode()).hexdigest()


def _digest(value: Any) -> str:
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return sha256(text.encode()).hexdigest()


def _plain(value: Any) -> Any:
    """Return the value in JSON's own types, the same in every process."""
    if isinstance(value, Enum):
        return value.name
    if is_dataclass(value) and not isinstance(value, type):
        named = {each.name: _plain(getattr(value, each.name)) for each in fields(value)}
        return {"kind": type(value).__name__, **named}
    if isinstance(value, Mapping):
        return sorted(([_plain(k), _plain(v)] for k, v in value.items()), key=str)
    if isinstance(value, frozenset):
        return sorted(map(_plain, value), key=str)
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    assert value is None or isinstance(value, (str, int)), value
    return value


def wheel_differences() -> list[str] | None:
    """Return how the files differ from those of the installed wheel; None: no wheel."""
    recorded, files = _recorded(), running_code().files
    if not recorded:
        return None
    said = {
        path: "is missing"
        if path not in files
        else "is not from the wheel"
        if path not in recorded
        else "was changed"
        for path in sorted({*recorded, *files})
        if recorded.get(path) != files.get(path)
    }
    return [f"croupier/{path} {how}" for path, how in said.items()]


def _recorded() -> dict[str, str]:
    """Return the hashes that the installer kept of the package's files, by path."""
    try:
        installed = distribution("croupier")
    except PackageNotFoundError:
        return {}
    if Path(str(installed.locate_file("croupier"))).resolve() != PACKAGE.resolve():
        return {}
    # `installed.files` leaves out what was deleted, from Python 3.12 on.
    rows = csv.reader((installed.read_text("RECORD") or "").splitlines())
    return {
        path.removeprefix("croupier/"): _hex(digest.removeprefix("sha256="))
        for path, digest, *_ in rows
        if path.startswith("croupier/") and digest.startswith("sha256=")
        if "/__pycache__/" not in path
    }


def _hex(digest: str) -> str:
    return urlsafe_b64decode(f"{digest}{'=' * (-len(digest) % 4)}").hex()
