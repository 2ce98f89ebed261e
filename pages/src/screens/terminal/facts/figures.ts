/** Limits, payments and wins in figures. */
import { t, words } from '../../../shared/words/i18n.svelte'
import type { Pays } from '../../../shared/felt/layout'
import type { AreaShown, LimitsView } from '../../../generated/schema'

/** `5 – 1,000`; a side without a limit stays empty. */
export function limitText(limit: Pick<LimitsView, 'minimum_cents' | 'maximum_cents'> | undefined): string {
  const { minimum_cents: low = null, maximum_cents: high = null } = limit ?? {}
  if (low === null && high === null) return t('common.unlimited')
  if (high === null) return t('terminal.from', { sum: words.sum(low ?? 0) })
  return `${words.sum(low ?? 0)} – ${words.sum(high)}`
}

/** The lowest minimum and the highest maximum of the table. */
export function limitsRange(limits: readonly LimitsView[]): string {
  const low = limits.flatMap(({ minimum_cents }) => minimum_cents ?? [])
  const high = limits.flatMap(({ maximum_cents }) => maximum_cents ?? [])
  return limitText({
    minimum_cents: low.length ? Math.min(...low) : null,
    maximum_cents: high.length === limits.length ? Math.max(...high) : null,
  })
}

export const limitsOn = (limits: readonly LimitsView[], area: AreaShown): string =>
  limitText(limits.find((each) => each.wager_type === area.type))

export interface WouldWin {
  /** `bonus`, `super_bonus`; none if an area has one payment. */
  when: string | null
  cents: number
}

/** A chip's win there: the area's odds times the chip. */
export function wouldWin(pays: Pays, chip: number): WouldWin[] {
  if (typeof pays === 'number') return [{ when: null, cents: pays * chip }]
  return Object.entries(pays).map(([when, each]) => ({ when, cents: each * chip }))
}
