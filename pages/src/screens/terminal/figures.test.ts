import type { LayoutShown } from '../../generated/schema'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Layout } from '../../shared/layout'
import { netIf } from './figures'

function layoutOf(game: string): Layout {
  const path = join(import.meta.dirname, `../../../fixtures/${game}.json`)
  return new Layout(JSON.parse(readFileSync(path, 'utf8')) as LayoutShown)
}

test('what all chips on the layout would bring if a number came', () => {
  const layout = layoutOf('mbs-roulette-v3')
  const stakes = { 'straight_up:17': 1_000, 'dozen:2': 2_500, red: 5_000 }

  expect(netIf(layout, stakes, '17')).toBe(35_000 + 5_000 - 5_000)
  expect(netIf(layout, stakes, '18')).toBe(-1_000 + 5_000 + 5_000)
  expect(netIf(layout, stakes, '0')).toBe(-8_500)
})

test('nothing is said where nothing lies, or where Bonus Numbers decide what is paid', () => {
  expect(netIf(layoutOf('mbs-roulette-v3'), {}, '17')).toBeNull()
  expect(netIf(layoutOf('mbs-fast-action-v2'), { 'straight_up:17': 1_000 }, '17')).toBeNull()
})
