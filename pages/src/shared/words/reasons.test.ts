import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Reason, StatedReason } from '../../generated/schema'
import { ofPage, Problem } from '../house/api'
import { words } from './i18n.svelte'
import { because, becauseToPlayer, ofRulebook, reasonOf, refusalOf } from './reasons'
import { actNames, announcementName, detailOf } from '../staff/events'

const stated = (code: string, values: object = {}, clause: string | null = null, text = ''): StatedReason => ({
  text,
  reason: { code, values: values as Reason['values'] },
  clause,
})

describe('in 简体中文', () => {
  beforeAll(() => words.load('zh-Hans'))
  afterAll(() => words.load('en'))

  test('a code has a text of the language, with its clause', () => {
    expect(because(stated('betting_closed', {}, '4.2'))).toBe('投注已截止（4.2）')
    expect(because(stated('betting_closed'))).toBe('投注已截止')
  })

  test('names stay as they are, with any characters', () => {
    for (const seat of ['Anna', '李 小龙', '{reason}', '$& $1', 'a (b) [c] *', '{seat} of {credit_cents}'])
      expect(because(stated('credit_too_small', { seat, credit_cents: 400 }))).toBe(`${seat} 的余额为 4.00`)
  })

  test('money and areas are written as the page writes them', () => {
    const values = { player: 'Ben', sum_cents: 500, area: 'split:17/20', low_cents: 1_000, high_cents: 100_000 }

    expect(because(stated('outside_limits', values))).toBe('Ben 在分注 17/20上将有 5.00，限额为 10.00 至 1,000.00')
  })

  test('a reason in a reason is said too, and a position and a colour', () => {
    const acting = { code: 'acting', values: { name: '李明', position: 'Pit Manager' } }

    expect(because(stated('round_void', { reason: { code: 'ball_broke', values: {} } }))).toBe('本局已作废：球破裂')
    expect(because(stated('may_not_do', { person: acting, play: 'Settle' }))).toBe(
      '李明（代理赌区经理） 无权执行：结算',
    )
    expect(because(stated('colour_of_another', { colour: 'blue', player: 'Anna' }))).toBe('蓝色属于 Anna')
    expect(because(stated('colour_of_another', { colour: 'silver', player: 'Anna' }))).toBe('silver属于 Anna')
  })

  test('a Player is spoken to', () => {
    expect(becauseToPlayer(stated('credit_too_small', { seat: 'seat 3', credit_cents: 400 }, '2.1'))).toBe(
      '您的余额为 4.00（2.1）',
    )
    expect(becauseToPlayer(stated('betting_closed'))).toBe('投注已截止')
  })

  test('what no language knows is shown as it is served', () => {
    expect(reasonOf(stated('full_moon', {}, null, 'the moon was full'))).toBe('the moon was full')
    expect(because(stated('full_moon', {}, null, 'the moon was full'))).toBe('The moon was full')
    expect(because(stated('round_void', { reason: { code: 'full_moon', values: {} } }))).toBe('本局已作废：full moon')
    expect(because(null)).toBe('')
  })

  test('a clause is said as it is in the catalogue', () => {
    expect(ofRulebook('mbs-roulette-v3 5.7', 'The round is void if the ball broke.')).toBe('若球破裂，本局作废。')
    expect(ofRulebook('mbs-roulette-v3 9.9', 'The moon is full.')).toBe('The moon is full.')
  })

  test('the log says its fields and its reason', () => {
    expect(detailOf({ clause: '5.3', reason: stated('ball_broke') })).toBe('条款 5.3, 球破裂')
    expect(detailOf({ wager_id: 'w1', area: 'red' })).toBe('注码 w1, 投注区 red')
    expect(detailOf({ name: 'Dana', position: 'Pit Manager' })).toBe('姓名 Dana, 职位 赌区经理')
    expect(detailOf({})).toBe('')
    const refused = [
      { kind: 'PlaceWager', wager: 'red', cents: 500 },
      { kind: 'SpinBall', wager: null, cents: null },
    ]
    expect(actNames(refused)).toBe('投注 红 5.00, 旋球')
    expect(detailOf({ acts: refused })).toBe('操作 投注 红 5.00, 旋球')
    expect(detailOf({ asked_by: 'session' })).toBe('途径 在别处使用的会话')
    expect(detailOf({ asked_by: 'operation', act: 'confirm_proposal' })).toBe('途径 API 操作, 操作 确认双人操作')
    expect(announcementName('no more bets')).toBe('停止下注')
  })
})

describe('in Bahasa Melayu', () => {
  beforeAll(() => words.load('ms'))
  afterAll(() => words.load('en'))

  test('a reason is a sentence of its own, or within one; a name stays as it is', () => {
    const broke = { code: 'ball_broke', values: {} }

    expect(because(stated('betting_closed', {}, '4.2'))).toBe('Taruhan telah ditutup (4.2)')
    expect(because(stated('round_void', { reason: broke }))).toBe('Pusingan batal: bola pecah')
    expect(because(stated('no_chips_of_colour', { player: 'anna', colour: 'blue' }))).toBe('anna tiada cip Biru')
  })
})

describe('in English', () => {
  test('the house’s own sentence is shown, with areas and money as the page writes them', () => {
    const values = { player: 'Ben', sum_cents: 500, area: 'straight_up:17', low_cents: 1_000, high_cents: 100_000 }

    expect(because(stated('not_spun', {}, '3.4', 'the ball has not been spun'))).toBe(
      'The ball has not been spun (3.4)',
    )
    expect(because(stated('outside_limits', values))).toBe(
      'Ben would have 5.00 on Straight Up 17; the limits are 10.00 to 1,000.00',
    )
  })

  test('a Player is spoken to', () => {
    expect(becauseToPlayer(stated('player_excluded', { player: 'Ben' }))).toBe('You are excluded from play')
  })

  test('a refusal of the API is caught, and nothing else', async () => {
    expect(await refusalOf(async () => {})).toBeNull()
    expect(await refusalOf(() => Promise.reject(new Problem(409, ofPage('it is late'))))).toBe('It is late')
    await expect(refusalOf(() => Promise.reject(new TypeError('no')))).rejects.toThrow('no')
  })
})
