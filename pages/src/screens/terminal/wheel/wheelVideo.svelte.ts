/** The video of a real wheel: whether the Player wants it, and whether it comes. */
import { reducedMotion } from '../../../shared/wheel/motion'
import type { TableStore } from '../../../shared/house/table.svelte'

const KEPT = 'croupier.video'

export class WheelVideo {
  #choice = $state(localStorage.getItem(KEPT))
  /** The round in which it could not be played: the next round tries again. */
  #failedIn = $state<number | null>(null)

  constructor(readonly store: TableStore) {}

  /** The video's address; none if this wheel is drawn. */
  get address(): string | null {
    return this.store.view?.video ?? null
  }

  get isWanted(): boolean {
    return this.address !== null && (this.#choice === null ? !reducedMotion() : this.#choice === 'on')
  }

  get hasFailed(): boolean {
    return this.isWanted && this.#failedIn === this.store.view?.round
  }

  fail(): void {
    this.#failedIn = this.store.view?.round ?? null
  }

  toggle(): void {
    this.#choice = this.isWanted ? 'off' : 'on'
    this.#failedIn = null
    localStorage.setItem(KEPT, this.#choice)
  }
}
