"""The approved rules file of a table: attached with hash and date, served as it was."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from croupier.house.configuration.setup import attach_rules
from tests.web.a_house import TEXT, House, in_house

WITH_RULES = TEXT.replace(
    'game = "rws-triple-zero"', 'game = "rws-triple-zero"\nrules_file = "rules.pdf"'
)


def test_the_file_is_served_with_its_hash_and_date(tmp_path: Path) -> None:
    file = tmp_path / "rules.pdf"
    file.write_bytes(b"%PDF the approved rules")

    async def scenario(house: House) -> None:
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

    in_house(tmp_path, scenario, WITH_RULES)
