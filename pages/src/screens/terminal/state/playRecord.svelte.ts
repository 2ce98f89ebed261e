/**
 * This screen's record of a seat: each round with its settlement, and the reason of every change
 * of the credit that the Player did not make.
 */
import type {
  FromHouse,
  SettledWagerView,
  StatedReason,
  TableEvent,
  TotalsView,
  CreditChange as HouseChange,
} from '../../../generated/schema'
import type { TableStore } from '../../../shared/house/table.svelte'

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
  /** The event that explains the change; none if the house sent none, or we were away. */
  event: string | null
  round: number | null
  at_ms: number
  before_cents: number
  after_cents: number
  /** The outcome before, and after. */
  numbers: readonly [from: string | null, to: string | null] | null
  clause: string | null
  /** The reason in a person's words, or as a code of the house. */
  because: string | StatedReason | null
  isSeen: boolean
}
interface Kept {
  began_ms: number
  credit_cents: number | null
  rounds: readonly RoundPlayed[]
  changes: readonly CreditChange[]
}

/** Events by which the staff moved money at the seat. */
const MOVED = new Set(['BoughtIn', 'CashedOut', 'Adjusted', 'ClaimPaid', 'ClaimSetOff', 'OwedPaid'])
/** Those among them that the Player asked for: they need no card. */
const ASKED_FOR = new Set(['BoughtIn', 'CashedOut'])
/** Events that settle a round again. */
const RULED = new Set([
  'OutcomeCorrected',
  'OutcomeDecided',
  'BonusNumbersCorrected',
  'BallRestated',
  'RoundVoided',
  'WagerRuled',
])
const MOST = 200

export class PlayRecord {
  rounds = $state.raw<readonly RoundPlayed[]>([])
  changes = $state.raw<readonly CreditChange[]>([])
  #credit: number | null = null
  #totals: TotalsView | null = null
  #began = 0
  /** The last event of the table that this screen heard of. */
  #told: number | null = null
  /** A change of the credit whose reason comes with the next message. */
  #unexplained: { before: number; at_ms: number } | null = null
  readonly #memory: string
  readonly #toldMemory: string

  constructor(
    readonly store: TableStore,
    table: string,
    /** Asks for the house's changes after an event; null without an answer. */
    readonly changesSince: (sequence: number) => Promise<readonly HouseChange[] | null> = () => Promise.resolve([]),
  ) {
    this.#memory = `croupier.play.${table}`
    this.#toldMemory = `croupier.told.${table}`
  }

  /** The changes that the Player has not acknowledged yet, newest first. */
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

  /** Call it after every message of the house, with the views changed. */
  hear(message: FromHouse): void {
    const { view, seat } = this.store
    if (!view || !seat) return
    if (this.#began !== seat.session.began_ms) this.#begin(seat.session.began_ms)
    const [before, hadTotals, told] = [this.#credit, this.#totals !== null, this.#told]
    // A reason comes with the message to everybody. If only the seat's message came, ask again later.
    if (message.type === 'update' || message.type === 'snapshot') this.#tell(message.sequence)
    this.#credit = seat.credit_cents
    this.#totals = seat.totals
    if (message.type === 'seat') this.#hearSeat(message, before, hadTotals)
    else if (message.type === 'update') this.#hearUpdate(message.happened)
    else if (message.type === 'snapshot' && told !== null && told < message.sequence) void this.#catchUp(told, before)
    if (before !== this.#credit) this.#keep()
    if (seat.totals && seat.settled.length) this.#settled(view.round, view.winning_number, seat.settled, seat.totals)
  }

  #hearSeat(message: Extract<FromHouse, { type: 'seat' }>, before: number | null, hadTotals: boolean): void {
    const after = this.#credit ?? 0
    for (const { round, fields } of message.happened.filter(
      ({ event, fields }) => event === 'RoundSettled' && 'wagers' in fields,
    )) {
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

  /** The seat's message comes first; the reason follows in the message to everybody. */
  #hearUpdate(happened: readonly TableEvent[]): void {
    if (!this.#unexplained) return
    const { before, at_ms } = this.#unexplained
    this.#unexplained = null
    this.#add(happened.find(({ event }) => RULED.has(event)) ?? null, before, at_ms)
  }

  /** After a lost connection or a reload, read the missed changes from the house's record. */
  async #catchUp(after: number, before: number | null): Promise<void> {
    const [began, now] = [this.#began, this.#credit]
    const told = await this.changesSince(after)
    if (this.#began !== began) return
    for (const { sequence, number_before, number_after, because, reason, ...change } of told ?? []) {
      const isRound = change.round !== null && (number_before !== null || number_after !== null)
      const isFirst = change.event === 'RoundSettled'
      const numbers = isRound && !isFirst ? ([number_before, number_after] as const) : null
      // The layout already shows this round's result.
      const isSeen = isFirst && change.round === this.store.view?.round
      this.#push({
        ...change,
        id: String(sequence),
        event: isFirst && !isRound ? 'Returned' : change.event,
        numbers,
        because: because || reason,
        isSeen,
      })
      this.rounds = this.rounds.map((each) =>
        isRound && each.round === change.round ? { ...each, number: number_after } : each,
      )
    }
    if (told === null && before !== null && now !== null && before !== now)
      this.#push({
        id: `away ${after}`,
        event: null,
        round: null,
        at_ms: this.store.exactMs,
        before_cents: before,
        after_cents: now,
        numbers: null,
        clause: null,
        because: null,
        isSeen: false,
      })
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
      numbers: isOutcome
        ? [corrected_to ? String(number) : (known?.number ?? null), String(corrected_to ?? number)]
        : null,
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
    this.rounds = [...this.rounds.filter((each) => each.round !== round), played]
      .sort((one, other) => one.round - other.round)
      .slice(-MOST)
    this.#keep()
  }

  /** Begin the record of another session at the seat. */
  #begin(began_ms: number): void {
    const kept = JSON.parse(localStorage.getItem(this.#memory) ?? 'null') as Kept | null
    const own = kept?.began_ms === began_ms ? kept : null
    this.#began = began_ms
    this.#credit = own?.credit_cents ?? null
    this.#told = own && Number(localStorage.getItem(this.#toldMemory))
    this.rounds = own?.rounds ?? []
    this.changes = own?.changes ?? []
  }

  /** Stored apart from the record, because every message writes it. */
  #tell(sequence: number): void {
    this.#told = sequence
    localStorage.setItem(this.#toldMemory, String(sequence))
  }

  #keep(): void {
    const kept: Kept = { began_ms: this.#began, credit_cents: this.#credit, rounds: this.rounds, changes: this.changes }
    localStorage.setItem(this.#memory, JSON.stringify(kept))
  }
}

function totalsOf(settled: readonly SettledWagerView[]): TotalsView {
  const sum = (of: (each: SettledWagerView) => number): number => settled.reduce((all, each) => all + of(each), 0)
  const [stake, paid] = [sum((each) => each.stake_cents), sum((each) => each.paid_cents)]
  const [collected, returned] = [sum((each) => each.collected_cents), sum((each) => each.returned_cents)]
  return {
    stake_cents: stake,
    paid_cents: paid,
    collected_cents: collected,
    returned_cents: returned,
    net_cents: paid - collected,
  }
}
