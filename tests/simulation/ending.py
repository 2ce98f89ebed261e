"""The end of a simulated house: what every sender was told, and what it came to."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256

from croupier.journal.verification import verify
from croupier.ledger import money
from croupier.table.answers import Accepted
from tests.journal.stored import published_heads, stored_answers, stored_snapshots
from tests.simulation.books import demand
from tests.simulation.house import House


def end(house: House) -> None:
    """Everybody gets their answer; then everything that must hold, once more."""
    house.calm_down()
    house.check(whole=True)
    verified = verify(house.store.inner)
    demand(verified.is_clean, f"the journal does not verify: {verified.findings}")
    _check_everything_acknowledged(house)
    _check_cash(house)


def _check_everything_acknowledged(house: House) -> None:
    """Committed or not at a crash: every sender has one answer, for good."""
    demand(set(house.submitted) == set(house.acknowledged), "an answer is missing")
    for key, answer in house.acknowledged.items():
        demand(key in house.committed, f"{key} was answered without a commit")
        if isinstance(answer, Accepted):
            demand(answer.first == house.committed[key], f"{key}: another commit")
    for stream, table in house.tables.items():
        assert table is not None
        head = table.head
        of_table = [key for key in house.submitted if key[0] == stream]
        for key in of_table[:: max(1, len(of_table) // 20)]:
            [answer] = table.handle([house.submitted[key]])
            demand(answer == house.acknowledged[key], f"{key}: another answer")
        demand(table.head == head, "a command sent again wrote something")


def _check_cash(house: House) -> None:
    """The cash that changed hands, by the answers, is the cash in the books."""
    taken = 0
    for answer in house.acknowledged.values():
        for event in answer.events if isinstance(answer, Accepted) else ():
            match event:
                case (
                    money.BoughtIn(cents=cents)
                    | money.ColourChipsBought(cents=cents)
                    | money.ClaimPaid(cents=cents)
                ):
                    taken += cents
                case (
                    money.CashedOut(cents=cents)
                    | money.ColourChipsBoughtBack(cents=cents)
                    | money.OwedPaid(cents=cents)
                    | money.VoucherPaid(cents=cents)
                ):
                    taken -= cents
    booked = -sum(each.books.accounts["cash"] for each in house.followers.values())
    demand(taken == booked, f"{taken} cents changed hands, {booked} are booked")


def report(house: House) -> str:
    """What this house has been through, in a few lines."""
    claims = sum(each.claims for each in house.followers.values())
    kinds = house.kinds()
    lines = {
        "went on": house.counts,
        "on the network": house.network.counts,
        "on the disk": house.store.injected,
        "recorded": Counter(events=kinds.total(), claims=claims),
        "kinds": kinds,
    }
    texts = [f"seed {house.seed}, {house.steps} steps"]
    for name, counts in lines.items():
        listed = (f"{what} {count}" for what, count in sorted(counts.items()))
        texts.append(f"  {name}: {', '.join(listed)}")
    return "\n".join(texts)


def journal_digest(house: House) -> str:
    """One hash over every stored row: equal for equal seeds."""
    store = house.store.inner
    parts = [repr(row) for row in (*store.heads(), *store.vouchers())]
    parts += published_heads(store)
    for stream in house.followers:
        parts += map(repr, store.events(stream))
        parts += map(repr, store.entries(stream))
        parts += map(repr, stored_answers(store, stream))
        parts += map(repr, stored_snapshots(store, stream))
        parts += map(repr, sorted(store.balances(stream).items()))
    return sha256("\n".join(parts).encode()).hexdigest()
