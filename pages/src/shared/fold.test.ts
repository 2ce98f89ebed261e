import { describe, expect, test } from 'vitest'
import { foldChanged, foldEvent, foldStakes, foldWagers, totalsOf, type Printed } from './fold'
import type { Changed, SettledWagerView, Stakes, TableEvent, TableView, WagerView } from '../generated/schema'

const PRINTED: Printed = {
  colourOf: (number) => (number === '17' ? 'black' : 'red'),
  links: [
    ['1', '2'],
    ['3', '4'],
  ],
}
const VIEW = {
  round: 7,
  phase: 'awaiting',
  limits: [{ wager_type: 'red', minimum_cents: 500, maximum_cents: 100_000 }],
  next_limits: null,
  wagers: [] as WagerView[],
  settled: [] as SettledWagerView[],
  bonus: [] as string[],
  lit: [] as string[],
  history: [{ round: 6, number: '3', colour: 'red', bonus: [] }],
  colours: {},
} as unknown as TableView

function after(view: TableView, event: string, fields: Record<string, unknown> = {}): TableView {
  const message = { type: 'event', event, fields } as TableEvent
  const folded = foldEvent(view, message, PRINTED)
  if (folded === null) throw new Error(`${event} needs a snapshot`)
  return folded
}

const PLACED = {
  wager_id: 'a1',
  player: 'seat 4',
  wager: 'tiers',
  pieces: [
    { area: 'split:5/8', cents: 500 },
    { area: 'split:10/11', cents: 500 },
  ],
  registered: true,
  terminal: 'terminal 4',
}

describe('a round of play', () => {
  test('goes from "Place your bets" to settled', () => {
    let view = after(VIEW, 'PlaceYourBetsAnnounced')
    expect(view.phase).toBe('betting')

    view = after(view, 'BallSpun')
    view = after(view, 'NoMoreBetsAnnounced')
    expect(view).toMatchObject({ phase: 'closed', spun: true })

    view = after(view, 'OutcomeAnnounced', { number: '17' })
    expect(view).toMatchObject({ phase: 'decided', winning_number: '17', colour: 'black' })

    view = after(view, 'RoundSettled', { winning_number: '17', wagers: [] })
    expect(view.phase).toBe('ended')
    expect(view.history.at(-1)).toEqual({ round: 7, number: '17', colour: 'black', bonus: [] })
  })

  test('a new round begins with an empty layout and the limits displayed for it', () => {
    const next = [{ wager_type: 'red', minimum_cents: 1_000, maximum_cents: 50_000 }]
    const before = { ...after(VIEW, 'WagerPlaced', PLACED), next_limits: next }

    const view = after(before, 'RoundBegun', { round_number: 8 })

    expect(view).toMatchObject({ round: 8, wagers: [], limits: next, next_limits: null })
  })

  test('a void or held round says why, with the clause', () => {
    const fields = { reason: 'fewer than four revolutions', clause: { number: '5.3' } }

    expect(after(VIEW, 'RoundVoided', fields).standing).toBe('fewer than four revolutions [5.3]')
    expect(after(VIEW, 'RoundHeld', fields).phase).toBe('held')
  })

  test('a link lit whole is a Super Bonus', () => {
    const view = after(VIEW, 'BonusNumbersDrawn', { numbers: ['3', '1', '2'] })

    expect(view).toMatchObject({ bonus: ['3', '1', '2'], super_bonus: ['1', '2'] })
  })

  test('what an event does not tell needs a snapshot', () => {
    for (const event of ['TermsChanged', 'OutcomeCorrected', 'WagerRuled', 'TableOpened'])
      expect(foldEvent(VIEW, { event, fields: {} } as TableEvent, PRINTED)).toBeNull()
  })

  test('what a page does not know changes nothing', () => {
    expect(after(VIEW, 'DollyPlaced', { number: '17' })).toBe(VIEW)
  })
})

describe('wagers', () => {
  test('are placed, increased and taken back', () => {
    let view = after(VIEW, 'WagerPlaced', PLACED)
    expect(view.wagers).toMatchObject([{ id: 'a1', stake_cents: 1_000 }])

    view = after(view, 'WagerIncreased', { wager_id: 'a1', piece_cents: 100 })
    expect(view.wagers[0]).toMatchObject({
      stake_cents: 1_200,
      pieces: [
        ['split:5/8', 600],
        ['split:10/11', 600],
      ],
    })

    expect(after(view, 'WagerWithdrawn', { wager_id: 'a1' }).wagers).toEqual([])
  })

  test('an answer says the same as the event, and nothing is counted twice', () => {
    const { wagers } = after(VIEW, 'WagerPlaced', PLACED)

    expect(foldWagers(wagers, wagers)).toEqual(wagers)
  })

  test('stakes for the staff replace what changed and drop what is gone', () => {
    const { wagers } = after(VIEW, 'WagerPlaced', PLACED)
    const gone = { ...wagers[0]!, stake_cents: 0, pieces: [] }
    const stakes = { stake_cents: 0, wager_count: 0, wagers: [gone], terminals: 3, terminals_lost: ['t9'] }

    const view = foldStakes({ ...VIEW, wagers }, stakes as unknown as Stakes)

    expect(view).toMatchObject({ wagers: [], terminals: 3, terminals_lost: ['t9'] })
  })
})

test('what no event says is taken as it is', () => {
  const changed = { closes_at_ms: 5, keyed: '17', notices: [], lit: ['3'], lights_confirmed: true, dealer: 'Dana' }

  expect(foldChanged(VIEW, changed as unknown as Changed)).toMatchObject(changed)
})

test('net is what is paid less what is collected', () => {
  const wager = { stake_cents: 500, paid_cents: 0, collected_cents: 500, returned_cents: 0 }
  const winner = { stake_cents: 1_000, paid_cents: 2_000, collected_cents: 0, returned_cents: 1_000 }

  expect(totalsOf([wager, winner] as SettledWagerView[])).toEqual({
    stake_cents: 1_500,
    paid_cents: 2_000,
    collected_cents: 500,
    returned_cents: 1_000,
    net_cents: 1_500,
  })
})
