/** A table as this page knows it: the house's views, and the wagers that are on their way. */
import type {
  Answered,
  FromHouse,
  SeatChanges,
  SeatView,
  SettledWagerView,
  StaffView,
  StakesView,
  StatedReason,
  TableView,
  WagerView,
} from '../../generated/schema'
import { layoutOf } from './api'
import type { FeltChip, PieceCents } from '../felt/chips'
import { t, words } from '../words/i18n.svelte'
import { newId } from './ids'
import { Layout } from '../felt/layout'
import { TableSocket, type Command, type Connection, type Sent, type SocketOptions } from './socket'
import { toasts } from '../frame/toasts.svelte'

/** A wager to place, with its pieces if the house has already said them. */
export interface ToPlace {
  wager: string
  stake_cents: number | null
  /** The area itself, or the pieces from `piecesOf`. */
  pieces?: readonly PieceCents[]
}
/** A placing that the house has not answered, or has refused. */
export interface Pending {
  id: string
  wager: string
  pieces: readonly PieceCents[]
  state: 'placing' | 'refused'
}
export interface RefusalTold {
  at_ms: number
  cents: number
  areas: string[]
  refusal: StatedReason | null
}
export interface Recovered {
  command: Sent
  answer: Answered
}
/** After a lost connection: wagers that stand, and returned ones. */
export interface Return {
  registered: number
  returned_cents: number
}

const REFUSED_SHOWN_MS = 900
const HISTORY = 200

export class TableStore {
  view = $state.raw<TableView | null>(null)
  stakes = $state.raw<StakesView | null>(null)
  seat = $state.raw<SeatView | null>(null)
  staff = $state.raw<StaffView | null>(null)
  layout = $state.raw<Layout | null>(null)
  connection = $state<Connection>('connecting')
  endedBecause = $state.raw<StatedReason | null>(null)
  money = $state<string | null>(null)
  pending = $state.raw<Pending[]>([])
  refusals = $state.raw<RefusalTold[]>([])
  recovered = $state.raw<Recovered[]>([])
  returned = $state.raw<Return | null>(null)
  /** This page's clock in whole milliseconds, ticking five times a second. */
  nowMs = $state(Date.now())
  /** Called for every message, once the views have changed. */
  onheard: (message: FromHouse) => void = () => {}
  /** Called when the game's layout has come. */
  onlayout: () => void = () => {}

  readonly socket: TableSocket
  #aheadMs = 0
  #isClockSet = false
  /** The last place in the table's journal that the house has sent. */
  #told = 0
  #ticking: ReturnType<typeof setInterval> | undefined
  #givenBackCents = 0

  constructor(options: SocketOptions) {
    this.socket = new TableSocket({ storage: sessionStorage, ...options })
    this.socket.onmessage = (message) => this.#hear(message)
    this.socket.onconnection = (connection, reason) => this.#connection(connection, reason)
    this.socket.onrecovered = (command, answer) => (this.recovered = [...this.recovered, { command, answer }])
    this.socket.onunknown = (command) => command.type !== 'shown' && tellUnknown()
  }

  start(): void {
    this.socket.start()
    this.#ticking = setInterval(() => (this.nowMs = Date.now()), 200)
  }

  stop(): void {
    this.socket.stop()
    clearInterval(this.#ticking)
  }

  /** The house's time, as far as this page can know it. */
  get serverMs(): number {
    return this.nowMs + this.#aheadMs
  }

  /** The house's time at this moment, for moving parts; it is not reactive. */
  get exactMs(): number {
    return Date.now() + this.#aheadMs
  }

  /** The wagers that this reader may see: a seat's own, or for the staff everybody's. */
  get wagers(): readonly WagerView[] {
    return (this.seat ?? this.staff)?.wagers ?? []
  }

  get settled(): readonly SettledWagerView[] {
    return (this.seat ?? this.staff)?.settled ?? []
  }

  /** The chips that this reader sees on the layout, piece by piece. */
  get chips(): FeltChip[] {
    if (this.settled.length) return this.settled.flatMap(settledChips)
    const owned = Object.entries(this.view?.colours ?? {})
    const lying = this.wagers.flatMap((wager) => {
      const colour = this.seat ? this.seat.colour : owned.find(([, { player }]) => player === wager.player)?.[0]
      return wager.pieces.map(([area, cents]): FeltChip => ({
        area,
        cents,
        state: wager.registered ? 'registered' : 'placing',
        ...(colour ? { colour, owner: wager.player } : {}),
      }))
    })
    const coming = this.pending.flatMap(({ pieces, state }) =>
      pieces.map(([area, cents]): FeltChip => ({ area, cents, state })),
    )
    return [...lying, ...coming]
  }

  send(command: Command): Promise<Answered> {
    return this.socket.send(command)
  }

  /** Place wagers: the house registers all or refuses all; each has its own id. */
  async place(wagers: readonly ToPlace[], withdraw: readonly string[] = []): Promise<Answered> {
    const coming = wagers.map((each): Pending => {
      const alone: PieceCents[] = each.stake_cents ? [[each.wager, each.stake_cents]] : []
      return { id: newId(), wager: each.wager, pieces: each.pieces ?? alone, state: 'placing' }
    })
    this.pending = [...this.pending, ...coming]
    const answer = await this.send({
      type: 'wagers',
      round: this.#round,
      place: wagers.map(({ wager, stake_cents }, k) => ({ id: coming[k]!.id, wager, stake_cents })),
      withdraw: [...withdraw],
    })
    const ids = new Set(coming.map(({ id }) => id))
    if (answer.registered) this.pending = this.pending.filter(({ id }) => !ids.has(id))
    else this.#refuse(ids, coming, answer)
    return answer
  }

  /** The round of these wagers: the house registers none of them in another round. */
  get #round(): number {
    return this.view?.round ?? 0
  }

  takeBack(ids: readonly string[]): Promise<Answered> {
    return this.send({ type: 'wagers', round: this.#round, withdraw: [...ids] })
  }

  #refuse(ids: Set<string>, refused: readonly Pending[], { refusal }: Answered): void {
    this.pending = this.pending.map((each) => (ids.has(each.id) ? { ...each, state: 'refused' } : each))
    const pieces = refused.flatMap((each) => each.pieces)
    const cents = pieces.reduce((sum, [, each]) => sum + each, 0)
    this.#givenBackCents += cents
    const told = { at_ms: this.serverMs, cents, areas: pieces.map(([area]) => area), refusal }
    this.refusals = [...this.refusals.slice(-49), told]
    setTimeout(() => {
      this.pending = this.pending.filter(({ id }) => !ids.has(id))
    }, REFUSED_SHOWN_MS)
  }

  #connection(connection: Connection, reason: StatedReason | null): void {
    const before = this.connection
    this.connection = connection
    if (connection === 'ended') this.endedBecause = reason
    if (connection === 'lost') this.#givenBackCents = 0
    if (connection === 'connected' && before === 'lost') this.#cameBack()
  }

  /** Wait for the answers to earlier commands: then it is known which wagers stand. */
  #cameBack(): void {
    setTimeout(() => {
      this.returned = { registered: this.wagers.length, returned_cents: this.#givenBackCents }
    }, 600)
  }

  /**
   * A message arrives after it was sent, so the most advanced clock is the best estimate. A pong
   * bounds both ways: it corrects the clock if they differ by more than half its journey.
   */
  #setClock(message: { at_ms: number } & ({ type: 'pong'; echo_ms: number } | { type: string })): void {
    const ahead = message.at_ms - Date.now()
    if (message.type !== 'pong' || !('echo_ms' in message)) {
      this.#aheadMs = this.#isClockSet ? Math.max(this.#aheadMs, ahead) : ahead
    } else {
      const half = (Date.now() - message.echo_ms) / 2
      if (Math.abs(ahead + half - this.#aheadMs) > half) this.#aheadMs = ahead + half
    }
    this.#isClockSet = true
  }

  /** Whole fields are replaced; wagers are kept by their id and past rounds by their number. */
  #hear(message: FromHouse): void {
    if ('at_ms' in message) this.#setClock(message)
    // A first answer that was sent again: newer messages already told the state of its wagers.
    const isOld = message.type === 'answer' && message.sequence <= this.#told
    if ('sequence' in message && message.type !== 'answer') this.#told = message.sequence
    switch (message.type) {
      case 'snapshot':
        words.currency = message.currency
        this.money = message.money
        this.view = message.view
        this.stakes = message.stakes
        this.seat = message.seat
        this.staff = message.staff
        if (this.layout?.shown.game !== message.view.game) void this.#load(message.view.game)
        break
      case 'update':
        if (this.view) {
          const history = merged(this.view.history, message.rounds, ({ round }) => round).slice(-HISTORY)
          this.view = { ...this.view, ...message.view, history }
        }
        if (this.staff && message.staff) this.staff = { ...this.staff, ...message.staff }
        break
      case 'seat':
        this.#wagers(message, message.seat)
        break
      case 'stakes':
        this.stakes = message.stakes
        this.#wagers(message)
        break
      case 'answer':
        if (!isOld) this.#wagers(message, message.seat)
    }
    this.onheard(message)
  }

  #wagers({ wagers, gone }: { wagers: WagerView[]; gone: string[] }, seat: SeatChanges | null = null): void {
    const changed = <T extends SeatView | StaffView>(view: T): T => ({
      ...view,
      ...seat,
      wagers: merged(view.wagers, wagers, ({ id }) => id, gone),
    })
    if (this.seat) this.seat = changed(this.seat)
    else if (this.staff) this.staff = changed(this.staff)
  }

  async #load(game: string): Promise<void> {
    this.layout = new Layout(await layoutOf(game))
    this.onlayout()
  }
}

/** Show that commands are neither done nor refused yet: one message for all. */
function tellUnknown(): void {
  const title = t('unknown.title')
  if (toasts.shown.some((toast) => toast.title === title)) return
  toasts.say({ tone: 'info', title, detail: t('unknown.detail') })
}

/** A list kept by key: changed entries in their places, new ones last. */
function merged<T>(
  entries: readonly T[],
  changed: readonly T[],
  keyOf: (entry: T) => string | number,
  gone: readonly string[] = [],
): T[] {
  const byKey = new Map(entries.map((each) => [keyOf(each), each]))
  for (const each of changed) byKey.set(keyOf(each), each)
  for (const key of gone) byKey.delete(key)
  return [...byKey.values()]
}

export function settledChips(wager: SettledWagerView): FeltChip[] {
  return wager.pieces.map(({ area, stake_cents, paid_cents, returned_cents }) => ({
    area,
    cents: stake_cents,
    state: paid_cents > 0 ? 'won' : returned_cents > 0 ? 'registered' : 'lost',
    ...(paid_cents > 0 ? { paidCents: paid_cents } : {}),
  }))
}
