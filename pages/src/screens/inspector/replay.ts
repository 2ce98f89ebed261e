/** The layout of a round after each of its acts; pure. */
import type { FeltChip, PieceCents } from '../../shared/felt/chips'
import type { Layout } from '../../shared/felt/layout'
import type { EventShown, SettledPieceView, SettledWagerView } from '../../generated/schema'
import type { Fields } from './acts'
import { settledChips } from '../../shared/house/table.svelte'

export interface Frame {
  chips: FeltChip[]
  winning: string | null
  lit: string[]
  superBonus: string[]
}

interface Lying {
  wagers: Map<string, PieceCents[]>
  settled: SettledWagerView[]
  winning: string | null
  bonus: string[]
}
type Step = (lying: Lying, fields: Fields) => void

const outcome: Step = (lying, { number }) => {
  lying.winning = number as string
}
const STEPS: Record<string, Step> = {
  WagerPlaced: ({ wagers }, { wager_id, pieces }) => {
    const placed = pieces as { area: string; cents: number }[]
    wagers.set(
      wager_id as string,
      placed.map(({ area, cents }) => [area, cents]),
    )
  },
  WagerIncreased: ({ wagers }, { wager_id, piece_cents }) => {
    const pieces = wagers.get(wager_id as string) ?? []
    wagers.set(
      wager_id as string,
      pieces.map(([area, cents]) => [area, cents + (piece_cents as number)]),
    )
  },
  WagerWithdrawn: ({ wagers }, { wager_id }) => {
    wagers.delete(wager_id as string)
  },
  WagerRuled: ({ wagers }, { wager_id, area, piece_cents }) => {
    const pieces = wagers.get(wager_id as string) ?? []
    if (area === null && piece_cents === null) wagers.delete(wager_id as string)
    else
      wagers.set(
        wager_id as string,
        pieces.map(([at, cents]) => [(area as string | null) ?? at, (piece_cents as number | null) ?? cents]),
      )
  },
  BonusNumbersDrawn: (lying, { numbers }) => {
    lying.bonus = numbers as string[]
  },
  OutcomeAnnounced: outcome,
  OutcomeDecided: outcome,
  OutcomeCorrected: (lying, { corrected_to }) => {
    lying.winning = corrected_to as string
    lying.settled = []
  },
  RoundVoided: (lying) => {
    lying.winning = null
    lying.settled = []
  },
  RoundSettled: (lying, { winning_number, wagers }) => {
    lying.winning = winning_number as string | null
    lying.settled = (wagers as SettledRow[]).map(settledOf)
  },
}

/** The layout after the first `count` acts. */
export function frameAfter(acts: readonly EventShown[], count: number, layout: Layout): Frame {
  const lying: Lying = { wagers: new Map(), settled: [], winning: null, bonus: [] }
  for (const { event, fields } of acts.slice(0, count)) STEPS[event]?.(lying, fields)
  const registered = [...lying.wagers.values()]
    .flat()
    .map(([area, cents]): FeltChip => ({ area, cents, state: 'registered' }))
  const whole = layout.links.filter((link) => link.every((each) => lying.bonus.includes(each)))
  return {
    chips: lying.settled.length ? lying.settled.flatMap(settledChips) : registered,
    winning: lying.winning,
    lit: lying.bonus,
    superBonus: whole.flat(),
  }
}

type PieceRow = [area: string, stake: number, paid: number, collected: number, returned: number, clause: string]
type SettledRow = [id: string, player: string, wager: string, pieces: PieceRow[]]

/** Read a settlement from the journal, which writes rows without names. */
function settledOf([id, player, wager, rows]: SettledRow): SettledWagerView {
  const pieces = rows.map(
    ([area, stake_cents, paid_cents, collected_cents, returned_cents, clause]): SettledPieceView => ({
      area,
      stake_cents,
      paid_cents,
      collected_cents,
      returned_cents,
      clause,
    }),
  )
  return { id, player, wager, stake_cents: 0, paid_cents: 0, collected_cents: 0, returned_cents: 0, pieces }
}
