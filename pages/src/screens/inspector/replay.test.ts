import type { EventShown, LayoutShown } from '../../generated/schema'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Layout } from '../../shared/felt/layout'
import type { Fields } from './acts'
import { frameAfter } from './replay'

const FIXTURES = join(import.meta.dirname, '../../../fixtures')
const layoutOf = (game: string): Layout =>
  new Layout(JSON.parse(readFileSync(join(FIXTURES, `${game}.json`), 'utf8')) as LayoutShown)
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
  act('WagerPlaced', { wager_id: 'a', pieces: [{ area: 'straight_up:17', cents: 500 }] }),
  act('WagerIncreased', { wager_id: 'a', piece_cents: 200 }),
  act('WagerPlaced', { wager_id: 'b', pieces: [{ area: 'red', cents: 1000 }] }),
  act('WagerWithdrawn', { wager_id: 'b' }),
  act('OutcomeAnnounced', { number: '17' }),
  act('RoundSettled', {
    winning_number: '17',
    wagers: [['a', 'Anna', 'straight_up:17', [['straight_up:17', 700, 24500, 0, 700, '4.1']]]],
  }),
  act('OutcomeCorrected', { corrected_to: '20' }),
]

test('chips lie as they lay after each act', () => {
  const layout = layoutOf('mbs-roulette-v3')
  const sums = ROUND.map((_, k) => frameAfter(ROUND, k + 1, layout).chips.map(({ area, cents }) => [area, cents]))

  expect(sums.slice(0, 4)).toEqual([
    [['straight_up:17', 500]],
    [['straight_up:17', 700]],
    [
      ['straight_up:17', 700],
      ['red', 1000],
    ],
    [['straight_up:17', 700]],
  ])
})

test('the outcome, its settlement and its correction', () => {
  const layout = layoutOf('mbs-roulette-v3')

  expect(frameAfter(ROUND, 5, layout).winning).toBe('17')
  expect(frameAfter(ROUND, 6, layout).chips).toEqual([
    { area: 'straight_up:17', cents: 700, state: 'won', paidCents: 24500 },
  ])
  expect(frameAfter(ROUND, 7, layout)).toMatchObject({ winning: '20', chips: [{ state: 'registered' }] })
})
