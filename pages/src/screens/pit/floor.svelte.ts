/** The floor as the pit sees it: every table live, and all that waits for a person. */
import { ask, path, Problem, tables } from '../../shared/house/api'
import type {
  LayoutExposure,
  LogPage,
  ProposalShown,
  SignificantEvent,
  TableMetersShown,
  TableShown,
} from '../../generated/schema'
import { proposals } from '../../shared/staff/proposals'
import { attempt, staff } from '../../shared/staff/staff.svelte'
import { statusOf } from '../../shared/words/status'
import { TableStore } from '../../shared/house/table.svelte'

const EVERY_MS = 5_000
/** The shortest time between two questions for a table's exposure while wagers come in. */
const EXPOSURE_MS = 700
/** After this many looks the whole log is read again: others may have acknowledged alarms. */
const WHOLE = 12
/** One table: its store, and the House's exposure there. */
export class PitTable {
  readonly store: TableStore
  /** While something lies on the layout that is not settled. */
  exposure = $state.raw<LayoutExposure | null>(null)
  #exposedFor = ''
  /** The question that waits or is asked. */
  #exposing: ReturnType<typeof setTimeout> | undefined
  #hasStopped = false

  constructor(readonly listed: TableShown) {
    this.store = new TableStore({ table: listed.name, session: 'cookie', storage: null })
    this.store.onheard = () => this.#expose()
    this.store.start()
  }

  get name(): string {
    return this.listed.name
  }

  get status() {
    return statusOf(this.store)
  }

  get needsDecision(): boolean {
    const status = this.store.view?.status
    return status === 'held' || status === 'interrupted'
  }

  /** Ask for the exposure if the layout has changed since the last answer; one question at a time. */
  #expose(afterMs = EXPOSURE_MS): void {
    if (this.#hasStopped || this.#lying() === this.#exposedFor || this.#exposing !== undefined) return
    this.#exposing = setTimeout(() => void this.#askExposure(), afterMs)
  }

  #lying(): string {
    const { view, stakes } = this.store
    return `${view?.round} ${view?.phase === 'ended'} ${stakes?.stake_cents} ${view?.bonus.length}`
  }

  async #askExposure(): Promise<void> {
    const { view, stakes } = this.store
    const lying = this.#lying()
    const liesNothing = view?.phase === 'ended' || !stakes?.stake_cents
    let nextMs = EXPOSURE_MS
    try {
      this.exposure = liesNothing ? null : await ask(path`/api/tables/${this.name}/exposure`)
      this.#exposedFor = lying
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      // An old figure would be wrong. Nothing else may change before the ball is at rest, so ask again.
      this.exposure = null
      nextMs = EVERY_MS
    }
    this.#exposing = undefined
    this.#expose(nextMs)
  }

  stop(): void {
    this.#hasStopped = true
    clearTimeout(this.#exposing)
    this.store.stop()
  }
}

export class PitFloor {
  tables = $state.raw<PitTable[]>([])
  meters = $state.raw<ReadonlyMap<string, TableMetersShown>>(new Map())
  proposals = $state.raw<ProposalShown[]>([])
  alarms = $state.raw<SignificantEvent[]>([])
  #after: string | null = null
  #looks = 0
  #looking: ReturnType<typeof setInterval> | undefined

  async start(): Promise<void> {
    await attempt(async () => {
      this.tables = (await tables()).map((each) => new PitTable(each))
    })
    await this.look()
    this.#looking = setInterval(() => document.hidden || void this.look(), EVERY_MS)
  }

  stop(): void {
    clearInterval(this.#looking)
    for (const table of this.tables) table.stop()
  }

  get decisions(): PitTable[] {
    return this.tables.filter((each) => each.needsDecision)
  }

  find(name: string): PitTable | undefined {
    return this.tables.find((each) => each.name === name)
  }

  async look(): Promise<void> {
    if (this.#looks++ % WHOLE === 0) this.#after = null
    await attempt(async () => {
      if (staff.may('propose') || staff.may('manage_staff')) this.proposals = await proposals()
      if (!staff.may('inspect')) return
      const meters = await ask<TableMetersShown[]>(`/api/meters?day=${staff.house?.gaming_day}`)
      this.meters = new Map(meters.map((each) => [each.table, each]))
      await this.#listen()
    })
  }

  /** The log after the last event read, or from the gaming day's begin. */
  async #listen(): Promise<void> {
    const fresh = this.#after === null
    const found: SignificantEvent[] = []
    for (;;) {
      const from: string = this.#after === null ? '' : `&after=${encodeURIComponent(this.#after)}`
      const page = await ask<LogPage>(`/api/log?count=500${from}`)
      found.push(...page.events.filter((each) => each.is_alarm && each.acknowledged_by === null))
      this.#after = page.after
      if (!page.has_more) break
    }
    if (fresh || found.length) this.alarms = [...found.reverse(), ...(fresh ? [] : this.alarms)]
  }

  /** Says that alarms have been seen; one after the other, as each is an entry of the log. */
  async acknowledge(alarms: readonly SignificantEvent[]): Promise<void> {
    for (const alarm of alarms) {
      const body = { sequence: alarm.sequence, table: HOUSE_EVENTS.has(alarm.event) ? null : alarm.table }
      if (!(await attempt(() => ask('/api/log/acknowledge', { method: 'POST', body })))) return
      this.alarms = this.alarms.filter((each) => each !== alarm)
    }
  }
}

/** Recorded by the house itself, even where they name a table. */
const HOUSE_EVENTS = new Set([
  'LogOnFailed',
  'SecondFactorFailed',
  'LockedOut',
  'AuthorityRefused',
  'ClockChanged',
  'DeviceLost',
  'WheelDoubted',
])
