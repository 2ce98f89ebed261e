/** Moments as the house's clocks show them, for fields of a form. */
import { words } from '../words/i18n.svelte'

/** The house's wall clock at a moment, as if it were UTC. */
function wall(ms: number, zone: string): number {
  return Date.parse(`${written(ms, zone)}:00Z`)
}

/** `2026-11-15T20:14`, the form of a field for day and time. */
export function written(ms: number, zone: string): string {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' })
  return format.format(ms).replace(' ', 'T')
}

/** The moment in such a field; none if it is empty. */
export function momentIn(text: string, zone: string): number | null {
  const guess = Date.parse(`${text}Z`)
  if (Number.isNaN(guess)) return null
  return guess - (wall(guess, zone) - guess)
}

/** A gaming day, `2026-11-15`, in the reader's words. */
export function dayName(day: string): string {
  const format = new Intl.DateTimeFormat(words.locale, { dateStyle: 'medium', timeZone: 'UTC' })
  return format.format(Date.parse(day))
}

export const HOUR_MS = 3_600_000
