/** A seat at a table: what is shown of it, and what a tap means there. */
import { totalsOf, type Totals } from '../../shared/fold'
import { t, words } from '../../shared/i18n.svelte'
import type { Layout } from '../../shared/layout'
import type { AreaShown, FromHouse, MultipleShown, SeatView, TableView } from '../../generated/schema'
import { statusOf, type Status } from '../../shared/status'
import { TableStore, type Recovered } from '../../shared/table.svelte'
import { toasts } from '../../shared/toasts.svelte'
import type { FeltChip } from '../../shared/chips'
import { becauseToPlayer } from '../../shared/reasons'
import { Hand } from './hand.svelte'
import { Preview } from './preview.svelte'
import { Reveal } from './reveal.svelte'
import { Vouchers } from './vouchers.svelte'

export type SheetName =
  | 'menu'
  | 'history'
  | 'rules'
  | 'credit'
  | 'player'
  | 'favourites'
  | 'list'
  | 'track'
/** One area at a time, or the word of a wager of many pieces. */
export type Mode = 'area' | (string & {})
export type TrackPlace = { word: string } | { number: string } | null
/** What a settled round came to, for "last win". */
export interface LastWin {
  paid_cents: number
  net_cents: number
}

const LAST_WIN = 'croupier.last_win'

export class Play {
  readonly store: TableStore
  readonly hand: Hand
  readonly preview = new Preview()
  readonly reveal: Reveal
  readonly vouchers: Vouchers
  mode = $state<Mode>('area')
  radius = $state(2)
  zoomed = $state(false)
  sheet = $state<SheetName | null>(null)
  hovered = $state.raw<AreaShown | null>(null)
  onTrack = $state.raw<TrackPlace>(null)
  lastWin = $state.raw<LastWin | null>(null)
  readonly status: Status = $derived.by(() => this.#status())
  readonly totals: Totals = $derived.by(() => totalsOf(this.view?.settled ?? []))
  readonly chips: FeltChip[] = $derived.by(() => this.#chips())

  constructor(
    readonly table: string,
    readonly token: string,
  ) {
    this.store = new TableStore({ table, device: token })
    this.hand = new Hand(this.store, table)
    this.reveal = new Reveal(this.store)
    this.vouchers = new Vouchers(this.store, table)
    this.lastWin = JSON.parse(sessionStorage.getItem(`${LAST_WIN}.${table}`) ?? 'null') as LastWin
    this.store.onheard = (message) => this.#hear(message)
  }

  get view(): TableView | null {
    return this.reveal.view
  }

  get seat(): SeatView | null {
    return this.reveal.seat
  }

  get layout(): Layout | null {
    return this.store.layout
  }

  /** What lies there for this Player, by area. */
  get stakes(): Record<string, number> {
    const all: Record<string, number> = {}
    for (const { pieces } of this.store.wagers)
      for (const [area, cents] of pieces) all[area] = (all[area] ?? 0) + cents
    return all
  }

  get stakeCents(): number {
    return this.store.wagers.reduce((sum, { stake_cents }) => sum + stake_cents, 0)
  }

  /** Bonus Numbers to light: as a layout device tells, else as they were drawn. */
  get lit(): readonly string[] {
    return (this.view?.lights === 'device' ? this.view.lit : this.view?.bonus) ?? []
  }

  get multiples(): readonly MultipleShown[] {
    return this.layout?.shown.multiples ?? []
  }

  /** The numbers that the racetrack's place or the preview would cover. */
  get covered(): ReadonlySet<string> {
    if (this.preview.said) return this.#numbers(this.preview.pieces.map(([area]) => area))
    if (this.onTrack === null) return new Set()
    if ('word' in this.onTrack) return this.#numbers(this.#multiple(this.onTrack.word)?.pieces ?? [])
    return this.#neighbours(this.onTrack.number)
  }

  // What a tap means

  tap(area: AreaShown): void {
    if (!this.hand.isOpen) return
    if (this.mode === 'area') {
      this.preview.cancel()
      this.hand.lay(area.area)
      return
    }
    const wager = this.#wagerOn(area)
    if (wager) this.previewOf(wager)
    else toasts.say({ tone: 'info', title: t('terminal.tap_number'), detail: t('terminal.tap_number_detail') })
  }

  tapNumber(number: string): void {
    if (this.#multiple('neighbours')) this.previewOf(this.#neighbourWager(number))
  }

  previewOf(wager: string): void {
    const game = this.layout?.shown.game
    if (game && this.hand.isOpen) void this.preview.ask(game, this.table, wager, this.hand.chip)
  }

  /** Another chip in hand: what is previewed is asked for again. */
  choose(chip: number): void {
    this.hand.chip = chip
    if (this.preview.wager !== null) this.previewOf(this.preview.wager)
  }

  async confirm(): Promise<void> {
    const kept = this.preview.kept
    if (!kept) return
    this.preview.cancel()
    await this.hand.place([kept])
  }

  setMode(mode: Mode): void {
    this.mode = mode
    this.preview.cancel()
  }

  #wagerOn(area: AreaShown): string | null {
    const [number] = area.numbers
    if (area.type === 'dozen') return this.mode.startsWith('complete') ? `${this.mode}:${area.area}` : null
    if (area.type !== 'straight_up' || number === undefined) return null
    if (this.mode === 'neighbours') return this.#neighbourWager(number)
    return this.mode === 'finales' ? `finales:${number.at(-1)}` : `${this.mode}:${number}`
  }

  #neighbourWager(number: string): string {
    const { radii = [], usual_radius } = this.#multiple('neighbours') ?? {}
    return radii.length > 1 && this.radius !== usual_radius
      ? `neighbours:${number}:${this.radius}`
      : `neighbours:${number}`
  }

  #multiple(word: string): MultipleShown | undefined {
    return this.multiples.find((each) => each.word === word)
  }

  #numbers(areas: readonly string[]): Set<string> {
    return new Set(areas.flatMap((area) => this.layout?.areas.get(area)?.numbers ?? []))
  }

  #neighbours(number: string): Set<string> {
    const ring = this.layout?.ring ?? []
    const { radii = [2] } = this.#multiple('neighbours') ?? {}
    const reach = radii.length > 1 ? this.radius : (radii[0] ?? 0)
    const at = ring.indexOf(number)
    const around = Array.from({ length: 2 * reach + 1 }, (_, k) => at - reach + k)
    return new Set(around.flatMap((k) => ring.at(k % ring.length) ?? []))
  }

  // What is heard and shown

  #hear(message: FromHouse): void {
    this.reveal.hear()
    this.vouchers.hear(message)
    const { view } = this.store
    if (!view) return
    this.hand.follow(view.round)
    if (!this.hand.chip) this.hand.chip = view.chips[1] ?? view.chips[0] ?? 0
    if (view.phase === 'ended') this.hand.remember(view.settled)
    if (view.phase !== 'betting') this.preview.cancel()
  }

  /** The round's figures, once they may be seen. */
  settled(): void {
    const { paid_cents, net_cents } = this.totals
    const last = { paid_cents, net_cents }
    this.lastWin = last
    sessionStorage.setItem(`${LAST_WIN}.${this.table}`, JSON.stringify(last))
  }

  /** A refusal in words, with the chips that were given back. */
  tellRefusal({ cents, reason, clause }: { cents: number; reason: string; clause: string | null }): void {
    toasts.say({
      tone: 'bad',
      title: t('terminal.refused', { sum: words.money(cents) }),
      detail: becauseToPlayer(reason, clause),
      ...(cents ? { cents } : {}),
    })
  }

  /** The answer to what was said before a reload. */
  recovered({ command, answer }: Recovered): void {
    this.vouchers.recovered(command, answer)
    if (command.type !== 'wagers' || answer.registered) return
    const cents = command.place?.reduce((sum, each) => sum + (each.stake_cents ?? 0), 0) ?? 0
    this.tellRefusal({ cents, reason: answer.reason ?? '', clause: answer.clause })
  }

  #chips(): FeltChip[] {
    const shown = this.reveal.isHeld ? this.store.chips.map(unsettled) : this.store.chips
    return [...shown, ...this.preview.chips]
  }

  #status(): Status {
    const { layout, connection, endedBecause, serverMs, openedAtMs, closedAtMs, pending } = this.store
    const { view, totals } = this
    return statusOf({
      view, layout, connection, endedBecause, serverMs, openedAtMs, closedAtMs, totals, pending,
    })
  }
}

function unsettled({ area, cents }: FeltChip): FeltChip {
  return { area, cents, state: 'registered' }
}
