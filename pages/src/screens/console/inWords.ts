/** Numbers and irregularities in words. */
import { t, type Key } from '../../shared/words/i18n.svelte'

/** `thirty-two`, `double zero`; letters stay letters. */
export function inWords(number: string): string {
  if (number === '00') return t('console.words_00')
  if (number === '000') return t('console.words_000')
  return t('console.words_numbers').split(', ')[/^\d+$/.test(number) ? Number(number) : -1] ?? number
}

export function irregularityName(name: string): string {
  return t(`console.irregular_${name}` as Key)
}

/** Cents as an act writes money: `12.50`. */
export const inAct = (cents: number): string => (cents / 100).toFixed(2)
