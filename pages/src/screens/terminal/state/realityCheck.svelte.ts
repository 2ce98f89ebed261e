/** A pause after a time that the Player sets: its length, the stakes, the net. */
import type { TableStore } from '../../../shared/house/table.svelte'

const USUAL = 60
const MINUTE_MS = 60_000

/** The times to choose from besides the house's own, in minutes; 0: never. */
const MINUTES = [15, 30, 60, 120, 0]

/** The Player's choice; it ends with their session at the seat. */
interface Chosen {
  began_ms: number
  minutes: number
}

export class RealityCheck {
  /** The house's own time, if the Player has chosen none. */
  usual = $state(USUAL)
  #kept = $state.raw<Chosen | null>(null)
  #seen = $state(0)
  readonly #memory: string
  readonly #chosenMemory: string

  constructor(
    readonly store: TableStore,
    table: string,
  ) {
    this.#memory = `croupier.reality.${table}`
    this.#chosenMemory = `croupier.reality_minutes.${table}`
    this.#kept = JSON.parse(localStorage.getItem(this.#chosenMemory) ?? 'null') as Chosen | null
    this.#seen = Number(sessionStorage.getItem(this.#memory) ?? 0)
  }

  get minutes(): number {
    const began = this.store.seat?.session.began_ms
    return this.#kept && this.#kept.began_ms === began ? this.#kept.minutes : this.usual
  }

  /** In ascending order, with never last. */
  get choices(): number[] {
    const all = [...new Set([...MINUTES, this.usual, this.minutes])]
    return all.sort((one, other) => (one || Infinity) - (other || Infinity))
  }

  /** The time of the next pause by the house's clock; none if never, or before the first stake. */
  get dueMs(): number | null {
    const { session } = this.store.seat ?? {}
    if (!session || !session.staked_cents || !this.minutes) return null
    return Math.max(session.began_ms, this.#seen) + this.minutes * MINUTE_MS
  }

  get isDue(): boolean {
    return this.dueMs !== null && this.store.serverMs >= this.dueMs
  }

  acknowledge(): void {
    this.#seen = this.store.serverMs
    sessionStorage.setItem(this.#memory, String(this.#seen))
  }

  choose(minutes: number): void {
    const { session } = this.store.seat ?? {}
    if (!session) return
    this.#kept = { began_ms: session.began_ms, minutes }
    localStorage.setItem(this.#chosenMemory, JSON.stringify(this.#kept))
  }
}
