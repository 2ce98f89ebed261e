/** Bonus Numbers light up one after the other, on one clock for all screens. */
import type { TableView } from '../../generated/schema'
import type { Layout } from '../felt/layout'
import { reducedMotion } from './motion'

/** The Bonus Numbers drawn in a round. */
export const BONUS_NUMBERS = 10
const LAMP_MS = 700
const AFTER_LAST_MS = 600

/** The number of lamps to show at a house time; all of them if a layout reports them. */
export function lampsLit(view: TableView, serverMs: number): number {
  const all = view.lit.length
  const since = view.closed_at_ms
  if (view.lights === 'device' || view.phase !== 'closed' || since === null || reducedMotion()) return all
  return Math.min(all, Math.max(0, Math.floor((serverMs - since) / LAMP_MS)))
}

/** The launch time of the ball in a round with a draw: a moment after the tenth lamp. */
export function launchMs(view: TableView): number {
  return (view.closed_at_ms ?? 0) + BONUS_NUMBERS * LAMP_MS + AFTER_LAST_MS
}

/** Whether all lamps have been lit long enough for the ball to follow. */
export function isBallNext(view: TableView, serverMs: number): boolean {
  if (view.lit.length < BONUS_NUMBERS) return false
  return view.phase !== 'closed' || view.lights === 'device' || reducedMotion() || serverMs >= launchMs(view)
}

/** The view with only this many lamps lit, and without a trace of the next. */
export function withLamps(view: TableView, layout: Layout | null, count: number): TableView {
  if (count >= view.lit.length) return view
  const lit = view.lit.slice(0, count)
  const whole = new Set(layout?.wholeLinks(lit).flatMap(({ link }) => link))
  return { ...view, lit, bonus: lit, super_bonus: view.super_bonus.filter((number) => whole.has(number)) }
}
