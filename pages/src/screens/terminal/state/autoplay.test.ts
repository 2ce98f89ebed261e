import { beforeEach, expect, test } from 'vitest'
import type { SeatView, TableView } from '../../../generated/schema'
import { Autoplay, type Moment } from './autoplay.svelte'

const RED = [{ wager: 'red', stake_cents: 500 }]
let moment: Moment
let placed: number[]
let takes: boolean
let autoplay: Autoplay

function now(view: Partial<TableView>, seat: Partial<SeatView> = {}, other: Partial<Moment> = {}): void {
  moment = {
    ...moment,
    ...other,
    view: { ...moment.view, ...view } as TableView,
    seat: { ...moment.seat, ...seat } as SeatView,
  }
  autoplay.follow()
}

/** A round from its opening to its settlement, with the session's result. */
async function play(round: number, net: number): Promise<void> {
  now({ round, takes_wagers: true, status: 'betting' }, { settled: [], wagers: [], stake_cents: 0 })
  await Promise.resolve()
  if (placed.at(-1) === round) now({}, { wagers: [{}] as SeatView['wagers'], stake_cents: 500 })
  now({ takes_wagers: false, status: 'spinning' })
  const session = { net_cents: net } as SeatView['session']
  now({ status: 'settled' }, { settled: [{}] as SeatView['settled'], session })
}

beforeEach(() => {
  placed = []
  takes = true
  moment = {
    view: { round: 1, takes_wagers: false, status: 'settled', interrupted: false } as TableView,
    seat: { session: { net_cents: 0 }, settled: [], wagers: [], stake_cents: 0 } as unknown as SeatView,
    connection: 'connected',
    isHeld: false,
    isWaiting: false,
    changes: 0,
    isPauseDue: false,
  }
  autoplay = new Autoplay(
    () => (placed.push(moment.view!.round), Promise.resolve(takes)),
    () => moment,
  )
})

test('it plays as many rounds as it was told, each once', async () => {
  autoplay.start(RED, { rounds: 2, lossCents: null, winCents: null })
  for (const round of [2, 3, 4]) await play(round, 0)

  expect(placed).toEqual([2, 3])
  expect([autoplay.isOn, autoplay.stopped]).toEqual([false, 'rounds'])
})

test('it never stakes what could lose more than was set', async () => {
  autoplay.start(RED, { rounds: 50, lossCents: 1_200, winCents: null })
  for (const [k, round] of [2, 3, 4].entries()) await play(round, -500 * (k + 1))

  expect(placed).toEqual([2, 3])
  expect(autoplay.stopped).toBe('loss')
})

test('it stops when enough is won', async () => {
  autoplay.start(RED, { rounds: 50, lossCents: null, winCents: 500 })
  for (const round of [2, 3]) await play(round, 500)

  expect(placed).toEqual([2])
  expect(autoplay.stopped).toBe('win')
})

test('it stops at once for a refusal', async () => {
  takes = false
  autoplay.start(RED, { rounds: 5, lossCents: null, winCents: null })
  await play(2, 0)

  expect(autoplay.stopped).toBe('refused')
})

test.each<[string, () => void]>([
  ['interrupted', () => now({ status: 'held' })],
  ['interrupted', () => now({ status: 'void' })],
  ['interrupted', () => now({ interrupted: true })],
  ['connection', () => now({}, {}, { connection: 'lost' })],
  ['change', () => now({}, {}, { changes: 1 })],
  ['pause', () => now({}, {}, { isPauseDue: true })],
  ['player', () => autoplay.stop('player')],
])('it stops at once: %s', (reason, happens) => {
  autoplay.start(RED, { rounds: 5, lossCents: null, winCents: null })
  happens()
  now({ round: 2, takes_wagers: true, status: 'betting', interrupted: false }, {}, { connection: 'connected' })

  expect([autoplay.stopped, placed]).toEqual([reason, []])
})

test('chips that lie there already are those of the first round', async () => {
  now({ round: 2, takes_wagers: true, status: 'betting' }, { wagers: [{}] as SeatView['wagers'], stake_cents: 500 })
  autoplay.start(RED, { rounds: 2, lossCents: null, winCents: null })
  expect([autoplay.left, placed]).toEqual([1, []])
  now({ takes_wagers: false, status: 'settled' }, { settled: [{}] as SeatView['settled'] })
  await play(3, 0)

  expect(placed).toEqual([3])
  expect(autoplay.stopped).toBe('rounds')
})
