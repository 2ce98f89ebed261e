import { describe, expect, it } from 'vitest'
import { LANGUAGES } from '../../i18n/languages'
import { words } from '../../shared/words/i18n.svelte'
import type { SettledWagerView, SettlementPreview, TableView } from '../../generated/schema'
import { groupsOf } from '../../shared/words/limits'
import { stageOf } from './consoleTable.svelte'
import { toDo } from './stages/settlement'
import { inAct, inWords } from './inWords'

describe('what a table waits for', () => {
  it.each([
    [{ status: 'shut' }, 'shut'],
    [{ status: 'interrupted', phase: 'closed' }, 'interrupted'],
    [{ status: 'awaiting' }, 'waiting'],
    [{ status: 'betting' }, 'betting'],
    [{ status: 'closed' }, 'spin'],
    [{ status: 'spinning', steps: [{ step: 'outcome', state: 'now' }] }, 'outcome'],
    [{ status: 'spinning', steps: [{ step: 'lights', state: 'now' }] }, 'lights'],
    [{ status: 'outcome' }, 'paying'],
    [{ status: 'void', phase: 'void' }, 'returning'],
    [{ status: 'void', phase: 'ended' }, 'waiting'],
    [{ status: 'settled' }, 'waiting'],
    [{ status: 'held' }, 'held'],
  ])('%o is %s', (view, stage) => {
    expect(stageOf(view as unknown as TableView)).toBe(stage)
  })
})

describe('what the hands have to do', () => {
  const wager = (id: string, part: Partial<SettledWagerView>): SettledWagerView => ({
    id,
    player: 'Anna',
    wager: id,
    stake_cents: 500,
    paid_cents: 0,
    collected_cents: 0,
    returned_cents: 0,
    pieces: [],
    ...part,
  })
  const settlement: SettlementPreview = {
    round: 1,
    winning_number: '17',
    wagers_at_terminals: 0,
    paid_at_terminals_cents: 0,
    by_hand: [
      {
        player: 'Anna',
        wagers: [wager('w1', { paid_cents: 17_500, returned_cents: 500 })],
        collected_cents: 0,
        paid_cents: 17_500,
        returned_cents: 500,
        paid_in: [[10_000, 1]],
        rest_cents: 7_500,
      },
      {
        player: 'Ben',
        wagers: [wager('w2', { collected_cents: 500 })],
        collected_cents: 500,
        paid_cents: 0,
        returned_cents: 0,
        paid_in: [],
        rest_cents: 0,
      },
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

describe.each(LANGUAGES.map(({ code }) => [code]))('numbers in %s', (code) => {
  it('are 37 words, no two alike', async () => {
    await words.load(code)

    const told = Array.from({ length: 37 }, (_, number) => inWords(String(number)))

    expect(new Set(told).size).toBe(37)
    expect(told.filter((each) => /\d/.test(each))).toEqual([])
    await words.load('en')
  })
})

describe('words', () => {
  it('reads numbers', () => {
    expect(['0', '00', '17', '20', '32', 'MBS'].map(inWords)).toEqual([
      'zero',
      'double zero',
      'seventeen',
      'twenty',
      'thirty-two',
      'MBS',
    ])
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
