import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { SeatView, TableView } from '../../generated/schema'
import { BallMotion } from './ballMotion'
import type { Layout } from '../felt/layout'
import { Reveal, spinOf } from './reveal.svelte'
import { TableStore } from '../house/table.svelte'

vi.mock('../house/api', async (original) => ({ ...(await original<object>()), layoutOf: () => new Promise(() => {}) }))

const LAYOUT = { shown: { draws_bonus_numbers: false }, ring: ['0', '32', '15', '19', '4'] } as unknown as Layout
const [SPUN_MS, SAID_MS] = [1_000_000, 1_007_000]

function ball(winningNumber: string | null, heardMs?: number): BallMotion {
  const steps = [
    { step: 'spin', at_ms: SPUN_MS },
    { step: 'outcome', at_ms: winningNumber === null ? null : SAID_MS },
  ]
  const view = {
    table: 'virtual',
    round: 3,
    virtual_wheel: true,
    spun: true,
    status: 'spinning',
    winning_number: winningNumber,
    steps,
  }
  return new BallMotion(spinOf(view as unknown as TableView, LAYOUT, heardMs)!)
}

test('a page that hears of the outcome half a second late has its ball where all others have it', () => {
  for (let late = 0; late <= 500; late += 20)
    expect(ball('15').at(SAID_MS + late)).toEqual(ball(null).at(SAID_MS + late))
  expect(ball('15').at(SAID_MS + 1_000)).not.toEqual(ball(null).at(SAID_MS + 1_000))
})

test('a page that hears of the outcome later lets its ball roll on from where it is, and shows the same compartment', () => {
  for (let late = 520; late <= 4_000; late += 20) {
    const [rolls, slows] = [ball(null), ball('15', SAID_MS + late)]
    expect(slows.at(SAID_MS + late - 1)).toEqual(rolls.at(SAID_MS + late - 1))
    expect(slows.at(SAID_MS + late).angle).toBeCloseTo(rolls.at(SAID_MS + late).angle)
    const after = SAID_MS + 30_000
    expect(slows.at(after).angle).toBeCloseTo(ball('15').at(after).angle)
  }
})

describe('a page that comes', () => {
  const STEPS = [
    { step: 'spin', state: 'done', at_ms: SPUN_MS },
    { step: 'outcome', state: 'done', at_ms: SAID_MS },
    { step: 'settle', state: 'done', at_ms: SAID_MS + 10 },
  ]
  const PAST = { round: 2, number: '4', colour: 'black', bonus: [] }
  const VIEW = {
    table: 'virtual',
    game: 'game',
    round: 3,
    virtual_wheel: true,
    spun: true,
    lit: [],
    steps: STEPS,
    phase: 'ended',
    status: 'settled',
    winning_number: '15',
    at_rest: '15',
    colour: 'black',
    sections: ['odd'],
    history: [PAST, { round: 3, number: '15', colour: 'black', bonus: [] }],
  } as unknown as TableView
  const SEAT = {
    credit_cents: 1_400,
    wagers: [],
    settled: [{ id: 'a' }],
    totals: { stake_cents: 500, paid_cents: 500, returned_cents: 500, collected_cents: 0, net_cents: 500 },
    session: { staked_cents: 500, paid_cents: 500, net_cents: 500, lost_today_cents: 0 },
  } as unknown as SeatView
  const REST_MS = ball('15').restMs!
  let store: TableStore
  let reveal: Reveal

  /** The house's first message to this page at this time; then its layout. */
  function comes(ms: number): void {
    vi.setSystemTime(ms)
    const socket = { readyState: 1, send: () => {}, close: () => {} } as unknown as WebSocket
    store = new TableStore({ table: 'virtual', open: () => socket })
    reveal = new Reveal(store)
    store.onheard = () => reveal.hear()
    store.start()
    const snapshot = {
      type: 'snapshot',
      at_ms: ms,
      sequence: 1,
      currency: 'SGD',
      money: 'real',
      view: VIEW,
      stakes: null,
      seat: SEAT,
      staff: null,
    }
    socket.onmessage?.({ data: JSON.stringify(snapshot) } as MessageEvent)
  }

  function laid(): void {
    store.layout = LAYOUT
    store.onlayout()
  }

  beforeEach(() => {
    vi.useFakeTimers()
    vi.stubGlobal('location', { protocol: 'http:', host: 'house' })
    vi.stubGlobal('sessionStorage', { getItem: () => null, setItem: () => {}, removeItem: () => {} })
  })
  afterEach(() => {
    store.stop()
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })

  test.each([false, true])('while the ball runs tells no outcome before it lies (little motion: %s)', (still) => {
    vi.stubGlobal('matchMedia', () => ({ matches: still }))
    comes(SAID_MS + 2_000)
    laid()

    expect(reveal.isHeld).toBe(true)
    expect(JSON.stringify([reveal.view, reveal.seat])).not.toContain('15')
    expect(reveal.view).toMatchObject({ status: 'spinning', phase: 'closed', takes_wagers: false, history: [PAST] })
    expect(reveal.seat).toMatchObject({ credit_cents: 400, settled: [], totals: null, session: { net_cents: 0 } })
    expect(reveal.tells(VIEW.history)).toBe(true)
    expect(new BallMotion(reveal.spin!).at(SAID_MS + 3_000)).toEqual(ball('15').at(SAID_MS + 3_000))

    vi.advanceTimersByTime(REST_MS + 100 - SAID_MS - 2_000)
    expect(reveal.isHeld).toBe(true)
    vi.advanceTimersByTime(100)
    expect(reveal.view).toEqual(VIEW)
    expect(reveal.seat).toEqual(SEAT)
    expect(reveal.tells(VIEW.history)).toBe(false)
  })

  test('when the ball lies is told at once; before the layout is there, nothing is known of that', () => {
    comes(REST_MS + 200)
    expect(reveal.isHeld).toBe(true)
    laid()
    expect(reveal.view).toEqual(VIEW)
  })

  test('long after is told without waiting for anything', () => {
    comes(SAID_MS + 60_000)
    expect(reveal.view).toEqual(VIEW)
  })
})

test('a ball is on the rim, leaves it, is in the compartments and at rest', () => {
  const { leavesRimMs, fretsMs, restMs } = ball('15').times!
  const times = [SPUN_MS, leavesRimMs - 1, leavesRimMs, fretsMs[0]! - 1, fretsMs[0]!, restMs - 1, restMs]

  expect(times.map((ms) => ball('15').phaseAt(ms))).toEqual([
    'rim',
    'rim',
    'leaving',
    'leaving',
    'compartments',
    'compartments',
    'rest',
  ])
  expect(ball(null).phaseAt(restMs)).toBe('rim')
})
