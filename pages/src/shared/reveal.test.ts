import { expect, test } from 'vitest'
import type { TableView } from '../generated/schema'
import { BallMotion } from './ballMotion'
import type { Layout } from './layout'
import { spinOf } from './reveal.svelte'

const LAYOUT = { ring: ['0', '32', '15', '19', '4'] } as unknown as Layout
const [SPUN_MS, SAID_MS] = [1_000_000, 1_007_000]

function ball(winningNumber: string | null, heardMs?: number): BallMotion {
  const steps = [{ step: 'spin', at_ms: SPUN_MS }, { step: 'outcome', at_ms: winningNumber === null ? null : SAID_MS }]
  const view = { table: 'virtual', round: 3, virtual_wheel: true, spun: true, status: 'spinning', winning_number: winningNumber, steps }
  return new BallMotion(spinOf(view as unknown as TableView, LAYOUT, heardMs)!)
}

test('a page that hears of the outcome half a second late has its ball where all others have it', () => {
  for (let late = 0; late <= 500; late += 20) expect(ball('15').at(SAID_MS + late)).toEqual(ball(null).at(SAID_MS + late))
  expect(ball('15').at(SAID_MS + 1_000)).not.toEqual(ball(null).at(SAID_MS + 1_000))
})

test('a page that hears of the outcome later lets its ball roll on from where it is, and shows the same compartment', () => {
  for (let late = 520; late <= 4_000; late += 20) {
    const [rolls, slows] = [ball(null), ball('15', SAID_MS + late)]
    expect(slows.at(SAID_MS + late - 1)).toEqual(rolls.at(SAID_MS + late - 1))
    expect(slows.at(SAID_MS + late).angle).toBeCloseTo(rolls.at(SAID_MS + late).angle)
    const after = SAID_MS + 30_000
    expect(slows.at(after).angle).toBeCloseTo(ball('15').at(after).angle)
  }
})
