import type { LayoutShown } from '../../../generated/schema'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Layout } from '../../../shared/felt/layout'
import { cellFor } from './cellSize'

function layoutOf(game: string): Layout {
  const path = join(import.meta.dirname, `../../../../fixtures/${game}.json`)
  return new Layout(JSON.parse(readFileSync(path, 'utf8')) as LayoutShown)
}

test('on a tablet, cells of a layout with a racetrack keep their lines open to touch', () => {
  const { cell, width } = cellFor(layoutOf('mbs-complete-bet-v2'), 978, 470, true)

  expect((Math.min(...cell) * 978) / width).toBeGreaterThanOrEqual(64)
})

test('without a racetrack the cells grow into the room', () => {
  const layout = layoutOf('mbs-roulette-v3')

  expect(cellFor(layout, 1066, 560, false).cell[1]).toBeGreaterThan(cellFor(layout, 1066, 400, false).cell[1])
})

test('before the place is measured, the cells are the layout’s own', () => {
  expect(cellFor(layoutOf('mbs-roulette-v3'), 0, 0, false).cell).toEqual([75, 86])
})

test('links of four grow in width', () => {
  const [u, v] = cellFor(layoutOf('mbs-fast-action-v2'), 900, 560, false).cell

  expect(u).toBeGreaterThan(124)
  expect(v).toBe(44)
})
