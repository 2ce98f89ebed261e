"""The end of a simulated house: what every sender was told, and what it came to."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256

from croupier.journal.verification import verify
from croupier.ledger import money
from croupier.table.answers import Accepted
from tests.journal.stored import checkpoints, stored_answers, stored_snapshots
from tests.robustness.books import demand
from tests.simulation.house import SimulatedHouse


def end(house: SimulatedHouse) -> None:
    """Everybody gets their answer; then everything that must hold, once more."""
    house.calm_down()
    house.check(whole=True)
    verified = verify(house.store.inner)
    demand(verified.is_clean, f"the journal does not verify: {verified.findings}")
    _check_everything_acknowledged(house)
    _check_cash(house)


def _check_everything_acknowledged(house: SimulatedHouse) -> None:
    """Committed or not at a crash: every sender has one answer, for good."""
    recorder = house.recorder
    is_answered = set(recorder.submitted) == set(recorder.answered)
    demand(is_answered, "an answer is missing")
    for key, answer in recorder.answered.items():
        demand(key in house.committed, f"{key} was answered without a commit")
        if isinstance(answer, Accepted):
            demand(answer.first == house.committed[key], f"{key}: another commit")
    for table in house.tables.values():
        assert table is not None
        recorder.check_again(table, share=20)


def _check_cash(house: SimulatedHouse) -> None:
    """The cash that changed hands, by the answers, is the cash in the books."""
    taken = 0
    for answer in house.recorder.answered.values():
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


def report(house: SimulatedHouse) -> str:
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


def journal_digest(house: SimulatedHouse) -> str:
    """One hash over every stored row: equal for equal seeds."""
    store = house.store.inner
    parts = [repr(row) for row in (*store.heads(), *store.vouchers())]
    parts += checkpoints(store)
    for stream in house.followers:
        parts += map(repr, store.events(stream))
        parts += map(repr, store.entries(stream))
        parts += map(repr, stored_answers(store, stream))
        parts += map(repr, stored_snapshots(store, stream))
        parts += map(repr, sorted(store.balances(stream).items()))
    return sha256("\n".join(parts).encode()).hexdigest()
