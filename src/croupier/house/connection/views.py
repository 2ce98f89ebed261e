"""What a table looks like, in the words of the protocol; pure."""

from __future__ import annotations

from collections.abc import Iterable

from croupier.ledger import accounts as acc
from croupier.protocol import answers as say
from croupier.rules import events as ev
from croupier.rules.bonus import super_bonus_numbers
from croupier.rules.clause import Refusal
from croupier.rules.limits import Limits
from croupier.rules.round import Phase, RoundOfPlay
from croupier.rules.wagers import Wager
from croupier.rules.wheel import Number, colour_of
from croupier.table.state import TableState


def limits_shown(state: TableState, limits: Limits) -> tuple[say.LimitsView, ...]:
    """For each wager type of the game, in the order of its areas."""
    types = dict.fromkeys(area.wager_type for area in state.series.game.areas)
    shown = []
    for wager_type in types:
        limit = limits.of(wager_type)
        shown.append(
            say.LimitsView(
                wager_type.value,
                limit.minimum_cents if limit else None,
                limit.maximum_cents if limit else None,
            )
        )
    return tuple(shown)


def wager_shown(wager: Wager, current: RoundOfPlay, prefix: str = "") -> say.WagerView:
    """As it lies now; `prefix` is taken off its id for its own terminal."""
    cents = wager.piece_cents
    return say.WagerView(
        id=wager.wager_id.removeprefix(prefix),
        player=wager.player,
        wager=wager.name,
        stake_cents=sum(cents),
        pieces=tuple(
            (area.name, each) for area, each in zip(wager.areas, cents, strict=True)
        ),
        registered=wager.registered,
        terminal=wager.terminal,
        unclear=wager.wager_id in current.unclear,
        under_minimum=_under_minimum(wager, current),
    )


def _under_minimum(wager: Wager, current: RoundOfPlay) -> tuple[str, ...]:
    low = []
    for area in wager.areas:
        limit = current.limits.of(area.wager_type)
        lies = current.board.player_on(wager.player, area)
        if limit is not None and wager.registered and lies < limit.minimum_cents:
            low.append(area.name)
    return tuple(low)


def withdrawn_shown(wager_id: str, player: str) -> say.WagerView:
    """A wager that is gone: no stake, no pieces."""
    return say.WagerView(wager_id, player, "", 0, ())


def settled_shown(
    wagers: Iterable[ev.SettledWager], prefix: str = ""
) -> tuple[say.SettledWagerView, ...]:
    return tuple(_settled_wager(wager, prefix) for wager in wagers)


def _settled_wager(wager: ev.SettledWager, prefix: str) -> say.SettledWagerView:
    pieces = wager.pieces
    return say.SettledWagerView(
        id=wager.wager_id.removeprefix(prefix),
        player=wager.player,
        wager=wager.wager,
        stake_cents=sum(piece.stake_cents for piece in pieces),
        paid_cents=sum(piece.paid_cents for piece in pieces),
        collected_cents=sum(piece.collected_cents for piece in pieces),
        returned_cents=sum(piece.returned_cents for piece in pieces),
        pieces=tuple(
            say.SettledPieceView(*piece[:5], piece.clause) for piece in pieces
        ),
    )


def past_round(
    number: int, winning: str | None, bonus: tuple[str, ...]
) -> say.PastRound:
    colour = None if winning is None else colour_of(Number(winning)).value
    return say.PastRound(number, winning, colour, bonus)


def refused(message_id: str, sequence: int, refusal: Refusal) -> say.Answered:
    return say.Answered(
        message_id,
        sequence,
        registered=False,
        clause=refusal.clause.number,
        reason=str(refusal.reason),
    )


def standing_shown(current: RoundOfPlay | None) -> str | None:
    if current is None or current.standing is None:
        return None
    return f"{current.standing.reason} [{current.standing.clause.number}]"


def super_bonus_shown(current: RoundOfPlay) -> tuple[str, ...]:
    drawn = frozenset(current.facts.bonus_numbers or ())
    lit = super_bonus_numbers(current.game, drawn)
    return tuple(number for number in current.game.numbers if number in lit)


def read_back(current: RoundOfPlay, number: Number) -> str:
    """An outcome in words and colour: `17, black, odd, low`."""
    words = [number, colour_of(number).value]
    for area in current.game.areas:
        kind = area.wager_type.value
        if kind in {"odd", "even", "low", "high"} and area.covers(number):
            words.append(kind)
    drawn = current.facts.bonus_numbers or ()
    if number in drawn:
        lit = super_bonus_shown(current)
        words.append("super bonus" if number in lit else "bonus")
    return ", ".join(words)


def phase_of(state: TableState) -> Phase:
    series = state.series
    return series.current.phase if series.last else Phase.AWAITING


def drawn_of(state: TableState) -> tuple[Number, ...] | None:
    """The Bonus Numbers of the latest round, once they are drawn."""
    series = state.series
    return series.current.facts.bonus_numbers if series.last else None


def credit_of(state: TableState, seat: str) -> int:
    return state.balance(acc.seat(seat))


def claim_of(state: TableState, seat: str) -> int:
    return -state.balance(acc.claim(seat))
