/**
 * Words in the reader's language, and figures as that language writes them.
 *
 * A language is a row of `src/i18n/languages.ts` and a folder of catalogues: `words` for every
 * screen, and others that are fetched with their screens. A value is a text with `{places}`, or an
 * object of plural forms chosen by `count`. `reasons` has a text for each code of the house,
 * `rulebook` one for each clause and reading, or for several: `game 4.1, other 4.2`.
 */
import type board from '../../i18n/en/board.json'
import type cashier from '../../i18n/en/cashier.json'
import type console from '../../i18n/en/console.json'
import type home from '../../i18n/en/home.json'
import type inspector from '../../i18n/en/inspector.json'
import type learn from '../../i18n/en/learn.json'
import type names from '../../i18n/en/names.json'
import type pit from '../../i18n/en/pit.json'
import type staff from '../../i18n/en/staff.json'
import type terminal from '../../i18n/en/terminal.json'
import type shared from '../../i18n/en/words.json'
import { LANGUAGES, type Language } from '../../i18n/languages'

interface Parts {
  board: typeof board
  cashier: typeof cashier
  console: typeof console
  home: typeof home
  inspector: typeof inspector
  learn: typeof learn
  names: typeof names
  pit: typeof pit
  staff: typeof staff
  terminal: typeof terminal
  words: typeof shared
}
export type Key = { [part in keyof Parts]: keyof Parts[part] & string }[keyof Parts]
/** A catalogue's file. */
export type Part = keyof Parts | 'reasons' | 'rulebook'
type Value = string | Partial<Record<Intl.LDMLPluralRule, string>>
type Catalogue = Readonly<Record<string, Value>>
export type Places = Record<string, string | number>

const FILES = import.meta.glob<Catalogue>('../../i18n/*/*.json', { import: 'default' })
const KEPT = 'croupier.language'

const ENGLISH = LANGUAGES[0]!
export { LANGUAGES }

class Words {
  #spoken = $state.raw<Language>(ENGLISH)
  currency = $state('')
  /** The house's time zone; the browser's own until a page knows it. */
  zone = $state<string | undefined>(undefined)
  #texts = $state.raw<Catalogue>({})
  readonly #parts = new Set<Part>(['words'])
  #plurals = $derived(new Intl.PluralRules(this.language))

  get language(): string {
    return this.#spoken.code
  }

  get locale(): string {
    return this.#spoken.locale
  }

  /** Whether to tell the reader that no native speaker of the trade has read these words. */
  get isUnread(): boolean {
    return !this.#spoken.isReadByTrade
  }

  /** `?language=` for this visit, or the reader's choice, or the browser's; English if it does not load. */
  async begin(search: string): Promise<void> {
    const asked = new URLSearchParams(search).get('language') ?? localStorage.getItem(KEPT)
    const language = nearest([asked ?? '', ...navigator.languages])
    await this.load(language).catch(() => this.load(ENGLISH.code))
  }

  async choose(language: string): Promise<void> {
    await this.load(language)
    localStorage.setItem(KEPT, language)
  }

  /** Fetch further catalogues, now and in every language chosen later. */
  async need(...parts: Part[]): Promise<void> {
    parts.forEach((part) => this.#parts.add(part))
    await this.load(this.language)
  }

  async load(language: string): Promise<void> {
    const spoken = LANGUAGES.find(({ code }) => code === language)
    if (!spoken) return
    const files = await Promise.all([...this.#parts].map((part) => FILES[`../../i18n/${language}/${part}.json`]?.()))
    this.#texts = Object.fromEntries(
      files.flatMap((file) =>
        Object.entries(file ?? {}).flatMap(([keys, text]) => keys.split(', ').map((key) => [key, text] as const)),
      ),
    )
    this.#spoken = spoken
    if (globalThis.document) document.documentElement.lang = language
  }

  say(key: string, places: Places = {}): string {
    const value = this.#texts[key] ?? key
    return this.fill(typeof value === 'string' ? value : this.#plural(value, places), places)
  }

  /** The text for a key from the house; none if the house's own words are shown. */
  find(key: string): string | null {
    const value = this.#texts[key]
    return typeof value === 'string' ? value : null
  }

  fill(text: string, places: Places): string {
    return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
      const place = places[name]
      if (place === undefined) return whole
      return typeof place === 'number' ? this.whole(place) : place
    })
  }

  #plural(forms: Exclude<Value, string>, places: Places): string {
    return forms[this.#plurals.select(Number(places.count ?? 0))] ?? forms.other ?? ''
  }

  whole(value: number): string {
    return new Intl.NumberFormat(this.locale).format(value)
  }

  money(cents: number): string {
    return figures(this.locale).format(cents / 100)
  }

  /** Without cents if there are none: for limits and chips. */
  sum(cents: number): string {
    return cents % 100 === 0 ? this.whole(cents / 100) : this.money(cents)
  }

  signed(cents: number): string {
    const sign = cents > 0 ? '+' : cents < 0 ? '−' : ''
    return sign + this.money(Math.abs(cents))
  }

  percent(share: number): string {
    return new Intl.NumberFormat(this.locale, { style: 'percent', maximumFractionDigits: 1 })
      .format(share)
      .replace('-', '−')
  }

  withCurrency(cents: number): string {
    if (!this.currency) return this.money(cents)
    const options = { style: 'currency', currency: this.currency, currencyDisplay: 'code' } as const
    return new Intl.NumberFormat(this.locale, options).format(cents / 100)
  }

  /** A round's number, in groups of three without a comma: `20 461`. */
  round(value: number): string {
    return String(value).replace(/\B(?=(\d{3})+$)/g, '\u2009')
  }

  time(ms: number): string {
    return clock(this.locale, this.zone).format(ms)
  }

  day(ms: number): string {
    return new Intl.DateTimeFormat(this.locale, { dateStyle: 'medium', timeZone: this.zone }).format(ms)
  }

  /** Seconds as `1:48`. */
  lasting(ms: number): string {
    const seconds = Math.max(0, Math.floor(ms / 1000))
    const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60]
    return `${minutes}:${String(rest).padStart(2, '0')}`
  }
}

const kept = new Map<string, Intl.NumberFormat>()
function figures(locale: string): Intl.NumberFormat {
  let format = kept.get(locale)
  if (!format) {
    const digits = { minimumFractionDigits: 2, maximumFractionDigits: 2 }
    kept.set(locale, (format = new Intl.NumberFormat(locale, digits)))
  }
  return format
}

const clocks = new Map<string, Intl.DateTimeFormat>()
function clock(locale: string, timeZone: string | undefined): Intl.DateTimeFormat {
  const key = `${locale} ${timeZone}`
  let format = clocks.get(key)
  if (!format) {
    const options = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23', timeZone } as const
    clocks.set(key, (format = new Intl.DateTimeFormat(locale, options)))
  }
  return format
}

/** The first of these languages with a catalogue. */
export function nearest(wanted: readonly string[]): string {
  for (const each of wanted) {
    if (!each) continue
    const exact = LANGUAGES.find(({ code }) => code.toLowerCase() === each.toLowerCase())
    if (exact) return exact.code
    const short = each.toLowerCase().split('-')[0]
    const alike = LANGUAGES.find(({ code }) => code.toLowerCase().split('-')[0] === short)
    if (alike) return alike.code
  }
  return ENGLISH.code
}

export const words = new Words()
/** A text of the catalogue, in the reader's language. */
export const t = (key: Key, places?: Places): string => words.say(key, places)
/** Cents in figures: `2,480.00`. */
export const money = (cents: number): string => words.money(cents)
