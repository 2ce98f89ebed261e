/** The same chips again, round after round, until a rule of the Player's or anything unusual ends it. */
import type { SeatView, TableView } from '../../../generated/schema'
import type { Connection } from '../../../shared/house/socket'
import type { SavedWager } from './savedWagers'

export interface StopRules {
  rounds: number
  /** None: no stop at a loss or a win. */
  lossCents: number | null
  winCents: number | null
}
export type StopReason =
  'rounds' | 'loss' | 'win' | 'refused' | 'interrupted' | 'connection' | 'change' | 'pause' | 'player'

/** The facts that autoplay checks after every change. */
export interface Moment {
  view: TableView | null
  seat: SeatView | null
  connection: Connection
  /** The ball still runs to an outcome that may not be shown yet. */
  isHeld: boolean
  isWaiting: boolean
  /** The number of changes of the credit that the Player did not make. */
  changes: number
  isPauseDue: boolean
}

const UNUSUAL: readonly TableView['status'][] = ['held', 'void', 'shut', 'interrupted']

export class Autoplay {
  rules = $state.raw<StopRules | null>(null)
  left = $state(0)
  stopped = $state<StopReason | null>(null)
  #layout: readonly SavedWager[] = []
  #round = 0
  #startNet = 0
  #changes = 0
  #stake = 0

  constructor(
    readonly place: (wagers: readonly SavedWager[]) => Promise<boolean>,
    readonly moment: () => Moment,
  ) {}

  get isOn(): boolean {
    return this.rules !== null
  }

  /** Chips on the layout already count as the first round's. */
  start(layout: readonly SavedWager[], rules: StopRules): void {
    const { view, seat, changes } = this.moment()
    if (!view || !seat || !layout.length || rules.rounds < 1) return
    const lies = view.takes_wagers && seat.wagers.length > 0
    this.#layout = layout
    this.#round = lies ? view.round : 0
    this.#startNet = seat.session.net_cents
    this.#changes = changes
    this.#stake = lies ? seat.stake_cents : 0
    this.left = rules.rounds - (lies ? 1 : 0)
    this.rules = rules
    this.stopped = null
    this.follow()
  }

  stop(reason: StopReason): void {
    if (!this.rules) return
    this.rules = null
    this.stopped = reason
  }

  follow(): void {
    if (!this.rules) return
    const reason = this.#ends(this.rules)
    if (reason) this.stop(reason)
    else this.#playOn()
  }

  #ends({ lossCents, winCents }: StopRules): StopReason | null {
    const { view, seat, connection, isHeld, changes, isPauseDue } = this.moment()
    if (connection !== 'connected') return 'connection'
    if (!view || !seat || isHeld) return null
    if (view.interrupted || UNUSUAL.includes(view.status)) return 'interrupted'
    if (changes > this.#changes) return 'change'
    if (view.round === this.#round && !seat.settled.length) {
      if (seat.stake_cents) this.#stake = seat.stake_cents
      return null
    }
    const net = seat.session.net_cents - this.#startNet
    if (lossCents !== null && net - this.#stake < -lossCents) return 'loss'
    if (winCents !== null && net >= winCents) return 'win'
    if (isPauseDue) return 'pause'
    return this.left === 0 ? 'rounds' : null
  }

  #playOn(): void {
    const { view, seat, isHeld, isWaiting } = this.moment()
    if (!view?.takes_wagers || view.round === this.#round || isHeld || isWaiting || seat?.wagers.length) return
    this.#round = view.round
    this.left -= 1
    void this.place(this.#layout).then((registered) => registered || this.stop('refused'))
  }
}
