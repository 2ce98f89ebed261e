"""One process owns a house: other commands are refused and change nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier.house.configuration.setup import demonstration_text
from croupier.journal.stores import open_store
from tests.cli.running import Ran, run_here
from tests.house_server.server import House

pytestmark = pytest.mark.usefixtures("logs_as_before")


def _serve(house: House, *words: str) -> Ran:
    return run_here("serve", "--database", house.url, "--house", house.file, *words)


def _refused(ran: Ran) -> str:
    assert (ran.code, ran.stdout) == (2, "")
    assert ran.stderr.count("\n") == 1, ran.stderr
    return ran.stderr


def _file(folder: Path) -> tuple[str, Path, Path]:
    file = folder / "house.toml"
    file.write_text(demonstration_text())
    journal = folder / "house.db"
    return f"sqlite:///{journal}", file, journal


def test_a_house_that_is_missing_is_an_error_and_no_new_house(tmp_path: Path) -> None:
    url, file, journal = _file(tmp_path)
    words = ("serve", "--port", "0", "--database", url)

    said = [_refused(run_here(*words)), _refused(run_here(*words, "--house", file))]
    compared = run_here("house", "compare", file, "--database", url)

    for sentence in said:
        assert f"{journal}: there is no such journal: --create begins" in sentence
    assert "there is no such journal" in _refused(compared)
    assert [each.name for each in tmp_path.iterdir()] == [file.name]


def test_a_journal_without_a_house_is_no_house_either(tmp_path: Path) -> None:
    url, file, journal = _file(tmp_path)
    open_store(url).close()

    ran = run_here("serve", "--port", "0", "--database", url, "--house", file)

    assert "this journal has no house: --create begins one" in _refused(ran)
    with open_store(url) as store:
        assert store.heads() == []
    assert not Path(f"{journal}-lease").exists()


def test_a_new_house_is_not_made_where_there_is_one(house: House) -> None:
    house.end()
    head = house.head("house")

    ran = _serve(house, "--port", "0", "--create")

    assert "there is a house here already: start it without --create" in _refused(ran)
    assert house.head("house") == head
    house.start()


@pytest.mark.parametrize(
    "words", [("--demonstration",), ("--database", "sqlite:///house.db"), ()]
)
def test_a_new_house_needs_a_database_and_a_file(words: tuple[str, ...]) -> None:
    said = _refused(run_here("serve", "--create", *words))

    assert "needs a --database" in said or "name a database" in said
