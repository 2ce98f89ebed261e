/** A table as this page knows it: the house's view, the own seat, and what is on its way. */
import { layoutOf } from './api'
import type { FeltChip, PieceCents } from './chips'
import { foldChanged, foldEvent, foldStakes, foldWagers, totalsOf } from './fold'
import { words } from './i18n.svelte'
import { newId } from './ids'
import { Layout } from './layout'
import type { Answered, FromHouse, SeatView, TableEvent, TableView, WagerView } from '../generated/schema'
import { TableSocket, type Connection, type SocketOptions, type Command, type Sent } from './socket'

/** A wager to place, with its pieces where the house has already said them. */
export interface ToPlace {
  wager: string
  stake_cents: number | null
  /** For one area it is that area; for more, what `piecesOf` said. */
  pieces?: readonly PieceCents[]
}
/** Chips that the house has not answered for, or has refused. */
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
  reason: string
  clause: string | null
}
export interface Recovered {
  command: Sent
  answer: Answered
}
/** After a lost connection: what stands, and what was given back. */
export interface Return {
  registered: number
  returned_cents: number
}

const REFUSED_SHOWN_MS = 900

export class TableStore {
  view = $state.raw<TableView | null>(null)
  seat = $state.raw<SeatView | null>(null)
  layout = $state.raw<Layout | null>(null)
  connection = $state<Connection>('connecting')
  endedBecause = $state<string | null>(null)
  money = $state<string | null>(null)
  pending = $state.raw<Pending[]>([])
  refusals = $state.raw<RefusalTold[]>([])
  recovered = $state.raw<Recovered[]>([])
  returned = $state.raw<Return | null>(null)
  /** When the countdown and "No more bets" began, for the bar and the band. */
  openedAtMs = $state<number | null>(null)
  closedAtMs = $state<number | null>(null)
  lastWinCents = $state<number | null>(null)
  /** This page's clock in whole milliseconds, ticking five times a second. */
  nowMs = $state(Date.now())
  /** Told of every message, after it was folded. */
  onheard: (message: FromHouse) => void = () => {}

  readonly socket: TableSocket
  #aheadMs = 0
  #answeredAt = 0
  #ticking: ReturnType<typeof setInterval> | undefined
  #givenBackCents = 0

  constructor(options: SocketOptions) {
    this.socket = new TableSocket({ storage: sessionStorage, ...options })
    this.socket.onmessage = (message) => this.#hear(message)
    this.socket.onconnection = (connection, reason) => this.#connection(connection, reason)
    this.socket.onrecovered = (command, answer) =>
      (this.recovered = [...this.recovered, { command, answer }])
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

  get wagers(): readonly WagerView[] {
    return this.view?.wagers ?? []
  }

  get totals() {
    return totalsOf(this.view?.settled ?? [])
  }

  /** What lies on the layout for this reader, piece by piece. */
  get chips(): FeltChip[] {
    const { settled = [], wagers = [], colours = {} } = this.view ?? {}
    if (settled.length) return settled.flatMap(settledChips)
    const owned = Object.entries(colours)
    const lying = wagers.flatMap((wager) => {
      const colour = owned.find(([, [player]]) => player === wager.player)?.[0]
      return wager.pieces.map(
        ([area, cents]): FeltChip => ({
          area,
          cents,
          state: wager.registered ? 'registered' : 'placing',
          ...(colour ? { colour, owner: wager.player } : {}),
        }),
      )
    })
    const coming = this.pending.flatMap(({ pieces, state }) =>
      pieces.map(([area, cents]): FeltChip => ({ area, cents, state })),
    )
    return [...lying, ...coming]
  }

  send(command: Command): Promise<Answered> {
    return this.socket.send(command)
  }

  act(act: string, more: { player?: string; on_request?: boolean } = {}): Promise<Answered> {
    return this.send({ type: 'act', act, ...more })
  }

  /** Registered whole, or refused whole; each wager has an id of its own to take back. */
  async place(wagers: readonly ToPlace[], withdraw: readonly string[] = []): Promise<Answered> {
    const coming = wagers.map((each): Pending => {
      const alone: PieceCents[] = each.stake_cents ? [[each.wager, each.stake_cents]] : []
      return { id: newId(), wager: each.wager, pieces: each.pieces ?? alone, state: 'placing' }
    })
    this.pending = [...this.pending, ...coming]
    const answer = await this.send({
      type: 'wagers',
      place: wagers.map(({ wager, stake_cents }, k) => ({ id: coming[k]!.id, wager, stake_cents })),
      withdraw: [...withdraw],
    })
    const ids = new Set(coming.map(({ id }) => id))
    if (answer.registered) this.pending = this.pending.filter(({ id }) => !ids.has(id))
    else this.#refuse(ids, coming, answer)
    return answer
  }

  takeBack(ids: readonly string[]): Promise<Answered> {
    return this.send({ type: 'wagers', withdraw: [...ids] })
  }

  #refuse(ids: Set<string>, refused: readonly Pending[], answer: Answered): void {
    this.pending = this.pending.map((each) =>
      ids.has(each.id) ? { ...each, state: 'refused' } : each,
    )
    const pieces = refused.flatMap((each) => each.pieces)
    const cents = pieces.reduce((sum, [, each]) => sum + each, 0)
    this.#givenBackCents += cents
    const told: RefusalTold = {
      at_ms: this.serverMs,
      cents,
      areas: pieces.map(([area]) => area),
      reason: answer.reason ?? '',
      clause: answer.clause,
    }
    this.refusals = [...this.refusals.slice(-49), told]
    setTimeout(() => {
      this.pending = this.pending.filter(({ id }) => !ids.has(id))
    }, REFUSED_SHOWN_MS)
  }

  #connection(connection: Connection, reason: string | null): void {
    const before = this.connection
    this.connection = connection
    if (connection === 'ended') this.endedBecause = reason
    if (connection === 'lost') this.#givenBackCents = 0
    if (connection === 'connected' && before === 'lost') this.#cameBack()
  }

  /** What stands is known once the commands of before are answered. */
  #cameBack(): void {
    setTimeout(() => {
      this.returned = { registered: this.wagers.length, returned_cents: this.#givenBackCents }
    }, 600)
  }

  #hear(message: FromHouse): void {
    switch (message.type) {
      case 'snapshot':
        words.currency = message.currency
        this.money = message.money
        this.#clock(message.at_ms)
        this.#countdown(message.view.closes_at_ms)
        this.#show(message.view, message.seat)
        break
      case 'event':
        this.#clock(message.at_ms)
        this.#event(message)
        break
      case 'changed':
        this.#clock(message.at_ms)
        this.#countdown(message.closes_at_ms)
        if (this.view) this.view = foldChanged(this.view, message)
        break
      case 'stakes':
        if (this.view) this.view = foldStakes(this.view, message)
        break
      case 'answer':
        this.#answer(message)
        break
      case 'pong':
        this.#clock(message.at_ms + (Date.now() - message.echo_ms) / 2)
    }
    this.onheard(message)
  }

  #clock(atMs: number): void {
    this.#aheadMs = atMs - Date.now()
  }

  #countdown(closesAtMs: number | null): void {
    const before = this.view?.closes_at_ms ?? null
    if (closesAtMs !== null && closesAtMs !== before) this.openedAtMs = this.serverMs
    if (closesAtMs === null) this.openedAtMs = null
  }

  #show(view: TableView, seat: SeatView | null): void {
    this.view = view
    this.seat = seat
    if (this.layout?.shown.game !== view.game) void this.#load(view.game)
  }

  async #load(game: string): Promise<void> {
    this.layout = new Layout(await layoutOf(game))
  }

  #event(message: TableEvent): void {
    if (message.seat) this.seat = message.seat
    if (message.event === 'NoMoreBetsAnnounced') this.closedAtMs = this.nowMs + this.#aheadMs
    if (message.event === 'RoundBegun') this.closedAtMs = null
    if (!this.view) return
    const isOld = message.event.startsWith('Wager') && message.sequence <= this.#answeredAt
    if (isOld) return
    const printed = this.layout ?? { colourOf: () => 'green' as const, links: [] }
    const view = foldEvent(this.view, message, printed)
    if (view === null) this.socket.refresh()
    else this.view = view
    if (message.event === 'RoundSettled') this.lastWinCents = this.totals.paid_cents
  }

  #answer(answer: Answered): void {
    if (answer.seat) this.seat = answer.seat
    if (!answer.registered || !answer.wagers.length || !this.view) return
    this.#answeredAt = Math.max(this.#answeredAt, answer.sequence)
    const wagers = foldWagers(this.view.wagers, answer.wagers)
    const stake_cents = wagers.reduce((sum, each) => sum + each.stake_cents, 0)
    this.view = { ...this.view, wagers, stake_cents, wager_count: wagers.length }
  }
}

export function settledChips(wager: TableView['settled'][number]): FeltChip[] {
  return wager.pieces.map(({ area, stake_cents, paid_cents, returned_cents }) => ({
    area,
    cents: stake_cents,
    state: paid_cents > 0 ? 'won' : returned_cents > 0 ? 'registered' : 'lost',
    ...(paid_cents > 0 ? { paidCents: paid_cents } : {}),
  }))
}
