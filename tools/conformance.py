"""Write the conformance suite from the golden tables and transcripts of the tests.

People typed both from the documents. Odds are calculated here from the counts of the
golden tables, sequences from the tables of acts: no vector is an output of our engine.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from math import comb
from pathlib import Path
from typing import Any

from croupier.rulebook.evidence import PAIRS
from tests.expectations import TRANSCRIPTS, read_expected
from tests.golden_tables import golden_rows

ROOT = Path(__file__).parent.parent
SUITE = ROOT / "conformance" / "v1"
COMPARTMENTS = {
    "mbs-roulette-v2": 37,
    "mbs-roulette-v3": 37,
    "mbs-complete-bet-v2": 37,
    "mbs-fast-action-v2": 40,
    "rws-triple-zero": 39,
}
_COVERED = {
    "straight_up": 1,
    "split": 2,
    "street": 3,
    "corner": 4,
    "six_line": 6,
    "top_line": 6,
    "green": 3,
    "column": 12,
    "dozen": 12,
} | dict.fromkeys(("low", "high", "even", "odd", "red", "black"), 18)
_CITED = {
    "mbs-complete-bet-v2": {
        "tiers": "3.5.1",
        "orphelins": "3.5.2",
        "voisins_du_zero": "3.5.3",
        "zero_spiel": "3.5.4",
        "neighbours": "3.5.5",
        "complete": "3.6.1",
    },
    "rws-triple-zero": {
        "tiers": "Appendix B: Tiers",
        "orphelins": "Appendix B: Orphelins",
        "zero_spiel": "Appendix B: 0-Spiel",
        "grand_series": "Appendix B: Grand Series",
        "finales": "Appendix B: Finales",
        "neighbours": "Appendix B: Neighbours",
    },
}
Vector = dict[str, Any]


def _vector(clause: str, ask: Vector, expect: Vector) -> Vector:
    is_reading = re.fullmatch(r"[ANSW]\d+", clause)
    return {"reading" if is_reading else "clause": clause, "ask": ask, "expect": expect}


def _areas(game: str) -> Iterator[Vector]:
    clauses = _pay_clauses(game)
    for row in golden_rows(f"{game}.areas"):
        kind, count, pays = row.split()
        expect = {"areas": int(count), "pays": [int(each) for each in pays.split("/")]}
        yield _vector(clauses[kind], {"do": "count_areas", "type": kind}, expect)
    for name in dict.fromkeys(row.split()[1] for row in golden_rows(f"{game}.settle")):
        kind, _, covered = name.partition(":")
        expect = {"type": kind}
        if "/" in covered or kind == "straight_up":
            expect["numbers"] = covered.split("/")
        yield _vector(clauses[kind], {"do": "find_area", "area": name}, expect)


def _pay_clauses(game: str) -> dict[str, str]:
    """Return the clause by which each wager type is paid."""
    rows = [row.split() for row in golden_rows(f"{game}.settle")]
    return {
        area.partition(":")[0]: clause
        for clause, area, _, _, *paid in rows
        if paid[0] != "0"
    }


def _pieces(game: str) -> Iterator[Vector]:
    if game in _CITED:
        for row in golden_rows(f"{game}.pieces"):
            wager, *pieces = row.split()
            expect = (
                {"count": int(pieces[0])} if pieces[0].isdigit() else {"pieces": pieces}
            )
            clause = _CITED[game][wager.partition(":")[0]]
            yield _vector(clause, {"do": "find_pieces", "wager": wager}, expect)


def _settlement(game: str) -> Iterator[Vector]:
    for row in golden_rows(f"{game}.settle"):
        clause, area, number, stake, paid, collected, *bonus = row.split()
        ask = {
            "do": "settle",
            "area": area,
            "number": number,
            "stake_cents": int(stake),
        }
        if bonus:
            ask["bonus_numbers"] = bonus[0].split(",")
        expect = {
            "paid_cents": int(paid),
            "collected_cents": int(collected),
            "returned_cents": int(stake) - int(collected),
        }
        yield _vector(clause, ask, expect)


def _odds(game: str) -> Iterator[Vector]:
    clauses = _pay_clauses(game)
    pays_of = {row.split()[0]: row.split()[2] for row in golden_rows(f"{game}.areas")}
    for name in dict.fromkeys(row.split()[1] for row in golden_rows(f"{game}.settle")):
        kind = name.partition(":")[0]
        pays = [int(each) for each in pays_of[kind].split("/")]
        wins = _fast_action_wins(kind, pays) or {
            pays[0]: Fraction(_COVERED[kind], COMPARTMENTS[game])
        }
        won = sum(wins.values())
        gained = sum(chance * (pay + 1) for pay, chance in wins.items())
        squares = sum(chance * (pay + 1) ** 2 for pay, chance in wins.items())
        expect = {
            "win_probability": str(won),
            "return": str(gained),
            "house_edge": str(1 - gained),
            "variance": str(squares - gained**2),
        }
        yield _vector(clauses[kind], {"do": "odds", "wager": name}, expect)


def _fast_action_wins(kind: str, pays: list[int]) -> dict[int, Fraction]:
    """Return the probability of each pay if ten of forty numbers are drawn.

    A given link of four is complete in comb(36, 6) draws (1.1.11); each of the ten
    links has one Bonus Number in 4**10 draws (1.1.8).
    """
    draws = comb(40, 10)
    lit, whole = Fraction(1, 4), Fraction(comb(36, 6), draws)
    if kind == "straight_up" and len(pays) > 1:
        shares = (1 - lit, lit - whole, whole)
        return {pay: share / 40 for pay, share in zip(pays, shares, strict=True)}
    special = {
        "bonus_win": lit,
        "super_bonus_win": whole,
        "scatter_bonus": Fraction(4**10, draws),
    }
    return {pays[0]: special[kind]} if kind in special else {}


_ROLES = {
    "P": "Anna",
    "D": "Dealer",
    "PS": "Pit Supervisor",
    "PM": "Pit Manager",
    "GSM": "Gaming Shift Manager",
    "TGSM": "Table Games Shift Manager",
    "sys": "system",
    "RNG": "RNG",
}
_DRAW = "RNG: bonus numbers 1 2 5 9 13 17 21 25 29 33"
_OPENED = ("Dealer: place your bets", "Anna: place straight_up:17 10 as w1")
_CLOSED = (*_OPENED, "Dealer: spin", "Dealer: no more bets", _DRAW)
_STATES = {
    "awaiting": (),
    "betting": _OPENED,
    "spun": (*_OPENED, "Dealer: spin"),
    "closed": _CLOSED,
    "decided": (*_CLOSED, "Dealer: outcome 17"),
    "void": (*_CLOSED, "Dealer: irregularity foreign_object"),
    "held": (*_CLOSED, "Dealer: irregularity unlisted"),
    "ended": (*_CLOSED, "Dealer: outcome 17", "Dealer: settle"),
}
_IN_ORDER = {"awaiting", "betting", "spun", "closed", "decided"}


def _acts(game: str, *, in_order: bool) -> Iterator[Vector]:
    provided = {
        (act, state): cell for act, _, state, cell in act_cells(game) if cell != "ok"
    }
    for act, role, state, cell in act_cells(game):
        if (state in _IN_ORDER) != in_order:
            continue
        named = act.removeprefix("for Anna ")
        line = f"{_ROLES[role]}{' for Anna' if named != act else ''}: {named}"
        ask = {"do": "act", "after": state, "act": line}
        # The wrong position is refused with the clause that provides the act.
        clause = provided[act, state] if cell == "ok" else cell
        yield _vector(clause, ask, {"refused": None if cell == "ok" else cell})


def act_cells(game: str) -> Iterator[tuple[str, str, str, str]]:
    """Yield act, role, state, and `ok` or the clause that refuses."""
    for row in golden_rows(f"{game}.acts"):
        act, roles, cells = (part.strip() for part in row.split("|"))
        for role in roles.split(","):
            for state, cell in zip(_STATES, cells.split(), strict=True):
                yield act, role, state, cell


def _setup(game: str, state: str) -> list[str]:
    lines = _STATES[state]
    return [line for line in lines if line != _DRAW or game == "mbs-fast-action-v2"]


def _rounds(game: str) -> Iterator[Vector]:
    yield from _acts(game, in_order=True)
    yield from _transcripts(game, exceptional=False)


def _exceptional(game: str) -> Iterator[Vector]:
    yield from _acts(game, in_order=False)
    yield from _transcripts(game, exceptional=True)


_ENDS = {"settled", "void", "referred", "open"}


def _transcripts(game: str, *, exceptional: bool) -> Iterator[Vector]:
    """Whole transcripts; one is exceptional if a round is void, held or left open."""
    own = sorted((TRANSCRIPTS / game).rglob("*.txt"))
    for path in [*own, *sorted((PAIRS / game).glob("*.txt"))]:
        text = path.read_text(encoding="utf-8")
        expect = _expected(text)
        ends = {each["status"] for each in expect.get("rounds", ())}
        if not ends or (ends != {"settled"}) != exceptional:
            continue
        lines = [line.partition("#")[0].rstrip() for line in text.splitlines()]
        heading = re.match(r"# (Appendix \w: [A-Z0-9][\w -]+|[^:,\n]+)[:,]", text)
        assert heading is not None, path
        ask = {"do": "transcript", "lines": [line for line in lines if line]}
        yield _vector(heading[1], ask, expect)


def _expected(text: str) -> Vector:
    """Return the refused acts, by their place among the lines, rounds and wagers."""
    stated = read_expected(text)
    places: dict[int, int] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if line.partition("#")[0].strip():
            places[number] = len(places) + 1
    refused = {str(places[line]): clause for line, clause in stated.refusals.items()}
    expect: Vector = {"refused": refused, "rounds": [], "wagers": []}
    for statement in stated.statements:
        round_number, first, *words = statement.split()
        if first in _ENDS:
            key = "winning_number" if first == "settled" else "clause"
            ended: Vector = {"round": int(round_number), "status": first}
            expect["rounds"].append(ended | ({key: words[0]} if words else {}))
        elif "stake" in words:
            expect["wagers"].append(_wager(int(round_number), first, words))
    return {key: value for key, value in expect.items() if value or key == "refused"}


def _wager(number: int, wager_id: str, words: list[str]) -> Vector:
    at = words.index("stake")
    *player, wager = words[:at]
    found: Vector = {
        "round": number,
        "id": wager_id,
        "player": " ".join(player),
        "wager": wager,
    }
    for name, amount in zip(words[at::2], words[at + 1 :: 2], strict=True):
        found[f"{name}_cents"] = round(100 * Fraction(amount.replace(",", "")))
    return found


_COURSE = (
    "place your bets",
    "spin",
    "no more bets",
    "bonus",
    "outcome 17",
    "irregularity foreign_object",
    "irregularity unlisted",
    "display 5",
    "settle",
)
SEQUENCE_DEPTH = 8


def _sequences(game: str) -> Iterator[Vector]:
    """Count the lawful sequences of the Dealer's acts and the draw."""
    acts = [_DRAW if act == "bonus" else f"Dealer: {act}" for act in _COURSE]
    count: Counter[tuple[str, bool]] = Counter({("awaiting", False): 1})
    for depth in range(1, SEQUENCE_DEPTH + 1):
        count = _step(game, count)
        ask = {"do": "count_sequences", "acts": acts, "depth": depth}
        yield {"ask": ask, "expect": {"sequences": count.total()}}


def _step(game: str, count: Counter[tuple[str, bool]]) -> Counter[tuple[str, bool]]:
    cells = {
        (act, state): cell for act, role, state, cell in act_cells(game) if role == "D"
    }
    after: Counter[tuple[str, bool]] = Counter()
    for (state, is_drawn), sequences in count.items():
        for act in _COURSE:
            reached = _reached(game, cells, (state, is_drawn), act)
            if reached is not None:
                after[reached] += sequences
    return after


def _reached(
    game: str, cells: dict[tuple[str, str], str], at: tuple[str, bool], act: str
) -> tuple[str, bool] | None:
    """Return the state after an act, or None if it is refused.

    The tables of acts assume that the draw was made. Before it, an outcome is refused
    (1.1.1), and a held round still takes the draw. A settled void round refuses all.
    """
    state, is_drawn = at
    draws = game == "mbs-fast-action-v2"
    if act == "bonus":
        may = draws and state in {"closed", "held"} and not is_drawn
        return (state, True) if may else None
    if state == "closed unspun":
        return _reached_unspun(act)
    if (
        state == "over"
        or cells[act, state] != "ok"
        or (act == "outcome 17" and draws and not is_drawn)
    ):
        return None
    if act == "no more bets" and state == "betting":
        return ("closed unspun", False)
    return (_next(act, state), is_drawn)


def _reached_unspun(act: str) -> tuple[str, bool] | None:
    """Return the state after an act that follows a close before the spin (3.6)."""
    reached = {
        "spin": "closed",
        "display 5": "closed unspun",
        "irregularity foreign_object": "void",
        "irregularity unlisted": "held",
    }
    return (reached[act], False) if act in reached else None


def _next(act: str, state: str) -> str:
    """Return the state after an act; once announced, a void is held (A32)."""
    return {
        "place your bets": "betting",
        "spin": "spun",
        "no more bets": "closed",
        "outcome 17": "decided",
        "irregularity foreign_object": "held" if state == "decided" else "void",
        "irregularity unlisted": "held",
        "display 5": state,
        "settle": "over" if state == "void" else "ended",
    }[act]


FOLDERS: dict[str, Callable[[str], Iterator[Vector]]] = {
    "areas": _areas,
    "pieces": _pieces,
    "settlement": _settlement,
    "odds": _odds,
    "rounds": _rounds,
    "exceptional": _exceptional,
    "sequences": _sequences,
}


def suite_files() -> dict[Path, str]:
    """Return each file of the suite with its text: one vector a line, with its id."""
    states = {
        game: {name: _setup(game, name) for name in _STATES} for game in COMPARTMENTS
    }
    files = {SUITE / "states.json": json.dumps(states, indent=1) + "\n"}
    for folder, vectors in FOLDERS.items():
        for game in COMPARTMENTS:
            lines = [
                json.dumps({"id": f"{folder}/{game}/{number}", "game": game} | vector)
                for number, vector in enumerate(vectors(game), start=1)
            ]
            if lines:
                files[SUITE / folder / f"{game}.jsonl"] = "\n".join(lines) + "\n"
    return files


def main() -> None:
    for path, text in suite_files().items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
