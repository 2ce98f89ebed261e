/**
 * What this seat has played and what changed its credit, as this screen was told: each round
 * with its settlement, and every change that was no act of the Player's with its reason.
 */
import type {
  FromHouse,
  SettledWagerView,
  StatedReason,
  TableEvent,
  TotalsView,
  PlayedRound,
} from '../../generated/schema'
import type { TableStore } from '../../shared/table.svelte'

export interface RoundPlayed {
  round: number
  at_ms: number
  number: string | null
  settled: readonly SettledWagerView[]
  totals: TotalsView
}
export interface CreditChange {
  /** Unique among the changes of this record. */
  id: string
  /** The event that says why; none: the house changed it and said no more, or we were away. */
  event: string | null
  round: number | null
  at_ms: number
  before_cents: number
  after_cents: number
  /** The outcome before, and after. */
  numbers: readonly [from: string | null, to: string | null] | null
  clause: string | null
  /** Why, as somebody wrote it, or as the house says it by its code. */
  because: string | StatedReason | null
  isSeen: boolean
}
interface Kept {
  began_ms: number
  credit_cents: number | null
  rounds: readonly RoundPlayed[]
  changes: readonly CreditChange[]
}

/** By these the staff moved money at the seat. */
const MOVED = new Set(['BoughtIn', 'CashedOut', 'Adjusted', 'ClaimPaid', 'ClaimSetOff', 'OwedPaid'])
/** Of these, what the Player came for, and needs no card. */
const ASKED_FOR = new Set(['BoughtIn', 'CashedOut'])
/** By these a round that was settled is settled anew. */
const RULED = new Set(['OutcomeCorrected', 'OutcomeDecided', 'BonusNumbersCorrected', 'BallRestated', 'RoundVoided', 'WagerRuled'])
const MOST = 200

export class PlayRecord {
  rounds = $state.raw<readonly RoundPlayed[]>([])
  changes = $state.raw<readonly CreditChange[]>([])
  #credit: number | null = null
  #totals: TotalsView | null = null
  #began = 0
  /** The credit has changed; the message after it says why. */
  #unexplained: { before: number; at_ms: number } | null = null
  readonly #memory: string

  constructor(
    readonly store: TableStore,
    table: string,
    /** A round as the house has it, with what corrected it. */
    readonly recall: (round: number) => Promise<PlayedRound | null> = () => Promise.resolve(null),
  ) {
    this.#memory = `croupier.play.${table}`
  }

  /** The changes that nobody has acknowledged yet, newest first. */
  get unseen(): CreditChange[] {
    return this.changes.filter(({ isSeen }) => !isSeen).reverse()
  }

  get last(): RoundPlayed | null {
    return this.rounds.at(-1) ?? null
  }

  acknowledge(id: string): void {
    this.changes = this.changes.map((each) => (each.id === id ? { ...each, isSeen: true } : each))
    this.#keep()
  }

  /** After every message of the house, when the views have changed by it. */
  hear(message: FromHouse): void {
    const { view, seat } = this.store
    if (!view || !seat) return
    if (this.#began !== seat.session.began_ms) this.#begin(seat.session.began_ms)
    const [before, hadTotals] = [this.#credit, this.#totals !== null]
    this.#credit = seat.credit_cents
    this.#totals = seat.totals
    if (message.type === 'seat') this.#hearSeat(message, before, hadTotals)
    else if (message.type === 'update') this.#hearUpdate(message.happened)
    else if (message.type === 'snapshot') this.#compare(before)
    if (before !== this.#credit) this.#keep()
    if (seat.totals && seat.settled.length) this.#settled(view.round, view.winning_number, seat.settled, seat.totals)
  }

  #hearSeat(message: Extract<FromHouse, { type: 'seat' }>, before: number | null, hadTotals: boolean): void {
    const after = this.#credit ?? 0
    for (const { round, fields } of message.happened.filter(({ event, fields }) => event === 'RoundSettled' && 'wagers' in fields)) {
      const settled = fields.wagers as SettledWagerView[]
      this.#settled(round, fields.winning_number as string | null, settled, totalsOf(settled))
    }
    if (before === null || before === after) return
    const why = message.happened.find(({ event }) => MOVED.has(event) || event === 'WagerRuled')
    const isFirstSettlement = this.#totals !== null && !hadTotals
    if (why) this.#add(why, before)
    else if (!isFirstSettlement && !message.wagers.length && !message.gone.length)
      this.#unexplained = { before, at_ms: message.at_ms }
  }

  /** The seat is told first, the reason with what everybody hears. */
  #hearUpdate(happened: readonly TableEvent[]): void {
    if (!this.#unexplained) return
    const { before, at_ms } = this.#unexplained
    this.#unexplained = null
    this.#add(happened.find(({ event }) => RULED.has(event)) ?? null, before, at_ms)
  }

  /** After a lost connection or a reload: an outcome of then may stand otherwise now. */
  #compare(before: number | null): void {
    const { view, seat } = this.store
    const after = seat?.credit_cents ?? 0
    const now = new Map(view?.history.map(({ round, number }) => [round, number]))
    const other = this.rounds.find(({ round, number }) => now.has(round) && now.get(round) !== number)
    if (!other || before === null || before === after) return
    const number = now.get(other.round) ?? null
    const id = `away ${view?.round} ${after}`
    this.#push({
      id, event: number === null ? 'RoundVoided' : 'OutcomeCorrected', round: other.round,
      at_ms: this.store.exactMs, before_cents: before, after_cents: after, numbers: [other.number, number],
      clause: null, because: null, isSeen: false,
    })
    this.rounds = this.rounds.map((each) => (each === other ? { ...each, number } : each))
    void this.#explain(id, other.round)
  }

  /** Who was away hears why from the house's record. */
  async #explain(id: string, round: number): Promise<void> {
    const why = (await this.recall(round))?.corrections.at(-1)
    if (!why) return
    const { event, at_ms, clause, because, reason } = why
    this.changes = this.changes.map((each) => (each.id === id ? { ...each, event, at_ms, clause, because: because || reason } : each))
    this.#keep()
  }

  #add(event: TableEvent | null, before: number, at_ms = event?.at_ms ?? 0): void {
    const { number, corrected_to, clause, because, reason } = (event?.fields ?? {}) as Record<string, unknown>
    const isOutcome = event?.event === 'OutcomeCorrected' || event?.event === 'OutcomeDecided'
    const known = this.rounds.find(({ round }) => round === event?.round)
    this.#push({
      id: `${event?.sequence ?? at_ms}`,
      event: event?.event ?? null,
      round: event?.round ?? null,
      at_ms,
      before_cents: before,
      after_cents: this.#credit ?? 0,
      numbers: isOutcome ? [corrected_to ? String(number) : (known?.number ?? null), String(corrected_to ?? number)] : null,
      clause: clause && typeof clause === 'object' && 'number' in clause ? String(clause.number) : null,
      because: ((because || reason) as string | StatedReason | undefined) ?? null,
      isSeen: event !== null && ASKED_FOR.has(event.event),
    })
  }

  #push(change: CreditChange): void {
    if (this.changes.some(({ id }) => id === change.id)) return
    this.changes = [...this.changes, change].slice(-MOST)
    this.#keep()
  }

  #settled(round: number, number: string | null, settled: readonly SettledWagerView[], totals: TotalsView): void {
    const known = this.rounds.find((each) => each.round === round)
    if (known && known.number === number && known.totals.net_cents === totals.net_cents) return
    const played = { round, number, settled, totals, at_ms: known?.at_ms ?? this.store.exactMs }
    this.rounds = [...this.rounds.filter((each) => each.round !== round), played].sort((one, other) => one.round - other.round).slice(-MOST)
    this.#keep()
  }

  /** Another session at the seat has a record of its own. */
  #begin(began_ms: number): void {
    const kept = JSON.parse(sessionStorage.getItem(this.#memory) ?? 'null') as Kept | null
    const own = kept?.began_ms === began_ms ? kept : null
    this.#began = began_ms
    this.#credit = own?.credit_cents ?? null
    this.rounds = own?.rounds ?? []
    this.changes = own?.changes ?? []
  }

  #keep(): void {
    const kept: Kept = { began_ms: this.#began, credit_cents: this.#credit, rounds: this.rounds, changes: this.changes }
    sessionStorage.setItem(this.#memory, JSON.stringify(kept))
  }
}

function totalsOf(settled: readonly SettledWagerView[]): TotalsView {
  const sum = (of: (each: SettledWagerView) => number): number => settled.reduce((all, each) => all + of(each), 0)
  const [stake, paid] = [sum((each) => each.stake_cents), sum((each) => each.paid_cents)]
  const [collected, returned] = [sum((each) => each.collected_cents), sum((each) => each.returned_cents)]
  return { stake_cents: stake, paid_cents: paid, collected_cents: collected, returned_cents: returned, net_cents: paid - collected }
}
