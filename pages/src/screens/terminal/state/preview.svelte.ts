/** A wager of many pieces as the house would take it at this seat now, before it is confirmed. */
import type { RehearsalShown } from '../../../generated/schema'
import { ask, path, Problem, type AskOptions } from '../../../shared/house/api'
import type { FeltChip, PieceCents } from '../../../shared/felt/chips'
import { becauseToPlayer, refusalOf } from '../../../shared/words/reasons'
import { isAtMaximum, type SavedWager } from './savedWagers'

export class Preview {
  /** The wager in notation; none without a preview. */
  wager = $state<string | null>(null)
  stakeCents = $state<number | null>(null)
  said = $state.raw<RehearsalShown | null>(null)
  /** The reason why the house would refuse it. */
  problem = $state<string | null>(null)
  #asking = 0

  constructor(
    readonly table: string,
    readonly token: string,
  ) {}

  async ask(wager: string, chip: number): Promise<void> {
    const asking = ++this.#asking
    const stake_cents = isAtMaximum(wager) ? null : chip
    this.wager = wager
    this.stakeCents = stake_cents
    this.problem = null
    let said: RehearsalShown | null = null
    const body = { wagers: [{ wager, stake_cents }] }
    const options = { method: 'POST', body, token: this.token } as const
    const problem = await refusalOf(async () => (said = await this.#rehearsed(options)), becauseToPlayer)
    if (asking !== this.#asking) return
    this.said = said
    this.problem = problem
  }

  /** Also raises `Problem` for a wager that would be refused. */
  async #rehearsed(options: AskOptions): Promise<RehearsalShown> {
    const said = await ask<RehearsalShown>(path`/api/tables/${this.table}/seat/rehearsal`, options)
    if (said.refusal) throw new Problem(200, said.refusal)
    return said
  }

  cancel(): void {
    this.#asking += 1
    this.wager = null
    this.said = null
    this.problem = null
  }

  get kept(): (SavedWager & { pieces: readonly PieceCents[] }) | null {
    if (!this.said || this.wager === null) return null
    return { wager: this.wager, stake_cents: this.stakeCents, pieces: this.pieces }
  }

  get pieces(): PieceCents[] {
    return this.said?.pieces.map(({ area, stake_cents }): PieceCents => [area, stake_cents]) ?? []
  }

  get chips(): FeltChip[] {
    return this.pieces.map(([area, cents]) => ({ area, cents, state: 'placing' }))
  }

  /** `0/2/3 ×2`: each area once, with its count. */
  get areas(): { area: string; times: number }[] {
    const times = new Map<string, number>()
    for (const [area] of this.pieces) times.set(area, (times.get(area) ?? 0) + 1)
    return [...times].map(([area, count]) => ({ area, times: count }))
  }
}
