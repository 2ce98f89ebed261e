import type { LayoutShown, TableView } from '../../generated/schema'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { lampsLit, withLamps } from './bonusLamps'
import { Layout } from '../felt/layout'

const FIXTURE = join(import.meta.dirname, '../../../fixtures/mbs-fast-action-v2.json')
const layout = new Layout(JSON.parse(readFileSync(FIXTURE, 'utf8')) as LayoutShown)
const link = layout.links[2]!
const lit = ['36', ...link, '5', '9', '17', '20', '30']
const CLOSED_MS = 1_800_000_000_000
const drawn = {
  phase: 'closed',
  lights: null,
  closed_at_ms: CLOSED_MS,
  lit,
  bonus: lit,
  super_bonus: [...link],
} as unknown as TableView

test('each lamp lights seven tenths of a second after the one before', () => {
  const counts = [0, 699, 700, 1_400, 6_999, 7_000, 60_000].map((after) => lampsLit(drawn, CLOSED_MS + after))

  expect(counts).toEqual([0, 0, 1, 2, 9, 10, 10])
})

test('nothing tells of a number before its lamp is lit', () => {
  const shown = withLamps(drawn, layout, 3)

  expect([shown.lit, shown.bonus]).toEqual([lit.slice(0, 3), lit.slice(0, 3)])
  expect(shown.super_bonus).toEqual([])
  expect(withLamps(drawn, layout, 5).super_bonus).toEqual(link)
})

test('after the close, and where a layout reports its lights, all that are lit are shown', () => {
  expect(lampsLit({ ...drawn, phase: 'ended' }, CLOSED_MS)).toBe(10)
  expect(lampsLit({ ...drawn, lights: 'device' } as TableView, CLOSED_MS)).toBe(10)
})
