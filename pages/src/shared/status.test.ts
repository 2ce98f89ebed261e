import { beforeAll, expect, test } from 'vitest'
import type { TableView } from '../generated/schema'
import { words } from './i18n.svelte'
import { statusOf } from './status'

beforeAll(() => words.load('en'))

const VIEW = { round: 7, status: 'settled', phase: 'ended', winning_number: '17', colour: 'black', sections: ['odd'], status_since_ms: 1_000, dealer: null, automatic_dealer: false }

function nextAfter(passedMs: number, view: Partial<TableView>): string | null {
  const shown = { ...VIEW, ...view } as TableView
  return statusOf({ view: shown, seat: null, stakes: null, connection: 'connected', endedBecause: null, serverMs: 1_000 + passedMs, pending: [] }).next
}

test('after a settled or void round at a table that is dealt by hand the Dealer is waited for', () => {
  expect(nextAfter(2_000, {})).toBe(null)
  expect(nextAfter(7_000, {})).toBe('Waiting for the Dealer')
  expect(nextAfter(7_000, { status: 'void', dealer: 'Dana', automatic_dealer: true })).toBe('Waiting for the Dealer')
  expect(nextAfter(7_000, { phase: 'decided', status: 'outcome' })).toBe(null)
})

test('an automatic dealer that rested while nobody watched says so', () => {
  expect(nextAfter(10_000, { automatic_dealer: true })).toBe(null)
  expect(nextAfter(60_000, { automatic_dealer: true })).toContain('It rested while nobody watched')
})
