import type { EventShown, LayoutShown } from '../../generated/schema'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Layout } from '../../shared/felt/layout'
import { tellOf, type Fields } from './acts'

const FIXTURE = join(import.meta.dirname, '../../../fixtures/mbs-roulette-v3.json')
const layout = new Layout(JSON.parse(readFileSync(FIXTURE, 'utf8')) as LayoutShown)
const act = (event: string, fields: Fields): EventShown => ({
  sequence: 0,
  at_ms: 0,
  event,
  by: null,
  clause: null,
  fields,
  entries: [],
  hash: '',
})
const ROUND = [
  act('WagerPlaced', {
    wager_id: '9f2c',
    player: 'Anna',
    wager: 'straight_up:17',
    pieces: [{ area: 'straight_up:17', cents: 500 }],
  }),
  act('WagerIncreased', { wager_id: '9f2c', piece_cents: 200 }),
  act('WagerRuled', { wager_id: '9f2c', area: 'split:17/20', piece_cents: null }),
  act('WagerWithdrawn', { wager_id: '9f2c' }),
]

test('an act at a wager says whose it is and on what, never its id', () => {
  expect(ROUND.map((each) => tellOf(each, layout, ROUND))).toEqual([
    'Anna · Straight Up 17 · 5.00',
    'Anna · Straight Up 17 · +2.00',
    'Anna · Straight Up 17 · Split 17/20',
    'Anna · Straight Up 17',
  ])
})

test('a correction says why, and that the virtual wheel had said otherwise', () => {
  const rest = { ...act('BallAtRest', { number: '17' }), by: 'virtual wheel (Dealer)' }
  const correction = act('OutcomeCorrected', { number: '17', corrected_to: '18', because: 'read wrongly' })

  expect(tellOf(correction, layout, [rest, correction])).toBe(
    '17 black → 18 red · against the wheel’s own record of 17 · “read wrongly”',
  )
  expect(tellOf(correction, layout, [correction])).toBe('17 black → 18 red · “read wrongly”')
})
