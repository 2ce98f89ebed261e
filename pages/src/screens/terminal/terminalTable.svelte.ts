/** A seat at a table: what is shown of it, and what a tap means there. */
import { t, words } from '../../shared/i18n.svelte'
import type { Layout } from '../../shared/layout'
import type { AreaShown, FromHouse, HouseShown, MultipleShown, SeatView, StatedReason, TableView, TotalsView } from '../../generated/schema'
import { statusOf, type Status } from '../../shared/status'
import { settledChips, TableStore, type Recovered } from '../../shared/table.svelte'
import { toasts } from '../../shared/toasts.svelte'
import type { FeltChip } from '../../shared/chips'
import { becauseToPlayer } from '../../shared/reasons'
import { Reveal } from '../../shared/reveal.svelte'
import { Autoplay, type Moment } from './autoplay.svelte'
import { BuyInRequest } from './buyInRequest.svelte'
import { ChipsResults } from './chipsResults.svelte'
import { changesSince } from './changesSince'
import { PlayRecord, type CreditChange, type RoundPlayed } from './playRecord.svelte'
import { OwnWagers } from './ownWagers.svelte'
import { Preview } from './preview.svelte'
import { RealityCheck } from './realityCheck.svelte'
import { Vouchers } from './vouchers.svelte'
import { WheelVideo } from './wheelVideo.svelte'

export type SheetName =
  | 'menu'
  | 'history'
  | 'rules'
  | 'credit'
  | 'player'
  | 'favourites'
  | 'list'
  | 'track'
  | 'play'
  | 'autoplay'
/** One area at a time, or the word of a wager of many pieces. */
export type Mode = 'area' | (string & {})
export type TrackPlace = { word: string } | { number: string } | null
export class TerminalTable {
  readonly store: TableStore
  readonly wagers: OwnWagers
  readonly preview: Preview
  readonly reveal: Reveal
  readonly vouchers: Vouchers
  readonly record: PlayRecord
  readonly results: ChipsResults
  readonly reality: RealityCheck
  readonly buyIn = new BuyInRequest()
  readonly autoplay: Autoplay
  readonly video: WheelVideo
  /** What the house allows; none until it has said so. */
  house = $state.raw<HouseShown | null>(null)
  mode = $state<Mode>('area')
  radius = $state(2)
  zoomed = $state(false)
  sheet = $state<SheetName | null>(null)
  /** The round in which this Player has bet already. */
  #betIn = $state(0)
  hovered = $state.raw<AreaShown | null>(null)
  /** A finger or pointer rests on own chips: letting go takes them back. */
  takesBack = $state(false)
  onTrack = $state.raw<TrackPlace>(null)
  readonly status: Status = $derived.by(() => this.#status())
  /** The settlement of the round before: it stays until the first chip, or until another outcome is said. */
  readonly lingering: RoundPlayed | null = $derived.by(() => this.#lingering())
  readonly chips: FeltChip[] = $derived.by(() => this.#chips())

  constructor(
    readonly name: string,
    readonly token: string,
  ) {
    this.store = new TableStore({ table: name, device: token })
    this.wagers = new OwnWagers(this.store, name)
    this.reveal = new Reveal(this.store)
    this.vouchers = new Vouchers(this.store, name)
    this.record = new PlayRecord(this.store, name, (sequence) => changesSince(name, token, sequence))
    this.results = new ChipsResults(this.store, name, token)
    this.preview = new Preview(name, token)
    this.reality = new RealityCheck(this.store, name)
    this.video = new WheelVideo(this.store)
    this.autoplay = new Autoplay((wagers) => this.wagers.place(wagers), () => this.#moment())
    this.store.onheard = (message) => this.#hear(message)
  }

  get view(): TableView | null {
    return this.reveal.view
  }

  get seat(): SeatView | null {
    return this.reveal.seat
  }

  /** The number to show as winning: of this round, or of the one before while it lingers. */
  get winning(): string | null {
    return this.view?.winning_number ?? this.lingering?.number ?? null
  }

  /** The own settlement to show: of this round, or of the one before while it lingers. */
  get result(): Pick<RoundPlayed, 'settled' | 'totals'> | null {
    const { settled, totals } = this.seat ?? {}
    return settled?.length && totals ? { settled, totals } : this.lingering
  }

  /** What changed the credit, but for the round whose ball still runs. */
  get changes(): readonly CreditChange[] {
    const { record, reveal, view } = this
    return reveal.isHeld ? record.changes.filter(({ round }) => round !== view?.round) : record.changes
  }

  /** What the settlement of this round came to, once it may be seen. */
  get totals(): TotalsView | null {
    return this.seat?.totals ?? null
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

  /** The numbers that something of this Player's covers. */
  get staked(): ReadonlySet<string> {
    return this.#numbers(Object.keys(this.stakes))
  }

  /** The wheel is all there is to see: no more bets, no outcome yet. */
  get isShow(): boolean {
    const isSeen = this.reveal.spin !== null || this.video.isWanted
    return isSeen && (this.reveal.isHeld || this.store.view?.status === 'spinning')
  }

  get lit(): readonly string[] {
    return this.view?.lit ?? []
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
    if (!this.wagers.isOpen) return
    if (this.mode === 'area') {
      this.preview.cancel()
      this.wagers.lay(area.area)
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
    if (this.wagers.isOpen) void this.preview.ask(wager, this.wagers.chip)
  }

  /** Another chip in wagers: what is previewed is asked for again. */
  choose(chip: number): void {
    this.wagers.chip = chip
    if (this.preview.wager !== null) this.previewOf(this.preview.wager)
  }

  async confirm(): Promise<void> {
    const kept = this.preview.kept
    if (!kept) return
    this.preview.cancel()
    await this.wagers.place([kept])
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
    const { radii = [2] } = this.#multiple('neighbours') ?? {}
    return new Set(this.layout?.beside(number, radii.length > 1 ? this.radius : (radii[0] ?? 0)))
  }

  // What is heard and shown

  #hear(message: FromHouse): void {
    this.reveal.hear()
    this.vouchers.hear(message)
    this.record.hear(message)
    this.buyIn.hear(message, this.store.seat)
    const { view } = this.store
    if (!view) return
    this.wagers.follow(view.round)
    if (this.store.wagers.length) this.#betIn = view.round
    if (!this.wagers.chip) this.wagers.chip = view.chips[1] ?? view.chips[0] ?? 0
    this.wagers.remember(this.store.settled)
    if (!view.takes_wagers) this.preview.cancel()
    this.autoplay.follow()
  }

  /** What the house allows and sets, told once. */
  allowed(house: HouseShown): void {
    this.house = house
    this.reality.usual = house.reality_check_minutes
  }

  #moment(): Moment {
    const { store, view, seat } = this
    return {
      view,
      seat: seat && store.seat && { ...seat, wagers: store.seat.wagers },
      connection: store.connection,
      isHeld: this.reveal.isHeld,
      isWaiting: store.pending.length > 0,
      changes: this.record.unseen.length,
      isPauseDue: this.reality.isDue,
    }
  }

  /** A refusal in words, with the chips that were given back. */
  tellRefusal({ cents, refusal }: { cents: number; refusal: StatedReason | null }): void {
    toasts.say({
      tone: 'bad',
      title: t('terminal.refused', { sum: words.money(cents) }),
      detail: becauseToPlayer(refusal),
      ...(cents ? { cents } : {}),
    })
  }

  /** The answer to what was said before a reload. */
  recovered({ command, answer }: Recovered): void {
    this.vouchers.recovered(command, answer)
    if (command.type !== 'wagers' || answer.registered) return
    const cents = command.place?.reduce((sum, each) => sum + (each.stake_cents ?? 0), 0) ?? 0
    this.tellRefusal({ cents, refusal: answer.refusal })
  }

  #lingering(): RoundPlayed | null {
    const { view, store, record } = this
    const { last } = record
    const isNext = view && last && view.round === last.round + 1 && this.#betIn !== view.round
    const isUndecided = view?.winning_number === null && view.status !== 'void'
    return isNext && isUndecided && !store.wagers.length && !store.pending.length && this.preview.wager === null ? last : null
  }

  #chips(): FeltChip[] {
    if (this.lingering) return this.lingering.settled.flatMap(settledChips).filter(({ state }) => state !== 'registered')
    const shown = this.reveal.isHeld ? this.store.chips.map(unsettled) : this.store.chips
    return [...shown, ...this.preview.chips]
  }

  #status(): Status {
    const { stakes, connection, endedBecause, serverMs, pending } = this.store
    return statusOf({ view: this.view, seat: this.seat, stakes, connection, endedBecause, serverMs, pending })
  }
}

function unsettled({ area, cents }: FeltChip): FeltChip {
  return { area, cents, state: 'registered' }
}
