/** A pause after a time that the Player sets: how long, what was staked, what it came to. */
import type { TableStore } from '../../shared/table.svelte'

const KEPT = 'croupier.reality_minutes'
const USUAL = 60
const MINUTE_MS = 60_000

/** The times to choose from, in minutes; 0: never. */
export const REALITY_MINUTES = [15, 30, 60, 120, 0] as const

export class RealityCheck {
  /** The house's own time, for who has chosen none. */
  usual = $state(USUAL)
  #chosen = $state(localStorage.getItem(KEPT))
  #seen = $state(0)
  readonly #memory: string

  constructor(
    readonly store: TableStore,
    table: string,
  ) {
    this.#memory = `croupier.reality.${table}`
    this.#seen = Number(sessionStorage.getItem(this.#memory) ?? 0)
  }

  get minutes(): number {
    return this.#chosen === null ? this.usual : Number(this.#chosen)
  }

  /** When it is next due, by the house's clock; none: never, or nothing was staked yet. */
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
    this.#chosen = String(minutes)
    localStorage.setItem(KEPT, this.#chosen)
  }
}
