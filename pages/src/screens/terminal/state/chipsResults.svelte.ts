/** The net of the Player's chips at each number; the page asks the house after every change. */
import type { NumberResult, SeatResults } from '../../../generated/schema'
import { ask, path } from '../../../shared/house/api'
import type { FeltNet } from '../../../shared/felt/feltNets'
import { t, words } from '../../../shared/words/i18n.svelte'
import type { TableStore } from '../../../shared/house/table.svelte'

const NONE: ReadonlyMap<string, FeltNet> = new Map()

export class ChipsResults {
  /** Whether the felt shows the nets: the Player's switch. */
  on = $state(false)
  #said = $state.raw<{ of: string; results: SeatResults } | null>(null)
  #asked = ''
  /** The chips on the layout as a key: nothing is asked twice, and no old answer is shown. */
  readonly #lying = $derived.by(() => {
    const { view, wagers } = this.store
    return wagers.length ? JSON.stringify([view?.round, view?.bonus, wagers.map(({ id, pieces }) => [id, pieces])]) : ''
  })

  constructor(
    readonly store: TableStore,
    readonly table: string,
    readonly token: string,
  ) {}

  toggle(): void {
    this.on = !this.on
  }

  /** None without chips, or before the house has answered for the present ones. */
  get said(): SeatResults | null {
    return this.#said?.of === this.#lying && this.#lying ? this.#said.results : null
  }

  get nets(): ReadonlyMap<string, FeltNet> {
    if (!this.on || !this.said) return NONE
    return new Map(
      this.said.numbers.map(({ number, least_cents, most_cents }) => [
        number,
        { least: least_cents, most: most_cents },
      ]),
    )
  }

  of(number: string): NumberResult | null {
    return this.said?.numbers.find((each) => each.number === number) ?? null
  }

  /** Ask about the present chips, if not asked already. */
  async follow(): Promise<void> {
    const of = this.#lying
    if (!of || of === this.#asked) return
    this.#asked = of
    try {
      const results = await ask<SeatResults>(path`/api/tables/${this.table}/seat/results`, { token: this.token })
      if (this.#asked === of) this.#said = { of, results }
    } catch {
      // Information only: without an answer nothing is shown, and the next change asks again.
      if (this.#asked === of) this.#asked = ''
    }
  }
}

/** `Exact house edge 1/37 · 0.27 of 10.00, on average` if switched on; not in brief, also the numbers ahead. */
export function edgeLine({ on, said }: ChipsResults, brief = false): string | null {
  if (!on || !said) return null
  const { house_edge, cost_cents, stake_cents, ahead, numbers } = said
  return [
    `${t('terminal.exact_edge')} ${house_edge}`,
    t('terminal.on_average', { cost: words.money(cost_cents), stake: words.money(stake_cents) }),
    ...(brief ? [] : [t('terminal.ahead_on', { count: ahead, of: numbers.length })]),
  ].join(' · ')
}
