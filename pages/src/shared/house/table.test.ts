import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { SeatView, StaffView, TableView, WagerView } from '../../generated/schema'
import { TableStore } from './table.svelte'

vi.mock('./api', async (original) => ({ ...(await original<object>()), layoutOf: () => new Promise(() => {}) }))

const wager = (id: string, cents: number): WagerView => ({
  id,
  player: 'Anna',
  wager: 'red',
  stake_cents: cents,
  pieces: [['red', cents]],
  registered: true,
  terminal: 'terminal 4',
  unclear: false,
  under_minimum: [],
})
const VIEW = {
  game: 'mbs-roulette-v3',
  round: 7,
  status: 'betting',
  colours: {},
  history: [{ round: 6, number: '3', colour: 'red', bonus: [] }],
} as unknown as TableView
const SEAT = { credit_cents: 5_000, wagers: [wager('a', 500)], settled: [] } as unknown as SeatView
const STAFF = { keyed: null, terminals_lost: [], wagers: [wager('a', 500)], settled: [] } as unknown as StaffView

let store: TableStore
let says: (message: object) => void

beforeEach(() => {
  vi.stubGlobal('location', { protocol: 'http:', host: 'house' })
  vi.stubGlobal('sessionStorage', { getItem: () => null, setItem: () => {}, removeItem: () => {} })
  const socket = { readyState: 1, send: () => {}, close: () => {} } as unknown as WebSocket
  store = new TableStore({ table: 'table 1', open: () => socket })
  store.start()
  says = (message) =>
    socket.onmessage?.({ data: JSON.stringify({ at_ms: Date.now(), sequence: 1, ...message }) } as MessageEvent)
  says({ type: 'snapshot', currency: 'SGD', money: 'real', view: VIEW, stakes: null, seat: SEAT, staff: null })
})
afterEach(() => {
  store.stop()
  vi.unstubAllGlobals()
})

describe('a table', () => {
  test('is what the house says, field by field', () => {
    says({ type: 'update', happened: [], view: { status: 'settled', round: 8 }, rounds: [], staff: null })

    expect(store.view).toEqual({ ...VIEW, status: 'settled', round: 8 })
    expect(store.connection).toBe('connected')
  })

  test('keeps past rounds by their number: new ones come last, corrected ones stay in place', () => {
    const corrected = { round: 6, number: '20', colour: 'black', bonus: [] }
    const latest = { round: 7, number: '0', colour: 'green', bonus: [] }

    says({ type: 'update', happened: [], view: {}, rounds: [corrected, latest], staff: null })

    expect(store.view?.history).toEqual([corrected, latest])
  })

  test('has the own wagers by their id', () => {
    says({
      type: 'seat',
      happened: [],
      seat: { credit_cents: 4_000 },
      wagers: [wager('a', 700), wager('b', 300)],
      gone: [],
    })
    expect(store.seat?.credit_cents).toBe(4_000)
    expect(store.wagers.map(({ id, stake_cents }) => [id, stake_cents])).toEqual([
      ['a', 700],
      ['b', 300],
    ])

    says({ type: 'answer', id: 'x', registered: true, refusal: null, seat: null, wagers: [], gone: ['a'], sequence: 2 })
    expect(store.wagers.map(({ id }) => id)).toEqual(['b'])
  })

  test('is not changed by a first answer that is sent again', () => {
    says({
      type: 'answer',
      id: 'x',
      registered: true,
      refusal: null,
      seat: null,
      wagers: [wager('z', 900)],
      gone: ['a'],
      sequence: 1,
    })

    expect(store.wagers.map(({ id }) => id)).toEqual(['a'])
  })

  test('shows the staff everybody’s wagers and what is keyed', () => {
    const stakes = { stake_cents: 500, wager_count: 1, terminals: 3 }
    says({ type: 'snapshot', currency: 'SGD', money: 'real', view: VIEW, stakes, seat: null, staff: STAFF })

    says({ type: 'stakes', stakes: { ...stakes, wager_count: 2 }, wagers: [wager('b', 300)], gone: [] })
    expect(store.stakes?.wager_count).toBe(2)
    expect(store.wagers).toHaveLength(2)

    says({ type: 'update', happened: [], view: {}, rounds: [], staff: { keyed: '17', wagers: [] } })
    expect(store.staff).toMatchObject({ keyed: '17', wagers: [] })
  })

  test('shows what a settlement paid on the chips', () => {
    const piece = {
      area: 'red',
      stake_cents: 500,
      paid_cents: 500,
      collected_cents: 0,
      returned_cents: 500,
      clause: '4.1',
    }
    const settled = [{ ...wager('a', 500), paid_cents: 500, collected_cents: 0, returned_cents: 500, pieces: [piece] }]

    says({ type: 'seat', happened: [], seat: { settled }, wagers: [], gone: [] })

    expect(store.chips).toEqual([{ area: 'red', cents: 500, state: 'won', paidCents: 500 }])
  })
})
