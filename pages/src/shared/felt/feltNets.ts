/** The net of the chips at each number, as the felt shows it. */
import { words } from '../words/i18n.svelte'

export interface FeltNet {
  /** In cents: paid less collected. */
  least: number
  most: number
}

const LARGEST = 13
/** The least width that shows both ends of a range. */
const WIDE = 64
/** A figure's width as a part of its size. */
const FIGURE = 0.6
const LONG_CENTS = 1_000_000

/** The text of a tag, and the size at which it fits. */
export function netText({ least, most }: FeltNet, width: number): { text: string; size: number } {
  const one = brief(least)
  const text = least === most ? one : width < WIDE ? `≥${one}` : `${one} … ${brief(most)}`
  return { text, size: Math.min(LARGEST, (width - 4) / (FIGURE * text.length)) }
}

/** Signed and short: `+485`, `−12.5`, `+12K`. */
export function brief(cents: number): string {
  const sign = cents > 0 ? '+' : cents < 0 ? '−' : ''
  const notation = Math.abs(cents) < LONG_CENTS ? 'standard' : 'compact'
  const format = new Intl.NumberFormat(words.language, { notation, maximumFractionDigits: 2, useGrouping: false })
  return sign + format.format(Math.abs(cents) / 100)
}
