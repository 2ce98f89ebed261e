"""A table's approved rules file: attached with hash and date, served unchanged."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pytest

from croupier.house.configuration.setup import attach_rules
from croupier.house.records.house_record import NotDone
from tests.web.a_house import TEXT, House, opened

pytestmark = pytest.mark.anyio

WITH_RULES = TEXT.replace(
    'game = "rws-triple-zero"', 'game = "rws-triple-zero"\nrules_file = "rules.pdf"'
)


@pytest.mark.house_file(WITH_RULES)
async def test_no_file_of_the_machine_is_named_over_the_api(
    house: House, tmp_path: Path
) -> None:
    """Anyone could download such a file: rules files are named on the machine only."""
    (tmp_path / "rules.pdf").write_bytes(b"%PDF the approved rules")
    game = 'game = "mbs-roulette-v3"'

    mira, before = await house.log_on("Mira"), house.store.heads()
    path = "/api/house/file"

    for text in (
        WITH_RULES.replace('"rules.pdf"', '"/proc/self/environ"'),
        WITH_RULES.replace('"rules.pdf"', '"../rules.pdf"'),
        WITH_RULES.replace('"rules.pdf"', '"house.toml"'),
        WITH_RULES.replace(game, f'{game}\nrules_file = "rules.pdf"'),
        TEXT,
    ):
        body = {"text": text, "apply": True}
        assert text != WITH_RULES
        error = await house.refused(409, "POST", path, body, mira)
        assert "rules file: this changes only at the machine" in error

    assert house.store.heads() == before
    same = await house.post(path, {"text": WITH_RULES, "apply": True}, mira)
    assert same == {"applied": True, "changes": []}


@pytest.mark.house_file(WITH_RULES)
async def test_a_link_that_leads_out_is_not_attached(
    house: House, tmp_path: Path
) -> None:
    (tmp_path / "secret").touch()
    folder = tmp_path / "house"
    folder.mkdir()
    (folder / "rules.pdf").symlink_to(tmp_path / "secret")

    with pytest.raises(NotDone, match="is not below the folder of the house file"):
        attach_rules(house.floor.record, folder)


@pytest.mark.house_file(WITH_RULES)
async def test_the_file_is_served_with_its_hash_and_date(
    house: House, tmp_path: Path
) -> None:
    file = tmp_path / "rules.pdf"
    file.write_bytes(b"%PDF the approved rules")

    record = house.floor.record
    attach_rules(record, tmp_path)
    attach_rules(record, tmp_path)

    shown = await house.get("/api/tables/t1/rules")
    fetched = await house.ask("GET", "/api/tables/t1/rules/file")

    assert shown["name"] == "rules.pdf"
    assert shown["sha256"] == sha256(file.read_bytes()).hexdigest()
    assert shown["dated_ms"] == file.stat().st_mtime_ns // 1_000_000
    assert fetched.body == file.read_bytes()
    await house.refused(404, "GET", "/api/tables/t2/rules")
    file.write_bytes(b"something else")
    error = await house.refused(409, "GET", "/api/tables/t1/rules/file")
    assert error == "the rules file is not the one that was attached"
    file.unlink()
    await house.refused(409, "GET", "/api/tables/t1/rules/file")


async def test_the_rulebook_quotes_the_attached_text(tmp_path: Path) -> None:
    (tmp_path / "rules.txt").write_text("3.7 The ball rests.\n3.8 It wins.\n", "utf-8")
    text = WITH_RULES.replace("rules.pdf", "rules.txt")

    async with opened(tmp_path, text) as house:
        attach_rules(house.floor.record, tmp_path)

        quoted = await house.ask("GET", "/api/tables/t1/rulebook")
        plain = await house.ask("GET", "/api/games/mbs-roulette-v3/rulebook")

        assert b"The ball rests." in quoted.body
        assert b"In our words" in plain.body
        for answer in (quoted, plain):
            policy = answer.headers["content-security-policy"]
            assert "script-src 'sha256-" in policy
            assert "unsafe" not in policy
        await house.refused(404, "GET", "/api/games/none/rulebook")
