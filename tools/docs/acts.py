"""The table of acts: every person tries each act in every phase of every game."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from croupier.rules import events
from croupier.rules.clause import Refusal, Rule
from croupier.rules.decisions import decide_act
from croupier.rules.game import ClauseRow, Game, Irregularity
from croupier.rules.operator import Role
from croupier.rules.round import Phase
from croupier.rules.series import Answer, Series, apply_recorded, begin_round
from croupier.transcript import read_line


@dataclass(frozen=True, slots=True)
class ActRow:
    """An act: its words in a transcript, and the rules whose row provides it."""

    words: str
    rules: tuple[Rule, ...]

    def row(self, game: Game) -> ClauseRow | None:
        provided = [rule for rule in self.rules if game.provides(rule)]
        return game.row(provided[0]) if provided else None

    def clause(self, game: Game) -> str | None:
        """Return the act's own clause in the game."""
        row = self.row(game)
        if row is not None and Rule.IRREGULARITY in self.rules:
            return str(game.voiding[Irregularity.FOREIGN_OBJECT])
        return row.number if row is not None else None

    @property
    def is_wagering(self) -> bool:
        return self.words.startswith(("lay", "place 17", "increase", "withdraw"))


_DRAW = "bonus numbers 0 00 1 5 9 13 17 21 25 29"
ACTS = (
    ActRow("place your bets", (Rule.OPENING,)),
    ActRow("lay 17 10 as w2", (Rule.CHIPS_ON_LAYOUT,)),
    ActRow("place 17 10 as w2", (Rule.ELECTRONIC_PLACING,)),
    ActRow("increase w1 5", (Rule.WAGERS,)),
    ActRow("withdraw w1", (Rule.WAGERS,)),
    ActRow("colour blue to Anna 5", (Rule.COLOUR_CHIPS,)),
    ActRow("allow early close", (Rule.EARLY_CLOSE,)),
    ActRow("spin", (Rule.SPIN,)),
    ActRow("no more bets", (Rule.CLOSING,)),
    ActRow(_DRAW, (Rule.BONUS_DRAW,)),
    ActRow("unlit 17", (Rule.BONUS_UNLIT,)),
    ActRow("ball dropped", (Rule.OUTCOME,)),
    ActRow("ball at rest 17", (Rule.OUTCOME,)),
    ActRow("outcome 17", (Rule.OUTCOME,)),
    ActRow("unclear w1", (Rule.RULING,)),
    ActRow("rule w1 return", (Rule.RULING,)),
    ActRow("settle", (Rule.SETTLING,)),
    ActRow("irregularity foreign_object", (Rule.IRREGULARITY,)),
    ActRow("no spin", (Rule.NO_SPIN,)),
    ActRow(
        "power failure", (Rule.INTERRUPTION_CONCLUDED, Rule.POWER_FAILURE_CONTINUES)
    ),
    ActRow("interruption round", (Rule.INTERRUPTION_CONCLUDED, Rule.REFERRAL)),
    ActRow("interruption terminals T1", (Rule.TERMINALS_INTERRUPTED,)),
    ActRow("display 5", (Rule.DISPLAY,)),
    ActRow("decide void", (Rule.REFERRAL,)),
    ActRow("decide continue", (Rule.REFERRAL,)),
    ActRow("decide round 1 void", (Rule.REFERRAL,)),
    ActRow("correct ball to 32", (Rule.CORRECTION,)),
    ActRow("correct round 1 to 32", (Rule.CORRECTION,)),
    ActRow("void rounds 1 ball_broke", (Rule.VOID_ROUNDS,)),
)

_PAIR = "Dealer + Pit Supervisor"
_SHORT = {
    "Anna": "P",
    Role.DEALER.value: "D",
    Role.PIT_SUPERVISOR.value: "PS",
    Role.PIT_MANAGER.value: "PM",
    Role.GAMING_SHIFT_MANAGER.value: "SM",
    Role.TABLE_GAMES_SHIFT_MANAGER.value: "SM",
    Role.SYSTEM.value: "system",
    Role.RNG.value: "RNG",
    _PAIR: "D and PS+",
}


@dataclass(frozen=True, slots=True)
class Tried:
    """An act by one person in one state, and the answer."""

    doer: str
    phase: Phase
    answer: Answer

    @property
    def accepted(self) -> bool:
        return not isinstance(self.answer, Refusal)

    @property
    def holds(self) -> bool:
        return not isinstance(self.answer, Refusal) and any(
            isinstance(record.event, events.RoundHeld) for record in self.answer
        )


def when(games: tuple[Game, ...], act: ActRow) -> str:
    """Return the phases in which some game accepts the act."""
    phases = {
        each.phase for game in games for each in tried(game, act) if each.accepted
    }
    if phases == set(Phase):
        return "any"
    return ", ".join(phase.value for phase in Phase if phase in phases)


def cell(game: Game, act: ActRow) -> str:
    """Return `5.12 staff`: the clause and the roles; or `refused` or `held`."""
    accepted = [each for each in tried(game, act) if each.accepted]
    if not accepted:
        return f"refused {_refusing_clause(game, act)}"
    who = _who(game, {each.doer for each in accepted})
    held = {_clause_of_hold(each) for each in accepted if each.holds}
    if held and (act.row(game) is None or all(each.holds for each in accepted)):
        return f"held {', '.join(sorted(held))} {who}"
    return f"{act.clause(game) or 'recorded'} {who}"


def _refusing_clause(game: Game, act: ActRow) -> str:
    """Return the clause by which the game refuses the act before "No more bets"."""
    doer = "Anna" if act.is_wagering else _top(game)
    clauses = [
        each.answer.clause.number
        for each in tried(game, act)
        if isinstance(each.answer, Refusal)
        and each.doer == doer
        and each.phase is Phase.BETTING
    ]
    return clauses[0]


def _top(game: Game) -> str:
    return game.operator.ladder[-1].value


def _clause_of_hold(each: Tried) -> str:
    assert not isinstance(each.answer, Refusal)
    held = [r.event for r in each.answer if isinstance(r.event, events.RoundHeld)]
    return str(held[0].clause)


def _who(game: Game, doers: set[str]) -> str:
    ladder = [role.value for role in game.operator.ladder]
    if doers == {_PAIR}:
        return _SHORT[_PAIR]
    staff = [name for name in ladder if name in doers]
    words = ["P"] if "Anna" in doers else []
    if staff == ladder:
        words.append("staff")
    elif len(staff) > 1 and staff == ladder[-len(staff) :]:
        words.append(f"{_SHORT[staff[0]]}+")
    else:
        words.extend(_SHORT[name] for name in staff)
    words.extend(name for name in ("system", "RNG") if name in doers)
    return " ".join(words)


@cache
def tried(game: Game, act: ActRow) -> tuple[Tried, ...]:
    """Try the act by every person in every state."""
    return tuple(_try_all(game, act))


def _try_all(game: Game, act: ActRow) -> Iterator[Tried]:
    for series in states(game):
        for doer in _SHORT:
            for_her = " for Anna" if act.is_wagering and doer in _POSITIONS else ""
            line = read_line(game, f"{doer}{for_her}: {act.words}")
            answer = decide_act(series, line.act)
            yield Tried(doer, series.current.phase, answer)


_POSITIONS = {role.value for role in Role}


@cache
def states(game: Game) -> tuple[Series, ...]:
    """Return series in every phase, with and without the facts that acts ask for."""
    word = "lay" if game.provides(Rule.CHIPS_ON_LAYOUT) else "place"
    opened = ("Dealer: place your bets", f"Anna: {word} 17 10 as w1")
    spun = (*opened, "Dealer: spin")
    closed = (*spun, "Dealer: no more bets")
    early = ("Pit Manager: allow early close", "Dealer: no more bets")
    drawn = (*closed, f"RNG: {_DRAW}")
    rested = "Dealer: ball at rest 17"
    decided = (*drawn, "Dealer: outcome 17")
    held = (*drawn, "Dealer: irregularity unlisted")
    paths: tuple[tuple[str, ...], ...] = (
        (),
        opened,
        spun,
        (*opened, *early),
        closed,
        drawn,
        (*spun, rested),
        (*drawn, rested),
        decided,
        (*closed, "Dealer: irregularity foreign_object"),
        (*closed, "Dealer: irregularity unlisted"),
        (*closed, rested, "Dealer: irregularity unlisted"),
        (*held, f"{_top(game)}: decide outcome 17"),
        (*decided, "Dealer: settle"),
    )
    return tuple(_after(game, path) for path in paths)


def _after(game: Game, lines: tuple[str, ...]) -> Series:
    """Return the table after the acts; a refused act changes nothing."""
    series = _recorded(Series(game), begin_round(Series(game)))
    for line in lines:
        series = _recorded(series, decide_act(series, read_line(game, line).act))
    return series


def _recorded(series: Series, answer: Answer) -> Series:
    for record in () if isinstance(answer, Refusal) else answer:
        series = apply_recorded(series, record)
    return series
