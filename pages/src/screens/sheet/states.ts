/** A band for every state of a table, from a table made up for it. */
import type { SeatView, StatedReason, TableView, TotalsView } from '../../generated/schema'
import { statusOf, type Showing, type Status } from '../../shared/words/status'

const NOW = 1_700_000_000_000

const VIEW: TableView = {
  table: 'table 3',
  game: 'mbs-complete-bet-v2',
  title: 'Roulette Complete Bet',
  document: 'Roulette Complete Bet (MBS) v2',
  is_open: true,
  interrupted: false,
  virtual_wheel: true,
  wheel: 'virtual',
  lights: null,
  round: 20_461,
  phase: 'betting',
  status: 'betting',
  status_since_ms: null,
  takes_wagers: true,
  steps: [],
  standing: null,
  opened_at_ms: NOW - 12_000,
  closes_at_ms: NOW + 18_000,
  closed_at_ms: null,
  countdown_seconds: 30,
  spun: false,
  dropped: false,
  at_rest: null,
  lights_confirmed: false,
  lit: [],
  winning_number: null,
  colour: null,
  sections: [],
  bonus_status: null,
  bonus: [],
  super_bonus: [],
  limits: [],
  next_limits: null,
  settings: [],
  chips: [],
  dealer: null,
  colours: {},
  history: [],
  video: null,
  automatic_dealer: true,
  next_round: null,
}
const NOTHING = { stake_cents: 0, paid_cents: 0, returned_cents: 0, collected_cents: 0, net_cents: 0 }
const WON = {
  stake_cents: 30_500,
  paid_cents: 119_500,
  returned_cents: 11_000,
  collected_cents: 19_500,
  net_cents: 100_000,
}
const OUTCOME = { winning_number: '17', colour: 'black', sections: ['odd', 'low', 'dozen:2', 'column:2'] } as const
const stands = (code: string, text: string, clause: string): StatedReason => ({
  text,
  reason: { code, values: {} },
  clause,
})
const seated = (totals: TotalsView): Partial<Showing> => ({ seat: { wagers: [], totals } as unknown as SeatView })

const STATES: [Partial<TableView>, Partial<Showing>][] = [
  [{}, {}],
  [{ closes_at_ms: NOW + 3_500 }, {}],
  [{ status: 'closed' }, {}],
  [{ status: 'spinning', closed_at_ms: NOW - 9_000 }, {}],
  [{ status: 'outcome', ...OUTCOME, sections: [...OUTCOME.sections] }, {}],
  [{ status: 'settled', ...OUTCOME, sections: [...OUTCOME.sections] }, seated(WON)],
  [
    { status: 'void', standing: stands('fewer_than_four_revolutions', 'the ball made too few revolutions', '5.3') },
    seated({ ...NOTHING, returned_cents: 30_500 }),
  ],
  [{ status: 'held', standing: stands('unlisted', 'something happened that the rules do not cover', '6.2') }, {}],
  [{ status: 'interrupted' }, {}],
  [{}, { connection: 'lost', pending: [1] }],
  [{ status: 'awaiting' }, {}],
  [{ status: 'shut' }, {}],
]

export function sampleStates(): Status[] {
  return STATES.map(([view, showing]) =>
    statusOf({
      view: { ...VIEW, ...view },
      seat: null,
      stakes: { stake_cents: 30_500, wager_count: 9, terminals: 8 },
      connection: 'connected',
      endedBecause: null,
      serverMs: NOW,
      pending: [],
      ...showing,
    }),
  )
}
