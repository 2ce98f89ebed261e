"""The board: the chips on the layout of one round, immutable and cheap to change."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from croupier.rules.buckets import BucketMap, changed
from croupier.rules.layout import BettingArea
from croupier.rules.wagers import Layer, Wager


@dataclass(frozen=True)
class Board:
    """The chips on the layout."""

    wagers: BucketMap[str, Wager] = field(default_factory=BucketMap)
    player_cents: BucketMap[tuple[str, str], int] = field(default_factory=BucketMap)
    """What a Player has on an area, plain, by racetrack or by complete wager (A8)."""
    area_cents: BucketMap[str, int] | None = None
    """What all Players have on an area, at a table that caps it (A8)."""
    stake_cents: int = 0
    """Everything on the layout, registered or not."""
    layers: int = 0
    withdrawn: frozenset[str] = frozenset()
    """Ids that have been used and are not to be used again in the round."""
    lifted: frozenset[str] = frozenset()
    """Wagers withdrawn after the drop: listed still, and returned (A28)."""
    players: BucketMap[str, bool] = field(default_factory=BucketMap)
    """Whoever has or had a wager in the round (A42)."""

    def player_on(self, player: str, area: BettingArea) -> int:
        return self.player_cents.get((player, area.name)) or 0

    def all_on(self, area: BettingArea) -> int:
        return 0 if self.area_cents is None else self.area_cents.get(area.name) or 0

    def has_used(self, wager_id: str) -> bool:
        return wager_id in self.wagers or wager_id in self.withdrawn

    def in_order(self) -> list[Wager]:
        """Return the wagers in the order of placing."""
        return sorted(self.wagers.values(), key=lambda wager: wager.layers[0].order)

    def with_layer(self, wager: Wager, cents: tuple[int, ...]) -> Board:
        """Lay a further layer of chips on the wager's pieces."""
        layered = replace(wager, layers=(*wager.layers, Layer(self.layers, cents)))
        return self.with_wager(layered)

    def with_wager(self, wager: Wager) -> Board:
        """Lay the wager; only its last layer of chips is new."""
        wagers = self.wagers.with_entry(wager.wager_id, wager)
        board = self._counting(wager, wager.layers[-1].cents, wagers, self.layers + 1)
        if wager.player in self.players:
            return board
        return changed(board, players=self.players.with_entry(wager.player, True))

    def without(self, wager: Wager) -> Board:
        taken = tuple(-cents for cents in wager.piece_cents)
        wagers = self.wagers.without(wager.wager_id)
        board = self._counting(wager, taken, wagers, self.layers)
        return changed(board, withdrawn=self.withdrawn | {wager.wager_id})

    def lifting(self, wager: Wager) -> Board:
        """Take the chips off the areas; the wager stays listed with its stake."""
        taken = tuple(-cents for cents in wager.piece_cents)
        board = self._counting(wager, taken, self.wagers, self.layers)
        return changed(
            board,
            stake_cents=self.stake_cents,
            lifted=self.lifted | {wager.wager_id},
        )

    def _counting(
        self,
        wager: Wager,
        cents: tuple[int, ...],
        wagers: BucketMap[str, Wager],
        layers: int,
    ) -> Board:
        by_player, by_area = self.player_cents, self.area_cents
        if wager.registered:
            for area, added in zip(wager.areas, cents, strict=True):
                key = (wager.player, area.name)
                by_player = by_player.with_entry(key, (by_player.get(key) or 0) + added)
                if by_area is not None:
                    on_area = (by_area.get(area.name) or 0) + added
                    by_area = by_area.with_entry(area.name, on_area)
        stake_cents = self.stake_cents + sum(cents)
        return changed(
            self,
            wagers=wagers,
            player_cents=by_player,
            area_cents=by_area,
            stake_cents=stake_cents,
            layers=layers,
        )
