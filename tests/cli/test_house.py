"""`croupier house` at the machine: first passwords, and accounts that are locked."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from argon2 import Type, extract_parameters

import croupier
from croupier.house.configuration.setup import (
    demonstration_plan,
    demonstration_text,
    prepare,
)
from croupier.house.people.log_on import Sessions, is_password
from croupier.house.records.house_record import (
    Denied,
    HouseRecord,
    now_ms,
    read_house_state,
)
from croupier.journal.events.house import SecondFactorSet
from croupier.journal.stores import open_store
from croupier.rules.operator import Role
from tests.cli.running import run, run_here

REAL_MONEY = Path(croupier.__file__).parent / "samples/real-money.toml"


@pytest.fixture
def url(tmp_path: Path) -> str:
    """A house in which everybody who could unlock somebody is locked."""
    url = f"sqlite:///{tmp_path}/house.db"
    with open_store(url) as store:
        prepare(store, now_ms, demonstration_plan())
        record = HouseRecord(store, now_ms)
        sessions = Sessions(record)
        for name in record.state.staff:
            for _ in range(5):
                with suppress(Denied):
                    sessions.check_password(name, "wrong", None)
            assert record.state.account(name).is_locked(now_ms())
    return url


def test_passwords_are_hashed_for_long(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/house.db"
    with open_store(url) as store:
        prepare(store, now_ms, demonstration_plan())
        name, *_ = read_house_state(store).staff
    words = ("house", "password", name, "--by", name, "--database", url)

    ran = run(*words, stdin=b"correct horse battery staple\n")

    assert ran.code == 0, ran.stderr
    with open_store(url) as store:
        digest = read_house_state(store).account(name).password
        used = extract_parameters(store.secret(digest or "") or "")
    assert used.type is Type.ID
    assert (used.memory_cost, used.time_cost) >= (64 * 1024, 3)


def test_a_restored_house_gets_its_passwords_at_the_machine(tmp_path: Path) -> None:
    house, backup = tmp_path / "house.db", tmp_path / "backup.db"
    restored = f"sqlite:///{tmp_path}/restored.db"
    with open_store(str(house)) as store:
        prepare(store, now_ms, demonstration_plan())
    known = "correct horse battery staple"
    words = ("house", "password", "Mira", "--by", "Mira", "--database")
    given = f"{known}\n".encode()
    assert run_here(*words, f"sqlite:///{house}", stdin=given).code == 0
    assert run_here("journal", "backup", house, backup).code == 0
    assert run_here("journal", "restore", backup, restored).code == 0
    assert not _opens(restored, "Mira", known)

    ran = run_here(*words, restored, stdin=given)

    assert (ran.code, ran.stdout) == (0, "the password of Mira is set\n")
    assert _opens(restored, "Mira", known)


def _opens(url: str, name: str, password: str) -> bool:
    with open_store(url) as store:
        return is_password(HouseRecord(store, now_ms), name, password)


def test_somebody_is_always_unlocked_at_the_machine(url: str) -> None:
    with open_store(url) as store:
        name, other, *_ = read_house_state(store).staff

    ran = run_here("house", "unlock", name, "--by", name, "--database", url)

    assert (ran.code, ran.stdout) == (0, f"{name} is unlocked\n")
    with open_store(url) as store:
        state = read_house_state(store)
    assert not state.account(name).is_locked(now_ms())
    assert state.account(other).is_locked(now_ms())


def test_who_is_not_locked_or_not_there_is_named(url: str) -> None:
    with open_store(url) as store:
        name, *_ = read_house_state(store).staff
    words = ("--by", name, "--database", url)

    nobody = run_here("house", "unlock", "Nobody", *words)
    by_nobody = run_here("house", "unlock", name, "--by", "X", "--database", url)

    assert (nobody.code, by_nobody.code) == (2, 2)
    assert "Nobody' is not locked" in nobody.stderr
    assert "'X' is not on the staff" in by_nobody.stderr


def test_staff_are_defined_and_removed_at_the_machine(url: str) -> None:
    words = ("--by", "Mira", "--database", url)
    nina = ("house", "staff", "define", "Nina", *words)

    defined = run_here(*nina, "--position", "Dealer", "--duty", "attendant")
    nothing = run_here(*nina)
    unknown = run_here(*nina, "--duty", "cook")
    twin = run_here("house", "staff", "define", "nina", *words, "--duty", "cashier")

    assert (defined.code, defined.stdout) == (
        0,
        "Nina is on the staff: Dealer, attendant\n",
    )
    assert {nothing.code, unknown.code, twin.code} == {2}
    assert "Nina needs a position or a duty" in nothing.stderr
    assert "'cook' is none of: cashier, inspector" in unknown.stderr
    assert "looks like 'Nina'" in twin.stderr
    with open_store(url) as store:
        assert read_house_state(store).staff["Nina"].positions == (Role.DEALER,)

    removed = run_here("house", "staff", "remove", "Nina", *words)

    assert (removed.code, removed.stdout) == (0, "Nina is removed from the staff\n")
    with open_store(url) as store:
        assert "Nina" not in read_house_state(store).staff


def test_a_lost_second_factor_is_reset_at_the_machine(tmp_path: Path, url: str) -> None:
    with open_store(url) as store:
        record = HouseRecord(store, now_ms)
        name, other, *_ = record.state.staff
        kept = store.keep_secret("sealed")
        record.write(SecondFactorSet(name, kept, 1))
    words = ("--by", other, "--database", url)

    ran = run_here("house", "second-factor", "reset", name, *words)
    again = run_here("house", "second-factor", "reset", name, *words)

    assert ran.code == 0
    assert ran.stdout == f"the second factor of {name} is reset: they enrol another\n"
    assert again.code == 2
    assert f"{name} has no second factor" in again.stderr
    with open_store(url) as store:
        assert read_house_state(store).account(name).factor is None
        assert store.secret(kept) is None


def test_a_house_that_asks_for_second_factors_needs_their_key(tmp_path: Path) -> None:
    house, key = tmp_path / "house.toml", tmp_path / "factors.key"
    text = demonstration_text()
    asks = '[house]\nsecond_factor = ["confirm"]\n'
    house.write_text(text.replace("[house]\n", asks), "utf-8")
    url = f"sqlite:///{tmp_path}/house.db"
    words = ("serve", "--house", str(house), "--database", url, "--port", "0")

    refused = run(*words, "--create")
    made = run_here("house", "second-factor", "key", str(key))

    assert refused.code == 2
    assert "this house asks for a second factor: give the key" in refused.stderr
    assert not (tmp_path / "house.db").exists()
    assert (made.code, key.exists()) == (0, True)


def _created(folder: Path, *first: str) -> str:
    """A house of real money whose first people have passwords."""
    file, url = REAL_MONEY, f"sqlite:///{folder}/house.db"
    words = ("house", "create", file, "--database", url)
    each = [word for name in first for word in ("--first", name)]
    lines = "".join(f"{name} by the lake 9\n" for name in first)
    ran = run_here(*words, *each, stdin=lines.encode())
    assert ran.code == 0, ran.stderr
    assert f"{', '.join(first)} can log on" in ran.stdout
    return url


def _set_password(url: str, name: str, by: str) -> str:
    words = ("house", "password", name, "--by", by, "--database", url)
    return run_here(*words, stdin=b"a temporary phrase\n").stdout


def _limited(url: str) -> dict[str, tuple[str, ...]]:
    with open_store(url) as store:
        accounts = read_house_state(store).accounts
    return {
        name: each.no_vouchers for name, each in accounts.items() if each.no_vouchers
    }


def test_the_first_people_have_passwords_of_their_own(tmp_path: Path) -> None:
    url = _created(tmp_path, "Mira", "Noor", "Omar")

    assert _limited(url) == {}


def test_a_password_that_is_set_at_the_machine_limits_the_account(
    tmp_path: Path,
) -> None:
    url = _created(tmp_path, "Mira", "Noor")

    said = [_set_password(url, "Dana", "Mira"), _set_password(url, "Noor", "Noor")]

    assert all("they choose their own beside a manager" in each for each in said)
    assert _limited(url) == {"Dana": ("Mira", "Noor"), "Noor": ("Dana", "Noor")}


def test_the_owner_sets_their_own_where_nobody_could_vouch(tmp_path: Path) -> None:
    url = _created(tmp_path, "Mira")

    own = _set_password(url, "Mira", "Mira")
    by_another = _set_password(url, "Mira", "Dana")

    assert own == "the password of Mira is set\n"
    assert "beside a manager" in by_another
    with open_store(url) as store:
        kinds = [row.kind for row in store.events("house")][-5:]
    own_events = ["PasswordSet", "AccountSet", "AccountVouched"]
    assert kinds == [*own_events, "PasswordSet", "AccountSet"]


@pytest.mark.parametrize(
    ("without", "told"),
    [
        (None, ""),
        ("Petra", "Mira, Noor, Omar"),
        ("Omar", "Mira, Noor, Petra"),
        ("administrator", "Dana, Mira, Noor, Omar, Petra, Cole, Ines"),
    ],
)
def test_too_few_people_for_a_reset_are_named(
    tmp_path: Path, without: str | None, told: str
) -> None:
    text = REAL_MONEY.read_text("utf-8")
    head, *staff = text.split("[[staff]]")
    kept = [each for each in staff if not without or f'"{without}"' not in each]
    if without == "administrator":
        kept = [each.replace('duties = ["administrator"]', "") for each in staff]
    file = tmp_path / "house.toml"
    file.write_text("[[staff]]".join([head, *kept]), "utf-8")

    ran = run_here("house", "check", file)

    named = f"too few people to set the password of {told}: it takes two others"
    assert (ran.code, named in ran.stdout) == (0, bool(told))
    assert ("too few" in ran.stdout) == bool(told)
