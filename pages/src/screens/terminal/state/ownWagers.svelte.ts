/** The Player's acts: laying chips, taking them back, and undoing one step at a time. */
import { t, words } from '../../../shared/words/i18n.svelte'
import type { Answered, SettledWagerView, WagerView } from '../../../generated/schema'
import { becauseToPlayer } from '../../../shared/words/reasons'
import type { TableStore } from '../../../shared/house/table.svelte'
import { toasts } from '../../../shared/frame/toasts.svelte'
import { savedOf, together, type SavedWager } from './savedWagers'

interface Step {
  placed: readonly string[]
  withdrawn: readonly WagerView[]
}

export class OwnWagers {
  /** The chip in wagers, in cents. */
  chip = $state(0)
  #steps = $state.raw<readonly Step[]>([])
  #last = $state.raw<readonly SavedWager[]>([])
  #round = 0
  readonly #memory: string

  constructor(
    readonly store: TableStore,
    table: string,
  ) {
    this.#memory = `croupier.last.${table}`
    this.#last = JSON.parse(sessionStorage.getItem(this.#memory) ?? '[]') as SavedWager[]
  }

  /** Whether the house takes wagers, as far as this page knows. */
  get isOpen(): boolean {
    const { view, connection } = this.store
    return connection === 'connected' && (view?.takes_wagers ?? false)
  }

  get lies(): boolean {
    return this.store.wagers.length > 0
  }

  /** The chips of the last round that was played. */
  get last(): readonly SavedWager[] {
    return this.#last
  }

  /** The total of these chips, without wagers at the maximum. */
  get lastCents(): number {
    return this.#last.reduce((all, { stake_cents }) => all + (stake_cents ?? 0), 0)
  }

  get canUndo(): boolean {
    return this.isOpen && this.#steps.length > 0 && this.store.pending.length === 0
  }

  get canRebet(): boolean {
    return this.isOpen && this.#last.length > 0 && !this.lies && this.store.pending.length === 0
  }

  /** Note the round in play, so that undo leaves other rounds alone. */
  follow(round: number): void {
    if (round === this.#round) return
    this.#round = round
    this.#steps = []
  }

  remember(settled: readonly SettledWagerView[]): void {
    if (!settled.length) return
    this.#last = together(settled.map(savedOf))
    sessionStorage.setItem(this.#memory, JSON.stringify(this.#last))
  }

  /** Register wagers and take others back in one command. */
  async place(wagers: readonly SavedWager[], withdrawn: readonly WagerView[] = []): Promise<boolean> {
    if (!this.isOpen || (!wagers.length && !withdrawn.length)) return false
    const answer = await this.store.place(
      wagers,
      withdrawn.map(({ id }) => id),
    )
    return this.#took(answer, withdrawn, wagers.length > 0)
  }

  /** One chip on an area. */
  lay(area: string): void {
    void this.place([{ wager: area, stake_cents: this.chip }])
  }

  /** Take back the wager that was last laid there, with all its pieces. */
  takeBack(area: string): void {
    const there = this.store.wagers.filter(({ pieces }) => pieces.some(([each]) => each === area))
    const last = there.findLast(({ wager }) => wager === area) ?? there.at(-1)
    if (last) void this.#withdraw([last])
  }

  clear(): void {
    void this.#withdraw(this.store.wagers)
  }

  rebet(): void {
    void this.place(this.#last)
  }

  double(): void {
    void this.place(together(this.store.wagers.map(savedOf)))
  }

  async undo(): Promise<void> {
    const step = this.#steps.at(-1)
    if (!step || !this.canUndo) return
    const before = this.#steps.slice(0, -1)
    const lying = this.store.wagers.filter(({ id }) => step.placed.includes(id))
    if (await this.place(together(step.withdrawn.map(savedOf)), lying)) this.#steps = before
  }

  async #withdraw(wagers: readonly WagerView[]): Promise<void> {
    if (!this.isOpen || !wagers.length) return
    const answer = await this.store.takeBack(wagers.map(({ id }) => id))
    this.#took(answer, wagers, false)
  }

  /** A refused placing shows on its chips; a refused withdrawal is reported here. */
  #took(answer: Answered, withdrawn: readonly WagerView[], placing: boolean): boolean {
    if (answer.registered) {
      const placed = answer.wagers.filter(({ pieces }) => pieces.length).map(({ id }) => id)
      this.#steps = [...this.#steps, { placed, withdrawn }]
    } else if (!placing) {
      const sum = words.money(withdrawn.reduce((all, { stake_cents }) => all + stake_cents, 0))
      toasts.say({
        tone: 'bad',
        title: t('terminal.stays', { sum }),
        detail: becauseToPlayer(answer.refusal),
      })
    }
    return answer.registered
  }
}
