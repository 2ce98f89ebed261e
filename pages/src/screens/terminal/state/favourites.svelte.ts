/** Chips saved under a name: the house keeps a named Player's, this browser a guest's. */
import type { FavouriteShown } from '../../../generated/schema'
import { ask, path } from '../../../shared/house/api'
import { read, write, type SavedWager } from './savedWagers'

const KEPT = 'croupier.favourites'

export class Favourites {
  all = $state.raw<readonly FavouriteShown[]>([])

  constructor(
    readonly game: string,
    /** None if the seat has no named Player. */
    readonly player: string | null,
    readonly token: string,
  ) {}

  async load(): Promise<void> {
    const all = this.player
      ? await ask<FavouriteShown[]>(path`/api/players/${this.player}/favourites`, { token: this.token })
      : this.#local()
    this.all = all.filter((each) => each.game === this.game)
  }

  async keep(name: string, wagers: readonly SavedWager[]): Promise<void> {
    const favourite = { name, game: this.game, wagers: wagers.map(write) }
    if (this.player) {
      const { game, wagers: written } = favourite
      await this.#put(name, 'PUT', { game, wagers: written })
    } else {
      this.#store([...this.#others(name), favourite])
    }
    await this.load()
  }

  async drop(name: string): Promise<void> {
    if (this.player) await this.#put(name, 'DELETE')
    else this.#store(this.#others(name))
    await this.load()
  }

  static wagersOf(favourite: FavouriteShown): SavedWager[] {
    return favourite.wagers.map(read)
  }

  #put(name: string, method: 'PUT' | 'DELETE', body?: unknown): Promise<unknown> {
    const to = path`/api/players/${this.player ?? ''}/favourites/${name}`
    return ask(to, { method, body, token: this.token })
  }

  #local(): FavouriteShown[] {
    return JSON.parse(localStorage.getItem(KEPT) ?? '[]') as FavouriteShown[]
  }

  #others(name: string): FavouriteShown[] {
    return this.#local().filter((each) => each.name !== name || each.game !== this.game)
  }

  #store(all: readonly FavouriteShown[]): void {
    localStorage.setItem(KEPT, JSON.stringify(all))
  }
}
