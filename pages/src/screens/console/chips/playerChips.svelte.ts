/** Chips that the Dealer lays for Players: the Player, the chip, and whether the Player asked. */
import type { WagerView } from '../../../generated/schema'
import { newId } from '../../../shared/house/ids'
import type { ConsoleTable } from '../consoleTable.svelte'
import { inAct } from '../inWords'

export class PlayerChips {
  player = $state('')
  /** The Dealer lays it because the Player asks; otherwise the Player laid it, and it is recorded. */
  onRequest = $state(false)
  cents = $state(0)
  /** The Player's colour chips instead of cash chips. */
  colour = $state<string | null>(null)
  count = $state(1)

  constructor(readonly table: ConsoleTable) {
    this.cents = table.view?.chips[0] ?? 0
  }

  /** All Players with chips here, by name. */
  get players(): string[] {
    const { view } = this.table
    const names = [
      ...Object.values(view?.colours ?? {}).map(({ player }) => player),
      ...this.table.store.wagers.filter((each) => each.terminal === null).map((each) => each.player),
      ...(this.player ? [this.player] : []),
    ]
    return [...new Set(names)].sort()
  }

  /** The colours of the Player in hand. */
  get colours(): string[] {
    const owned = Object.entries(this.table.view?.colours ?? {})
    return owned.filter(([, { player }]) => player === this.player).map(([colour]) => colour)
  }

  get stake(): string {
    const { colour } = this
    return colour && this.colours.includes(colour) ? `${this.count} ${colour}` : inAct(this.cents)
  }

  /** A wager in notation; a complete maximum wager has no stake of its own. */
  lay(wager: string, stake = this.stake): Promise<boolean> {
    const words = ['lay', wager, stake, 'as', `c${newId()}`].filter(Boolean)
    return this.table.act(words.join(' '), { player: this.player, on_request: this.onRequest })
  }

  /** The last wager that this Player has on just that area. */
  lastOn(area: string): WagerView | null {
    const own = this.table.store.wagers.filter(
      ({ player, terminal, pieces }) =>
        player === this.player && terminal === null && pieces.length === 1 && pieces[0]?.[0] === area,
    )
    return own.at(-1) ?? null
  }

  async takeBack(area: string): Promise<void> {
    const last = this.lastOn(area)
    if (last) await this.withdraw(last.id)
  }

  withdraw(id: string): Promise<boolean> {
    return this.table.act(`withdraw ${id}`, { player: this.player, on_request: this.onRequest })
  }
}
