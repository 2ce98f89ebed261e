"""A stream's events folded by the auditor: rounds, terms, colours, credit, meters.

Laws of this file:
- every event is noted once, and gives the entries that it must post;
- a round that a later event reaches back to is read again from the journal;
- an event that can't be placed is a finding, and has no other effect.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from croupier.audit.journal import announcements, devices, wagers
from croupier.audit.journal.money import (
    MONEY_MOVES,
    SeatHolders,
    begin_stay,
    colour_returned,
    judge_money,
    money_moved,
)
from croupier.audit.journal.problems import AuditProblem, finding_of
from croupier.audit.journal.resettlement import Resettlement
from croupier.audit.journal.rounds import AuditedRound, Reporter, RoundTerms, read_terms
from croupier.audit.journal.settlements import settled
from croupier.games import UnknownGame, find_game, game_of_document
from croupier.games.digest import game_digest
from croupier.journal.events import table as table_events
from croupier.journal.events.codec import JournalEvent
from croupier.journal.findings import Finding
from croupier.journal.tables import EventRow
from croupier.ledger import money
from croupier.ledger.accounts import Account, Entry
from croupier.rules import events
from croupier.rules.clause import Clause, Rule
from croupier.rules.game import Game
from croupier.rules.operator import Person

_WAGERING: dict[str, Callable[..., list[Entry]]] = {
    "WagerPlaced": wagers.placed,
    "WagerIncreased": wagers.increased,
    "WagerWithdrawn": wagers.withdrawn,
}
_REACHES_BACK = frozenset(
    {
        "RoundVoided",
        "OutcomeCorrected",
        "OutcomeDecided",
        "BonusNumbersCorrected",
        "WagerRuled",
        "RoundSettled",
        "DollyPlaced",
        "ResultSent",
    }
)
"""Events that may reach back to a round after another has begun."""
_CONSEQUENCES = frozenset({"RoundVoided", "RoundHeld", "LayoutFrozen", "WheelDisputed"})
"""Events that are a report's consequence, or may come between the two."""
_ACTS_IN_ROUND: dict[str, Callable[..., Any]] = {
    **devices.REPORTS,
    **_WAGERING,
    **announcements.ACTS,
}
_BESIDE_ROUND = (
    events.ColourIssued,
    events.ColourReturned,
    table_events.InterpretationRecorded,
)
_PAST_KEPT = 16
Recall = Callable[[int, int], Iterable[tuple[EventRow, JournalEvent]]]
"""The events of a round before a sequence."""


class Replay:
    """The auditor's own fold of a stream's events, so far."""

    def __init__(
        self, stream: str, report: Callable[[Finding], None], recall: Recall
    ) -> None:
        self.game: Game | None = None
        self.in_force: RoundTerms | None = None
        """The terms that the next round will be judged by."""
        self.current: AuditedRound | None = None
        self.stood: dict[str, int] = {}
        """The round in which a Player's under-minimum wagers stood first (A9, A47)."""
        self.holders = SeatHolders()
        self.begun_stays: set[str] = set()
        """The seats at which a stay begins with this command."""
        self.credit: dict[Account, int] = {}
        """The ledger rebuilt from the events, with every account."""
        self.is_open = False
        self.virtual_wheel = False
        self.wagers = 0
        self.resettlement = Resettlement(stream, report)
        self._stream = stream
        self._report = report
        self._recall = recall
        self._past: dict[int, AuditedRound] = {}
        self._due: dict[int, tuple[int, str]] = {}
        """Rounds to settle again: the event and the command that changed each."""
        self._command_id = ""
        self.row: EventRow | None = None
        """The current event."""

    @property
    def document(self) -> str | None:
        return None if self.game is None else self.game.document

    @property
    def last(self) -> int:
        return 0 if self.current is None else self.current.number

    def balance(self, account: Account) -> int:
        return self.credit.get(account, 0)

    def say(
        self,
        problem: AuditProblem,
        wager: str | None = None,
        sums: tuple[int | None, int | None] | None = None,
        /,
        **values: object,
    ) -> None:
        assert self.row is not None
        place = (self._stream, self.row.sequence, self.row.round_number or None)
        self._report(finding_of(place, problem, wager, sums, **values))

    def note(self, row: EventRow, event: JournalEvent) -> list[Entry]:
        """Note the event, and return the entries that it must post."""
        self._begin_command(row)
        if row.kind in devices.REPORTS:
            self._report_event(row, event)
            return []
        if row.kind in _ACTS_IN_ROUND or row.kind == "RoundSettled":
            return self._round_event(row, event)
        if row.kind in MONEY_MOVES:
            judge_money(self, event)
            return money_moved(event)
        if isinstance(event, events.ColourIssued | events.ColourReturned):
            return self._coloured(event)
        self._around(event)
        return []

    def _begin_command(self, row: EventRow) -> None:
        """End the state of one command: a resettlement due, a recovery's facts."""
        if self._due:
            self._settled_in_time(row.command_id)
        if row.command_id != self._command_id:
            self._command_id = row.command_id
            self.begun_stays.clear()
            if self.current is not None:
                self.current.devices.recovery = None

    def end(self) -> None:
        self._settled_in_time(None)
        self.resettlement.compare()

    def _misplaced(self) -> list[Entry]:
        row = self.row
        assert row is not None
        if 0 < row.round_number <= self.last:
            self.say(AuditProblem.PAST_ROUND, round=self.last)
        else:
            self.say(AuditProblem.ROUND_UNKNOWN, round=row.round_number)
        return []

    def _round_event(self, row: EventRow, event: Any) -> list[Entry]:
        round_ = self._round(row)
        if round_ is None:
            return self._misplaced()
        if row.kind not in _CONSEQUENCES and not devices.closes(round_, event):
            self._followed(round_)
        self._without_interest(round_, event)
        if row.kind in _WAGERING:
            self.wagers += row.kind == "WagerPlaced"
            return _WAGERING[row.kind](round_, event)
        if row.kind == "RoundSettled":
            number = round_.number
            round_.warned = frozenset(p for p, n in self.stood.items() if n != number)
            entries = settled(round_, event, row, self.resettlement, self.credit)
            self._due.pop(round_.number, None)
            for player in event.under_minimum:
                self.stood.setdefault(player, round_.number)
            return entries
        announcements.ACTS[row.kind](round_, event)
        past_stands = round_.terms.game.provides(Rule.PAST_LIMITS_STAND)
        if row.kind == "RoundVoided" and not past_stands:
            number = round_.number
            self.stood = {p: n for p, n in self.stood.items() if n != number}
        if round_.settlement_due:
            self._due.setdefault(round_.number, (row.sequence, row.command_id))
        return []

    def _report_event(self, row: EventRow, event: Any) -> None:
        current = self.current
        if current is not None and current.number == row.round_number:
            self._without_interest(current, event)
            devices.REPORTS[row.kind](current, event)

    def _followed(self, round_: AuditedRound) -> None:
        """Report a round that went on although a report had to void or hold it."""
        due, round_.due = round_.due, None
        if due is not None and due.over is not None:
            self.say(AuditProblem.NOT_HELD_OVER, reason=due.over)
        elif due is not None:
            self.say(AuditProblem.CONSEQUENCE_MISSING, clause=due.clause)

    def _without_interest(self, round_: AuditedRound, event: Any) -> None:
        """Report staff who have a wager in the round (A42), and remember who acted."""
        for person in _acting(event):
            round_.staff.add(person.name)
            provided = round_.terms.game.provides(Rule.CONFLICT_OF_INTEREST)
            if provided and person.name in round_.players:
                self.say(AuditProblem.STAFF_WITH_WAGER, person=person.named)

    def _settled_in_time(self, command_id: str | None) -> None:
        """Report rounds that were changed and not settled again in the same command."""
        for number, (sequence, due_in) in list(self._due.items()):
            if due_in != command_id:
                del self._due[number]
                place = (self._stream, sequence, number)
                self._report(finding_of(place, AuditProblem.NOT_SETTLED_AGAIN))

    def _round(self, row: EventRow) -> AuditedRound | None:
        number = row.round_number
        if self.current is not None and self.current.number == number:
            return self.current
        if not 0 < number < self.last or row.kind not in _REACHES_BACK:
            return None
        if number not in self._past:
            if len(self._past) >= _PAST_KEPT:
                self._past.clear()
            recalled = self._recalled(number, row.sequence)
            if recalled is None:
                return None
            self._past[number] = recalled
        return self._past[number]

    def _recalled(self, number: int, before: int) -> AuditedRound | None:
        """Read a past round again in silence: its faults have been reported."""
        round_: AuditedRound | None = None
        for row, event in self._recall(number, before):
            if isinstance(event, events.RoundBegun):
                terms = self._terms_of(event, _unsaid)
                round_ = AuditedRound(number, terms, self.holders, _unsaid)
                continue
            if round_ is None:
                continue
            act = _ACTS_IN_ROUND.get(row.kind)
            if act is not None or _is_beside(round_, event):
                round_.staff.update(person.name for person in _acting(event))
            if act is not None:
                act(round_, event)
            elif isinstance(event, events.RoundSettled):
                settled(round_, event, row, None, {})
        if round_ is not None:
            round_.say = self.say
        return round_

    def _around(self, event: JournalEvent) -> None:
        """Note an event of the table rather than of a round."""
        match event:
            case events.RoundBegun():
                self._begin(event)
            case table_events.TableOpened():
                self._open(event)
            case table_events.TableClosed():
                self.is_open = False
            case table_events.TermsChanged(limits=limits, settings=settings):
                self._change_terms(limits, settings)
            case money.StayBegun():
                begin_stay(self, event)
            case table_events.InterpretationRecorded(by=by, clause=clause):
                if self.current is not None and _is_beside(self.current, event):
                    self._without_interest(self.current, event)
                self._interpret(by, clause)

    def _coloured(
        self, event: events.ColourIssued | events.ColourReturned
    ) -> list[Entry]:
        """Note the Player of a colour; the balance of its account moves too (1.1.1)."""
        if self.current is not None and _is_beside(self.current, event):
            self._without_interest(self.current, event)
        colours, colour, player = self.holders.colours, event.colour, event.player
        if isinstance(event, events.ColourIssued):
            chips = (player, event.value_cents)
            if colours.get(colour, chips) != chips:
                self.say(AuditProblem.COLOUR_ISSUED_TWICE, colour=colour)
            colours[colour] = chips
            return []
        if colours.pop(colour, ("", 0))[0] != player:
            self.say(AuditProblem.COLOUR_RETURNED_BY, colour=colour, player=player)
        return colour_returned(event, self.credit)

    def _interpret(self, by: Person, clause: Clause) -> None:
        """Check the person who decided a question of the rules (Triple Zero 5.10)."""
        rule = Rule.INTERPRETATION
        if self.game is None:
            return
        if not self.game.may(by, rule):
            self.say(AuditProblem.PERSON_MAY_NOT, person=by.named, rule=rule.value)
        expected = self.game.clause(rule)
        if clause != expected:
            self.say(AuditProblem.CITED_CLAUSE, found=clause, expected=expected)

    def _open(self, event: table_events.TableOpened) -> None:
        self.is_open = True
        if self.game is not None:
            return
        self.virtual_wheel = event.virtual_wheel
        try:
            self.game = find_game(event.game)
        except UnknownGame as error:
            self.say(AuditProblem.DOCUMENT_UNKNOWN, text=error)
            return
        self._change_terms(event.limits, event.settings)

    def _change_terms(self, limits: tuple[str, ...], settings: tuple[str, ...]) -> None:
        if self.game is None:
            return
        terms = read_terms(self.game, limits, settings)
        if terms is None:
            self.say(AuditProblem.TERMS_UNREADABLE)
            terms = read_terms(self.game, (), ())
        elif terms.unlimited:
            self.say(AuditProblem.LIMITS_ABSENT, types=", ".join(terms.unlimited))
        self.in_force = terms

    def _begin(self, event: events.RoundBegun) -> None:
        """Begin a round: the one before must be over, and its terms be in force."""
        row, number = self.row, event.round_number
        assert row is not None
        if self.current is not None and not self.current.is_over:
            self.say(AuditProblem.ROUND_STILL_OPEN, round=self.last)
        if not number == row.round_number == self.last + 1:
            self.say(AuditProblem.ROUND_MISNUMBERED, number=number, before=self.last)
        if self.game is None:
            self.say(AuditProblem.NO_GAME)
            return
        if event.warned != tuple(sorted(self.stood)):
            names = ", ".join(sorted(self.stood)) or "no one"
            said = ", ".join(event.warned) or "no one"
            self.say(AuditProblem.WARNED_OTHERS, expected=names, found=said)
        terms = self._terms_of(event, self.say)
        self.current = AuditedRound(number, terms, self.holders, self.say)

    def _terms_of(self, event: events.RoundBegun, say: Reporter) -> RoundTerms:
        """Return the terms as the event spells them; they must be those in force."""
        game = self.game
        assert game is not None
        assert self.in_force is not None
        try:
            recorded = game_of_document(event.document)
        except UnknownGame as error:
            say(AuditProblem.DOCUMENT_UNKNOWN, text=error)
        else:
            if recorded is not game:
                say(AuditProblem.DOCUMENT_OF_TABLE)
            game = recorded
        installed = game_digest(game)
        if event.rules not in {"", installed}:
            say(AuditProblem.RULES_OTHER, found=event.rules, installed=installed)
        terms = read_terms(game, event.limits, event.settings)
        if terms is None:
            say(AuditProblem.TERMS_UNREADABLE)
            return self.in_force
        if terms.lines != self.in_force.lines:
            say(AuditProblem.TERMS_NOT_IN_FORCE)
        return terms


def _acting(event: Any) -> Iterator[Person]:
    """Yield the people who act in the event as staff."""
    by = getattr(event, "by", ())
    for person in by if isinstance(by, tuple) else (by,):
        if person.is_of_house:
            yield person


def _is_beside(round_: AuditedRound, event: object) -> bool:
    """Return whether this is an act of staff in a round under way (A42)."""
    return isinstance(event, _BESIDE_ROUND) and round_.is_under_way


def _unsaid(*_args: object, **_named: object) -> None:
    """Report nothing: events that are read again have been judged before."""
