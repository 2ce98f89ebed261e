"""Staff sessions, locks and tries of a house that several nodes serve."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from croupier.house.people import log_on, totp
from croupier.house.people.log_on import Sessions, choose_password, csrf_of, digest_of
from croupier.house.people.second_factor import FactorKey, IdentityCheck, Proof
from croupier.house.reasons import HouseReason
from croupier.house.records.house_record import Denied, HouseRecord
from croupier.house.records.house_snapshot import (
    read_house_snapshot,
    write_house_snapshot,
)
from croupier.journal.events import house as house_events
from croupier.journal.events.plan import DEFAULT_HOUSE, StaffPlan
from croupier.journal.store import Store
from croupier.rules.operator import Role
from tests.house.shared_house import HouseNode, house_nodes
from tests.journal.stores import postgres_server, postgres_url
from tests.robustness.stores import MemoryStore

__all__ = ["postgres_server", "postgres_url"]
PASSWORD = "correct horse battery"
OTHER = "another horse altogether"
IDLE_MS = DEFAULT_HOUSE.idle_minutes * 60_000


class Times:
    """A clock that a test sets."""

    now = 1_000

    def __call__(self) -> int:
        return self.now


@pytest.fixture
def times() -> Times:
    return Times()


@pytest.fixture
def nodes(postgres_url: str, times: Times) -> Iterator[list[HouseNode]]:
    with house_nodes(postgres_url, 2, times) as both:
        _staffed(both[0].record)
        both[1].record.follow()
        yield both


def _staffed(record: HouseRecord) -> None:
    record.write(
        house_events.StaffDefined("test", StaffPlan("Ina", (Role.PIT_MANAGER,)))
    )
    choose_password(record, "Ina", PASSWORD)


def _keep_password(record: HouseRecord, password: str) -> None:
    record.write(log_on.keep_password(record, "Ina", "Ina", password))


def _sessions(nodes: list[HouseNode]) -> list[Sessions]:
    return [Sessions(node.record, node.sharing) for node in nodes]


def test_a_token_of_one_node_opens_the_others_until_it_is_ended_anywhere(
    nodes: list[HouseNode],
) -> None:
    here, there = _sessions(nodes)
    token, session = here.log_on("Ina", PASSWORD)
    nodes[1].record.follow()

    assert there.find(token)[0] == session
    assert there.name_of(token) == "Ina"
    assert set(there.open_now()) == set(here.open_now()) == {digest_of(token)[:16]}

    there.log_off(token)
    nodes[0].record.follow()
    with pytest.raises(Denied) as denied:
        here.find(token)
    assert denied.value.reason == HouseReason.NOBODY_LOGGED_ON()


def test_a_session_that_is_used_at_one_node_is_idle_at_none(
    nodes: list[HouseNode], times: Times
) -> None:
    here, there = _sessions(nodes)
    token, _ = here.log_on("Ina", PASSWORD)
    nodes[1].record.follow()
    for _ in range(3):
        times.now += IDLE_MS - 60_000
        here.find(token)
        here.tell_others()
        there.tell_others()

    assert not there.has_over()
    assert there.find(token)[0].name == "Ina"

    times.now += IDLE_MS + 60_000
    assert there.has_over()
    there.end_over()
    there.end_over()
    nodes[0].record.follow()
    ends = [each for each in nodes[0].heard if isinstance(each, house_events.LoggedOff)]
    assert [each.reason for each in ends] == [HouseReason.IDLE_TOO_LONG()]
    assert here.name_of(token) is None


def test_who_ends_idle_sessions_asks_the_other_nodes_first(
    nodes: list[HouseNode], times: Times
) -> None:
    here, there = _sessions(nodes)
    token, _ = here.log_on("Ina", PASSWORD)
    nodes[1].record.follow()
    times.now += IDLE_MS - 1
    here.find(token)
    here.tell_others()
    times.now += 60_000

    assert there.has_over(), "as far as it knows"
    there.end_over()

    assert there.find(token)[0].name == "Ina"


def test_wrong_passwords_at_several_nodes_lock_an_account_at_all(
    nodes: list[HouseNode],
) -> None:
    both = _sessions(nodes)
    for tried in range(5):
        with pytest.raises(Denied):
            both[tried % 2].log_on("Ina", "wrong")
    nodes[0].record.follow()
    nodes[1].record.follow()

    for sessions in both:
        with pytest.raises(Denied):
            sessions.log_on("Ina", PASSWORD)


def test_a_password_that_was_changed_at_one_node_counts_at_once_at_the_others(
    nodes: list[HouseNode],
) -> None:
    _, there = _sessions(nodes)
    choose_password(nodes[0].record, "Ina", OTHER)

    there.log_on("Ina", OTHER)
    with pytest.raises(Denied):
        there.log_on("Ina", PASSWORD)

    assert nodes[1].record.state.account("Ina").failures == 1


def test_a_password_that_is_changed_while_it_is_tried_opens_nothing(
    nodes: list[HouseNode], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, there = _sessions(nodes)
    verify = log_on.is_password

    def slowly(record: HouseRecord, name: str, password: str) -> bool:
        is_right = verify(record, name, password)
        _keep_password(nodes[0].record, OTHER)
        return is_right

    with monkeypatch.context() as patch:
        patch.setattr(log_on, "is_password", slowly)
        with pytest.raises(Denied):
            there.log_on("Ina", PASSWORD)

    assert nodes[1].record.state.sessions == {}


def test_a_house_served_by_one_process_ends_the_sessions_at_its_start() -> None:
    store: Store = MemoryStore()
    record = HouseRecord(store, lambda: 1_000)
    _staffed(record)
    sessions = Sessions(record)
    token, _ = sessions.log_on("Ina", PASSWORD)

    record.write(house_events.ServerStarted("1", "code", node="n1"))
    assert sessions.name_of(token) == "Ina", "the other nodes have theirs"
    assert read_house_snapshot(write_house_snapshot(record.state)) == record.state

    record.write(house_events.ServerStarted("1", "code", ""))
    assert sessions.name_of(token) is None


def test_what_a_browser_sends_along_follows_from_its_token_alone() -> None:
    assert csrf_of("a") == csrf_of("a") != csrf_of("b")
    assert digest_of("a") not in csrf_of("a")


def test_a_second_factor_begun_at_one_node_is_completed_at_another(
    nodes: list[HouseNode], times: Times
) -> None:
    here, there = (
        IdentityCheck(node.record, sessions, FactorKey(bytes(32)))
        for node, sessions in zip(nodes, _sessions(nodes), strict=True)
    )

    times.now += 60_000
    secret = here.begin("Ina", Proof(PASSWORD))
    there.complete("Ina", totp.code_at(secret, times.now // totp.STEP_MS))

    account = nodes[1].record.state.account("Ina")
    assert account.factor is not None
    assert account.enrolment is None
    kept = nodes[0].record.store.secret(account.factor)
    assert kept is not None
    assert totp.as_text(secret) not in kept
