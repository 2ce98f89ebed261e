"""The board: the chips on the layout of one round, immutable and cheap to change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from msgspec.structs import replace

from croupier.rules.buckets import BucketMap, DraftMap, DraftSums, changed
from croupier.rules.layout import BettingArea
from croupier.rules.wagers import Layer, Wager


@dataclass(frozen=True)
class Board:
    """The chips on the layout."""

    wagers: BucketMap[str, Wager] = field(default_factory=BucketMap)
    player_cents: BucketMap[tuple[str, str], int] = field(default_factory=BucketMap)
    """A Player's stake on an area, plain, by racetrack or by complete wager (A8)."""
    area_cents: BucketMap[str, int] | None = None
    """The stake of all Players on an area, at a table that caps it (A8)."""
    stake_cents: int = 0
    """The sum on the layout, registered or not."""
    layers: int = 0
    withdrawn: frozenset[str] = frozenset()
    """Ids of withdrawn wagers; the round does not take them again."""
    lifted: frozenset[str] = frozenset()
    """Wagers withdrawn after the drop: they stay listed and are returned (A28)."""
    players: BucketMap[str, bool] = field(default_factory=BucketMap)
    """Everyone who has or had a wager in the round (A42)."""

    def player_on(self, player: str, area: BettingArea) -> int:
        return self.player_cents.get((player, area.name)) or 0

    def all_on(self, area: BettingArea) -> int:
        return 0 if self.area_cents is None else self.area_cents.get(area.name) or 0

    def has_used(self, wager_id: str) -> bool:
        return wager_id in self.wagers or wager_id in self.withdrawn

    def in_order(self) -> list[Wager]:
        return sorted(self.wagers.values(), key=lambda wager: wager.layers[0].order)

    def with_layer(self, wager: Wager, cents: tuple[int, ...]) -> Board:
        layered = replace(wager, layers=(*wager.layers, Layer(self.layers, cents)))
        return self.with_wager(layered)

    def with_wager(self, wager: Wager) -> Board:
        """Lay the wager; only its last layer of chips is new."""
        draft = DraftBoard(self)
        draft.lay(wager)
        return draft.frozen()

    def without(self, wager: Wager) -> Board:
        draft = DraftBoard(self)
        draft.wagers.remove(wager.wager_id)
        draft.count(wager, [-cents for cents in wager.piece_cents])
        return changed(draft.frozen(), withdrawn=self.withdrawn | {wager.wager_id})

    def lifting(self, wager: Wager) -> Board:
        """Take the chips off the areas; the wager stays listed with its stake."""
        draft = DraftBoard(self)
        draft.count(wager, [-cents for cents in wager.piece_cents])
        return changed(
            draft.frozen(),
            stake_cents=self.stake_cents,
            lifted=self.lifted | {wager.wager_id},
        )


class DraftBoard(Board):
    """A board that one owner changes in place, and shares only after `frozen`."""

    wagers: DraftMap[str, Wager]
    player_cents: DraftSums[tuple[str, str]]
    area_cents: DraftSums[str] | None
    players: DraftMap[str, bool]

    def __init__(self, base: Board) -> None:
        areas = base.area_cents
        self.__dict__.update(
            base.__dict__,
            wagers=base.wagers.draft(),
            player_cents=base.player_cents.draft_sums(),
            area_cents=None if areas is None else areas.draft_sums(),
            players=base.players.draft(),
        )

    def lay(self, wager: Wager) -> None:
        """Lay the wager; only its last layer of chips is new."""
        self.wagers.put(wager.wager_id, wager)
        self.__dict__["layers"] += 1
        self.count(wager, wager.layers[-1].cents)
        if wager.player not in self.players:
            self.players.put(wager.player, True)

    def count(self, wager: Wager, cents: Sequence[int]) -> None:
        """Add cents to each of the wager's pieces."""
        by_player, by_area, player = self.player_cents, self.area_cents, wager.player
        if wager.registered:
            for place, area in enumerate(wager.areas):
                by_player.add((player, area.name), cents[place])
                if by_area is not None:
                    by_area.add(area.name, cents[place])
        self.__dict__["stake_cents"] += sum(cents)

    def frozen(self) -> Board:
        """Return the board; do not change the draft afterwards."""
        areas = self.area_cents
        board = object.__new__(Board)
        board.__dict__.update(
            self.__dict__,
            wagers=self.wagers.frozen(),
            player_cents=self.player_cents.frozen(),
            area_cents=None if areas is None else areas.frozen(),
            players=self.players.frozen(),
        )
        return board
