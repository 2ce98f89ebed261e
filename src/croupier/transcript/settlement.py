"""One Player's wagers settled on one outcome, in a round of their own."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from croupier.errors import texts_of
from croupier.rules.cents import write_cents
from croupier.rules.clause import Rule
from croupier.rules.events import SettledPiece, SettledWager
from croupier.rules.game import Game
from croupier.rules.notation import NotationError, shown, split_stake
from croupier.rules.reasons import NotationReason
from croupier.rules.round import RoundOfPlay
from croupier.tabular import TextTable
from croupier.transcript.practice import PracticeTable
from croupier.transcript.results import totals

_PLAYER = "You"
_HEADINGS = ("wager", ">stake", ">paid", ">collected", ">returned", "clause")


@dataclass(frozen=True, slots=True)
class Settlement:
    """The settled wagers of a round; sums are in cents."""

    state: RoundOfPlay
    """The round, after its settlement."""

    @property
    def wagers(self) -> tuple[SettledWager, ...]:
        assert self.state.settled is not None
        return self.state.settled.wagers

    @property
    def pieces(self) -> tuple[SettledPiece, ...]:
        return tuple(piece for wager in self.wagers for piece in wager.pieces)

    @property
    def stake_cents(self) -> int:
        return totals(self.pieces)["stake_cents"]

    @property
    def paid_cents(self) -> int:
        """The winnings only; stakes that come back are `returned_cents`."""
        return totals(self.pieces)["paid_cents"]

    @property
    def collected_cents(self) -> int:
        return totals(self.pieces)["collected_cents"]

    @property
    def returned_cents(self) -> int:
        return totals(self.pieces)["returned_cents"]

    def table(self) -> TextTable:
        """Return a row for each piece, and the total; in currency units."""
        rows: list[tuple[str, ...]] = []
        for wager in self.wagers:
            if len(wager.pieces) > 1:
                rows.append(_row(wager.wager, wager.pieces, ""))
            indent = "  " if len(wager.pieces) > 1 else ""
            rows += [_row(indent + p.area, [p], p.clause) for p in wager.pieces]
        rows.append(_row("total", self.pieces, ""))
        title = f"{self.state.game.document}: {self.state.winning_number}"
        return TextTable(title, _HEADINGS, rows)

    def __repr__(self) -> str:
        sums = ", ".join(f"{name} {sum_}" for name, sum_ in totals(self.pieces).items())
        return f"<Settlement on {self.state.winning_number}: {sums}>"

    def __str__(self) -> str:
        return str(self.table())

    def _repr_html_(self) -> str:
        return self.table()._repr_html_()


def settle(
    game: str | Game,
    outcome: str | int,
    wagers: str | Iterable[str],
    *,
    bonus: str | Iterable[str] = (),
    limits: Iterable[str] = (),
    settings: Iterable[str] = (),
) -> Settlement:
    """Settle one Player's wagers, such as `"17@10"`, on one outcome.

    `bonus` holds the Bonus Numbers, if the game draws them; `limits` and `settings`
    are written as in a transcript. Raises `WagerRefused` or `RuleViolation` if the
    rules refuse an act, `NotationError` or `TranscriptError` if a text can't be read.
    """
    table = PracticeTable(game, limits=limits, settings=settings)
    word = "lay" if table.game.provides(Rule.CHIPS_ON_LAYOUT) else "place"
    listed = texts_of("wagers", "text such as '17@10', or a list of it", wagers)
    split = [split_stake(_word(text)) for text in listed]
    table.act("Dealer: place your bets")
    table.act_together(
        f"{_PLAYER}: {word} {wager} {stake} as w{place}"
        for place, (wager, stake) in enumerate(split, start=1)
    )
    table.act("Dealer: spin")
    table.act("Dealer: no more bets")
    if bonus:
        given = bonus.split(",") if isinstance(bonus, str) else bonus
        drawn = texts_of("bonus", "numbers as text, such as '1,2,5' or ['1']", given)
        table.act(f"RNG: bonus numbers {' '.join(map(_word, drawn))}")
    table.act(f"Dealer: outcome {_word(str(outcome))}")
    table.act("Dealer: settle")
    return Settlement(table.state)


def _word(text: str) -> str:
    """Return the text; raise `NotationError` if it is not exactly one word."""
    if not text or "#" in text or len(text.split()) != 1 or text != text.strip():
        raise NotationError(NotationReason.NOT_ONE_WORD(text=shown(text)))
    return text


def _row(name: str, pieces: Iterable[SettledPiece], clause: str) -> tuple[str, ...]:
    return (name, *(write_cents(cents) for cents in totals(pieces).values()), clause)
