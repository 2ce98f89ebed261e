/** A seat at a table: everything it shows, and the effects of a tap. */
import { t, words } from '../../../shared/words/i18n.svelte'
import type { Layout } from '../../../shared/felt/layout'
import type {
  AreaShown,
  FromHouse,
  HouseShown,
  MultipleShown,
  SeatView,
  StatedReason,
  TableView,
  TotalsView,
} from '../../../generated/schema'
import { statusOf, type Status } from '../../../shared/words/status'
import { settledChips, TableStore, type Recovered } from '../../../shared/house/table.svelte'
import { toasts } from '../../../shared/frame/toasts.svelte'
import type { FeltChip } from '../../../shared/felt/chips'
import { becauseToPlayer } from '../../../shared/words/reasons'
import { isBallNext } from '../../../shared/wheel/bonusLamps'
import { ResultShow } from '../../../shared/wheel/resultShow.svelte'
import { Reveal, unsettled as unsettledSeat } from '../../../shared/wheel/reveal.svelte'
import { Autoplay, type Moment } from './autoplay.svelte'
import { BuyInRequest } from './buyInRequest.svelte'
import { ChipsResults } from './chipsResults.svelte'
import { changesSince } from './changesSince'
import { PlayRecord, type CreditChange, type RoundPlayed } from './playRecord.svelte'
import { OwnWagers } from './ownWagers.svelte'
import { Preview } from './preview.svelte'
import { RealityCheck } from './realityCheck.svelte'
import { isAtMaximum } from './savedWagers'
import { Vouchers } from './vouchers.svelte'
import { WheelVideo } from '../wheel/wheelVideo.svelte'

export type SheetName = 'menu' | 'history' | 'rules' | 'credit' | 'player' | 'favourites' | 'list' | 'play' | 'autoplay'
const PREVIEWS_KEPT = 'croupier.previews'
/** A tap's mode: one area at a time, or the word of a wager of many pieces. */
export type Mode = 'area' | (string & {})
/** The Player's settlement of this round or of the one before. */
export type Result = Omit<RoundPlayed, 'at_ms'>
export type TrackPlace = { word: string } | { number: string } | null
export class TerminalTable {
  readonly store: TableStore
  readonly wagers: OwnWagers
  readonly preview: Preview
  readonly reveal: Reveal
  readonly show = new ResultShow()
  readonly vouchers: Vouchers
  readonly record: PlayRecord
  readonly results: ChipsResults
  readonly reality: RealityCheck
  readonly buyIn = new BuyInRequest()
  readonly autoplay: Autoplay
  readonly video: WheelVideo
  /** The house's permissions; none until it has sent them. */
  house = $state.raw<HouseShown | null>(null)
  mode = $state<Mode>('area')
  radius = $state(2)
  zoomed = $state(false)
  /** Wagers of many pieces are shown before they are placed. */
  previews = $state(localStorage.getItem(PREVIEWS_KEPT) !== 'false')
  sheet = $state<SheetName | null>(null)
  /** On a phone: the racetrack stands below the layout while bets are taken. */
  showsTrack = $state(false)
  /** The round in which this Player has bet already. */
  #betIn = $state(0)
  /** The round whose receipt *My play* shows first. */
  receiptOf = $state<number | null>(null)
  hovered = $state.raw<AreaShown | null>(null)
  /** A finger or pointer rests on own chips: letting go takes them back. */
  takesBack = $state(false)
  onTrack = $state.raw<TrackPlace>(null)
  readonly status: Status = $derived.by(() => this.#status())
  /** The settlement of the round before: it stays until the first chip or the next outcome. */
  readonly lingering: RoundPlayed | null = $derived.by(() => this.#lingering())
  readonly chips: FeltChip[] = $derived.by(() => this.#chips())

  constructor(
    readonly name: string,
    readonly token: string,
  ) {
    this.store = new TableStore({ table: name, device: token })
    this.wagers = new OwnWagers(this.store, name)
    this.reveal = new Reveal(this.store)
    this.reveal.onoutcome = () => this.show.begin()
    this.vouchers = new Vouchers(this.store, name)
    this.record = new PlayRecord(this.store, name, (sequence) => changesSince(name, token, sequence))
    this.results = new ChipsResults(this.store, name, token)
    this.preview = new Preview(name, token)
    this.reality = new RealityCheck(this.store, name)
    this.video = new WheelVideo(this.store)
    this.autoplay = new Autoplay(
      (wagers) => this.wagers.place(wagers),
      () => this.#moment(),
    )
    this.store.onheard = (message) => this.#hear(message)
  }

  get view(): TableView | null {
    return this.reveal.view
  }

  get seat(): SeatView | null {
    return this.reveal.seat
  }

  /** The seat for its money: a round's payment counts once the card is shown. */
  get purse(): SeatView | null {
    return this.seat && this.show.stage !== 'card' ? unsettledSeat(this.seat) : this.seat
  }

  /** The number to show as winning: of this round, or of the one before while it lingers. */
  get winning(): string | null {
    return this.view?.winning_number ?? this.lingering?.number ?? null
  }

  /** The own settlement to show: of this round, or of the one before while it lingers. */
  get result(): Result | null {
    const { seat, view } = this
    const { settled, totals } = seat ?? {}
    if (!settled?.length || !totals || !view) return this.lingering
    return { round: view.round, number: view.winning_number, settled, totals }
  }

  /** The changes of the credit, without those of a round whose ball still runs. */
  get changes(): readonly CreditChange[] {
    const { record, reveal, view } = this
    return reveal.isHeld ? record.changes.filter(({ round }) => round !== view?.round) : record.changes
  }

  /** The totals of this round, once they may be shown. */
  get totals(): TotalsView | null {
    return this.seat?.totals ?? null
  }

  get layout(): Layout | null {
    return this.store.layout
  }

  /** This Player's stakes by area. */
  get stakes(): Record<string, number> {
    const all: Record<string, number> = {}
    for (const { pieces } of this.store.wagers) for (const [area, cents] of pieces) all[area] = (all[area] ?? 0) + cents
    return all
  }

  /** The numbers that this Player's wagers cover. */
  get staked(): ReadonlySet<string> {
    return this.#numbers(Object.keys(this.stakes))
  }

  /** Only the wheel is shown: from “No more bets” until shortly after the ball rests. */
  get isShow(): boolean {
    const isSeen = this.reveal.spin !== null || this.video.isWanted
    return (
      isSeen &&
      (!this.isDraw || this.isBallNext) &&
      (this.reveal.isHeld || this.isResting || this.store.view?.status === 'spinning')
    )
  }

  /** If Bonus Numbers are drawn: felt and lamps are shown from the close until the ball rests. */
  get isDraw(): boolean {
    const { view, layout } = this
    if (!view || !layout?.shown.draws_bonus_numbers) return false
    return this.isResting || (view.winning_number === null && view.phase === 'closed')
  }

  /** All lamps are lit, and the wheel comes to the fore. */
  get isBallNext(): boolean {
    const { view } = this
    return view !== null && isBallNext(view, this.store.serverMs)
  }

  /** The ball has come to rest just now. */
  get isResting(): boolean {
    return this.show.stage === 'rest'
  }

  /** The chips of a result are moving. */
  get isPaying(): boolean {
    return this.show.stage === 'paying'
  }

  /** The settlement on the large card, once the chips have moved. */
  get card(): Result | null {
    return this.show.stage === 'card' && this.preview.wager === null ? this.result : null
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

  // Effects of a tap

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

  /** Show the wager before it is placed, or place it with one tap if previews are off. */
  previewOf(wager: string): void {
    if (!this.wagers.isOpen) return
    if (this.previews) void this.preview.ask(wager, this.wagers.chip)
    else void this.wagers.place([{ wager, stake_cents: isAtMaximum(wager) ? null : this.wagers.chip }])
  }

  togglePreviews(): void {
    this.previews = !this.previews
    localStorage.setItem(PREVIEWS_KEPT, JSON.stringify(this.previews))
    this.preview.cancel()
  }

  /** Another chip was chosen: ask for the preview again. */
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

  // Messages and refusals

  #hear(message: FromHouse): void {
    this.reveal.hear()
    this.vouchers.hear(message)
    this.record.hear(message)
    this.buyIn.hear(message, this.store.seat)
    const { view } = this.store
    if (!view) return
    if (view.takes_wagers) this.show.end()
    this.wagers.follow(view.round)
    if (this.store.wagers.length) this.#betIn = view.round
    if (!this.wagers.chip) this.wagers.chip = view.chips[1] ?? view.chips[0] ?? 0
    this.wagers.remember(this.store.settled)
    if (!view.takes_wagers) this.preview.cancel()
    this.autoplay.follow()
  }

  /** Keep the house's permissions and settings, which it sends once. */
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

  /** Handle the answer to a command from before a reload. */
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
    const isUndecided = view?.winning_number === null && view.status !== 'void' && !this.isDraw
    return isNext && isUndecided && !store.wagers.length && !store.pending.length && this.preview.wager === null
      ? last
      : null
  }

  #chips(): FeltChip[] {
    if (this.lingering)
      return this.lingering.settled.flatMap(settledChips).filter(({ state }) => state !== 'registered')
    const shown = this.reveal.isHeld || this.isResting ? this.store.chips.map(unsettled) : this.store.chips
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
