/** What a table's band says: one state, its sign, its words, its colour. */
import { t, words, type Key } from './i18n.svelte'
import type { IconName } from './icons'
import { colourName, outcomeName, reasonAndClause, withClause } from './naming'
import { because, reasonOf } from './reasons'
import type { Layout, Colour } from './layout'
import type { TableView } from '../generated/schema'
import type { Connection } from './socket'
import type { Totals } from './fold'

export type StatusKind =
  | 'connecting'
  | 'disconnected'
  | 'ended'
  | 'shut'
  | 'awaiting'
  | 'open'
  | 'closing'
  | 'closed'
  | 'spinning'
  | 'outcome'
  | 'settled'
  | 'void'
  | 'held'
  | 'interrupted'
export type Tone = 'ok' | 'warn' | 'bad' | 'info' | 'ink' | 'brass' | 'dim'

export interface Status {
  kind: StatusKind
  tone: Tone
  icon: IconName
  title: string
  detail: string
  /** Seconds left and the part of the countdown left, where there is one. */
  seconds: number | null
  left: number
  number: string | null
  colour: Colour | null
  /** What a screen reader hears, once for each change. */
  spoken: string
}

/** What the band is drawn from; a `TableStore` has it all. */
export interface Showing {
  view: TableView | null
  layout: Layout | null
  connection: Connection
  endedBecause: string | null
  serverMs: number
  openedAtMs: number | null
  closedAtMs: number | null
  totals: Totals
  pending: readonly unknown[]
}

const CLOSING_MS = 5_000
/** "No more bets" stands alone so long before the ball is spoken of. */
const CLOSED_MS = 4_000

const LOOKS: Record<StatusKind, [Tone, IconName]> = {
  connecting: ['info', 'link'],
  disconnected: ['info', 'off'],
  ended: ['info', 'off'],
  shut: ['dim', 'closed'],
  awaiting: ['dim', 'open'],
  open: ['ok', 'open'],
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
  const seconds = secondsLeft(showing, kind)
  const { view } = showing
  const { title, detail } = TEXTS[kind]?.(showing, seconds) ?? plain(kind)
  return {
    kind,
    tone,
    icon,
    title,
    detail,
    seconds,
    left: partLeft(showing, kind),
    number: view?.winning_number ?? null,
    colour: view?.colour ?? null,
    spoken: kind === 'open' ? title : kind === 'closing' ? t('band.closing') : `${title}. ${detail}`,
  }
}

function kindOf({ view, connection, serverMs, closedAtMs }: Showing): StatusKind {
  if (connection === 'ended') return 'ended'
  if (connection === 'lost') return 'disconnected'
  if (!view) return 'connecting'
  if (view.interrupted) return 'interrupted'
  if (!view.is_open) return 'shut'
  switch (view.phase) {
    case 'awaiting':
      return 'awaiting'
    case 'betting':
      return view.closes_at_ms !== null && view.closes_at_ms - serverMs <= CLOSING_MS
        ? 'closing'
        : 'open'
    case 'closed':
      return view.spun && serverMs - (closedAtMs ?? 0) > CLOSED_MS ? 'spinning' : 'closed'
    case 'decided':
      return 'outcome'
    case 'ended':
      return view.winning_number === null ? 'void' : 'settled'
    default:
      return view.phase as StatusKind
  }
}

function secondsLeft({ view, serverMs }: Showing, kind: StatusKind): number | null {
  if ((kind !== 'open' && kind !== 'closing') || !view || view.closes_at_ms === null) return null
  return Math.max(0, Math.ceil((view.closes_at_ms - serverMs) / 1000))
}

function partLeft({ view, serverMs, openedAtMs }: Showing, kind: StatusKind): number {
  if ((kind !== 'open' && kind !== 'closing') || !view || view.closes_at_ms === null) return 0
  const whole = view.closes_at_ms - (openedAtMs ?? serverMs)
  return whole > 0 ? Math.min(1, Math.max(0, (view.closes_at_ms - serverMs) / whole)) : 0
}

type Text = { title: string; detail: string }
const plain = (kind: StatusKind): Text => ({
  title: t(`band.${kind}` as Key),
  detail: t(`band.${kind}_detail` as Key),
})

const open = ({ view }: Showing, seconds: number | null): Text => ({
  title: t('band.open'),
  detail: view?.spun
    ? t('band.spinning')
    : seconds === null
      ? t('band.open_detail')
      : t('band.closes_in', { count: seconds }),
})

const TEXTS: Partial<Record<StatusKind, (showing: Showing, seconds: number | null) => Text>> = {
  open,
  closing: open,
  closed: ({ view }) => ({
    title: t('band.closed'),
    detail: t('band.wagers_registered', { count: view?.wager_count ?? 0 }),
  }),
  spinning: ({ view }) => ({
    title: t('band.spinning'),
    detail: t('band.round', { round: words.round(view?.round ?? 0) }),
  }),
  outcome: ({ view, layout }) => outcome(view, layout),
  settled: ({ view, layout, totals }) => {
    const said = outcome(view, layout)
    return totals.stake_cents ? { ...said, detail: settledDetail(totals) } : said
  },
  void: ({ view, totals }) => {
    const { reason, clause } = reasonAndClause(view?.standing ?? '')
    return {
      title: reason ? t('band.void', { reason: reasonOf(reason) }) : t('band.void_plain'),
      detail: withClause(
        totals.returned_cents
          ? t('band.void_returned', { sum: words.money(totals.returned_cents) })
          : t('band.void_detail'),
        clause,
      ),
    }
  },
  held: ({ view }) => {
    const { reason, clause } = reasonAndClause(view?.standing ?? '')
    return { title: t('band.held'), detail: withClause(t('band.held_detail', { reason: reasonOf(reason) }), clause) }
  },
  disconnected: ({ view, pending }) => ({
    title: t('band.disconnected'),
    detail: t('band.disconnected_detail', {
      registered: view?.wager_count ?? 0,
      pending: pending.length,
    }),
  }),
  ended: ({ endedBecause }) => ({ title: t('band.ended'), detail: because(endedBecause) }),
}

function outcome(view: TableView | null, layout: Layout | null): Text {
  const number = view?.winning_number ?? ''
  const colour = view?.colour ?? 'green'
  return {
    title: outcomeName(number, colour),
    detail: layout ? sectionsOf(layout, number, view) : colourName(colour),
  }
}

const SECTIONS = ['odd', 'even', 'low', 'high', 'dozen', 'column', 'green']

/** What else the number is, in the words of the felt: `Odd · 1–18 · 2nd 12 · column 2`. */
export function sectionsOf(layout: Layout, number: string, view: TableView | null): string {
  const said = layout.shown.areas
    .filter((area) => SECTIONS.includes(area.type) && area.numbers.includes(number))
    .sort((one, other) => SECTIONS.indexOf(one.type) - SECTIONS.indexOf(other.type))
    .map((area) => t(`felt.${area.area.replace(':', '_')}` as Key))
  if (view?.super_bonus.includes(number)) said.push(t('bonus.super_number'))
  else if (view?.bonus.includes(number)) said.push(t('bonus.number'))
  return said.join(' · ')
}

/** `Staked 305.00 · returned 110.00 · net +1,000.00`. */
export function settledDetail(totals: Totals): string {
  return t('band.settled_detail', {
    staked: words.money(totals.stake_cents),
    returned: words.money(totals.returned_cents),
    net: words.signed(totals.net_cents),
  })
}
