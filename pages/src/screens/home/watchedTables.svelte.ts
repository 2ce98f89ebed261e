/**
 * The tables of a demonstration house that this page watches. The automatic dealer deals at a
 * watched table, so all of them go on while a visitor is on the first page.
 */
import type { TableShown } from '../../generated/schema'
import { Reveal } from '../../shared/wheel/reveal.svelte'
import { statusOf } from '../../shared/words/status'
import { TableStore } from '../../shared/house/table.svelte'

const IN_PLAY = new Set(['betting', 'closing', 'closed', 'spinning', 'outcome'])
const BETWEEN_ROUNDS = new Set(['awaiting', 'settled', 'void'])
/** A visitor needs time to see what happens. */
const LEAST_SECONDS = 4
/** The longest wait for slower tables. */
const HEARD_WITHIN_MS = 600
const MOST = 12

export class WatchedTable {
  readonly store: TableStore
  readonly reveal: Reveal
  readonly status = $derived.by(() => {
    const { connection, endedBecause, stakes, serverMs } = this.store
    return statusOf({ view: this.reveal.view, seat: null, stakes, connection, endedBecause, serverMs, pending: [] })
  })

  constructor(
    readonly name: string,
    readonly isAutomatic: boolean,
    onheard: () => void,
  ) {
    this.store = new TableStore({ table: name, device: null, storage: null })
    this.reveal = new Reveal(this.store)
    this.store.onheard = () => {
      this.reveal.hear()
      onheard()
    }
    this.store.start()
  }

  /** A round is in play, or will be in a moment. */
  get isInPlay(): boolean {
    const { kind } = this.status
    return IN_PLAY.has(kind) || (this.isAutomatic && BETWEEN_ROUNDS.has(kind))
  }
}

export class WatchedTables {
  #all = $state.raw<readonly WatchedTable[]>([])
  #chosen = $state.raw<WatchedTable | null>(null)
  #choosing: ReturnType<typeof setTimeout> | undefined

  watch(tables: readonly TableShown[]): void {
    const few = tables.slice(0, MOST)
    const names = (all: readonly { name: string }[]): string => JSON.stringify(all.map(({ name }) => name))
    if (names(few) === names(this.#all)) return
    this.stop()
    this.#all = few.map(({ name, automatic_dealer }) => new WatchedTable(name, automatic_dealer, () => this.#heard()))
  }

  stop(): void {
    clearTimeout(this.#choosing)
    this.#choosing = undefined
    for (const { store } of this.#all) store.stop()
    this.#all = []
  }

  of(name: string): WatchedTable | null {
    return this.#all.find((each) => each.name === name) ?? null
  }

  /** The table to show in play: it stays while play goes on there. */
  get live(): WatchedTable | null {
    return this.#chosen
  }

  /** Once all tables have answered, choose one if there is none yet or its play has stopped. */
  #heard(): void {
    if (this.#chosen && this.#all.includes(this.#chosen) && this.#chosen.isInPlay) return
    if (this.#all.every(({ store }) => store.view !== null)) this.#choose()
    else this.#choosing ??= setTimeout(() => this.#choose(), HEARD_WITHIN_MS)
  }

  /** Choose the next table to close its bets, or else one in play, or else any. */
  #choose(): void {
    const seconds = ({ status }: WatchedTable): number =>
      status.seconds !== null && status.seconds >= LEAST_SECONDS ? status.seconds : Infinity
    const known = this.#all.filter(({ store }) => store.view !== null)
    const soonest = known.reduce<WatchedTable | null>((a, b) => (a && seconds(a) <= seconds(b) ? a : b), null)
    const inPlay = known.find(({ isInPlay }) => isInPlay)
    this.#chosen = soonest && seconds(soonest) < Infinity ? soonest : (inPlay ?? known[0] ?? null)
  }
}
