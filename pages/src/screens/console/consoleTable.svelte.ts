/** The Game Console's own state: typed digits, keyed numbers, the last refusal. */
import type {
  BallWas,
  ClauseShown,
  FromHouse,
  SettlementPreview,
  StaffView,
  StatedReason,
  TableView,
} from '../../generated/schema'
import { ask, clausesOf, path } from '../../shared/house/api'
import { sendOnce, type Command } from '../../shared/house/socket'
import { sound } from '../../shared/wheel/sound.svelte'
import { actAs, attempt, staff, type Credentials } from '../../shared/staff/staff.svelte'
import { TableStore } from '../../shared/house/table.svelte'

/** The stage that asks the Dealer for the next act. */
export type Stage =
  | 'connecting'
  | 'shut'
  | 'interrupted'
  | 'waiting'
  | 'betting'
  | 'spin'
  | 'lights'
  | 'outcome'
  | 'paying'
  | 'returning'
  | 'held'

const SOUNDS: Partial<Record<string, 'open' | 'close' | 'outcome'>> = {
  PlaceYourBetsAnnounced: 'open',
  NoMoreBetsAnnounced: 'close',
  OutcomeAnnounced: 'outcome',
  OutcomeDecided: 'outcome',
}

export function stageOf(view: TableView): Stage {
  switch (view.status) {
    case 'awaiting':
    case 'settled':
      return 'waiting'
    case 'closed':
      return 'spin'
    case 'spinning':
      return view.steps.some(({ step, state }) => step === 'lights' && state === 'now') ? 'lights' : 'outcome'
    case 'outcome':
      return 'paying'
    case 'void':
      return view.phase === 'void' ? 'returning' : 'waiting'
    default:
      return view.status
  }
}

export class ConsoleTable {
  readonly name: string
  readonly store: TableStore
  clauses = $state.raw<readonly ClauseShown[]>([])
  /** The refusal of the last act; none if it was done. */
  refused = $state.raw<StatedReason | null>(null)
  busy = $state(false)
  settlement = $state.raw<SettlementPreview | null>(null)
  /** Digits typed for an outcome, not keyed yet. */
  typed = $state('')
  order = $state<'layout' | 'wheel'>('layout')
  /** The Dealer is about to announce “No spin”: the dialog asks for the reason. */
  asksNoSpin = $state(false)
  /** The action of Enter, from any focus. */
  primary: (() => void) | null = null
  #readFor = ''

  constructor(name: string) {
    this.name = name
    this.store = new TableStore({ table: name, session: 'cookie', storage: null })
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
    if (!this.view || !this.store.layout) return 'connecting'
    // If devices contradict the console, two people first state the ball's compartment.
    return this.store.staff?.is_ball_wanted ? 'interrupted' : stageOf(this.view)
  }

  /** Whether the table would take this act now. */
  may(act: StaffView['may'][number]): boolean {
    return this.store.staff?.may.includes(act) ?? false
  }

  get deals(): boolean {
    return this.view?.dealer === staff.me?.name
  }

  /** No one deals here, and this Dealer may: the next step is to take the table. */
  get isUntaken(): boolean {
    const isInPlay = !['connecting', 'shut', 'interrupted'].includes(this.stage)
    return isInPlay && this.isDealer && this.view?.dealer === null
  }

  /** Come to the table as its Dealer, or leave it. */
  async rotate(method: 'POST' | 'DELETE'): Promise<void> {
    if (await attempt(() => ask(path`/api/tables/${this.name}/dealer`, { method }))) await staff.look()
  }

  /** Log off; a Dealer leaves the table first. */
  async logOff(): Promise<void> {
    if (this.deals) await this.rotate('DELETE')
    await staff.off()
  }

  get isDealer(): boolean {
    return staff.me?.positions.some((each) => each.position === 'Dealer') ?? false
  }

  /** The clause that provides a rule, if the document has one. */
  clauseOf(rule: string): string | null {
    return this.clauses.find((each) => each.rules.includes(rule))?.clause ?? null
  }

  /** Chips lie on the layout in this game, besides what terminals register. */
  get takesChips(): boolean {
    return this.clauseOf('chips_on_layout') !== null
  }

  get unclear(): number {
    return this.store.wagers.filter((each) => each.unclear).length
  }

  act(act: string, more: { player?: string; on_request?: boolean } = {}): Promise<boolean> {
    return this.say({ type: 'act', act, round: this.view?.round ?? null, ...more })
  }

  /** State the ball; `spun` says that it was spun in this round though no spin is on record. */
  ballWas(at_rest: BallWas['at_rest'], spun: boolean): Promise<boolean> {
    return this.say({ type: 'ball_was', at_rest, spun })
  }

  /** Key an outcome: the house reads it back, and waits for the confirmation. */
  key(number: string): Promise<boolean> {
    this.typed = ''
    return this.say({ type: 'outcome', number })
  }

  confirm(number: string): Promise<boolean> {
    return this.say({ type: 'outcome', number, confirmed: true })
  }

  /** Return whether the house took the command; a refusal stays until the next act. */
  async say(command: Command): Promise<boolean> {
    this.busy = true
    try {
      return this.#took(await this.store.send(command))
    } finally {
      this.busy = false
    }
  }

  /** Send it for a person who signs this act only, or with null for the person logged on. */
  async sayAs(who: Credentials | null, command: Command): Promise<boolean> {
    if (!who) return this.say(command)
    return this.#took(await actAs(who, (session) => sendOnce({ table: this.name, session }, command)))
  }

  #took({ registered, refusal }: { registered: boolean; refusal: StatedReason | null }): boolean {
    this.refused = registered ? null : refusal
    return registered
  }

  #hear(message: FromHouse): void {
    if (message.type === 'snapshot') void this.#readClauses(message.view.game)
    if (message.type === 'update')
      for (const { event } of message.happened) {
        const heard = SOUNDS[event]
        if (heard) sound[heard]()
      }
    void this.#rehearse()
  }

  async #readClauses(game: string): Promise<void> {
    if (!this.clauses.length) this.clauses = await clausesOf(game)
  }

  /** Ask for the Dealer's payments by hand once the outcome stands. */
  async #rehearse(): Promise<void> {
    const { view, stage } = this
    const isOver = stage === 'paying' || stage === 'returning'
    const laid = this.store.wagers.filter((each) => each.terminal === null)
    if (!view || !isOver || !laid.length || this.unclear) {
      this.settlement = null
      this.#readFor = ''
      return
    }
    const key = `${view.round} ${view.phase} ${view.winning_number} ${JSON.stringify(laid)}`
    if (key === this.#readFor) return
    this.#readFor = key
    this.settlement = await ask(path`/api/tables/${this.name}/settlement`)
  }
}
