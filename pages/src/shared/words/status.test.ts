import { expect, test } from 'vitest'
import type { TableView } from '../../generated/schema'
import { statusOf } from './status'

const VIEW = {
  lit: [] as string[],
  lights: null,
  round: 7,
  status: 'settled',
  phase: 'ended',
  winning_number: '17',
  colour: 'black',
  sections: ['odd'],
}

function nextAt(serverMs: number, view: Partial<TableView>): string | null {
  const shown = { ...VIEW, ...view } as TableView
  return statusOf({
    view: shown,
    seat: null,
    stakes: null,
    connection: 'connected',
    endedBecause: null,
    serverMs,
    pending: [],
  }).next
}

test('after a settled or void round the band says from when on the Dealer is waited for', () => {
  const next_round = { by: 'dealer', late_from_ms: 7_000 } as const
  expect(nextAt(6_999, { next_round })).toBe(null)
  expect(nextAt(7_000, { next_round })).toBe('Waiting for the Dealer')
  expect(nextAt(7_000, { next_round, status: 'void' })).toBe('Waiting for the Dealer')
  expect(nextAt(7_000, { next_round: null, phase: 'decided', status: 'outcome' })).toBe(null)
})

test('an automatic dealer that rested without an audience says so', () => {
  const next_round = { by: 'house', late_from_ms: 31_000 } as const
  expect(nextAt(10_000, { next_round })).toBe(null)
  expect(nextAt(60_000, { next_round })).toContain('The next round begins in a moment')
})

test('from the rest on the band says that betting is closed', () => {
  const said = (takes_wagers: boolean): string => {
    const view = { ...VIEW, status: 'betting', phase: 'betting', takes_wagers, closes_at_ms: null } as TableView
    return statusOf({
      view,
      seat: null,
      stakes: null,
      connection: 'connected',
      endedBecause: null,
      serverMs: 0,
      pending: [],
    }).kind
  }
  expect([said(true), said(false)]).toEqual(['betting', 'closed'])
})

test('the countdown ends before betting does', () => {
  const at = (serverMs: number): (string | number | null)[] => {
    const view = {
      ...VIEW,
      status: 'betting',
      phase: 'betting',
      takes_wagers: true,
      opened_at_ms: 0,
      closes_at_ms: 20_000,
    } as TableView
    const { kind, seconds } = statusOf({
      view,
      seat: null,
      stakes: null,
      connection: 'connected',
      endedBecause: null,
      serverMs,
      pending: [],
    })
    return [kind, seconds]
  }
  expect([at(10_000), at(19_500), at(20_000)]).toEqual([
    ['betting', 10],
    ['closing', 1],
    ['betting', null],
  ])
})
