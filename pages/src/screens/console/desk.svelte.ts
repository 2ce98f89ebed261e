/** The Game Console's own state: what the table needs next, and what was refused. */
import { clausesOf } from '../../shared/api'
import type { Answered, BallWas, ClauseShown, FromHouse, SettlementShown, TableView } from '../../generated/schema'
import { sendOnce, type Command } from '../../shared/socket'
import { sound } from '../../shared/sound.svelte'
import { actAs, staff, type Credentials } from '../../shared/staff/staff.svelte'
import { TableStore } from '../../shared/table.svelte'
import { settlementOf } from './settlement'
import { stageOf, STEP_OF, type Stage, type Step } from './stages'

export interface RefusedAct {
  reason: string
  clause: string | null
}
/** What denotes the value of colour chips, and where it stands. */
export interface Marker {
  marker: string
  stands_on: string
}

export class Desk {
  readonly table: string
  readonly store: TableStore
  clauses = $state.raw<readonly ClauseShown[]>([])
  /** When each step of this round was taken, by the house's clock. */
  times = $state.raw<Partial<Record<Step, number>>>({})
  refused = $state.raw<RefusedAct | null>(null)
  busy = $state(false)
  markers = $state.raw<Record<string, Marker>>({})
  settlement = $state.raw<SettlementShown | null>(null)
  /** Digits typed for an outcome, not keyed yet. */
  typed = $state('')
  order = $state<'layout' | 'wheel'>('layout')
  /** What Enter does, wherever the focus is. */
  primary: (() => void) | null = null
  #readFor = ''

  constructor(table: string) {
    this.table = table
    this.store = new TableStore({ table, session: 'cookie', catchUp: false, storage: null })
    this.store.onheard = (message) => this.#hear(message)
  }

  start(): void {
    this.store.start()
  }

  stop(): void {
    this.store.stop()
  }

  get view(): TableView | null {
    return this.store.view
  }

  get stage(): Stage {
    return stageOf(this.store.view, this.store.layout)
  }

  get deals(): boolean {
    return this.view?.dealer === staff.me?.name
  }

  get isDealer(): boolean {
    return staff.me?.positions.some((each) => each.position === 'Dealer') ?? false
  }

  /** The clause that provides a rule, where the document has one. */
  clauseOf(rule: string): string | null {
    return this.clauses.find((each) => each.rules.includes(rule))?.clause ?? null
  }

  /** Chips lie on the layout in this game, besides what terminals register. */
  get takesChips(): boolean {
    return this.clauseOf('chips_on_layout') !== null
  }

  /** A round is under way, so that it can still be voided. */
  get inPlay(): boolean {
    const phase = this.view?.phase
    return phase === 'betting' || phase === 'closed' || phase === 'decided'
  }

  /** “No spin” can be announced: the document has it, and a round is in play. */
  get maySayNoSpin(): boolean {
    return this.inPlay && !this.view?.interrupted && this.clauseOf('no_spin') !== null
  }

  get unclear(): number {
    return this.store.wagers.filter((each) => each.unclear).length
  }

  act(act: string, more: { player?: string; on_request?: boolean } = {}): Promise<boolean> {
    return this.say({ type: 'act', act, ...more })
  }

  ballWas(at_rest: BallWas['at_rest']): Promise<boolean> {
    return this.say({ type: 'ball_was', at_rest })
  }

  /** Key an outcome: the house reads it back, and waits to be told that it is right. */
  key(number: string): Promise<boolean> {
    this.typed = ''
    return this.say({ type: 'outcome', number })
  }

  confirm(number: string): Promise<boolean> {
    return this.say({ type: 'outcome', number, confirmed: true })
  }

  /** Whether the house has taken it; what it refuses stands until the next act. */
  async say(command: Command): Promise<boolean> {
    this.busy = true
    try {
      return this.heed(await this.store.send(command))
    } finally {
      this.busy = false
    }
  }

  /** The same by somebody who comes to this console for it alone; null: by who is logged on. */
  async sayAs(who: Credentials | null, command: Command): Promise<boolean> {
    if (!who) return this.say(command)
    return this.heed(await actAs(who, (session) => sendOnce({ table: this.table, session }, command)))
  }

  heed({ registered, reason, clause }: Pick<Answered, 'registered' | 'reason' | 'clause'>): boolean {
    this.refused = registered ? null : { reason: reason ?? '', clause }
    return registered
  }

  #hear(message: FromHouse): void {
    if (message.type === 'snapshot') void this.#readClauses(message.view.game)
    if (message.type === 'event') {
      const step = STEP_OF[message.event]
      if (message.event === 'RoundBegun') this.times = {}
      else if (step) this.times = { ...this.times, [step]: message.at_ms }
      if (step === 'open' || step === 'close' || step === 'outcome') sound[step]()
      if (message.event === 'ColourIssued') this.#mark(message.fields)
    }
    void this.#rehearse()
  }

  async #readClauses(game: string): Promise<void> {
    if (!this.clauses.length) this.clauses = await clausesOf(game)
  }

  #mark(fields: Record<string, unknown>): void {
    const { colour, marker, stands_on } = fields as Record<string, string | null>
    if (!colour) return
    const { [colour]: _, ...others } = this.markers
    this.markers = marker && stands_on ? { ...others, [colour]: { marker, stands_on } } : others
  }

  /** What the Dealer's hands have to do is asked for once the outcome stands. */
  async #rehearse(): Promise<void> {
    const { view } = this
    const isOver = view?.phase === 'decided' || view?.phase === 'void'
    const laid = view?.wagers.filter((each) => each.terminal === null) ?? []
    if (!view || !isOver || !laid.length || this.unclear) {
      this.settlement = null
      this.#readFor = ''
      return
    }
    const key = `${view.round} ${view.phase} ${view.winning_number} ${JSON.stringify(laid)}`
    if (key === this.#readFor) return
    this.#readFor = key
    this.settlement = await settlementOf(this.table)
  }
}
