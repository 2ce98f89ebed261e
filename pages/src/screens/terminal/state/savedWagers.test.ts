import { expect, test } from 'vitest'
import type { WagerView } from '../../../generated/schema'
import { savedOf, totalsByWager, read, together, write } from './savedWagers'

function lying(wager: string, ...stakes: number[]): WagerView {
  return {
    id: wager,
    player: 'Anna',
    wager,
    stake_cents: stakes.reduce((sum, each) => sum + each, 0),
    pieces: stakes.map((cents, k) => [`area ${k}`, cents]),
    registered: true,
    terminal: null,
    unclear: false,
    under_minimum: [],
  }
}

test('a wager is kept with the stake on one piece', () => {
  expect(savedOf(lying('tiers', 500, 500, 500))).toEqual({ wager: 'tiers', stake_cents: 500 })
})

test('a complete maximum wager has no stake of its own', () => {
  const kept = savedOf(lying('complete_maximum:17', 10_000, 20_000))

  expect(kept).toEqual({ wager: 'complete_maximum:17', stake_cents: null })
  expect(read(write(kept))).toEqual(kept)
})

test('what lies twice is placed once, with both stakes', () => {
  const red = { wager: 'red', stake_cents: 500 }

  expect(together([red, { wager: 'odd', stake_cents: 100 }, red])).toEqual([
    { wager: 'red', stake_cents: 1_000 },
    { wager: 'odd', stake_cents: 100 },
  ])
})

test('totals begin with what was laid last', () => {
  const all = [lying('red', 500), lying('odd', 100), lying('red', 500)]

  expect(totalsByWager(all)).toEqual([
    { wager: 'red', cents: 1_000 },
    { wager: 'odd', cents: 100 },
  ])
})

test('a favourite is written as the house keeps it', () => {
  const kept = { wager: 'straight_up:17', stake_cents: 2_500 }

  expect(write(kept)).toBe('straight_up:17@2500')
  expect(read('straight_up:17@2500')).toEqual(kept)
})
