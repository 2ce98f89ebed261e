/** The newest lamp of a draw in one sentence, and the odds of each number now. */
import { BONUS_NUMBERS } from '../../../shared/wheel/bonusLamps'
import { litPays } from '../../../shared/felt/places'
import { t } from '../../../shared/words/i18n.svelte'
import { areaName, outcomeName } from '../../../shared/words/naming'
import type { TerminalTable } from '../state/terminalTable.svelte'

/** The payment of a Straight Up on a number with the present lamps. */
export function paysNow({ layout, lit }: TerminalTable, number: string): number {
  const isWhole = layout?.wholeLinks(lit).some(({ link }) => link.includes(number)) ?? false
  const straight = layout?.areas.get(`straight_up:${number}`)?.pays
  const raised = layout && litPays(layout, number, lit.includes(number), isWhole)
  return raised ?? (typeof straight === 'object' ? (straight.non_bonus ?? 0) : (straight ?? 0))
}

/** The own chips first: `Your Straight Up 25 now pays 40 to 1`. */
export function drawSentence(table: TerminalTable): string {
  const { layout, lit, stakes } = table
  const newest = lit.at(-1)
  if (!layout || newest === undefined) return t('terminal.draw_begins')
  const pays = t('pays.to_one', { pays: paysNow(table, newest) })
  const link = layout.wholeLinks(lit).find(({ link: each }) => each.includes(newest))
  if (link) return t('terminal.link_whole', { link: link.letter, numbers: link.link.join(', '), pays })
  const area = areaName(`straight_up:${newest}`)
  if (stakes[`straight_up:${newest}`]) return t('terminal.own_lit', { area, pays })
  return t('terminal.lit_pays', {
    outcome: outcomeName(newest, layout.colourOf(newest)),
    count: lit.length,
    of: BONUS_NUMBERS,
    area,
    pays,
  })
}
