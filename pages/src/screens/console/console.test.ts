import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { words } from '../../shared/i18n.svelte'
import { Layout } from '../../shared/layout'
import type { LayoutShown, SettledWagerView, SettlementShown, TableView } from '../../generated/schema'
import { groupsOf } from '../board/limits'
import { toDo } from './settlement'
import { inAct, inWords } from './spoken'
import { besideOnWheel, stageOf, stepsOf } from './stages'

const FIXTURES = join(import.meta.dirname, '../../../fixtures')
const layoutOf = (game: string): Layout =>
  new Layout(JSON.parse(readFileSync(join(FIXTURES, `${game}.json`), 'utf8')) as LayoutShown)
const viewOf = (part: Partial<TableView>): TableView =>
  ({ is_open: true, interrupted: false, phase: 'awaiting', spun: false, winning_number: null, lights_confirmed: false, ...part }) as TableView

beforeAll(() => words.load('en'))

describe('what a table waits for', () => {
  const v3 = layoutOf('mbs-roulette-v3')
  const fast = layoutOf('mbs-fast-action-v2')
  it.each([
    [{ is_open: false }, 'shut'],
    [{ interrupted: true, phase: 'closed' }, 'interrupted'],
    [{ phase: 'awaiting' }, 'waiting'],
    [{ phase: 'closed' }, 'spin'],
    [{ phase: 'closed', spun: true }, 'outcome'],
    [{ phase: 'decided' }, 'paying'],
    [{ phase: 'void' }, 'returning'],
    [{ phase: 'ended' }, 'waiting'],
  ] as const)('%o is %s', (part, stage) => {
    expect(stageOf(viewOf(part), v3)).toBe(stage)
  })
  it('asks for the lights where Bonus Numbers are drawn', () => {
    expect(stageOf(viewOf({ phase: 'closed', spun: true }), fast)).toBe('lights')
    expect(stageOf(viewOf({ phase: 'closed', spun: true, lights_confirmed: true }), fast)).toBe('outcome')
    expect(stepsOf(viewOf({ phase: 'betting' }), fast).map(({ step }) => step)).toContain('lights')
  })
  it('has one step in hand', () => {
    const steps = stepsOf(viewOf({ phase: 'betting', spun: true }), v3)
    expect(steps.map(({ state }) => state)).toEqual(['done', 'done', 'now', 'later', 'later'])
  })
  it('knows the neighbours on the wheel', () => {
    expect(besideOnWheel(v3.ring, '0', 1)).toEqual(['26', '0', '32'])
    expect(besideOnWheel(v3.ring, 'S')).toEqual([])
  })
})

describe('what the hands have to do', () => {
  const wager = (id: string, part: Partial<SettledWagerView>): SettledWagerView => ({
    id, player: 'Anna', wager: id, stake_cents: 500, paid_cents: 0, collected_cents: 0, returned_cents: 0, pieces: [], ...part,
  })
  const settlement: SettlementShown = {
    round: 1, winning_number: '17', wagers_at_terminals: 0, paid_at_terminals_cents: 0,
    by_hand: [
      { player: 'Anna', wagers: [wager('w1', { paid_cents: 17_500, returned_cents: 500 })], collected_cents: 0, paid_cents: 17_500, returned_cents: 500, paid_in: [[10_000, 1]], rest_cents: 7_500 },
      { player: 'Ben', wagers: [wager('w2', { collected_cents: 500 })], collected_cents: 500, paid_cents: 0, returned_cents: 0, paid_in: [], rest_cents: 0 },
    ],
  }
  it('collects first, then pays', () => {
    expect(toDo(settlement).map(({ id }) => id)).toEqual(['collect Ben', 'pay Anna'])
  })
  it('returns everything of a void round', () => {
    const [anna] = settlement.by_hand
    const back = { ...settlement, winning_number: null, by_hand: [{ ...anna!, paid_cents: 0 }] }
    expect(toDo(back).map(({ id }) => id)).toEqual(['return Anna'])
  })
})

describe('words', () => {
  it('reads numbers', () => {
    expect(['0', '00', '17', '20', '32', 'MBS'].map(inWords)).toEqual(['zero', 'double zero', 'seventeen', 'twenty', 'thirty-two', 'MBS'])
    expect(inAct(1250)).toBe('12.50')
  })
  it('puts equal limits together, the most last', () => {
    const limit = (wager_type: string, maximum_cents: number) => ({ wager_type, minimum_cents: 100, maximum_cents })
    const limits = [limit('straight_up', 10_000), ...['red', 'black', 'odd'].map((each) => limit(each, 50_000))]
    expect(groupsOf(limits)).toEqual([
      { name: 'Straight Up', range: '1 – 100' },
      { name: 'All others', range: '1 – 500' },
    ])
  })
})
