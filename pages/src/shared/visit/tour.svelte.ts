/**
 * The visitor's tour of the demonstration house: four steps across its roles. This browser keeps
 * the progress; a step is done once the house's journal has it.
 */
import { inPath } from '../../routes'
import type { OwnDeviceShown, SessionShown, TourShown, TourTableShown } from '../../generated/schema'
import type { ScreenName } from '../../routes'
import { ask, path, Problem, tables } from '../house/api'
import { deviceAt } from '../house/deviceTokens'
import { demonstrationStaff, goAs, type DemonstrationPerson } from '../staff/people'
import { TOUR_KEPT } from './visits'

export const STEPS = ['play', 'deal', 'approve', 'verify'] as const
export type Step = (typeof STEPS)[number]
interface Kept {
  table: string
  /** The first round that counts. */
  since: number
}
const POSITIONS: Partial<Record<Step, string>> = { deal: 'Dealer', approve: 'Pit Supervisor', verify: 'inspector' }

class Tour {
  #kept = $state.raw<Kept | null>(read())
  #found = $state.raw<TourShown | null>(null)
  #seat: string | null = null

  get isOn(): boolean {
    return this.#kept !== null
  }

  get table(): string {
    return this.#kept?.table ?? ''
  }

  /** Whether the house has been asked for the visitor's progress. */
  get isKnown(): boolean {
    return this.#found !== null
  }

  /** The round in which a step was done. */
  roundOf(step: Step): number | null {
    const found = this.#found
    return found && { play: found.played, deal: found.dealt, approve: found.corrected, verify: found.verified }[step]
  }

  /** The first step that is not done. */
  get step(): Step | null {
    return STEPS.find((step) => this.roundOf(step) === null) ?? null
  }

  /** A correction waits for its second person. */
  get isProposed(): boolean {
    return this.#found?.proposed != null
  }

  /** The page where the step is done. */
  screenOf(step: Step): ScreenName {
    if (step === 'approve') return this.isProposed ? 'pit' : 'console'
    return ({ play: 'terminal', deal: 'console', verify: 'inspector' } as const)[step]
  }

  async begin(): Promise<void> {
    const [{ table }, listed] = await Promise.all([ask<TourTableShown>('/api/demonstration/tour'), tables()])
    const { phase, round = 0 } = listed.find(({ name }) => name === table) ?? {}
    this.#keep({ table, since: Math.max(1, phase === 'ended' ? round + 1 : round) })
    await this.go('play')
  }

  end(): void {
    this.#keep(null)
  }

  /** Ask the house which steps its journal has. */
  async look(): Promise<void> {
    if (!this.#kept || document.hidden) return
    const { table, since } = this.#kept
    const token = deviceAt(table)
    try {
      if (token) this.#seat ??= (await ask<OwnDeviceShown>('/api/device', { token })).seat
      const seat = this.#seat === null ? '' : `&seat=${encodeURIComponent(this.#seat)}`
      this.#found = await ask<TourShown>(`${path`/api/tables/${table}/tour`}?since=${since}${seat}`)
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem
      // Another house is served here by now.
      if (problem.status === 404 || problem.status === 403) this.end()
    }
  }

  /** Go to the page of a step, as a person who may do it. */
  async go(step: Step): Promise<void> {
    const at = inPath(this.table)
    if (step === 'play') return location.assign(`/seat/${at}`)
    const staff = await demonstrationStaff()
    if (step === 'verify') {
      await this.#leaveTable(staff)
      return goAs(nameOf(staff, 'verify'), `/inspector?table=${at}&round=${this.roundOf('approve') ?? ''}#rounds`)
    }
    return this.screenOf(step) === 'pit'
      ? goAs(nameOf(staff, 'approve'), '/pit')
      : goAs(nameOf(staff, 'deal'), `/console/${at}`)
  }

  /** Make the Dealer leave, so that the automatic dealer deals there again. */
  async #leaveTable(staff: readonly DemonstrationPerson[]): Promise<void> {
    try {
      const dealer = { name: nameOf(staff, 'deal') }
      const { token } = await ask<SessionShown>('/api/demonstration/staff', {
        method: 'POST',
        body: dealer,
        apart: true,
      })
      await ask(path`/api/tables/${this.table}/dealer`, { method: 'DELETE', token, apart: true })
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem
    }
  }

  #keep(kept: Kept | null): void {
    this.#kept = kept
    if (kept) localStorage.setItem(TOUR_KEPT, JSON.stringify(kept))
    else localStorage.removeItem(TOUR_KEPT)
  }
}

const nameOf = (staff: readonly DemonstrationPerson[], step: Step): string =>
  staff.find(({ position }) => position === POSITIONS[step])?.name ?? ''

function read(): Kept | null {
  const kept = localStorage.getItem(TOUR_KEPT)
  return kept ? (JSON.parse(kept) as Kept) : null
}

export const tour = new Tour()
