import { expect, test } from 'vitest'
import { approvedHere } from './approved'

const GAMES = [
  { game: 'mbs-roulette-v3', approved: true },
  { game: 'rws-triple-zero', approved: true },
  { game: 'palms-double-zero', approved: false },
]
const at = (...games: string[]) => games.map((game) => ({ game }))

test('a house counts the approved games of its own tables, each once', () => {
  expect([...approvedHere(at('mbs-roulette-v3', 'mbs-roulette-v3'), GAMES)]).toEqual(['mbs-roulette-v3'])
  expect(approvedHere(at('mbs-roulette-v3', 'rws-triple-zero'), GAMES).size).toBe(2)
})

test('a game that is not approved is not counted', () => {
  expect(approvedHere(at('palms-double-zero'), GAMES).size).toBe(0)
})
