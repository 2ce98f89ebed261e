import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { words } from './i18n.svelte'
import { because, becauseToPlayer, ofRulebook, reasonOf } from './reasons'
import { actName, detailOf } from './staff/events'

describe('in 简体中文', () => {
  beforeAll(() => words.load('zh-Hans'))
  afterAll(() => words.load('en'))

  test('a sentence without places is the language’s', () => {
    expect(because('the betting is closed', '4.2')).toBe('投注已截止（4.2）')
    expect(because('the betting is closed: the wager stands')).toBe('投注已截止：该注有效')
  })

  test('names stay as they are, whatever stands in them', () => {
    for (const name of ['Anna', '李 小龙', 'Mary Ann', '{reason}', '$& $1', 'a (b) [c] *', '{player} of {sum}'])
      expect(because(`${name} has 4.00 of credit`)).toBe(`${name} 的余额为 4.00`)
  })

  test('a name that holds the words of the sentence is told apart by what follows', () => {
    expect(because('Anna has 1.00 of credit has 4.00 of credit')).toBe('Anna has 1.00 of credit 的余额为 4.00')
    expect(because('w1 on red would have 5.00 on split:17/20; the limits are 10.00 to 1000.00')).toBe(
      'w1 on red 在分注 17/20上将有 5.00，限额为 10.00 至 1,000.00',
    )
  })

  test('the sentence with the most words of its own is meant', () => {
    expect(because('Dana may not spin the ball')).toBe('Dana 无权旋球')
    expect(because('Dana may not take or pay money')).toBe('Dana 无权收付款项')
    expect(because('17 is not a Bonus Number')).toBe('17 不是奖励号码')
    expect(because('Dana is not the Dealer of v3')).toBe('Dana 不是 v3 的荷官')
    expect(because('Dana is not Pit Manager')).toBe('Dana 不是赌区经理')
  })

  test('a sentence in a sentence is said too, and a position, a device and a colour', () => {
    expect(because('the round is void: the ball broke')).toBe('本局已作废：球破裂')
    expect(because('the sensor reports that the ball left the wheel')).toBe('传感器报告：球飞出轮盘')
    expect(because('李明 acting Pit Manager may not settle the round')).toBe('李明（代理赌区经理） 无权结算本局')
    expect(because('only a sensor does that')).toBe('只有轮盘传感器可以这样做')
    expect(because("blue is Anna's colour")).toBe('蓝色属于 Anna')
    expect(because("silver is Anna's colour")).toBe('silver属于 Anna')
  })

  test('a Player is spoken to', () => {
    expect(becauseToPlayer('seat 3 has 4.00 of credit', '2.1')).toBe('您的余额为 4.00（2.1）')
    expect(becauseToPlayer('the betting is closed')).toBe('投注已截止')
  })

  test('what no language knows is shown as it is served', () => {
    expect(reasonOf('the moon was full')).toBe('the moon was full')
    expect(reasonOf('the moon is not full')).toBe('the moon is not full')
    expect(because('the moon was full')).toBe('The moon was full')
    expect(because(null)).toBe('')
  })

  test('a wager of no known type stays as it was written', () => {
    expect(because('Roulette has no betting area 17/99')).toBe('Roulette 没有投注区17/99')
  })

  test('a clause is said sentence by sentence', () => {
    expect(ofRulebook('The pay table. “No more bets” closes the betting.')).toBe('赔率表。“停止下注”截止投注。')
    expect(ofRulebook('The round is void if the ball broke.')).toBe('若球破裂，本局作废。')
    expect(ofRulebook('The pay table. The moon is full. The display.')).toBe('赔率表。The moon is full. 显示屏。')
  })

  test('the log says its fields and its reason', () => {
    expect(detailOf('Round voided: clause 5.3, reason the ball broke')).toBe('条款 5.3, 球破裂')
    expect(detailOf('Logged off: name Dana, reason idle for too long')).toBe('姓名 Dana, 闲置过久')
    expect(detailOf('Wager ruled: wager id w1, area red')).toBe('注码 w1, 投注区 red')
    expect(detailOf('Acting ended: name Dana, position Pit Manager')).toBe('姓名 Dana, 职位 赌区经理')
    expect(detailOf('Table closed')).toBe('')
    expect(actName('PlaceWager red 500, SpinBall')).toBe('投注 红 5.00, 旋球')
  })
})

describe('in English', () => {
  beforeAll(() => words.load('en'))

  test('the house’s own sentence is shown, with areas and money as the page writes them', () => {
    expect(because('the ball has not been spun', '3.4')).toBe('The ball has not been spun (3.4)')
    expect(because('Ben would have 5.00 on straight_up:17; the limits are 10.00 to 1000.00')).toBe(
      'Ben would have 5.00 on Straight Up 17; the limits are 10.00 to 1,000.00',
    )
  })

  test('a Player is spoken to', () => {
    expect(becauseToPlayer('Ben is excluded from play')).toBe('You are excluded from play')
    expect(becauseToPlayer('the round is still in play')).toBe('The round is still in play')
  })
})
