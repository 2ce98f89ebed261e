/**
 * A table's view, brought forward by what the house says; pure.
 *
 * Nothing is judged here. An event that says too little to bring the view forward is
 * answered with `null`: a fresh snapshot is needed.
 */
import type { Changed, LimitsView, SettledWagerView, Stakes, TableEvent, TableView, WagerView } from '../generated/schema'
import type { PieceCents } from './chips'
import type { Colour } from './layout'

export interface Printed {
  colourOf(number: string): Colour
  links: readonly (readonly string[])[]
}
type Fields = Record<string, unknown>
type Step = (view: TableView, fields: Fields, printed: Printed) => Partial<TableView> | null

const HISTORY = 200

const needsSnapshot: Step = () => null
const announced: Step = (_, { number }, printed) => ({
  phase: 'decided',
  winning_number: number as string,
  colour: printed.colourOf(number as string),
  keyed: null,
})
const stands =
  (phase: 'void' | 'held'): Step =>
  (_, { reason, clause }) => ({
    phase,
    standing: `${reason as string} [${(clause as { number: string }).number}]`,
    closes_at_ms: null,
  })

const STEPS: Record<string, Step> = {
  RoundBegun: (view, { round_number }) => ({
    round: round_number as number,
    phase: 'awaiting',
    standing: null,
    closes_at_ms: null,
    spun: false,
    dropped: false,
    at_rest: null,
    keyed: null,
    lights_confirmed: false,
    lit: [],
    winning_number: null,
    colour: null,
    bonus: [],
    super_bonus: [],
    limits: view.next_limits ?? view.limits,
    next_limits: null,
    wagers: [],
    settled: [],
    stake_cents: 0,
    wager_count: 0,
  }),
  PlaceYourBetsAnnounced: () => ({ phase: 'betting' }),
  NoMoreBetsAnnounced: () => ({ phase: 'closed', closes_at_ms: null }),
  BallSpun: () => ({ spun: true }),
  BallDropped: () => ({ dropped: true }),
  BallAtRest: (_, { number }) => ({ at_rest: number as string }),
  BonusNumbersDrawn: (_, { numbers }, printed) => {
    const bonus = numbers as string[]
    const whole = printed.links.filter((link) => link.every((each) => bonus.includes(each)))
    return { bonus, super_bonus: whole.flat() }
  },
  OutcomeAnnounced: announced,
  OutcomeDecided: announced,
  RoundVoided: stands('void'),
  RoundHeld: stands('held'),
  RoundSettled: (view, fields, printed) => settled(view, fields, printed),
  TableInterrupted: () => ({ interrupted: true, closes_at_ms: null }),
  BallStated: (_, { at_rest }) => ({ ball_stated: (at_rest as string | null) ?? 'nowhere' }),
  BallConfirmed: () => ({ interrupted: false, ball_stated: null }),
  LightReported: (view, { number }) => ({ lit: [...new Set([...view.lit, number as string])] }),
  LightsConfirmed: () => ({ lights_confirmed: true }),
  TableClosed: () => ({ is_open: false }),
  WagerPlaced: (view, fields) => ({ wagers: withWager(view.wagers, placed(fields)) }),
  WagerIncreased: (view, fields) => increased(view, fields),
  WagerWithdrawn: (view, { wager_id }) => ({
    wagers: view.wagers.filter((each) => each.id !== wager_id),
  }),
  ColourIssued: (view, { colour, player, value_cents }) => ({
    colours: { ...view.colours, [colour as string]: [player as string, value_cents as number] },
  }),
  ColourReturned: (view, { colour }) => ({
    colours: Object.fromEntries(
      Object.entries(view.colours).filter(([each]) => each !== colour),
    ),
  }),
  TableOpened: needsSnapshot,
  TermsChanged: needsSnapshot,
  OutcomeCorrected: needsSnapshot,
  WagerRuled: needsSnapshot,
  WagerMarkedUnclear: needsSnapshot,
}

/** The view after an event; `null`: only a snapshot can tell. */
export function foldEvent(
  view: TableView,
  message: TableEvent,
  printed: Printed,
): TableView | null {
  const step = STEPS[message.event]
  if (!step) return view
  const change = step(view, message.fields, printed)
  return change && { ...view, ...change }
}

export function foldChanged(view: TableView, message: Changed): TableView {
  const { closes_at_ms, keyed, notices, lit, lights_confirmed, dealer } = message
  return { ...view, closes_at_ms, keyed, notices, lit, lights_confirmed, dealer }
}

export function foldStakes(view: TableView, message: Stakes): TableView {
  const { stake_cents, wager_count, terminals, terminals_lost } = message
  const wagers = foldWagers(view.wagers, message.wagers)
  return { ...view, wagers, stake_cents, wager_count, terminals, terminals_lost }
}

/** Wagers as they lie now; one without pieces is gone. */
export function foldWagers(lying: WagerView[], changed: readonly WagerView[]): WagerView[] {
  if (!changed.length) return lying
  const byId = new Map(lying.map((each) => [each.id, each]))
  for (const each of changed) {
    if (each.pieces.length) byId.set(each.id, each)
    else byId.delete(each.id)
  }
  return [...byId.values()]
}

function withWager(lying: WagerView[], wager: WagerView): WagerView[] {
  return foldWagers(lying, [wager])
}

function placed(fields: Fields): WagerView {
  const pieces = fields.pieces as { area: string; cents: number }[]
  return {
    id: fields.wager_id as string,
    player: fields.player as string,
    wager: fields.wager as string,
    stake_cents: pieces.reduce((sum, piece) => sum + piece.cents, 0),
    pieces: pieces.map(({ area, cents }): PieceCents => [area, cents]),
    registered: fields.registered as boolean,
    terminal: fields.terminal as string | null,
    unclear: false,
    under_minimum: [],
  }
}

function increased(view: TableView, fields: Fields): Partial<TableView> | null {
  const wager = view.wagers.find((each) => each.id === fields.wager_id)
  if (!wager) return null
  const more = fields.piece_cents as number
  const pieces = wager.pieces.map(([area, cents]): PieceCents => [area, cents + more])
  const stake_cents = wager.stake_cents + more * pieces.length
  return { wagers: withWager(view.wagers, { ...wager, pieces, stake_cents }) }
}

function settled(view: TableView, fields: Fields, printed: Printed): Partial<TableView> {
  const number = fields.winning_number as string | null
  const colour = number === null ? null : printed.colourOf(number)
  const past = { round: view.round, number, colour, bonus: view.bonus }
  const before = view.history.filter((each) => each.round !== view.round)
  return {
    phase: 'ended',
    winning_number: number,
    colour,
    settled: fields.wagers as SettledWagerView[],
    history: [...before, past].slice(-HISTORY),
  }
}

export interface Totals {
  stake_cents: number
  paid_cents: number
  returned_cents: number
  collected_cents: number
  /** Paid less collected: a win only where it is above nothing. */
  net_cents: number
}

/** What a settlement came to, as the house says it piece by piece. */
export function totalsOf(wagers: readonly SettledWagerView[]): Totals {
  const totals = {
    stake_cents: 0,
    paid_cents: 0,
    returned_cents: 0,
    collected_cents: 0,
    net_cents: 0,
  }
  for (const each of wagers) {
    totals.stake_cents += each.stake_cents
    totals.paid_cents += each.paid_cents
    totals.returned_cents += each.returned_cents
    totals.collected_cents += each.collected_cents
  }
  totals.net_cents = totals.paid_cents - totals.collected_cents
  return totals
}

export function limitOf(
  limits: readonly LimitsView[],
  wagerType: string,
): LimitsView | undefined {
  return limits.find((each) => each.wager_type === wagerType)
}
