import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { LANGUAGES, money, nearest, t, words, type Key } from './i18n.svelte'

const SOURCES = join(import.meta.dirname, '../..')
type Catalogue = Record<string, string | Record<string, string>>

const folder = (code: string): string => join(SOURCES, 'i18n', code)
const textOfFile = (code: string, file: string): string => readFileSync(join(folder(code), file), 'utf8')
const readPart = (code: string, part: string): Catalogue => JSON.parse(textOfFile(code, `${part}.json`)) as Catalogue
/** The house names these keys: a catalogue has a text or leaves the house's English. */
const OF_HOUSE = ['reasons', 'rulebook']
const partsOf = (code: string): string[] => readdirSync(folder(code)).map((name) => name.replace('.json', ''))
const read = (code: string): Catalogue =>
  Object.assign(
    {},
    ...partsOf(code)
      .filter((part) => !OF_HOUSE.includes(part))
      .map((part) => readPart(code, part)),
  ) as Catalogue
const files = (readdirSync(SOURCES, { recursive: true }) as string[]).filter(
  (name) => /\.(svelte|ts)$/.test(name) && !name.endsWith('.test.ts'),
)
const sourceOf = new Map(files.map((name) => [name, readFileSync(join(SOURCES, name), 'utf8')]))
const sources = [...sourceOf.values()].join('\n')
const english = read('en')
const placesOf = (value: string | Record<string, string>): string[] => {
  const text = typeof value === 'string' ? value : Object.values(value).join(' ')
  return [...new Set([...text.matchAll(/\{(\w+)\}/g)].map((found) => found[1]!))].sort()
}

/** Wagers that the layout prints with French and German names. */
const FRENCH = ['voisins_du_zero', 'tiers', 'orphelins', 'zero_spiel', 'finales'].map((each) => `multiple.${each}`)

/** Texts in English on purpose: names, and words that the language has taken over. */
const AS_IN_ENGLISH: Record<string, string[]> = {
  every: ['app.name', 'home.version'],
  ms: [
    ...['area.dozen', 'felt.super', 'terminal.menu', 'terminal.pin', 'names.colour_lavender', 'common.page_pit'],
    ...['common.is_dealer', 'names.device_terminal', 'pit.minimum'],
    ...FRENCH,
  ],
  ta: ['terminal.pin', ...FRENCH],
}
const textOf = (value: string | Record<string, string>): string => (typeof value === 'string' ? value : value.other!)
const hasWords = (text: string): boolean => /\p{L}/u.test(text.replace(/\{\w+\}/g, ''))

test('each folder is a language that can be chosen, by its own name', () => {
  const folders = readdirSync(join(SOURCES, 'i18n')).filter((name) => !name.includes('.'))

  expect(LANGUAGES.map(({ code }) => code).sort()).toEqual(folders.sort())
  expect(LANGUAGES.map(({ name }) => name)).toEqual(['English', '简体中文', 'Bahasa Melayu', 'தமிழ்'])
})

/** The source files of a screen, found by their imports. */
function madeOf(root: string): Set<string> {
  const found = new Set<string>()
  const follow = (name: string): void => {
    if (found.has(name)) return
    found.add(name)
    for (const [, path = ''] of (sourceOf.get(name) ?? '').matchAll(/(?:from|import\() ?'(\.[^']+)'/g)) {
      const at = join(name, '..', path)
      const there = [at, `${at}.ts`].find((each) => sourceOf.has(each))
      if (there && there !== 'routes.ts') follow(there)
    }
  }
  follow(root)
  return found
}

const ROUTES = readFileSync(join(SOURCES, 'routes.ts'), 'utf8')
const screens = [...ROUTES.matchAll(/import\('\.\/(screens\/[^']+)'\)((?:, '\w+')*)\]/g)].map(
  ([, root = '', parts = '']) => [root, [...parts.matchAll(/'(\w+)'/g)].map(([, part]) => part!)] as const,
)

test.each(screens)('%s fetches every catalogue that it speaks from', (root, parts) => {
  const known = ['words', ...parts.filter((part) => !OF_HOUSE.includes(part))].flatMap((part) =>
    Object.keys(readPart('en', part)),
  )
  const prefixes = new Set(known.map((key) => key.split('.')[0]))
  const made = [...madeOf(root)].map((name) => sourceOf.get(name)!).join('\n')
  const asked = [...made.matchAll(/\bt\((?:[^'()`]*\? )?'([^']+)'(?: : '([^']+)')?/g)].flatMap(([, one, other]) => [
    one!,
    ...(other ? [other] : []),
  ])
  // A reason may contain a name that is looked up when the reason is shown.
  const begun = [...made.matchAll(/\bt\(`([a-z]+)\./g)].map(([, prefix]) => prefix!)

  expect(asked.filter((key) => !known.includes(key))).toEqual([])
  expect(begun.filter((prefix) => !prefixes.has(prefix))).toEqual([])
})

describe.each(LANGUAGES.map(({ code }) => [code]))('%s', (code) => {
  const catalogue = read(code)

  test('has every key and no other', () => {
    expect(Object.keys(catalogue).sort()).toEqual(Object.keys(english).sort())
  })

  test('has a text and the same places for each key', () => {
    for (const [key, value] of Object.entries(catalogue)) {
      const texts = typeof value === 'string' ? [value] : Object.values(value)
      expect(texts.every(Boolean), key).toBe(true)
      expect(placesOf(value), key).toEqual(placesOf(english[key]!))
    }
  })

  test('has each key once', () => {
    const keys = partsOf(code).flatMap((part) =>
      [...textOfFile(code, `${part}.json`).matchAll(/^ {2}("[^"]+"):/gm)].map((found) => found[1]!),
    )

    expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([])
  })

  test('tells a Player the same sentences as every language', () => {
    const own = (of: string): string[] =>
      Object.keys(readPart(of, 'reasons')).filter((key) => key.startsWith('to_player.'))

    expect(own(code)).toEqual(own('en'))
  })

  test('has every plural form that the language knows', () => {
    const forms = new Intl.PluralRules(code).resolvedOptions().pluralCategories
    for (const [key, value] of Object.entries(catalogue))
      if (typeof value !== 'string') expect(Object.keys(value).sort(), key).toEqual([...forms].sort())
  })
})

const TRANSLATED = LANGUAGES.map(({ code }) => code).filter((code) => code !== 'en')
test.each(TRANSLATED)('%s leaves nothing in English but what is the same on purpose', (code) => {
  const texts = Object.entries(read(code)).map(([key, value]) => [key, textOf(value)] as const)

  const same = texts.filter(([key, text]) => hasWords(text) && text === textOf(english[key]!))

  expect(same.map(([key]) => key).sort()).toEqual([...AS_IN_ENGLISH.every!, ...(AS_IN_ENGLISH[code] ?? [])].sort())
})

test('no key is unused', () => {
  const templates = [...sources.matchAll(/`([a-z]+\.[a-z_]*)\$\{[^`]*?\}([a-z_]*)`/g)]
  const unused = Object.keys(english).filter(
    (key) =>
      !sources.includes(`'${key}'`) &&
      !templates.some(([, prefix, ending]) => key.startsWith(prefix!) && key.endsWith(ending!)),
  )

  expect(unused).toEqual([])
})

test('no key is missing', () => {
  const asked = [...sources.matchAll(/\bt\('([^']+)'/g)].map((found) => found[1]!)

  expect(asked.filter((key) => !(key in english))).toEqual([])
})

describe('words', () => {
  beforeAll(() => words.load('en'))

  test('are put in their places, plural by count', () => {
    expect(t('band.closes_in', { count: 1 })).toBe('Bets close in 1 second')
    expect(t('band.closes_in', { count: 18 })).toBe('Bets close in 18 seconds')
    expect(t('outcome.named', { number: '17', colour: t('colour.black') })).toBe('17 black')
  })

  test('figures are written as the language writes them', () => {
    expect(money(248_000)).toBe('2,480.00')
    expect(words.signed(-3_000)).toBe('−30.00')
    expect(words.sum(500_000)).toBe('5,000')
    expect(words.round(20_461)).toBe('20\u2009461')
    expect(words.lasting(108_000)).toBe('1:48')
  })

  test('an unknown key stands for itself', () => {
    expect(t('no.such_key' as Key)).toBe('no.such_key')
  })

  test('change with the language', async () => {
    await words.load('zh-Hans')
    expect(t('band.closed')).toBe('停止下注')
    await words.load('ms')
    expect(t('band.closed')).toBe('Tiada lagi taruhan')
    await words.load('en')
  })

  test('dates and figures are those of the language', async () => {
    words.zone = 'Asia/Singapore'
    await words.load('ms')
    expect([words.day(0), words.time(0)]).toEqual(['1 Jan 1970', '07:30:00'])
    expect(money(123_456_789)).toBe('1,234,567.89')
    await words.load('zh-Hans')
    expect(words.day(0)).toBe('1970年1月1日')
    await words.load('en')
  })

  test('that no native speaker of the trade has read are known', async () => {
    expect(words.isUnread).toBe(false)
    await words.load('ms')
    expect(words.isUnread).toBe(true)
    await words.load('en')
  })

  test('of a language that there is no catalogue for change nothing', async () => {
    await words.load('xx')
    expect(words.language).toBe('en')
  })
})

test('the nearest language is taken', () => {
  expect(nearest(['zh-CN', 'en'])).toBe('zh-Hans')
  expect(nearest(['fr-FR'])).toBe('en')
  expect(nearest(['en-SG'])).toBe('en')
  expect(nearest(['ms-MY', 'en'])).toBe('ms')
  expect(nearest(['fr', 'ms'])).toBe('ms')
})
