/**
 * What the house says against an act, in the reader's language.
 *
 * The house's sentence is the one truth. A catalogue's `reasons` name such sentences with
 * `{places}` for what varies; a sentence is taken apart by them and said again. What a
 * place is called tells what stands there: `{sum}` is money, `{area}` a wager, `{reason}`
 * a sentence in the sentence. A sentence that no catalogue knows is shown as it is served.
 */
import { t, words, type Key, type Sentences } from './i18n.svelte'
import { Problem } from './api'
import { wagerName, withClause } from './naming'

interface Known {
  pattern: RegExp
  places: readonly string[]
  said: string
}

const PLACE = /\{(\w+)\}/
const MONEY = String.raw`-?\d+(?:\.\d+)?`
const PATTERNS: Readonly<Record<string, string>> = {
  sum: MONEY,
  low: MONEY,
  high: MONEY,
  area: String.raw`\S+`,
  position: String.raw`[A-Z]\w*(?: [A-Z]\w*)*`,
}
const money = (said: string): string => words.money(Math.round(Number(said) * 100))
const READ: Readonly<Record<string, (said: string) => string>> = {
  sum: money,
  low: money,
  high: money,
  area: wagerName,
  wager: wagerName,
  reason: reasonOf,
  act: reasonOf,
  person: reasonOf,
  position: (said) => named('logon.is_', said),
  kind: (said) => named('pit.kind_', said),
  colour: (said) => named('console.chip_', said),
}

/** The last word of a place's name is its kind: `{other_area}` is an area. */
const kindOf = (place: string): string => place.slice(place.lastIndexOf('_') + 1)

/** A word of the house by its name in the catalogue, or as it is. */
function named(prefix: string, said: string): string {
  const key = prefix + said.toLowerCase().replaceAll(' ', '_')
  const told = t(key as Key)
  return told === key ? said : told
}

const kept = new WeakMap<Sentences, readonly Known[]>()

/** Those with the most words of their own come first, for others may match them too. */
function knownIn(sentences: Sentences): readonly Known[] {
  let known = kept.get(sentences)
  if (!known) {
    known = Object.entries(sentences)
      .map(([template, said]) => ({ own: template.replace(/\{\w+\}/g, '').length, ...knownOf(template, said) }))
      .sort((one, other) => other.own - one.own)
    kept.set(sentences, known)
  }
  return known
}

function knownOf(template: string, said: string): Known {
  const parts = template.split(PLACE)
  const places = parts.filter((_, k) => k % 2)
  const pattern = parts.map((part, k) => (k % 2 ? `(${PATTERNS[kindOf(part)] ?? '.+'})` : literal(part)))
  return { pattern: new RegExp(`^${pattern.join('')}$`, 's'), places, said }
}

const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

function sayBy(sentences: Sentences, served: string): string | null {
  for (const { pattern, places, said } of knownIn(sentences)) {
    const found = pattern.exec(served)
    if (found) return words.fill(said, Object.fromEntries(places.map((place, k) => [place, read(place, found[k + 1]!)])))
  }
  return null
}

const read = (place: string, said: string): string => READ[kindOf(place)]?.(said) ?? said

/** A sentence of the house, for the middle of another. */
export function reasonOf(served: string): string {
  return sayBy(words.reasons, served) ?? served
}

const SENTENCE_ENDS = /(?<=[.?]) (?=[A-Z0-9“])/

/** What a clause asks or a reading answers, sentence by sentence. */
export function ofRulebook(served: string): string {
  const said = served.split(SENTENCE_ENDS).map((each) => sayBy(words.rulebook, each) ?? each)
  return said.join(' ').replace(/(?<=[。？]) /g, '')
}

const sentenceOf = (served: string): string =>
  sayBy(words.reasons, served) ?? served.charAt(0).toUpperCase() + served.slice(1)

/** The whole sentence, with its clause. */
export function because(served: string | null, clause: string | null = null): string {
  return withClause(sentenceOf(served ?? ''), clause)
}

/** The same to the Player whom it is about: `your credit`, rather than `seat 3's`. */
export function becauseToPlayer(served: string | null, clause: string | null = null): string {
  return withClause(sayBy(words.reasonsToPlayer, served ?? '') ?? sentenceOf(served ?? ''), clause)
}

/** Do it; the sentence that the house answers where it refuses, or null where it is done. */
export async function refusalOf(
  act: () => Promise<unknown>,
  said: (served: string, clause: string | null) => string = because,
): Promise<string | null> {
  try {
    await act()
    return null
  } catch (error) {
    if (error instanceof Problem) return said(error.sentence, error.clause)
    throw error
  }
}
