"""A checked wheel as sentences, as a table and as JSON."""

from __future__ import annotations

from typing import Any

from croupier.audit.wheel.check import SLIGHT, SURELY, Power, Verdict, WheelCheck
from croupier.tabular import TextTable


def head(check: WheelCheck) -> str:
    record = check.record
    source = f" of {record.source}" if record.source else ""
    return (
        f"{record.game.document}: {_counted(record.spins)}{source},"
        f" {record.compartments} compartments"
    )


def _counted(spins: int) -> str:
    return f"{spins:,} outcome{'' if spins == 1 else 's'}"


def verdict_lines(check: WheelCheck) -> list[str]:
    """Return the verdict, what it is about, and what so many outcomes can show."""
    level = f"{check.plan.level * 100:g} %"
    first = f"{check.verdict.value.capitalize()} at a level of {level}"
    lines = [f"{first}{':' if check.evidence else '.'}"]
    lines += [f"- {test.name}: {test.seen}." for test in check.evidence]
    if check.verdict is Verdict.TOO_FEW:
        lines.append("Nothing was seen, but a biased wheel could look the same.")
    return [*lines, *map(power_sentence, check.powers)]


def power_sentence(power: Power) -> str:
    """Say what bias of this kind would have been found."""
    slight = (
        f"So many outcomes show {power.what} {SLIGHT * 100:.0f} % too likely with a"
        f" probability of {power.found(SLIGHT) * 100:.0f} %"
    )
    smallest = power.smallest
    if smallest is None:
        return f"{slight}, and none however likely with {SURELY * 100:.0f} %."
    return f"{slight}, {smallest * 100:.0f} % too likely with {SURELY * 100:.0f} %."


def check_table(check: WheelCheck) -> TextTable:
    """Return a row for each test, below what was tested."""
    return TextTable.of(
        head(check),
        check.judged,
        {
            "test": lambda each: each.test.name,
            ">p-value": lambda each: shown_p(each.test.p_value),
            ">corrected": lambda each: shown_p(each.corrected),
            "what was seen": lambda each: each.test.seen,
        },
        tuple(f"- {note}" for note in notes(check)),
    )


def shown_p(p_value: float) -> str:
    return f"{p_value:.4f}" if p_value >= 0.0001 else f"{p_value:.1e}"


def notes(check: WheelCheck) -> list[str]:
    """Say how each p-value was found, and what was left out."""
    said = [
        f"{each.test.name}: {each.test.method}"
        + (f"; pays for {each.test.corrected_for}" if each.test.corrected_for else "")
        for each in check.judged
    ]
    said.append(
        f"corrected: for all {len(check.judged)} tests together, after Holm; it is held"
        f" against the level of {check.plan.level * 100:g} %"
    )
    if not check.record.knows_ring:
        said.append(
            "sectors and distances are left out: the order of this game's compartments"
            " is not known (W2)"
        )
    return said


def check_json(check: WheelCheck) -> dict[str, Any]:
    record, plan = check.record, check.plan
    return {
        "game": record.game.name,
        "source": record.source,
        "outcomes": record.spins,
        "level": plan.level,
        "trials": plan.trials,
        "seed": plan.seed,
        "verdict": check.verdict,
        "says": verdict_lines(check),
        "tests": [_test_json(check, place) for place in range(len(check.judged))],
        "left_out": [] if record.knows_ring else ["sectors", "distances"],
        "power": [
            {
                "what": power.what,
                "excess_found": power.smallest,
                "with_probability": SURELY,
                "excess": SLIGHT,
                "probability": power.found(SLIGHT),
            }
            for power in check.powers
        ],
        "ring": list(record.ring) if record.knows_ring else None,
        "counts": dict(
            zip(record.ring, (int(count) for count in record.counts), strict=True)
        ),
    }


def _test_json(check: WheelCheck, place: int) -> dict[str, Any]:
    judged = check.judged[place]
    test = judged.test
    return {
        "test": test.name,
        "statistic": test.statistic,
        "p_value": test.p_value,
        "corrected": judged.corrected,
        "evidence": judged.is_evidence,
        "method": test.method,
        "pays_for": test.corrected_for,
        "seen": test.seen,
        "numbers": list(test.named),
    }
