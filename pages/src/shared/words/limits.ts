/** Limits in groups: wager types with the same limits stand together. */
import { t, words } from './i18n.svelte'
import { typeName } from './naming'
import type { LimitsView } from '../../generated/schema'

export interface LimitGroup {
  name: string
  range: string
}
const NAMED = 2

/** The largest group comes last, as “All others”. */
export function groupsOf(limits: readonly LimitsView[]): LimitGroup[] {
  const groups = new Map<string, string[]>()
  for (const { wager_type, minimum_cents, maximum_cents } of limits) {
    if (minimum_cents === null || maximum_cents === null) continue
    const range = t('common.min_max', { minimum: words.sum(minimum_cents), maximum: words.sum(maximum_cents) })
    groups.set(range, [...(groups.get(range) ?? []), wager_type])
  }
  const sorted = [...groups].sort(([, one], [, other]) => one.length - other.length)
  return sorted.map(([range, types], k) => {
    const isRest = k === sorted.length - 1 && types.length > NAMED
    const isAll = isRest && sorted.length === 1
    const name = isAll ? t('common.limits') : isRest ? t('common.others') : types.map(typeName).join(', ')
    return { name, range }
  })
}
