/**
 * What may be seen of a table at a moment: the ball comes before the figures. While a virtual
 * wheel's ball still runs to an outcome that is known, the table is shown as it stood; Bonus
 * Numbers light up one after the other.
 */
import type { SeatView, TableView } from '../generated/schema'
import { BallMotion, type SpinFacts } from './ballMotion'
import { lampsLit, withLamps } from './bonusLamps'
import type { Layout } from './layout'
import { reducedMotion } from './motion'
import type { TableStore } from './table.svelte'

interface Stood {
  view: TableView
  seat: SeatView | null
}
/** The ball lies for a moment before the outcome is said. */
const SAID_MS = 150
/** The own settlement has come, and the outcome should have. */
const LONGEST_MS = 9_000
/** The ball slows down when screens have heard of the outcome; on one that hears later, when it does. */
const HEARD_MS = 500

const held = new Set<Reveal>()

/** Whether a ball still runs on this page to an outcome that is not shown yet. */
export const isOutcomeHeld = (): boolean => held.size > 0

export class Reveal {
  #held = $state.raw<Stood | null>(null)
  /** The ball of this round was seen in play, so that its run is shown to the end. */
  #seen = $state(false)
  /** When this page heard of the outcome, by the house's clock. */
  #heardMs = $state<number | null>(null)
  #before: Stood | null = null
  #end: ReturnType<typeof setTimeout> | undefined
  readonly #lamps = $derived.by(() => {
    const { view, serverMs } = this.store
    return view ? lampsLit(view, serverMs) : 0
  })
  readonly view: TableView | null = $derived.by(() => {
    const view = this.#held?.view ?? this.store.view
    return view && withLamps(view, this.store.layout, this.#lamps)
  })
  /** The ball in play, for the wheel; none where it is not to be drawn. */
  readonly spin: SpinFacts | null = $derived.by(() => (this.#seen ? this.#spin() : null))

  constructor(readonly store: TableStore) {}

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
    if (view.status === 'void') this.#rest()
    const isSettled = view.status !== 'void' && (seat?.settled.length ?? 0) > 0
    if (view.winning_number === null && !isSettled) {
      this.#rest()
      this.#seen = view.spun
      this.#heardMs = null
      this.#before = { view, seat }
      return
    }
    if (view.winning_number !== null) this.#heardMs ??= this.store.exactMs
    const runs = this.#seen && view.virtual_wheel && this.#before?.view.round === view.round
    if (runs && connection === 'connected' && !reducedMotion()) this.#hold()
    this.#before = null
    this.#restLater()
  }

  /** As soon as the outcome has come, it is known how long the ball still runs. */
  #restLater(): void {
    if (!this.#held) return
    const spin = this.#spin()
    const restMs = spin && new BallMotion(spin).restMs
    clearTimeout(this.#end)
    this.#end = setTimeout(() => this.#rest(), restMs === null ? LONGEST_MS : restMs + SAID_MS - this.store.exactMs)
  }

  #hold(): void {
    this.#held = this.#before
    held.add(this)
  }

  /** The ball lies: everything may be seen. */
  #rest(): void {
    clearTimeout(this.#end)
    held.delete(this)
    this.#held = null
  }

  #spin(): SpinFacts | null {
    const { view, layout } = this.store
    return view && layout && spinOf(view, layout, this.#heardMs ?? 0)
  }
}

/** What a round says of the ball on a virtual wheel; none where none is in play. */
export function spinOf(view: TableView, layout: Layout, heardMs = 0): SpinFacts | null {
  if (!view.virtual_wheel || !view.spun || view.status === 'void') return null
  const at = (step: string): number | null => view.steps.find((each) => each.step === step)?.at_ms ?? null
  const [spunMs, fromMs] = [at('spin'), at('outcome')]
  if (spunMs === null) return null
  const compartment = view.winning_number === null ? -1 : layout.ring.indexOf(view.winning_number)
  return {
    seed: `${view.table} ${view.round}`,
    spunMs,
    rests: compartment >= 0 && fromMs !== null ? { fromMs: Math.max(fromMs + HEARD_MS, heardMs), compartment } : null,
    compartments: layout.ring.length,
  }
}
