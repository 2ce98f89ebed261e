import { beforeAll, expect, test } from 'vitest'
import type { TableView } from '../generated/schema'
import { words } from './i18n.svelte'
import { statusOf } from './status'

beforeAll(() => words.load('en'))

const VIEW = { round: 7, status: 'settled', phase: 'ended', winning_number: '17', colour: 'black', sections: ['odd'] }

function nextAt(serverMs: number, view: Partial<TableView>): string | null {
  const shown = { ...VIEW, ...view } as TableView
  return statusOf({ view: shown, seat: null, stakes: null, connection: 'connected', endedBecause: null, serverMs, pending: [] }).next
}

test('after a settled or void round the band says from when on the Dealer is waited for', () => {
  const next_round = { by: 'dealer', late_from_ms: 7_000 } as const
  expect(nextAt(6_999, { next_round })).toBe(null)
  expect(nextAt(7_000, { next_round })).toBe('Waiting for the Dealer')
  expect(nextAt(7_000, { next_round, status: 'void' })).toBe('Waiting for the Dealer')
  expect(nextAt(7_000, { next_round: null, phase: 'decided', status: 'outcome' })).toBe(null)
})

test('an automatic dealer that rested while nobody watched says so', () => {
  const next_round = { by: 'house', late_from_ms: 31_000 } as const
  expect(nextAt(10_000, { next_round })).toBe(null)
  expect(nextAt(60_000, { next_round })).toContain('It rested while nobody watched')
})

test('from the rest on the band says that betting is closed', () => {
  const said = (takes_wagers: boolean): string => {
    const view = { ...VIEW, status: 'betting', phase: 'betting', takes_wagers, closes_at_ms: null } as TableView
    return statusOf({ view, seat: null, stakes: null, connection: 'connected', endedBecause: null, serverMs: 0, pending: [] }).kind
  }
  expect([said(true), said(false)]).toEqual(['betting', 'closed'])
})
