import { beforeEach, expect, test, vi } from 'vitest'
import type { FromHouse, SeatView, SettledWagerView, TableView } from '../../../generated/schema'
import type { TableStore } from '../../../shared/house/table.svelte'
import { PlayRecord } from './playRecord.svelte'

const settled = (paid: number): SettledWagerView => ({
  id: 'a',
  player: 'T1',
  wager: 'straight_up:17',
  stake_cents: 500,
  paid_cents: paid,
  collected_cents: paid ? 0 : 500,
  returned_cents: paid ? 500 : 0,
  pieces: [
    {
      area: 'straight_up:17',
      stake_cents: 500,
      paid_cents: paid,
      collected_cents: paid ? 0 : 500,
      returned_cents: paid ? 500 : 0,
      clause: '4.1',
    },
  ],
})
const totals = (paid: number) => ({
  stake_cents: 500,
  paid_cents: paid,
  collected_cents: paid ? 0 : 500,
  returned_cents: paid ? 500 : 0,
  net_cents: paid || -500,
})
const corrected = (from: string, to: string) => ({
  event: 'OutcomeCorrected',
  round: 7,
  sequence: 30,
  at_ms: 5,
  fields: { number: from, corrected_to: to, clause: { document: 'Triple Zero', number: '5.5' }, because: 'misread' },
})

let store: { view: TableView; seat: SeatView; exactMs: number }
let record: PlayRecord
let kept: Record<string, string>
let sequence: number

function hear(
  type: string,
  changed: { seat?: Partial<SeatView>; view?: Partial<TableView>; happened?: object[]; wagers?: object[] },
): void {
  store.view = { ...store.view, ...changed.view }
  store.seat = { ...store.seat, ...changed.seat }
  record.hear({
    type,
    sequence,
    at_ms: 5,
    happened: changed.happened ?? [],
    wagers: changed.wagers ?? [],
    gone: [],
  } as unknown as FromHouse)
}

beforeEach(() => {
  kept = {}
  sequence = 20
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => kept[name] ?? null,
    setItem: (name: string, text: string) => (kept[name] = text),
  })
  store = {
    view: { round: 7, winning_number: null, history: [] } as unknown as TableView,
    seat: { credit_cents: 10_000, session: { began_ms: 1 }, settled: [], totals: null } as unknown as SeatView,
    exactMs: 4,
  }
  record = new PlayRecord(store as unknown as TableStore, 'table 1')
  hear('snapshot', {})
})

function settleRound(): void {
  hear('seat', { seat: { credit_cents: 9_500 }, wagers: [{}] })
  hear('update', { view: { winning_number: '17' } })
  hear('seat', { seat: { credit_cents: 27_500, settled: [settled(17_500)], totals: totals(17_500) } })
  hear('update', {})
}

test('own acts and the settlement of a round are no changes to explain', () => {
  settleRound()

  expect(record.changes).toEqual([])
  expect(record.last).toMatchObject({ round: 7, number: '17', totals: totals(17_500) })
})

test('a correction of the round just settled says what, why, by which clause, before and after', () => {
  settleRound()
  hear('seat', { seat: { credit_cents: 9_500, settled: [settled(0)], totals: totals(0) } })
  hear('update', { view: { winning_number: '18' }, happened: [corrected('17', '18')] })

  expect(record.unseen).toMatchObject([
    {
      event: 'OutcomeCorrected',
      round: 7,
      numbers: ['17', '18'],
      clause: '5.5',
      because: 'misread',
      before_cents: 27_500,
      after_cents: 9_500,
    },
  ])
  expect(record.last).toMatchObject({ number: '18', totals: { net_cents: -500 } })
})

test('a correction of a past round changes what was recorded of it', () => {
  settleRound()
  hear('update', { view: { round: 8, winning_number: null }, seat: { settled: [], totals: null } })
  const resettled = {
    event: 'RoundSettled',
    round: 7,
    sequence: 31,
    at_ms: 5,
    fields: { winning_number: '18', wagers: [settled(0)] },
  }
  hear('seat', { seat: { credit_cents: 9_500 }, happened: [resettled] })
  hear('update', { happened: [corrected('17', '18'), resettled] })

  expect(record.rounds).toMatchObject([{ round: 7, number: '18', totals: totals(0) }])
  expect(record.unseen).toHaveLength(1)
})

test('a change by the staff is shown at once, also without an explanation', () => {
  hear('seat', {
    seat: { credit_cents: 12_000 },
    happened: [
      {
        event: 'Adjusted',
        round: 7,
        sequence: 9,
        at_ms: 5,
        fields: { cents: 2_000, reason: 'a mistake at the cashier' },
      },
    ],
  })
  hear('seat', { seat: { credit_cents: 11_000 } })
  hear('update', {})

  expect(record.changes).toMatchObject([
    { event: 'Adjusted', because: 'a mistake at the cashier', before_cents: 10_000, after_cents: 12_000 },
    { event: null, before_cents: 12_000, after_cents: 11_000 },
  ])
})

test('who was away hears from the house what changed, why and by which clause', async () => {
  const why = {
    sequence: 30,
    event: 'OutcomeCorrected',
    round: 7,
    at_ms: 9,
    clause: '5.5',
    because: 'misread',
    reason: null,
    number_before: '17',
    number_after: '18',
    before_cents: 27_500,
    after_cents: 9_500,
  }
  const bought = {
    ...why,
    sequence: 33,
    event: 'BoughtIn',
    clause: null,
    because: '',
    number_before: null,
    number_after: null,
    before_cents: 9_500,
    after_cents: 10_500,
  }
  const asked: number[] = []
  const since = (sequence: number) => (asked.push(sequence), Promise.resolve([why, bought]))
  record = new PlayRecord(store as unknown as TableStore, 'table 1', since)
  hear('snapshot', {})
  settleRound()
  sequence = 40
  hear('snapshot', {
    seat: { credit_cents: 10_500, settled: [], totals: null },
    view: { round: 8, winning_number: null },
  })
  await Promise.resolve()

  expect(asked).toEqual([20])
  expect(record.unseen).toMatchObject([
    { event: 'BoughtIn', before_cents: 9_500, after_cents: 10_500, numbers: null },
    {
      round: 7,
      clause: '5.5',
      because: 'misread',
      at_ms: 9,
      numbers: ['17', '18'],
      before_cents: 27_500,
      after_cents: 9_500,
    },
  ])
  expect(record.last).toMatchObject({ round: 7, number: '18' })
})

test('a round that was settled or returned while away is told, unless it is still on the layout', async () => {
  const settledThen = {
    sequence: 30,
    event: 'RoundSettled',
    round: 7,
    at_ms: 9,
    clause: null,
    because: '',
    reason: null,
    number_before: null,
    number_after: '17',
    before_cents: 9_500,
    after_cents: 27_500,
  }
  const returned = { ...settledThen, sequence: 35, round: 8, clause: '5.3', number_after: null }
  record = new PlayRecord(store as unknown as TableStore, 'table 1', () => Promise.resolve([settledThen, returned]))
  hear('snapshot', {})
  sequence = 40
  hear('snapshot', { seat: { credit_cents: 27_500 }, view: { round: 8 } })
  await Promise.resolve()

  expect(record.unseen).toMatchObject([{ event: 'RoundSettled', round: 7 }])
  expect(record.changes).toMatchObject([{ round: 7 }, { event: 'Returned', round: 8, clause: '5.3' }])
})

test('a change of credit without a reason is shown too', async () => {
  record = new PlayRecord(store as unknown as TableStore, 'table 1', () => Promise.resolve(null))
  hear('snapshot', {})
  sequence = 40
  hear('snapshot', { seat: { credit_cents: 12_000 } })
  await Promise.resolve()

  expect(record.unseen).toMatchObject([{ event: null, before_cents: 10_000, after_cents: 12_000 }])
})

test('what was read stays in the record, also after a reload', () => {
  settleRound()
  hear('seat', { seat: { credit_cents: 9_500, settled: [settled(0)], totals: totals(0) } })
  hear('update', { happened: [corrected('17', '18')] })
  record.acknowledge(record.unseen[0]!.id)
  record = new PlayRecord(store as unknown as TableStore, 'table 1')
  hear('snapshot', {})

  expect([record.unseen.length, record.changes.length, record.rounds.length]).toEqual([0, 1, 1])
})
