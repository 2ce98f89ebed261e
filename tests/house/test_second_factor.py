"""The key of second factors, and what is sealed with it."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from croupier.house.people.second_factor import (
    FactorKey,
    make_factor_key,
    read_factor_key,
)
from croupier.journal.private_files import BadKey

SECRET = b"12345678901234567890"


def test_a_sealed_secret_opens_for_its_owner_with_its_key_alone() -> None:
    key = FactorKey(b"k" * 32)
    sealed = key.seal("Mira", SECRET)

    assert key.open("Mira", sealed) == SECRET
    assert key.open("Max", sealed) is None
    assert FactorKey(b"o" * 32).open("Mira", sealed) is None
    assert key.seal("Mira", SECRET) != sealed


def test_a_key_is_its_owners_alone_and_never_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "factors.key"
    before = os.umask(0)
    try:
        make_factor_key(path)
    finally:
        os.umask(before)

    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert len(read_factor_key(path).content) == 32
    with pytest.raises(BadKey, match=r"factors\.key is there already"):
        make_factor_key(path)


@pytest.mark.parametrize("text", ["", "short", "é", "A" * 200], ids=repr)
def test_a_file_without_a_key_is_named(tmp_path: Path, text: str) -> None:
    path = tmp_path / "factors.key"
    path.write_text(text, "utf-8")

    with pytest.raises(BadKey, match=r"factors\.key holds no key of second factors"):
        read_factor_key(path)
