/** The floor as the pit sees it: every table live, and all tasks for a person. */
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
/** The shortest time between two requests for a table's exposure while wagers come in. */
const EXPOSURE_MS = 700
/** Every this many looks, read the whole log again: others may have acknowledged alarms. */
const WHOLE = 12
/** One table: its store, and the House's exposure there. */
export class PitTable {
  readonly store: TableStore
  /** Null unless unsettled wagers lie on the layout. */
  exposure = $state.raw<LayoutExposure | null>(null)
  #exposedFor = ''
  /** The request that is waiting or under way. */
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

  /** Ask for the exposure if the layout has changed since the last answer; one request at a time. */
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
      // An old figure would be wrong. Perhaps nothing changes until the ball is at rest, so ask again.
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

  /** Read the log after the last event read, or from the beginning of the gaming day. */
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

  /** Acknowledge alarms one after the other: each is an entry in the log. */
  async acknowledge(alarms: readonly SignificantEvent[]): Promise<void> {
    for (const alarm of alarms) {
      const body = { sequence: alarm.sequence, table: HOUSE_EVENTS.has(alarm.event) ? null : alarm.table }
      if (!(await attempt(() => ask('/api/log/acknowledge', { method: 'POST', body })))) return
      this.alarms = this.alarms.filter((each) => each !== alarm)
    }
  }
}

/** The house itself records these, even if they name a table. */
const HOUSE_EVENTS = new Set([
  'LogOnFailed',
  'SecondFactorFailed',
  'LockedOut',
  'AuthorityRefused',
  'ClockChanged',
  'DeviceLost',
  'WheelDoubted',
])
