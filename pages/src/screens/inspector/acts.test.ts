import type { EventShown, LayoutShown } from '../../generated/schema'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { words } from '../../shared/i18n.svelte'
import { Layout } from '../../shared/layout'
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
  act('WagerPlaced', { wager_id: '9f2c', player: 'Anna', wager: 'straight_up:17', pieces: [{ area: 'straight_up:17', cents: 500 }] }),
  act('WagerIncreased', { wager_id: '9f2c', piece_cents: 200 }),
  act('WagerRuled', { wager_id: '9f2c', area: 'split:17/20', piece_cents: null }),
  act('WagerWithdrawn', { wager_id: '9f2c' }),
]

beforeAll(() => words.load('en'))

test('an act at a wager says whose it is and on what, never its id', () => {
  expect(ROUND.map((each) => tellOf(each, layout, ROUND))).toEqual([
    'Anna · Straight Up 17 · 5.00',
    'Anna · Straight Up 17 · +2.00',
    'Anna · Straight Up 17 · Split 17/20',
    'Anna · Straight Up 17',
  ])
})
