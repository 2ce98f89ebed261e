import { expect, test } from 'vitest'
import { limitWords, settingWords } from './terms'

test('limits are said with the name of their type', () => {
  expect(limitWords('straight_up 5 100')).toBe('Straight Up: 5 to 100')
  expect(limitWords('* 2.50 1000')).toBe('Every other type: 2.50 to 1,000')
})

test('each setting that a journal may hold has a sentence', () => {
  expect(settingWords('area_maximum red 500')).toBe('Red: at most 500 on one betting area, of all Players together')
  expect(settingWords('area_maximum * 500')).toMatch(/^Every other type: at most 500/)
  expect(settingWords('complete_dozen inside')).toBe('Complete dozen: only areas wholly inside the dozen')
  expect(settingWords('finale_zero single')).toBe('Finale 0: with the single zero only')
  expect(settingWords('ring 0 32 15')).toBe('Order of the compartments on the wheel: 0 32 15')
})

test('a setting of a later version stays as it is written', () => {
  expect(settingWords('some_day yes')).toBe('some_day yes')
})
