/** Wagers saved to be placed again: their notation and the stake on a piece. */
import type { SettledWagerView, WagerView } from '../../../generated/schema'

export interface SavedWager {
  wager: string
  /** None for a complete maximum wager, whose stakes are the limits. */
  stake_cents: number | null
}
/** The most wagers that one message may place. */
export const MOST = 200

/** Each wager once, with the sum of its stakes. */
export function together(wagers: readonly SavedWager[]): SavedWager[] {
  const byWager = new Map<string, SavedWager>()
  for (const { wager, stake_cents } of wagers) {
    const before = byWager.get(wager)?.stake_cents
    const both = stake_cents === null ? null : stake_cents + (before ?? 0)
    byWager.set(wager, { wager, stake_cents: both })
  }
  return [...byWager.values()].slice(0, MOST)
}

export function savedOf({ wager, pieces }: WagerView | SettledWagerView): SavedWager {
  const stakes = pieces.map((piece) => (Array.isArray(piece) ? piece[1] : piece.stake_cents))
  return { wager, stake_cents: isAtMaximum(wager) ? null : Math.min(...stakes) }
}

/** The stake on each wager, the last laid first. */
export function totalsByWager(wagers: readonly WagerView[]): { wager: string; cents: number }[] {
  const sums = new Map<string, number>()
  for (const { wager, stake_cents } of wagers.toReversed()) sums.set(wager, (sums.get(wager) ?? 0) + stake_cents)
  return [...sums].map(([wager, cents]) => ({ wager, cents }))
}

export const isAtMaximum = (wager: string): boolean => wager.startsWith('complete_maximum')

/** `WAGER@CENTS`, as the house keeps a favourite. */
export function write({ wager, stake_cents }: SavedWager): string {
  return `${wager}@${stake_cents ?? 1}`
}

export function read(text: string): SavedWager {
  const at = text.lastIndexOf('@')
  const wager = text.slice(0, at)
  return { wager, stake_cents: isAtMaximum(wager) ? null : Number(text.slice(at + 1)) }
}
