/** A band for every state of a table, from a table made up for it. */
import type { Layout } from '../../shared/layout'
import type { TableView } from '../../generated/schema'
import { statusOf, type Showing, type Status } from '../../shared/status'

const NOW = 1_700_000_000_000

const VIEW: TableView = {
  table: 'table 3',
  game: 'mbs-complete-bet-v2',
  title: 'Roulette Complete Bet',
  document: 'Roulette Complete Bet (MBS) v2',
  is_open: true,
  interrupted: false,
  ball_stated: null,
  virtual_wheel: true,
  wheel: 'virtual',
  lights: null,
  round: 20_461,
  phase: 'betting',
  standing: null,
  closes_at_ms: NOW + 18_000,
  countdown_seconds: 30,
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
  limits: [],
  next_limits: null,
  settings: [],
  chips: [],
  dealer: null,
  wagers: [],
  settled: [],
  stake_cents: 30_500,
  wager_count: 9,
  terminals: 8,
  terminals_lost: [],
  notices: [],
  colours: {},
  history: [],
}
const NOTHING = { stake_cents: 0, paid_cents: 0, returned_cents: 0, collected_cents: 0, net_cents: 0 }
const WON = {
  stake_cents: 30_500,
  paid_cents: 119_500,
  returned_cents: 11_000,
  collected_cents: 19_500,
  net_cents: 100_000,
}
const OUTCOME = { winning_number: '17', colour: 'black', closes_at_ms: null } as const

const STATES: [Partial<TableView>, Partial<Showing>][] = [
  [{}, {}],
  [{ closes_at_ms: NOW + 3_500 }, {}],
  [{ phase: 'closed', closes_at_ms: null }, { closedAtMs: NOW }],
  [{ phase: 'closed', spun: true, closes_at_ms: null }, { closedAtMs: NOW - 9_000 }],
  [{ phase: 'decided', ...OUTCOME }, {}],
  [{ phase: 'ended', ...OUTCOME }, { totals: WON }],
  [
    { phase: 'void', standing: 'the ball made too few revolutions [5.3]', closes_at_ms: null },
    { totals: { ...NOTHING, returned_cents: 30_500 } },
  ],
  [{ phase: 'held', standing: 'something happened that the rules do not cover [6.2]', closes_at_ms: null }, {}],
  [{ interrupted: true }, {}],
  [{}, { connection: 'lost', pending: [1] }],
  [{ phase: 'awaiting', closes_at_ms: null }, {}],
  [{ is_open: false }, {}],
]

export function sampleStates(layout: Layout): Status[] {
  return STATES.map(([view, showing]) =>
    statusOf({
      view: { ...VIEW, ...view },
      layout,
      connection: 'connected',
      endedBecause: null,
      serverMs: NOW,
      openedAtMs: NOW - 12_000,
      closedAtMs: null,
      totals: NOTHING,
      pending: [],
      ...showing,
    }),
  )
}
