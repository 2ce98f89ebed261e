/** A table's band: one state with its sign, words and colour. */
import type { SeatView, StakesView, StatedReason, TableView, TotalsView } from '../../generated/schema'
import { t, words, type Key } from './i18n.svelte'
import type { IconName } from '../frame/icons'
import type { Colour, Layout } from '../felt/layout'
import { areaName, outcomeName, withClause } from './naming'
import { because, reasonOf } from './reasons'
import { BONUS_NUMBERS, isBallNext } from '../wheel/bonusLamps'
import type { Connection } from '../house/socket'

/** The house's state of the table, and this page's own: its connection and the last seconds. */
export type StatusKind = TableView['status'] | 'connecting' | 'disconnected' | 'ended' | 'closing'
export type Tone = 'ok' | 'warn' | 'bad' | 'info' | 'ink' | 'brass' | 'dim'

export interface Status {
  kind: StatusKind
  tone: Tone
  icon: IconName
  title: string
  detail: string
  /** The event that the table waits for, if the detail is about an earlier one; none if nothing is overdue. */
  next: string | null
  /** Seconds left and the part of the countdown left, if there is one. */
  seconds: number | null
  left: number
  number: string | null
  colour: Colour | null
  /** The words for screen readers, once for each change. */
  spoken: string
}

/** The facts of the band; a `TableStore` has all of them. */
export interface Showing {
  view: TableView | null
  seat: SeatView | null
  stakes: StakesView | null
  connection: Connection
  endedBecause: StatedReason | null
  serverMs: number
  pending: readonly unknown[]
}

const CLOSING_MS = 5_000
/** For this long “No more bets” stands alone, before the band mentions the ball. */
const CLOSED_MS = 4_000

const LOOKS: Record<StatusKind, [Tone, IconName]> = {
  connecting: ['info', 'link'],
  disconnected: ['info', 'off'],
  ended: ['info', 'off'],
  shut: ['dim', 'closed'],
  awaiting: ['dim', 'open'],
  betting: ['ok', 'open'],
  closing: ['warn', 'open'],
  closed: ['ink', 'closed'],
  spinning: ['ink', 'spin'],
  outcome: ['brass', 'outcome'],
  settled: ['dim', 'settled'],
  void: ['bad', 'void'],
  held: ['warn', 'held'],
  interrupted: ['bad', 'interrupted'],
}

export function statusOf(showing: Showing): Status {
  const kind = kindOf(showing)
  const [tone, icon] = LOOKS[kind]
  const { view, serverMs } = showing
  const counts = (kind === 'betting' || kind === 'closing') && view !== null && (view.closes_at_ms ?? 0) > serverMs
  const leftMs = counts ? Math.max(0, view.closes_at_ms! - serverMs) : 0
  const wholeMs = counts ? view.closes_at_ms! - (view.opened_at_ms ?? serverMs) : 0
  const seconds = counts ? Math.ceil(leftMs / 1000) : null
  const { title, detail } = TEXTS[kind]?.(showing, seconds) ?? plain(kind)
  return {
    kind,
    tone,
    icon,
    title,
    detail,
    next: kind === 'settled' || kind === 'void' ? nextOf(showing) : null,
    seconds,
    left: wholeMs > 0 ? Math.min(1, leftMs / wholeMs) : 0,
    number: view?.winning_number ?? null,
    colour: view?.colour ?? null,
    spoken: kind === 'betting' ? title : kind === 'closing' ? t('band.closing') : `${title}. ${detail}`,
  }
}

function kindOf({ view, connection, serverMs }: Showing): StatusKind {
  if (connection === 'ended') return 'ended'
  if (connection === 'lost') return 'disconnected'
  if (!view) return 'connecting'
  const { status, takes_wagers, closes_at_ms, closed_at_ms } = view
  // The band mentions the ball once the last Bonus Number is lit.
  if (status === 'spinning' && view.lights !== null && !isBallNext(view, serverMs)) return 'closed'
  // A ball at rest closes the betting even before “No more bets”.
  if (status === 'betting' && !takes_wagers) return 'closed'
  // Betting goes on until “No more bets”, even after the countdown has ended.
  const leftMs = (closes_at_ms ?? 0) - serverMs
  if (status === 'betting' && leftMs > 0 && leftMs <= CLOSING_MS) return 'closing'
  if (status === 'spinning' && serverMs - (closed_at_ms ?? 0) <= CLOSED_MS) return 'closed'
  return status
}

type Text = { title: string; detail: string }
const plain = (kind: StatusKind): Text => ({
  title: t(`band.${kind}` as Key),
  detail: t(`band.${kind}_detail` as Key),
})

const betting = ({ view }: Showing, seconds: number | null): Text => ({
  title: t('band.betting'),
  detail: view?.spun
    ? t('band.spinning')
    : seconds === null
      ? t('band.betting_detail')
      : t('band.closes_in', { count: seconds }),
})

const outcome = ({ view }: Showing): Text => ({
  title: outcomeName(view?.winning_number ?? '', view?.colour ?? 'green'),
  detail: view ? sectionsOf(view) : '',
})

const registered = ({ seat, stakes }: Showing): number => seat?.wagers.length ?? stakes?.wager_count ?? 0

/** The person whom a late next round waits for. */
function nextOf({ view, serverMs }: Showing): string | null {
  const { by, late_from_ms = null } = view?.next_round ?? {}
  if (late_from_ms === null || serverMs < late_from_ms) return null
  return t(by === 'dealer' ? 'band.awaiting_dealer' : 'band.rested')
}

/** At a table with a Dealer, the Dealer begins the next round. */
const awaiting = ({ view }: Showing): Text =>
  view?.next_round?.by === 'dealer'
    ? {
        title: t('band.awaiting_dealer'),
        detail: view?.dealer ? t('band.dealt_by', { dealer: view.dealer }) : t('band.no_dealer'),
      }
    : plain('awaiting')

const TEXTS: Partial<Record<StatusKind, (showing: Showing, seconds: number | null) => Text>> = {
  awaiting,
  betting,
  closing: betting,
  closed: (showing) => ({
    title: t('band.closed'),
    detail: showing.view?.lit.length
      ? t('band.lamps', { count: showing.view.lit.length, of: BONUS_NUMBERS })
      : t('band.wagers_registered', { count: registered(showing) }),
  }),
  spinning: ({ view }) => ({
    title: t('band.spinning'),
    detail: t('band.round', { round: words.round(view?.round ?? 0) }),
  }),
  outcome,
  settled: (showing) => {
    const { totals } = showing.seat ?? {}
    return totals?.stake_cents ? { ...outcome(showing), detail: settledDetail(totals) } : outcome(showing)
  },
  void: ({ view, seat }) => {
    const { standing = null } = view ?? {}
    const returned = seat?.totals?.returned_cents
    const detail = returned ? t('band.void_returned', { sum: words.money(returned) }) : t('band.void_detail')
    return {
      title: standing ? t('band.void', { reason: reasonOf(standing) }) : t('band.void_plain'),
      detail: withClause(detail, standing?.clause ?? null),
    }
  },
  held: ({ view }) => {
    const { standing = null } = view ?? {}
    const reason = standing ? reasonOf(standing) : ''
    return { title: t('band.held'), detail: withClause(t('band.held_detail', { reason }), standing?.clause ?? null) }
  },
  disconnected: (showing) => ({
    title: t('band.disconnected'),
    detail: t('band.disconnected_detail', { registered: registered(showing), pending: showing.pending.length }),
  }),
  ended: ({ endedBecause }) => ({ title: t('band.ended'), detail: because(endedBecause) }),
}

/** The winning number's boxes: `Odd · Low · Dozen 2 · Column 2`. */
export function sectionsOf({ sections, bonus_status }: Pick<TableView, 'sections' | 'bonus_status'>): string {
  const said = sections.map(areaName)
  if (bonus_status === 'super_bonus') said.push(t('bonus.super_number'))
  else if (bonus_status === 'bonus') said.push(t('bonus.number'))
  return said.join(' · ')
}

/** The same of any number, as the layout has it. */
export const sectionsOn = (layout: Layout, number: string): string =>
  sectionsOf({ sections: layout.numbers.get(number)?.sections ?? [], bonus_status: null })

/** `Staked 305.00 · returned 110.00 · net +1,000.00`. */
export function settledDetail(totals: TotalsView): string {
  return t('band.settled_detail', {
    staked: words.money(totals.stake_cents),
    returned: words.money(totals.returned_cents),
    net: words.signed(totals.net_cents),
  })
}
