import { expect, test } from 'vitest'
import { asCsv } from './download'
import { momentIn, written } from './dateFields'

test('every row has every column, quoted where it must be', () => {
  expect(
    asCsv([
      { a: 1, b: 'x,y' },
      { b: 'say "no"', c: null },
    ]),
  ).toBe('a,b,c\r\n1,"x,y",\r\n,"say ""no""",\r\n')
})

test('a spreadsheet runs nothing', () => {
  expect(asCsv([{ a: '=1+1', b: -5 }])).toBe("a,b\r\n'=1+1,-5\r\n")
})

test('moments are those of the house', () => {
  const moment = Date.UTC(2026, 10, 15, 12, 14)
  expect(written(moment, 'Asia/Singapore')).toBe('2026-11-15T20:14')
  expect(momentIn('2026-11-15T20:14', 'Asia/Singapore')).toBe(moment)
  expect(momentIn('', 'Asia/Singapore')).toBeNull()
})
