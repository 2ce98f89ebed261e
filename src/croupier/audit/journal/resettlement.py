"""Rounds settled again, many at once, by the batch tables, and compared.

Pieces are gathered from the journal's settlements. Every 30,000 of them are settled
from the layout, in columns, and every cent is compared. This bounds the memory.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from croupier.audit.journal.problems import AuditProblem, difference_text, finding_of
from croupier.audit.journal.rounds import AuditedRound, PlacedWager, RoundTerms
from croupier.audit.journal.rulings import TreatedWager
from croupier.batch.column_settlement import settle_columns
from croupier.batch.compiled import Column, ColumnError
from croupier.batch.risk import risk_columns
from croupier.journal.findings import Finding
from croupier.journal.tables import EventRow
from croupier.ledger.accounts import HOUSE, LAYOUT, Account
from croupier.rules.bonus import Outcome
from croupier.rules.cents import MAXIMUM_CENTS
from croupier.rules.clause import Rule
from croupier.rules.events import RoundSettled, SettledPiece
from croupier.rules.wheel import ZEROS

_GATHERED = 30_000
"""Pieces that are compared at once."""
_MOST_GATHERED_CENTS = 10**18
"""Cents that are compared at once, so that they can be added up."""


@dataclass(slots=True)
class _SettlementNote:
    """One settlement, kept until it is compared."""

    sequence: int
    round_number: int
    void: bool
    outcome: int
    """The row of the outcome in the game's table."""
    under_minimum: tuple[str, ...]
    is_metered: bool
    clauses: tuple[str, ...]
    """The clause that pieces cite, by area index."""
    players: dict[str, int] = field(default_factory=dict)
    """A number for each Player, if limits are judged at the outcome."""


@dataclass(slots=True)
class _RoundColumns:
    """Columns of the rounds with the same terms; the first ones are for each piece."""

    notes: list[_SettlementNote] = field(default_factory=list)
    note: list[int] = field(default_factory=list)
    wagers: list[PlacedWager] = field(default_factory=list)
    owners: list[Account] = field(default_factory=list)
    area: list[int] = field(default_factory=list)
    stake: list[int] = field(default_factory=list)
    counted: list[int] = field(default_factory=list)
    """The part of each stake that counts; 0 if it is returned in any case."""
    cited: list[str] = field(default_factory=list)
    is_ruled: list[bool] = field(default_factory=list)
    found: list[SettledPiece] = field(default_factory=list)
    warned: set[int] = field(default_factory=set)
    players: int = 0
    layer_piece: list[int] = field(default_factory=list)
    layer_player: list[int] = field(default_factory=list)
    layer_order: list[int] = field(default_factory=list)
    layer_cents: list[int] = field(default_factory=list)


Compare = Callable[[PlacedWager, tuple[SettledPiece, ...], TreatedWager], None]
"""Takes a wager after all rulings, with its settled pieces, to compare them later."""


class Resettlement:
    """Gathers settlements of a stream and compares them, many at a time."""

    def __init__(self, stream: str, report: Callable[[Finding], None]) -> None:
        self._stream = stream
        self._report = report
        self._by_terms: dict[RoundTerms, _RoundColumns] = {}
        self._pieces = self._cents = 0
        self._wrong: dict[int, Counter[Account]] = {}
        """Each round's sums by the rules, less those of its last settlement."""
        self.meters: Counter[str] = Counter()

    @property
    def is_full(self) -> bool:
        return self._pieces >= _GATHERED or self._cents >= _MOST_GATHERED_CENTS

    def begin(
        self, round_: AuditedRound, event: RoundSettled, row: EventRow
    ) -> Compare | None:
        """Note a settlement; return a function for its wagers, None without outcome."""
        terms = round_.terms
        number, outcome = round_.outcome, 0
        if round_.void is None:
            if number is None or number not in terms.compiled.number_index:
                return None
            drawn = frozenset(round_.drawn or ())
            outcome = terms.compiled.outcome_index(Outcome(number, drawn))
        noted = _SettlementNote(
            row.sequence,
            round_.number,
            round_.void is not None,
            outcome,
            event.under_minimum,
            event.winning_number is not None,
            terms.zero_clauses if number in ZEROS else terms.pay_clauses,
        )
        gathered = self._by_terms.setdefault(terms, _RoundColumns())
        gathered.notes.append(noted)
        return partial(self._add, round_, noted)

    def _add(
        self,
        round_: AuditedRound,
        noted: _SettlementNote,
        wager: PlacedWager,
        found: tuple[SettledPiece, ...],
        left: TreatedWager,
    ) -> None:
        if not _is_sound(wager):
            self._say(noted, AuditProblem.STAKE_UNSETTLABLE, wager.wager_id)
            return
        gathered, areas = self._by_terms[round_.terms], left.areas
        count, place = len(areas), len(gathered.notes) - 1
        gathered.note += [place] * count
        gathered.wagers += [wager] * count
        gathered.owners += [left.owner] * count
        gathered.area += areas
        gathered.stake += wager.cents
        gathered.found += found
        gathered.counted += left.counted or [0] * count
        gathered.is_ruled += [left.clause is not None] * count
        gathered.cited += _cited(round_, noted, wager, left)
        self._pieces += count
        self._cents += sum(wager.cents)
        if round_.terms.judges_at_outcome and left.counted is not None:
            self._add_layers(gathered, round_, noted, wager, left)

    def _add_layers(
        self,
        gathered: _RoundColumns,
        round_: AuditedRound,
        noted: _SettlementNote,
        wager: PlacedWager,
        left: TreatedWager,
    ) -> None:
        """Add chips in the order of placing, each increase by itself (A10)."""
        code = noted.players.get(left.player)
        if code is None:
            code = noted.players[left.player] = gathered.players
            gathered.players += 1
            if left.player in round_.warned:
                gathered.warned.add(code)
        added = sum(cents for _, cents in wager.increases)
        first = len(gathered.area) - len(left.areas)
        for place, cents in enumerate(left.counted or ()):
            rest = cents
            laid = wager.cents[place] - added
            for order, part in [(wager.order, laid), *wager.increases]:
                # A ruling takes from the chips laid last.
                lying = min(part, rest)
                rest -= lying
                gathered.layer_piece.append(first + place)
                gathered.layer_player.append(code)
                gathered.layer_order.append(order)
                gathered.layer_cents.append(lying)

    def compare(self) -> None:
        """Settle all gathered pieces, report differences, and forget them."""
        for terms, gathered in self._by_terms.items():
            try:
                self._compare(terms, gathered)
            except ColumnError as error:
                for noted in gathered.notes:
                    self._say(noted, AuditProblem.ROUND_UNSETTLABLE, text=error)
        self._by_terms.clear()
        self._pieces = self._cents = 0

    def _compare(self, terms: RoundTerms, gathered: _RoundColumns) -> None:
        area = np.array(gathered.area, np.int64)
        stake = np.array(gathered.stake, np.int64)
        note = np.array(gathered.note, np.int64)
        outcomes = np.array([noted.outcome for noted in gathered.notes], np.int64)
        at_risk = np.array(gathered.counted, np.int64)
        stood: frozenset[int] = frozenset()
        cited = gathered.cited
        if gathered.layer_piece:
            risked, stood = _judged(terms, gathered, area, note)
            cited = _cited_by_limits(terms, gathered, area, risked)
            at_risk = np.minimum(at_risk, risked)
        self._tell_stood(gathered, stood)
        self._tell_cited(gathered, cited)
        given = settle_columns(terms.compiled, area, outcomes[note], stake, at_risk)
        figures = (given.paid_cents, given.collected_cents, given.returned_cents)
        found = figures_of(gathered.found)
        expected = np.stack((stake, *figures, at_risk), 1)
        differing = np.nonzero((expected != found).any(axis=1))[0]
        self._tell(gathered, expected, differing)
        self._meter(terms, gathered, note, area, found)

    def _tell_stood(self, gathered: _RoundColumns, stood: frozenset[int]) -> None:
        for noted in gathered.notes:
            expected = sorted(
                player for player, code in noted.players.items() if code in stood
            )
            claimed = list(noted.under_minimum)
            if claimed == expected:
                continue
            names = ", ".join(expected) or "no one"
            said = ", ".join(claimed) or "no one"
            self._say(noted, AuditProblem.STOOD_OTHERS, expected=names, found=said)

    def _tell_cited(self, gathered: _RoundColumns, cited: list[str]) -> None:
        """Report each piece that cites another clause than the one that applies."""
        for place, (expected, piece) in enumerate(
            zip(cited, gathered.found, strict=True)
        ):
            # A piece without a clause was left out of the settlement altogether.
            if piece.clause == expected or not any(piece[1:]):
                continue
            told = {"area": piece.area, "found": piece.clause, "expected": expected}
            noted = gathered.notes[gathered.note[place]]
            wager_id = gathered.wagers[place].wager_id
            self._say(noted, AuditProblem.PIECE_CITES, wager_id, **told)

    def _tell(
        self, gathered: _RoundColumns, expected: Column, differing: Column
    ) -> None:
        """Report each differing piece, and note the ledger's difference."""
        wrong: dict[int, Counter[Account]] = {}
        for place in differing.tolist():
            noted = gathered.notes[gathered.note[place]]
            wager = gathered.wagers[place]
            should = expected[place].tolist()
            was = list(gathered.found[place][1:6])
            self._say_piece(noted, wager, gathered.found[place].area, should, was)
            if wager.registered:
                sums = wrong.setdefault(noted.sequence, Counter())
                _add_difference(sums, gathered.owners[place], should, was)
        if not wrong and not self._wrong:
            return
        for noted in gathered.notes:
            self._wrong.pop(noted.round_number, None)
            if noted.sequence in wrong:
                self._wrong[noted.round_number] = wrong[noted.sequence]

    def _say_piece(
        self,
        noted: _SettlementNote,
        wager: PlacedWager,
        area: str,
        should: list[int],
        was: list[int],
    ) -> None:
        names = ("staked", "paid", "collected", "returned", "at risk")
        due, given = (dict(zip(names, each, strict=True)) for each in (should, was))
        told, problem = {"area": area}, AuditProblem.SETTLED_NOT_AT_ALL
        if any(was):
            told["figures"] = difference_text(due, given)
            problem = AuditProblem.SETTLED_FIGURES
            if noted.void:
                problem = AuditProblem.VOID_FIGURES
        # The sums that the Player should have got, and those that the Player got.
        sums = should[1] + should[3], was[1] + was[3]
        self._say(noted, problem, wager.wager_id, sums, **told)

    def _say(
        self,
        noted: _SettlementNote,
        problem: AuditProblem,
        wager: str | None = None,
        sums: tuple[int, int] | None = None,
        /,
        **values: object,
    ) -> None:
        place = (self._stream, noted.sequence, noted.round_number)
        self._report(finding_of(place, problem, wager, sums, **values))

    def _meter(
        self,
        terms: RoundTerms,
        gathered: _RoundColumns,
        note: Column,
        area: Column,
        found: Column,
    ) -> None:
        """Add the settlements to the meters; a void one only counts as a void."""
        metered = np.array([noted.is_metered for noted in gathered.notes])
        self.meters["rounds"] += int(metered.sum())
        self.meters["voids"] += int((~metered).sum())
        kept = metered[note] if len(note) else np.zeros(0, bool)
        add_meters(self.meters, terms, area[kept], found[kept])

    def differences(self) -> Mapping[Account, int]:
        """Return the cents that accounts lack because of differing settlements."""
        total: Counter[Account] = Counter()
        for sums in self._wrong.values():
            total.update(sums)
        return total


def _judged(
    terms: RoundTerms, gathered: _RoundColumns, area: Column, note: Column
) -> tuple[Column, frozenset[int]]:
    """Return each piece's cents at risk, and the Players who stood (A8 to A10)."""
    piece = np.array(gathered.layer_piece, np.int64)
    risk = risk_columns(
        terms.compiled,
        terms.limits,
        round_=note[piece],
        player=np.array(gathered.layer_player, np.int64),
        order=np.array(gathered.layer_order, np.int64),
        area=area[piece],
        stake_cents=np.array(gathered.layer_cents, np.int64),
        warned=gathered.warned,
    )
    risked = np.zeros(len(area), np.int64)
    np.add.at(risked, piece, risk.at_risk_cents)
    return risked, risk.stood


def _cited(
    round_: AuditedRound, noted: _SettlementNote, wager: PlacedWager, left: TreatedWager
) -> list[str]:
    """Return the clause that each piece cites without regard to limits."""
    clause = left.clause
    if clause is None and wager.terminal in round_.failed_terminals:
        clause = round_.terms.game.clause(Rule.REGISTERED_SETTLED).number
    if clause is not None:
        return [clause] * len(left.areas)
    return [noted.clauses[area] for area in left.areas]


def _cited_by_limits(
    terms: RoundTerms, gathered: _RoundColumns, area: Column, risked: Column
) -> list[str]:
    """Return the clauses, with those of the limits for pieces that they changed.

    A ruling takes precedence over the limits, unless they return the piece whole (A9).
    """
    piece = np.array(gathered.layer_piece, np.int64)
    group = np.array(gathered.layer_player, np.int64) * len(terms.game.areas)
    group += area[piece]
    _, group = np.unique(group, return_inverse=True)
    totals = np.bincount(group, np.array(gathered.layer_cents, np.int64))
    under = np.zeros(len(area), np.bool_)
    under[piece] = totals[group] < terms.minimum_cents[area[piece]]
    counted = np.array(gathered.counted, np.int64)
    game, cited = terms.game, list(gathered.cited)
    under_minimum = game.clause(Rule.UNDER_MINIMUM).number
    over_maximum = game.clause(Rule.OVER_MAXIMUM).number
    for place in np.flatnonzero(under | (risked < counted)).tolist():
        is_back = under[place] and not risked[place]
        if counted[place] and (is_back or not gathered.is_ruled[place]):
            cited[place] = under_minimum if under[place] else over_maximum
    return cited


def _is_sound(wager: PlacedWager) -> bool:
    """Return whether its chips are amounts."""
    cents, added = wager.cents, [each for _, each in wager.increases]
    if not cents or not 0 < min(cents) <= max(cents) <= MAXIMUM_CENTS:
        return False
    return not added or (min(added) > 0 and sum(added) < min(cents))


def _add_difference(
    sums: Counter[Account], owner: Account, should: list[int], was: list[int]
) -> None:
    stake, paid, collected, returned, _ = (
        a - b for a, b in zip(should, was, strict=True)
    )
    sums[LAYOUT] -= stake
    sums[HOUSE] += collected - paid
    sums[owner] += returned + paid


_TOO_LARGE = 1 << 62


def figures_of(pieces: Sequence[SettledPiece]) -> Column:
    """Return stake, paid, collected, returned and at risk of each piece.

    An amount that no column can hold is -1.
    """
    figures = [piece[1:6] for piece in pieces]
    try:
        return np.array(figures, np.int64).reshape(-1, 5)
    except OverflowError:
        held = [
            [cents if abs(cents) < _TOO_LARGE else -1 for cents in each]
            for each in figures
        ]
        return np.array(held, np.int64).reshape(-1, 5)


def add_meters(
    meters: Counter[str],
    terms: RoundTerms,
    area: Column,
    found: Column,
    *,
    sign: int = 1,
) -> None:
    """Add cents staked (at risk), won and held, in all and by wager type."""
    kinds = [each.wager_type.value for each in terms.game.areas]
    names = sorted(set(kinds))
    type_of = np.array([names.index(kind) for kind in kinds], np.int64)
    _, paid, collected, _, at_risk = found.T
    columns: dict[str, Column] = {
        "staked": at_risk,
        "won": paid,
        "hold": collected - paid,
    }
    for meter, cents in columns.items():
        meters[meter] += sign * int(cents.sum())
        by_type = np.zeros(len(names), np.int64)
        np.add.at(by_type, type_of[area], cents)
        for name, amount in zip(names, by_type.tolist(), strict=True):
            if amount:
                meters[f"{meter}/{name}"] += sign * amount
