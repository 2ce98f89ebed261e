"""A journal of each release, frozen: this version replays it to the cent.

Each file is the sample house, imported, published with the scene's key and exported;
after the release it is never made again. If a test fails then, this version plays,
settles or stores by other rules.
"""

from __future__ import annotations

import json
import lzma
from collections import Counter
from pathlib import Path

import pytest

from croupier.audit.journal.auditor import audit_journal
from croupier.audit.receipts import check_receipt
from croupier.journal.events.codec import decode
from croupier.journal.events.plan import HouseSettings, Money
from croupier.journal.export import export_journal, import_journal
from croupier.journal.log.notes import log_key
from croupier.journal.log.publishing import origin_of
from croupier.journal.log.receipts import make_receipt
from croupier.journal.signing_keys import fingerprint
from croupier.journal.stores.sqlite import SqliteStore
from croupier.journal.verification import verify
from croupier.ledger.accounts import Account
from croupier.rules.events import RoundSettled
from croupier.table.replay import recover
from tests.journal.scene import KEY

HOUSE = HouseSettings(
    name="Frozen",
    operator="MBS",
    money=Money.DEMONSTRATION,
    currency="SGD",
    time_zone="Asia/Singapore",
)
FROZEN = Path(__file__).parent / "frozen"
HEADS = {"0.1.0": "a9ee0ee74a07d32f46e39dda8ed451355a167cd2c5052474cfd2d6aeb79cdbac"}
"""The house head of each journal, noted when it was frozen."""
LOOKED_AT = {
    "0.1.0": {
        "tables": 5,
        "events": 278,
        "rounds": 19,
        "void_rounds": 3,
        "wagers": 53,
        "staked_cents": 886_800,
        "paid_cents": 781_400,
        "house_win_cents": 71_300,
    }
}


@pytest.fixture(scope="module", params=HEADS)
def frozen(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[str, Path]:
    """A version, and the journal that it exported."""
    path = tmp_path_factory.mktemp("frozen") / "house.jsonl"
    packed = (FROZEN / f"{request.param}.jsonl.xz").read_bytes()
    path.write_bytes(lzma.decompress(packed))
    return request.param, path


def test_it_verifies_and_is_exported_unchanged(
    frozen: tuple[str, Path], tmp_path: Path
) -> None:
    version, path = frozen
    with SqliteStore(tmp_path / "house.db") as store:
        import_journal(store, path)
        report = verify(store, public_keys=[KEY.public_key()])
        export_journal(store, tmp_path / "again.jsonl")

    assert report.findings == ()
    assert report.house_head == HEADS[version]
    assert [key.public_key for key in report.keys] == [fingerprint(KEY.public_key())]
    assert (tmp_path / "again.jsonl").read_bytes() == path.read_bytes()


def test_every_round_is_settled_again_to_the_cent_by_the_same_rules(
    frozen: tuple[str, Path],
) -> None:
    version, path = frozen

    report = audit_journal(str(path))

    assert report.findings == ()
    assert dict(report.looked_at) == LOOKED_AT[version]


def test_every_table_opens_with_the_credit_of_its_seats(
    frozen: tuple[str, Path], tmp_path: Path
) -> None:
    version, path = frozen
    credit: dict[str, Counter[Account]] = {}
    for line in path.read_text().splitlines():
        row = json.loads(line)
        if row["table"] == "entries":
            credit.setdefault(row["stream"], Counter())[row["account"]] += row["cents"]

    with SqliteStore(tmp_path / "house.db") as store:
        import_journal(store, path)
        assert len(credit.keys() - {"house"}) == LOOKED_AT[version]["tables"]
        for stream, expected in credit.items():
            if stream == "house":
                continue
            opened = recover(store, stream, HOUSE).state

            found = {name: opened.balances.get(name) or 0 for name in expected}
            assert found == dict(expected), stream


def test_every_seat_has_a_receipt_that_holds(
    frozen: tuple[str, Path], tmp_path: Path
) -> None:
    _, path = frozen
    checked = 0
    with SqliteStore(tmp_path / "house.db") as store:
        import_journal(store, path)
        keys = [log_key(origin_of(store, ""), KEY.public_key())]
        for head in store.heads():
            for row in store.events(head.stream, kinds=("RoundSettled",)):
                settled = decode(row.schema, row.kind, row.body)
                assert isinstance(settled, RoundSettled)
                for seat in {wager.player for wager in settled.wagers}:
                    receipt = make_receipt(store, row.stream, row.round_number, seat)
                    results = check_receipt(receipt, keys)

                    assert [each for each in results if each.problem] == []
                    checked += 1
    assert checked > 40
