"""With `--log json` every line on standard error is JSON, also why it ended."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from pathlib import Path

import click
import pytest

from croupier.cli.server_log import with_server_log
from tests.cli.running import run_here

pytestmark = pytest.mark.usefixtures("logs_as_before")


def events(text: str) -> list[str]:
    """What each line says; a line that is not JSON fails here."""
    return [json.loads(line)["event"] for line in text.splitlines()]


def test_a_start_that_is_refused_says_so_in_json(tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    tables, house = 'tables = [{name = "t"}]', '[house]\nname = "A"\nmoney = "none"'
    file.write_text(f"{tables}\n{house}\n", "utf-8")
    database = f"sqlite:{tmp_path}/house.db"
    words = ("serve", "--log", "json", "--port", "0")

    missing = run_here(*words, "--database", database)
    faulty = run_here(*words, "--database", database, "--house", str(file), "--create")
    unasked = run_here(*words)

    assert (missing.code, faulty.code, unasked.code) == (2, 2, 2)
    [said] = events(missing.stderr)
    assert said.endswith("--create begins a new house")
    money, game = events(faulty.stderr)
    assert money.endswith("house.money: can't be 'none'")
    assert game.endswith("tables[0]: it lacks `game`")
    assert events(unasked.stderr) == ["name a database, or ask for a --demonstration"]


def test_a_console_is_told_the_plain_sentence() -> None:
    ran = run_here("serve", "--port", "0")

    told = "croupier: name a database, or ask for a --demonstration\n"
    assert (ran.code, ran.stderr) == (2, told)


def _raise(error: Exception) -> None:
    raise error


def _fail_in_a_thread() -> None:
    thread = threading.Thread(target=_raise, args=(KeyError("nine"),))
    thread.start()
    thread.join()
    raise click.ClickException("two\nlines")


@pytest.mark.parametrize(
    ("fail", "code", "said"),
    [
        (lambda: _raise(KeyError("nine")), 1, ["the server failed"]),
        (lambda: _raise(OSError(5, "broken", "disk")), 2, ["[Errno 5] broken: 'disk'"]),
        (_fail_in_a_thread, 2, ["a thread failed", "two lines"]),
    ],
)
def test_what_nobody_caught_is_a_line_too(
    fail: Callable[[], None],
    code: int,
    said: list[str],
    capsys: pytest.CaptureFixture[str],
) -> None:
    def command(*, tell: Callable[[str], None]) -> None:
        del tell
        fail()

    with pytest.raises(SystemExit) as ended:
        with_server_log(command)(log_form="json", log_level="info")

    assert ended.value.code == code
    assert events(capsys.readouterr().err) == said
