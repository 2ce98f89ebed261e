"""The tables and the diagram of the pages, written from the games' rows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from croupier.games import all_games
from croupier.games.readings import READINGS
from croupier.house.history.event_actions import EVENT_ACTIONS
from croupier.house.people.authority import USUAL_AUTHORITY
from croupier.journal.events.plan import Duty
from croupier.rules.clause import Rule
from croupier.rules.game import CompleteDozen, FinaleZero, Game, Irregularity
from croupier.rules.layout import WagerType
from croupier.rules.operator import Role
from croupier.rules.round import NEXT_PHASE, Phase
from tools.docs.acts import ACTS, cell, when
from tools.docs.pages import ROOT

GAMES = all_games()
SHORT = {
    "mbs-roulette-v2": "v2",
    "mbs-roulette-v3": "v3",
    "mbs-complete-bet-v2": "Complete Bet",
    "mbs-fast-action-v2": "Fast Action",
    "rws-triple-zero": "Triple Zero",
}
_NOTHING = "–"


def _table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [headings, ["---"] * len(headings), *rows]
    return "\n" + "".join(f"| {' | '.join(line)} |\n" for line in lines) + "\n"


def _with_games(*first: str) -> list[str]:
    return [*first, *(SHORT[game.name] for game in GAMES)]


def phase_table() -> str:
    """For each phase, the events that end it and those that leave it as it is."""
    return _table(
        ("phase", "ends with", "goes on through"),
        [(f"`{each.value}`", _leaving(each), _staying(each)) for each in Phase],
    )


def _leaving(phase: Phase) -> str:
    return ", ".join(
        f"{event.__name__} → `{after.value}`"
        for (before, event), after in NEXT_PHASE.items()
        if before is phase and after is not phase
    )


def _staying(phase: Phase) -> str:
    names = [e.__name__ for (p, e), to in NEXT_PHASE.items() if p is phase is to]
    return ", ".join(names) or _NOTHING


def act_table() -> str:
    """Return each act with its clauses, its roles and its phases."""
    return _table(
        _with_games("act", "in the phases"),
        [
            [f"`{act.words}`", when(GAMES, act), *(cell(game, act) for game in GAMES)]
            for act in ACTS
        ],
    )


def irregularity_table() -> str:
    return _table(
        _with_games("name", "what happened"),
        [
            [
                f"`{each.value}`",
                str(each.reason),
                *(_voids(game, each) for game in GAMES),
            ]
            for each in Irregularity
        ],
    )


def _voids(game: Game, irregularity: Irregularity) -> str:
    clause = game.voiding.get(irregularity)
    return str(clause) if clause else f"held {game.clause(Rule.REFERRAL)}"


def game_table() -> str:
    return _table(
        ("game", "short", "document", "in effect from", "operator", "numbers", "areas"),
        [
            (
                f"`{game.name}`",
                SHORT[game.name],
                game.document,
                game.effective,
                game.operator.full_name,
                str(len(game.numbers)),
                str(len(game.areas)),
            )
            for game in GAMES
        ],
    )


def area_table() -> str:
    return _table(
        _with_games("wager type"),
        [
            [f"`{kind.value}`", *(_areas(game, kind) for game in GAMES)]
            for kind in WagerType
        ],
    )


def _areas(game: Game, kind: WagerType) -> str:
    count = sum(area.wager_type is kind for area in game.areas)
    if not count:
        return _NOTHING
    pays = game.pay_table[kind]
    to_one = str(pays) if isinstance(pays, int) else "/".join(map(str, pays.values()))
    return f"{count} at {to_one}"


def multiple_table() -> str:
    words = dict.fromkeys(word for game in GAMES for word in game.multiples)
    return _table(
        _with_games("wager"),
        [[f"`{word}`", *(_multiple(game, word) for game in GAMES)] for word in words],
    )


def _multiple(game: Game, word: str) -> str:
    found = game.multiples.get(word)
    return found[0].number if found else _NOTHING


def rule_table() -> str:
    """Return each rule, and the clause that provides it in each document."""
    return _table(
        _with_games("rule"),
        [
            [rule.value, *(_clauses(game, rule) for game in GAMES)]
            for rule in Rule
            if any(game.provides(rule) for game in GAMES)
        ],
    )


def _clauses(game: Game, rule: Rule) -> str:
    """Return the rule's clauses; of a long run the first and the last."""
    numbers = [row.number for row in game.rows(rule)]
    if len(numbers) > 2:
        return f"{numbers[0]} … {numbers[-1]}"
    return ", ".join(numbers) or _NOTHING


_CHOICES = {
    "complete_dozen": [f"`{each.value}`" for each in CompleteDozen],
    "finale_zero": [f"`{each.value}`" for each in FinaleZero],
    "area_maximum": ["none", "`500`", "`straight_up 500`"],
    "close_on_drop": ["`on`", "`off`"],
    "ring": ["the game's own", "every number once, in order"],
}


def setting_table() -> str:
    return _table(
        ("setting", "choices, default first", "games", "reading"),
        [
            (
                f"`{reading.setting}`",
                ", ".join(_CHOICES[reading.setting]),
                ", ".join(_having(reading.setting)),
                reading.id,
            )
            for reading in READINGS
            if reading.setting is not None
        ],
    )


def _having(setting: str) -> list[str]:
    return [SHORT[game.name] for game in GAMES if setting in game.settings]


def reading_table() -> str:
    return _table(
        ("id", "question", "answer", "setting"),
        [(r.id, r.question, r.answer, r.setting or "") for r in READINGS],
    )


_PACKAGES = {
    "rules": (
        "what the documents say, as frozen values and pure functions",
        "the standard library, its pure part",
    ),
    "games": ("the five games, one data module for each document", "`rules`"),
    "transcript": ("rounds of play as text: read, play out, print", "`rules`, `games`"),
    "drawing": ("layout, racetrack, wheel, chips and dolly as SVG", "`rules`, `games`"),
    "cli": ("arguments in, text out; every command one call", "everything"),
    "ledger": ("double entry, folded from events", "`rules`"),
    "chance": ("draws for money", "`rules`"),
    "journal": (
        "events on disk and back; the only one to open a database",
        "`rules`, `ledger`",
    ),
    "odds": ("exact mathematics over a game, in fractions", "`rules`, `games`"),
    "protocol": ("messages between house and devices", "`rules`, `games`"),
    "batch": ("a game compiled to arrays", "`rules`, `games`"),
    "lab": (
        "the laboratory: sessions, best play, simulation, the check of a wheel",
        "`batch`, `odds`, `journal` and below; only `cli` imports it",
    ),
    "learn": (
        "the training room: questions from a game's data, marked by its rules",
        "`transcript` and below",
    ),
    "rulebook": (
        "each clause beside the software: sentences, readings, evidence, both sides",
        "`transcript`, `odds` and below",
    ),
    "audit": (
        "the second opinion: settles again from the journal",
        "`batch`, `odds`, `journal` and below; never `table`",
    ),
    "table": (
        "one table in play: commands in, events out, recovery",
        "`journal`, `ledger`, `chance`, `games`, `rules`",
    ),
    "numeric": (
        "probability, sums of many rounds, values with their proven errors",
        "the standard library, numpy, scipy",
    ),
    "tabular": (
        "figures, tables, pages and plots as text, CSV, HTML, XLSX and JSON",
        "`numeric`, `rules`, msgspec, Jinja2",
    ),
    "house": ("the floor and the people", "`table` and below"),
    "web": ("HTTP, WebSocket, pages; decides nothing", "`house` and below"),
    "errors": ("the base of the errors that a caller may want to catch", "nothing"),
    "extras": ("packages that are missing, and the extra that brings them", "`errors`"),
    "lazy_names": ("names that a package loads when they are first used", "nothing"),
}


def package_table() -> str:
    """Return the packages of `src/croupier`."""
    source = ROOT / "src" / "croupier"
    found = {path.parent.name for path in source.glob("*/__init__.py")}
    found |= {path.stem for path in source.glob("[!_]*.py")}
    assert found == {*_PACKAGES}
    return _table(
        ("package", "what lives there", "may import"),
        [(f"`{name}`", what, imports) for name, (what, imports) in _PACKAGES.items()],
    )


def house_acts() -> str:
    """Return the keys of `[authority]` in a house file."""
    rows = [(f"`{act.name.lower()}`", act.value) for act in USUAL_AUTHORITY]
    return _table(("key", "the act"), rows)


def house_authority() -> str:
    """Return the staff for each act that the documents leave to the house."""
    rows = []
    for act, (positions, duties) in USUAL_AUTHORITY.items():
        lowest = next(role.value for role in Role if role in positions)
        above = " or above" if positions != {Role(lowest)} else ""
        who = [f"{lowest}{above}", *(duty.value for duty in Duty if duty in duties)]
        rows.append((act.value, ", ".join(who)))
    return _table(("act", "who"), rows)


def event_actions() -> str:
    """Return the significant events, grouped by their alarm and by the stopped play."""
    events: dict[tuple[str, str], list[str]] = {}
    for act in EVENT_ACTIONS:
        alarm = act.alarm
        told = {True: "alarm", False: "log"}[alarm] if isinstance(alarm, bool) else ""
        words = alarm[0] if isinstance(alarm, tuple) else ""
        key = told or f"log; alarm {words}", act.stops.value
        events.setdefault(key, []).extend(f"`{each.__name__}`" for each in act.events)
    rows = [(", ".join(names), *key) for key, names in events.items()]
    return _table(("events", "who is told", "what stops"), rows)
