import { expect, test } from 'vitest'
import { isFirstVisit } from './visits'

test('the help of a page is shown once, and of another page once more', () => {
  const kept = new Map<string, string>()
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => void kept.set(key, text),
  }

  expect(isFirstVisit('terminal', storage)).toBe(true)
  expect(isFirstVisit('terminal', storage)).toBe(false)
  expect(isFirstVisit('console', storage)).toBe(true)
  expect(isFirstVisit('home', storage)).toBe(false)
})
