"""A game, a wager or a round of play as a picture that a notebook shows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from croupier.drawing.chips import DrawnChips
from croupier.drawing.table import draw_table
from croupier.drawing.theme import Theme
from croupier.games import find_game
from croupier.rules.clause import Refusal, WagerRefused
from croupier.rules.game import Game, Settings
from croupier.rules.notation import read_wager
from croupier.rules.round import RoundOfPlay
from croupier.rules.wagers import find_placement

_UNIT_CENTS = 100


@dataclass(frozen=True, slots=True)
class Drawing:
    """A picture that a notebook shows by itself."""

    svg: str

    def _repr_svg_(self) -> str:
        return self.svg

    def __str__(self) -> str:
        return self.svg

    def save(self, path: str | Path) -> None:
        """Write the picture to a file."""
        Path(path).write_text(self.svg, encoding="utf-8")


def draw(
    what: str | Game | RoundOfPlay, wager: str = "", *, theme: Theme = Theme.DARK
) -> Drawing:
    """Draw a game's table, a wager's pieces on it (one unit each), or a round.

    Raises `WagerRefused` where the game has no such wager.
    """
    if isinstance(what, RoundOfPlay):
        return Drawing(draw_round(what, theme=theme))
    game = find_game(what) if isinstance(what, str) else what
    chips = list(_pieces(game, wager)) if wager else []
    return Drawing(draw_table(game, chips=chips, theme=theme))


def _pieces(game: Game, wager: str) -> Iterator[DrawnChips]:
    found = find_placement(game, Settings(), read_wager(wager, game.multiples))
    if isinstance(found, Refusal):
        raise WagerRefused(found)
    for area in found.areas:
        yield DrawnChips(area.name, _UNIT_CENTS)


def draw_round(state: RoundOfPlay, *, theme: Theme = Theme.DARK) -> str:
    """Draw the table as the round stands: chips, Bonus Numbers, dolly, what was won."""
    return draw_table(
        state.game,
        chips=list(_chips(state)),
        winning_number=state.winning_number if state.standing is None else None,
        bonus_numbers=state.facts.bonus_numbers or (),
        theme=theme,
        ring=state.settings.ring,
    )


def _chips(state: RoundOfPlay) -> Iterator[DrawnChips]:
    if state.settled is None:
        for wager in state.board.in_order():
            for area, cents in zip(wager.areas, wager.piece_cents, strict=True):
                yield DrawnChips(
                    area.name, cents, colour=wager.colour, owner=wager.player
                )
        return
    is_void = state.standing is not None
    for settled in state.settled.wagers:
        laid = state.board.wagers.get(settled.wager_id)
        for piece in settled.pieces:
            yield DrawnChips(
                piece.area,
                piece.stake_cents,
                won=None if is_void else piece.paid_cents > 0,
                paid_cents=piece.paid_cents,
                colour=laid.colour if laid else None,
                owner=settled.player,
            )
