"""`croupier client` at a house in a process of its own."""

from __future__ import annotations

import json
import re
import shlex
import signal
import stat
import subprocess
import sys
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import pytest

from croupier.protocol.answers import Answered, SeatUpdate, TableSnapshot, read_answer
from tests.cli.running import ROOT, run, run_here
from tests.protocol.real_house import PASSWORD, RealHouse, real_house

TABLE = ("--table", "Table 1")
_WITHIN_S = 20


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealHouse]:
    with real_house(tmp_path_factory.mktemp("house")) as running:
        yield running


@pytest.fixture(scope="module")
def other_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealHouse]:
    """So that no house is asked for more log-ons at once than it allows."""
    with real_house(tmp_path_factory.mktemp("other")) as running:
        yield running


class Window:
    """A terminal window in which the client runs."""

    def __init__(self, *words: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "croupier", "client", *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        )
        self._lines: SimpleQueue[str] = SimpleQueue()
        self._thread = threading.Thread(target=self._read)
        self._thread.start()
        self.seen: list[str] = []

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line.rstrip("\n"))

    def type(self, *lines: str) -> None:
        assert self.process.stdin is not None
        for line in lines:
            self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()

    def expect(self, pattern: str) -> str:
        """The next line that has it."""
        while True:
            line = self._lines.get(timeout=_WITHIN_S)
            self.seen.append(line)
            if re.search(pattern, line):
                return line

    def end(self) -> tuple[int, str]:
        """The exit status and what stood on standard error, once it ends by itself."""
        code = self.process.wait(timeout=_WITHIN_S)
        self._thread.join(_WITHIN_S)
        while not self._lines.empty():
            self.seen.append(self._lines.get())
        assert self.process.stderr is not None
        return code, self.process.stderr.read()

    def close(self) -> None:
        self.process.kill()
        self._thread.join(_WITHIN_S)
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert pipe is not None
            pipe.close()
        self.process.wait(timeout=_WITHIN_S)


@contextmanager
def window(*words: str) -> Iterator[Window]:
    opened = Window(*words)
    try:
        yield opened
    finally:
        opened.close()


def test_a_round_is_played_and_dealt_from_two_windows(house: RealHouse) -> None:
    with (
        window(house.url, *TABLE, "--seat") as seat,
        window(house.url, *TABLE, "--deal", "--as", "Dana") as dealer,
    ):
        first = seat.expect("Table 1")
        dealer.expect("Dealer Dana")
        seat.type("wait betting", "17@5 red@10", "increase w1 5", "withdraw w2")
        dealer.type("place your bets")
        dealer.expect("on the layout 10.00 in 1 wager")
        dealer.type("spin", "no more bets", "outcome 17", "settle")
        dealer.expect("keyed: 17, black")
        won = seat.expect("won")
        seat.type("collect", "quit")
        seat.expect("voucher")
        total = dealer.expect("settled")
        dealer.type("quit")
        left = (seat.end(), dealer.end())

    assert "credit 1000.00" in first
    assert [line for line in seat.seen if line.startswith(("registered", "round"))] == [
        "round 1 · betting",
        "registered · w1 straight_up:17 5.00, w2 red 10.00 · credit 985.00",
        "registered · w1 straight_up:17 10.00 · credit 980.00",
        "registered · w2 withdrawn · credit 990.00",
        "round 1 · spinning",
        "round 1 · outcome · 17 black",
        "round 1 · settled · 17 black",
        seat.seen[-1],
    ]
    sums = "staked 10.00 · won 350.00 · collected 0.00"
    assert won == f"{sums} · credit 1350.00"
    assert total == f"round 1 · settled · 17 black · {sums}"
    assert left == ((0, ""), (0, ""))


def test_bonus_numbers_are_drawn_and_their_lights_confirmed(house: RealHouse) -> None:
    words = (house.url, "--table", "Table 2", "--deal", "--as", "Dana")
    with window(*words, "--strict") as dealer:
        dealer.type("place your bets", "spin", "no more bets")
        drawn = dealer.expect("Bonus Numbers")
        dealer.type("confirm lights", "outcome 17", "settle", "quit")
        dealer.expect("settled · 17 black")
        left = dealer.end()

    assert len(drawn.partition("Bonus Numbers ")[2].split()) == 10
    assert left == (0, "")


def test_the_acts_of_a_supervisor_need_no_table_to_be_taken_over(
    house: RealHouse, tmp_path: Path
) -> None:
    script = tmp_path / "script.txt"
    script.write_text("as Pit Supervisor: rule w9 return\nspin\n", "utf-8")

    ran = run_here("client", house.url, *TABLE, "--as", "Sam", "--script", script)

    assert ran.code == 0
    assert "refused [" in ran.stdout
    assert "Dealer Sam" not in ran.stdout


def test_a_dealer_lays_chips_for_players_and_answers_notices(
    other_house: RealHouse, tmp_path: Path
) -> None:
    asked = "buy-in 100", "quit"
    lines = _script(
        tmp_path,
        "place your bets",
        "Anna: lay 17 5 as a1",
        "for Ben: lay red 10 as b1",
        "unclear a1",
        "dismiss 1",
        "spin",
        "no more bets",
        "wait closed",
        "irregularity foreign_object",
        "as Pit Supervisor: rule a1 return",
        "ball was nowhere",
        "confirm ball",
        "accept 9",
        "settle",
        "wait settled",
    )

    with window(other_house.url, *TABLE, "--seat") as seat:
        seat.type(*asked)
        seat.expect("registered")
    words = ("client", other_house.url, *TABLE, "--deal", "--as", "Dana")
    ran = run_here(*words, *lines)

    told = ran.stdout.splitlines()
    assert ran.code == 0
    assert "registered · a1 straight_up:17 5.00" in told
    assert "registered · b1 red 10.00" in told
    assert any(line.startswith("round 1 · void: ") for line in told)
    assert "staked 15.00 · won 0.00 · collected 0.00" in told[-2:]
    assert "there is no notice 9" in ran.stderr


def _script(tmp_path: Path, *lines: str) -> tuple[str, str]:
    path = tmp_path / "script.txt"
    path.write_text("\n".join(lines), "utf-8")
    return "--script", str(path)


def test_every_message_is_printed_as_json(house: RealHouse, tmp_path: Path) -> None:
    lines = _script(tmp_path, "# a comment", "", "17@5", "redeem NO-SUCH-CODE", "quit")

    ran = run_here("client", house.url, *TABLE, "--seat", "--json", *lines)

    messages = [read_answer(line) for line in ran.stdout.splitlines()]
    assert (ran.code, ran.stderr) == (0, "")
    assert isinstance(messages[0], TableSnapshot)
    assert [each.registered for each in messages if isinstance(each, Answered)] == [
        False,
        False,
    ]


def test_a_refusal_is_told_with_its_clause_and_the_lines_go_on(
    house: RealHouse, tmp_path: Path
) -> None:
    lines = _script(tmp_path, "17@5", "black", "wait noon", "buy-in 100")

    ran = run_here("client", house.url, *TABLE, "--seat", *lines)

    assert ran.code == 0
    assert re.findall(r"^refused \[[0-9.]+\]: .+$", ran.stdout, re.MULTILINE)
    assert ran.stdout.splitlines()[-1].startswith(("registered", "notice"))
    assert ran.stderr.splitlines() == [
        "croupier: line 2: 'black' can't be done at a seat; write a wager as 17@5",
        "croupier: line 3: 'noon' is not a phase: they are awaiting, betting, closed,"
        " decided, void, held, ended, settled",
    ]


@pytest.mark.parametrize("line", ["17@5", "17@x"])
def test_a_strict_script_ends_at_the_first_refusal(
    line: str, house: RealHouse, tmp_path: Path
) -> None:
    lines = _script(tmp_path, line, "buy-in 100")

    ran = run_here("client", house.url, *TABLE, "--seat", "--strict", *lines)

    assert ran.code == 1
    assert "registered" not in ran.stdout


PLAYERS = {
    "increase w1": "write: increase w1 5",
    "withdraw": "write: withdraw w1",
    "withdraww w1": "'withdraww' can't be done at a seat; did you mean withdraw?",
    "clear w1": "write: clear",
    "clear": "there are no wagers to take back",
    "collect 5 5": "write: collect, or collect 50",
    "collect x": "'x' is not an amount",
    "redeem": "write: redeem CODE",
    "buy-in": "write: buy-in 100",
    "leave now": "write: leave",
    "wait": "write: wait betting",
    "17@x": "'x' is not an amount",
    "17@": "'17@' is not WAGER@STAKE, such as red@5",
}
STAFFS = {
    "outcome": "write: outcome 17",
    "confirm lights now": "write: confirm lights",
    "ball was": "write: ball was 17, or ball was nowhere",
    "confirm ball now": "write: confirm ball",
    "accept": "write: accept 3",
    "accept x": "'x' is not the number of a notice",
    "dismiss": "write: dismiss 3",
    "dance": "'dance' is not an act",
}


@pytest.mark.parametrize(
    ("who", "lines"),
    [(("--seat",), PLAYERS), (("--as", "Sam"), STAFFS)],
    ids=["at a seat", "of the staff"],
)
def test_a_line_that_can_not_be_read_says_what_could(
    who: tuple[str, ...], lines: dict[str, str], house: RealHouse, tmp_path: Path
) -> None:
    ran = run_here("client", house.url, *TABLE, *who, *_script(tmp_path, *lines))

    complaints = ran.stderr.splitlines()
    assert ran.code == 0
    assert len(complaints) == len(lines)
    for number, complaint in enumerate(lines.values(), start=1):
        expected = f"croupier: line {number}: {complaint}"
        assert complaints[number - 1].startswith(expected)


def test_lines_are_read_from_standard_input(house: RealHouse) -> None:
    asked = b"buy-in 100\nquit\nbuy-in 200\n"

    here = run_here("client", house.url, *TABLE, "--seat", stdin=asked)
    apart = run("client", house.url, *TABLE, "--seat", stdin=asked)

    for ran in (here, apart):
        assert (ran.code, ran.stderr) == (0, "")
        assert ran.stdout.count("registered") == 1


def test_anybody_may_watch_a_demonstration(house: RealHouse) -> None:
    ran = run("client", house.url, *TABLE)

    assert (ran.code, ran.stderr) == (0, "")
    assert ran.stdout.startswith("Table 1: Roulette (MBS) v3 · round ")
    assert "credit" not in ran.stdout


def test_an_interrupt_ends_it_cleanly(house: RealHouse) -> None:
    with window(house.url, *TABLE, "--deal", "--as", "Dana") as dealer:
        dealer.expect("Dealer Dana")
        dealer.process.send_signal(signal.SIGINT)
        code, complaint = dealer.end()

    assert (code, complaint.strip()) == (130, "")
    assert "Dealer" not in run("client", house.url, *TABLE).stdout


def test_the_example_of_the_help_runs(house: RealHouse) -> None:
    told = run_here("client", "--help").stdout
    [example] = [line for line in told.splitlines() if "Example: " in line]
    program, *words = shlex.split(example.partition("Example: ")[2])
    with real_words(words, house) as here:
        ran = run_here(*here)

    assert program == "croupier"
    assert (ran.code, ran.stderr) == (0, "")


@contextmanager
def real_words(words: list[str], house: RealHouse) -> Iterator[list[str]]:
    """The example's words, at this house and a table of it."""
    names = {"http://127.0.0.1:8000": house.url, "table 1": "Table 1"}
    assert set(names) <= set(words)
    yield [names.get(word, word) for word in words]


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("--table", "Nowhere", "--seat"), "there is no table 'Nowhere'"),
        (("--table", "Nowhere"), "there is no table 'Nowhere'"),
        ((*TABLE, "--deal"), "--deal needs --as NAME"),
        ((*TABLE, "--deal", "--as", "Nobody"), "'Nobody' is not on the staff"),
        ((*TABLE, "--deal", "--as", "Sam"), "Sam is not a Dealer"),
        ((*TABLE, "--seat", "--as", "Sam"), "--seat goes without"),
        ((*TABLE, "--password-file", __file__), "--password-file needs --as NAME"),
        ((*TABLE, "--as", "Sam", "--password-file", "none"), "does not exist"),
        ((*TABLE, "--seat", "--script", "none"), "does not exist"),
        ((*TABLE, "--seat", "--device-token-file", "none"), "No such file"),
        ((*TABLE, "--seat", "--pair", "NOCODE"), "code"),
        ((), "Missing option '--table'"),
    ],
    ids=lambda each: " ".join(each) if isinstance(each, tuple) else "",
)
def test_what_can_not_begin_is_one_sentence(
    words: tuple[str, ...], complaint: str, other_house: RealHouse
) -> None:
    ran = run_here("client", other_house.url, *words)

    assert (ran.code, ran.stdout) == (2, "")
    assert ran.stderr.startswith("croupier: ")
    assert complaint in ran.stderr
    assert ran.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1:9", "https://127.0.0.1:9", "nowhere", "http://[::1"]
)
@pytest.mark.parametrize("how", [(), ("--seat",)], ids=["watching", "at a seat"])
def test_a_house_that_is_not_there_is_one_sentence(
    url: str, how: tuple[str, ...]
) -> None:
    ran = run_here("client", url, *TABLE, *how)

    assert (ran.code, ran.stdout) == (2, "")
    assert ran.stderr.startswith("croupier: ")
    assert ran.stderr.count("\n") == 1


def test_what_is_no_house_is_one_sentence(house: RealHouse) -> None:
    ran = run_here("client", f"{house.url}/elsewhere", *TABLE)

    assert (ran.code, ran.stdout) == (2, "")
    assert ran.stderr.count("\n") == 1


def _post(url: str, body: dict[str, Any], token: str | None = None) -> Any:
    request = urllib.request.Request(
        url, json.dumps(body).encode(), {"Content-Type": "application/json"}
    )
    if token is not None:
        request.add_header("Authorization", f"Bearer {token}")
    with urllib.request.urlopen(request, timeout=_WITHIN_S) as answer:
        return json.load(answer)


def test_a_terminal_is_paired_and_keeps_its_token(
    house: RealHouse, tmp_path: Path
) -> None:
    ada = _post(f"{house.url}/api/demonstration/staff", {"name": "Ada"})["token"]
    device = {"name": "T1", "kind": "terminal", "table": "Table 2"}
    code = _post(f"{house.url}/api/devices", device, ada)["code"]
    kept = tmp_path / "token"
    table = ("--table", "Table 2", "--seat")
    words = ("client", house.url, *table, "--device-token-file", kept)

    paired = run_here(*words, "--pair", code)
    again = run_here(*words)

    for ran in (paired, again):
        assert (ran.code, ran.stderr) == (0, "")
        assert "credit 0.00" in ran.stdout
        assert kept.read_text().strip() not in ran.stdout
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600


def test_a_house_that_stops_and_starts_again_loses_no_command(tmp_path: Path) -> None:
    with (
        real_house(tmp_path) as house,
        window(house.url, *TABLE, "--seat", "--json") as seat,
    ):
        for how in (signal.SIGTERM, signal.SIGKILL):
            seat.type("buy-in 100")
            seat.expect('"type":"answer"')
            house.end(how)
            seat.type("collect 1.50")
            house.start()
            answer = read_answer(seat.expect('"type":"answer"'))
            assert isinstance(answer, Answered)
            assert answer.registered
        seat.type("quit")
        left = seat.end()

    messages = [read_answer(line) for line in seat.seen]
    vouchers = [
        event
        for each in messages
        if isinstance(each, SeatUpdate)
        for event in each.happened
        if event.event == "VoucherIssued"
    ]
    issued = [each for each in messages if isinstance(each, Answered) and each.voucher]
    assert len(vouchers) == len(issued) == 2
    assert issued[-1].seat.credit_cents == 100_000 - 300  # type: ignore[union-attr]
    assert left == (0, "")


def test_patience_with_a_house_that_is_gone_ends(tmp_path: Path) -> None:
    with (
        real_house(tmp_path) as house,
        window(house.url, *TABLE, "--seat", "--patience", "0.5") as seat,
    ):
        seat.expect("Table 1")
        house.end()
        code, complaint = seat.end()

    assert code == 2
    assert re.fullmatch(r"croupier: the house at \S+ can't be reached: .+\n", complaint)


def test_with_real_money_the_staff_have_passwords_and_consoles(tmp_path: Path) -> None:
    (tmp_path / "password").write_text(f"{PASSWORD}\n", "utf-8")
    with real_house(tmp_path, "real") as house:
        house.end()
        for name in ("Dana", "Ada"):
            words = ("--by", "Ada", "--database", house.database)
            secret = f"{PASSWORD}\n".encode()
            assert run("house", "password", name, *words, stdin=secret).code == 0
        house.start()
        deal = ("client", house.url, *TABLE, "--deal", "--as", "Dana")

        no_seat = run_here("client", house.url, *TABLE, "--seat")
        no_board = run_here("client", house.url, *TABLE)
        no_console = run_here(*deal, "--password-file", tmp_path / "password")
        no_password = run(*deal)

    assert "real money" in no_seat.stderr
    assert "token" in no_board.stderr
    assert "console" in no_console.stderr
    for ran in (no_seat, no_board, no_console):
        assert (ran.code, ran.stdout) == (2, "")
    assert no_password.code in {2, 130}
    assert no_password.stdout == ""
