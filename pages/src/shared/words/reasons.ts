/**
 * The house's reasons against an act, in the reader's language.
 *
 * The house sends a code with values; the catalogue `reasons` has a text for each code.
 * A place's name gives its kind: `{limit_cents}` is money, `{area}` a wager, `{reason}` another
 * reason. A code without a text is shown in the house's English.
 */
import type { Reason, StatedReason } from '../../generated/schema'
import { Problem } from '../house/api'
import { t, words, type Key } from './i18n.svelte'
import { seatName, wagerName, withClause } from './naming'

const SAID: Readonly<Record<string, (value: string) => string>> = {
  area: wagerName,
  wager: wagerName,
  act: (value) => named(`names.may_${wordOf(value)}`, value),
  play: (value) => named(`names.event_${value}`, value),
  position: (value) => named(`common.is_${wordOf(value)}`, value),
  kind: (value) => named(`names.device_${wordOf(value)}`, value),
  colour: (value) => named(`names.colour_${wordOf(value)}`, value),
}

const wordOf = (said: string): string => said.toLowerCase().replace(/[^a-z]+/g, '_')

/** A word of the house by its key in the catalogue, or as it is. */
function named(key: string, said: string): string {
  const told = t(key as Key)
  return told === key ? said : told
}

/** The last word of a place's name is its kind: `{other_area}` is an area. */
function valueIn(place: string, value: unknown): string {
  const kind = place.slice(place.lastIndexOf('_') + 1)
  if (typeof value === 'number') return kind === 'cents' ? words.money(value) : String(value)
  if (typeof value === 'string') return SAID[kind]?.(value) ?? seatName(value)
  const { code, values } = value as Reason
  return say({ code, values }) ?? code.replaceAll('_', ' ')
}

const asIs = (text: string): string => text
/** Begin a sentence with a capital; a name at its beginning stays as written. */
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

function say({ code, values }: Reason, begun = asIs, to = ''): string | null {
  const text = words.find(to + code)
  if (text === null) return null
  return words.fill(
    begun(text),
    Object.fromEntries(Object.entries(values).map(([place, value]) => [place, valueIn(place, value)])),
  )
}

/** A reason for the middle of a sentence. */
export const reasonOf = ({ text, reason }: Pick<StatedReason, 'text' | 'reason'>): string => say(reason) ?? text

/** A reason as a sentence of its own, with its clause. */
export function because(stated: StatedReason | null): string {
  return stated ? withClause(say(stated.reason, capital) ?? capital(stated.text), stated.clause) : ''
}

/** The same, addressed to the Player: `your credit` rather than `seat 3's`. */
export function becauseToPlayer(stated: StatedReason | null): string {
  const own = stated && say(stated.reason, asIs, 'to_player.')
  return own ? withClause(own, stated.clause) : because(stated)
}

/** Do it; return the house's sentence if it refuses, or null if it is done. */
export async function refusalOf(act: () => Promise<unknown>, said = because): Promise<string | null> {
  try {
    await act()
    return null
  } catch (error) {
    if (error instanceof Problem) return said(error.stated)
    throw error
  }
}

/** A clause by its game and number, a reading by its letter and `question` or `answer`. */
export const ofRulebook = (row: string, served: string): string => words.find(row) ?? served
