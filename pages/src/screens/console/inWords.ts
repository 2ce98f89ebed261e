/** Numbers and irregularities in words. */
import { t, type Key } from '../../shared/i18n.svelte'

/** `thirty-two`, `double zero`; letters stay letters. */
export function inWords(number: string): string {
  if (number === '00') return t('console.words_00')
  if (number === '000') return t('console.words_000')
  if (!/^\d+$/.test(number)) return number
  const value = Number(number)
  const ones = t('console.words_ones').split(' ')
  if (value < 20) return ones[value] ?? number
  const tens = t('console.words_tens').split(' ')[Math.floor(value / 10) - 2] ?? ''
  return value % 10 ? t('console.words_two', { tens, ones: ones[value % 10] ?? '' }) : tens
}

export function irregularityName(name: string): string {
  return t(`console.irregular_${name}` as Key)
}

/** Cents as an act writes money: `12.50`. */
export const inAct = (cents: number): string => (cents / 100).toFixed(2)
