/**
 * The part of a table that may be shown at a moment: the ball comes before the figures. While a
 * virtual wheel's ball still runs to a known outcome, the table is shown as it stood; Bonus Numbers
 * light up one after the other.
 */
import type { PastRound, SeatView, TableView } from '../../generated/schema'
import { BallMotion, type BallPhase, type SpinFacts } from './ballMotion'
import { launchMs, lampsLit, withLamps } from './bonusLamps'
import type { Layout } from '../felt/layout'
import type { TableStore } from '../house/table.svelte'

export interface Stood {
  view: TableView
  seat: SeatView | null
}
/** The pause between the ball's rest and the outcome. */
const SAID_MS = 150
/** The longest wait, in case the outcome or the layout does not come. */
const LONGEST_MS = 9_000
/** The ball slows down this long after the outcome, when screens have heard of it; on a late screen, when it hears. */
const HEARD_MS = 500

const held = new Set<Reveal>()

/** Whether a ball still runs on this page to an outcome that is not shown yet. */
export const isOutcomeHeld = (): boolean => held.size > 0

export class Reveal {
  #held = $state.raw<Stood | null>(null)
  /** Whether this page showed the round's ball in play, so that it shows the run to its end. */
  #seen = $state(false)
  /** The house's time at which this page heard of the outcome. */
  #heardMs = $state<number | null>(null)
  #before: Stood | null = null
  /** The round whose outcome this page has heard of. */
  #decided = 0
  #end: ReturnType<typeof setTimeout> | undefined
  readonly #lamps = $derived.by(() => {
    const { view, serverMs } = this.store
    return view ? lampsLit(view, serverMs) : 0
  })
  readonly view: TableView | null = $derived.by(() => {
    const view = this.#held?.view ?? this.store.view
    return view && withLamps(view, this.store.layout, this.#lamps)
  })
  /** The ball in play, for the wheel; none if it must not be drawn. */
  readonly spin: SpinFacts | null = $derived.by(() => (this.#seen ? this.#spin() : null))
  readonly #motion = $derived.by(() => this.spin && new BallMotion(this.spin))
  /** The ball's phase, one of four; none without a ball in play. */
  readonly phase: BallPhase | null = $derived.by(() => this.#motion?.phaseAt(this.store.serverMs) ?? null)

  /** Called when an outcome that came while this page was open may be shown. */
  onoutcome: (() => void) | undefined

  constructor(readonly store: TableStore) {
    store.onlayout = () => this.#restLater()
  }

  get seat(): SeatView | null {
    return this.#held?.seat ?? this.store.seat
  }

  get isHeld(): boolean {
    return this.#held !== null
  }

  /** Whether a list of past rounds holds an outcome that may not be shown yet. */
  tells(rounds: readonly PastRound[]): boolean {
    const { view } = this
    return view?.winning_number === null && rounds.some(({ round, number }) => round === view.round && number !== null)
  }

  /** Call it after every message of the house; the seat's settlement comes before the outcome. */
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
    const before = this.#before?.view.round === view.round ? this.#before : null
    // A page opened since then shows its ball in the same place as all others.
    if (view.winning_number !== null) this.#heardMs ??= before || this.#held ? this.store.exactMs : 0
    const isNew = this.#decided !== view.round && connection === 'connected'
    if (isNew) this.#hold(before)
    this.#decided = view.round
    this.#before = null
    if (isNew && before && !this.#held && view.winning_number !== null) this.onoutcome?.()
    this.#restLater()
  }

  /** Show the table as it stood; if this page did not see that, as it must have been. */
  #hold(before: Stood | null): void {
    const { view, seat, exactMs } = this.store
    if (!view?.virtual_wheel || view.status === 'void') return
    if (before) {
      if (this.#seen) this.#held = before
    } else if (outcomeMs(view) + HEARD_MS + LONGEST_MS > exactMs) {
      this.#seen = view.spun
      this.#held = inPlay(view, seat)
    }
    if (this.#held) held.add(this)
  }

  /** Set the end of the ball's run, which is known once outcome and layout have come. */
  #restLater(): void {
    if (!this.#held) return
    const spin = this.#spin()
    const restMs = spin && new BallMotion(spin).restMs
    clearTimeout(this.#end)
    const leftMs = restMs === null ? LONGEST_MS : restMs + SAID_MS - this.store.exactMs
    if (leftMs > 0) this.#end = setTimeout(() => this.#rest(), leftMs)
    else this.#rest()
  }

  /** The ball lies: show everything. */
  #rest(): void {
    clearTimeout(this.#end)
    held.delete(this)
    const wasHeld = this.#held !== null
    this.#held = null
    const { view } = this.store
    if (wasHeld && view?.winning_number && view.status !== 'void') this.onoutcome?.()
  }

  #spin(): SpinFacts | null {
    const { view, layout } = this.store
    return view && layout && spinOf(view, layout, this.#heardMs ?? 0)
  }
}

const stepMs = (view: TableView, step: string): number | null =>
  view.steps.find((each) => each.step === step)?.at_ms ?? null

const outcomeMs = (view: TableView): number => stepMs(view, 'outcome') ?? 0

/** The ball of a round on a virtual wheel; none if none is in play. */
export function spinOf(view: TableView, layout: Layout, heardMs = 0): SpinFacts | null {
  if (!view.virtual_wheel || !view.spun || view.status === 'void') return null
  const [spunMs, fromMs] = [stepMs(view, 'spin'), stepMs(view, 'outcome')]
  if (spunMs === null) return null
  // If Bonus Numbers are drawn, the ball is shown after them, unless the outcome comes sooner.
  const launchedMs =
    layout.shown.draws_bonus_numbers && view.closed_at_ms !== null ? Math.max(spunMs, launchMs(view)) : spunMs
  const compartment = view.winning_number === null ? -1 : layout.ring.indexOf(view.winning_number)
  return {
    seed: `${view.table} ${view.round}`,
    spunMs: fromMs !== null && fromMs < launchedMs ? spunMs : launchedMs,
    rests: compartment >= 0 && fromMs !== null ? { fromMs: Math.max(fromMs + HEARD_MS, heardMs), compartment } : null,
    compartments: layout.ring.length,
  }
}

/** A decided round as it was while its ball was in play, without a trace of the outcome. */
export function inPlay(view: TableView, seat: SeatView | null): Stood {
  const steps = view.steps.map((each) =>
    each.step === 'outcome' || each.step === 'settle' ? { ...each, state: 'later' as const, at_ms: null } : each,
  )
  const before: TableView = {
    ...view,
    phase: 'closed',
    status: 'spinning',
    status_since_ms: view.closed_at_ms,
    takes_wagers: false,
    winning_number: null,
    at_rest: null,
    colour: null,
    sections: [],
    bonus_status: null,
    steps,
    history: view.history.filter(({ round }) => round !== view.round),
  }
  return { view: before, seat: seat && unsettled(seat) }
}

/** A seat before its settlement: its credit does not hold payments and returned stakes yet. */
export function unsettled(seat: SeatView): SeatView {
  const { totals, session } = seat
  if (!totals) return seat
  const { stake_cents, paid_cents, returned_cents, net_cents } = totals
  return {
    ...seat,
    credit_cents: Math.max(0, seat.credit_cents - paid_cents - returned_cents),
    settled: [],
    totals: null,
    last_totals: null,
    session: {
      ...session,
      staked_cents: Math.max(0, session.staked_cents - stake_cents),
      paid_cents: Math.max(0, session.paid_cents - paid_cents),
      net_cents: session.net_cents - net_cents,
      lost_today_cents: Math.max(0, session.lost_today_cents + net_cents),
    },
  }
}
