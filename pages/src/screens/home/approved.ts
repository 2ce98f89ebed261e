/** The approved games among those that a house plays. */
import type { GameShown, TableShown } from '../../generated/schema'

export function approvedHere(
  tables: readonly Pick<TableShown, 'game'>[],
  games: readonly Pick<GameShown, 'game' | 'approved'>[],
): Set<string> {
  const approved = new Set(games.flatMap(({ game, approved }) => (approved ? [game] : [])))
  return new Set(tables.map(({ game }) => game).filter((game) => approved.has(game)))
}
