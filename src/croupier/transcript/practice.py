"""A table for practice, in memory; an act that the rules refuse raises an error."""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy

from croupier.games import as_game
from croupier.rules.clause import Refusal, RuleViolation, WagerRefused
from croupier.rules.commands import Act, WagerCommand
from croupier.rules.decisions import decide_act, decide_together
from croupier.rules.events import Event, PiecePlaced, SettledWager, WagerPlaced
from croupier.rules.game import Game, Settings
from croupier.rules.notation import Amount, amount_text
from croupier.rules.round import Phase, RoundOfPlay
from croupier.rules.series import Recorded, Series, apply_recorded, begin_round
from croupier.rules.terms import Limits, read_limits, read_settings
from croupier.transcript.parser import read_line


class PracticeTable:
    """Rounds of play for Python users, in memory only.

    A refused act raises `RuleViolation` (a wager `WagerRefused`) and changes nothing;
    a line that is no act raises `TranscriptError`, terms that are none `NotationError`.
    """

    def __init__(
        self,
        game: str | Game,
        *,
        limits: Limits | Iterable[str] = (),
        settings: Settings | Iterable[str] = (),
    ) -> None:
        """`limits` and `settings` are lines as in a transcript: `"* 5 1000"`."""
        self.game = as_game(game)
        self._series = Series(
            self.game,
            read_limits(limits, self.game),
            read_settings(self.game, settings),
        )
        self._records: list[Recorded] = []
        self.begin_round()

    def __repr__(self) -> str:
        number, phase = self.state.number, self.state.phase.value
        return f"<PracticeTable of {self.game.name}: round {number}, {phase}>"

    @property
    def state(self) -> RoundOfPlay:
        return self._series.current

    @property
    def records(self) -> tuple[Recorded, ...]:
        """All events so far, in order."""
        return tuple(self._records)

    def fork(self) -> PracticeTable:
        """Return a copy; acts on it do not change this table."""
        forked = copy(self)
        forked._records = list(self._records)  # noqa: SLF001 -- its own class
        return forked

    def begin_round(self) -> RoundOfPlay:
        """Begin a new round; settle the one before if it can be settled."""
        self._record(begin_round(self._series))
        return self.state

    def act(self, line: str) -> tuple[Event, ...]:
        """Do an act, written as in a transcript: `"Anna: lay 17 10 as w1"`."""
        return self.do(read_line(self.game, line).act)

    def do(self, act: Act) -> tuple[Event, ...]:
        answer = self._judge(act)
        self._record(answer)
        return tuple(record.event for record in answer)

    def act_together(self, lines: Iterable[str]) -> tuple[Event, ...]:
        """Lay the wagers of all lines at once; the limits judge their sum.

        Line by line, a first wager under the minimum would be refused even if a later
        one on the same area made up for it.
        """
        answer = decide_together(
            self._series, [read_line(self.game, line).act for line in lines]
        )
        if isinstance(answer, Refusal):
            raise WagerRefused(answer)
        self._record(answer)
        return tuple(record.event for record in answer)

    def preview(self, line: str) -> tuple[PiecePlaced, ...]:
        """Return the pieces that a wager would lay; lay nothing."""
        [record] = self._judge(read_line(self.game, line).act)
        assert isinstance(record.event, WagerPlaced)
        return record.event.pieces

    def _judge(self, act: Act) -> tuple[Recorded, ...]:
        answer = decide_act(self._series, act)
        if isinstance(answer, Refusal):
            is_wager = isinstance(act.command, WagerCommand)
            raise (WagerRefused if is_wager else RuleViolation)(answer)
        return answer

    def place_your_bets(self) -> None:
        """Open a round as the Dealer; begin a new one if the last is over."""
        if self.state.phase is Phase.ENDED:
            self.begin_round()
        self.act("Dealer: place your bets")

    def lay(self, player: str, wager: str, stake: Amount = "") -> str:
        """Lay chips on the layout and return the wager's id."""
        return self._wager("lay", player, wager, stake)

    def place(self, player: str, wager: str, stake: Amount = "") -> str:
        """Place a wager electronically and return its id."""
        return self._wager("place", player, wager, stake)

    def _wager(self, word: str, player: str, wager: str, stake: Amount) -> str:
        wager_id = f"w{self.state.board.layers + 1}"
        while wager_id in self.state.board.wagers:
            wager_id += "a"
        self.act(f"{player}: {word} {wager} {amount_text(stake)} as {wager_id}")
        return wager_id

    def spin(self, revolutions: int | None = None) -> None:
        self.act(f"Dealer: spin {'' if revolutions is None else revolutions}")

    def no_more_bets(self) -> None:
        self.act("Dealer: no more bets")

    def outcome(self, number: str) -> None:
        self.act(f"Dealer: outcome {number}")

    def settle(self) -> tuple[SettledWager, ...]:
        """Settle the round: pay, collect or return every wager."""
        self.act("Dealer: settle")
        assert self.state.settled is not None
        return self.state.settled.wagers

    def _record(self, answer: tuple[Recorded, ...]) -> None:
        for record in answer:
            self._series = apply_recorded(self._series, record)
        self._records.extend(answer)
