"""A Player's own limits, kept while they play: stake in a round, loss in a day."""

from __future__ import annotations

from croupier.house.record import HouseRecord
from croupier.house.tallies import Tallies
from croupier.rules import commands as do
from croupier.rules.clause import Clause, Refusal
from croupier.rules.game import READINGS
from croupier.rules.notation import write_cents
from croupier.rules.wagers import find_placement
from croupier.table.state import TableState


def refuse_by_limits(
    record: HouseRecord,
    tallies: Tallies,
    state: TableState,
    command: do.WagerCommand,
) -> Refusal | None:
    """Why a named Player may not stake this; nobody else has such limits."""
    player = record.state.players.get(command.player or "")
    if player is None:
        return None
    now = record.clock()
    if now < player.excluded_until_ms:
        return _refusal(f"{player.name} is excluded from play")
    if player.stake_cents is None and player.loss_cents is None:
        return None
    staked = _staked(state, player.name) + _added(state, command)
    if player.stake_cents is not None and staked > player.stake_cents:
        limit = write_cents(player.stake_cents)
        return _refusal(f"{player.name} stakes at most {limit} in a round")
    settings = record.settings
    lost = -sum(
        tallies.today(settings, (each, player.name), now).net_cents
        for each in record.state.tables
    )
    if player.loss_cents is not None and lost + staked > player.loss_cents:
        limit = write_cents(player.loss_cents)
        return _refusal(f"{player.name} loses at most {limit} in a gaming day")
    return None


def _staked(state: TableState, player: str) -> int:
    if not state.is_in_play:
        return 0
    wagers = state.series.current.board.wagers.values()
    return sum(wager.stake_cents for wager in wagers if wager.player == player)


def _added(state: TableState, command: do.WagerCommand) -> int:
    """What the wager would put on the layout, over all its pieces."""
    if not state.is_in_play:
        return 0
    current = state.series.current
    if isinstance(command, do.IncreaseWager):
        wager = current.board.wagers.get(command.wager_id)
        return command.stake_cents * len(wager.areas) if wager else 0
    placement = find_placement(current.game, current.settings, command.wager)
    if isinstance(placement, Refusal):
        return 0
    if command.stake_cents is not None:
        return command.stake_cents * len(placement.areas)
    limits = [current.limits.of(area.wager_type) for area in placement.areas]
    return sum(limit.maximum_cents for limit in limits if limit is not None)


def _refusal(reason: str) -> Refusal:
    """By the Player's own word, or the house's for them: no clause of a document."""
    return Refusal(Clause(READINGS, "A12"), reason)
