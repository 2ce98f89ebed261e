/**
 * The wheel comes before the figures: where a virtual wheel has still to roll to an outcome
 * that is known, the table is shown as it stood until the ball lies.
 */
import { reducedMotion } from '../../shared/motion'
import type { SeatView, TableView } from '../../generated/schema'
import type { TableStore } from '../../shared/table.svelte'

interface Stood {
  view: TableView
  seat: SeatView | null
}
/** A little longer than the wheel rolls, for where none is on the screen. */
const LONGEST_MS = 4_500

export class Reveal {
  #held = $state.raw<Stood | null>(null)
  /** The ball of this round was seen in play, so the wheel rolls to its outcome. */
  rolling = $state(false)
  #before: Stood | null = null
  #end: ReturnType<typeof setTimeout> | undefined

  constructor(readonly store: TableStore) {}

  get view(): TableView | null {
    return this.#held?.view ?? this.store.view
  }

  get seat(): SeatView | null {
    return this.#held?.seat ?? this.store.seat
  }

  get isHeld(): boolean {
    return this.#held !== null
  }

  /** After every message of the house; the own settlement comes before the outcome. */
  hear(): void {
    const { view, seat, connection } = this.store
    if (!view) return
    const isSettled = view.status !== 'void' && (seat?.settled.length ?? 0) > 0
    if (view.winning_number === null && !isSettled) {
      this.rest()
      this.rolling = view.spun
      this.#before = { view, seat }
      return
    }
    const rolls = this.rolling && view.virtual_wheel && this.#before?.view.round === view.round
    if (rolls && connection === 'connected' && !reducedMotion()) {
      this.#held = this.#before
      this.#end = setTimeout(() => this.rest(), LONGEST_MS)
    }
    this.#before = null
  }

  /** The ball lies: everything may be seen. */
  rest(): void {
    clearTimeout(this.#end)
    this.#held = null
  }
}
