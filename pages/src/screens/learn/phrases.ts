/** Sentences of the training room in the reader's language. */
import type { Phrase } from '../../generated/schema'
import { t, words, type Key } from '../../shared/words/i18n.svelte'
import { multipleName, typeName, wagerName } from '../../shared/words/naming'

const MONEY = new Set(['cents', 'minimum', 'maximum', 'paid', 'chip'])

const ACT =
  /^(?:irregularity (?<fact>\w+)|(?<place>outcome|ball at rest) (?<number>\w+)|(?<plain>place your bets|spin|no more bets|ball dropped|settle|no spin))$/

/** A Dealer's act in words; any other line as the transcript writes it. */
function actOf(line: string): string {
  const { fact, place, number, plain } = ACT.exec(line.replace(/^Dealer: /, ''))?.groups ?? {}
  if (fact) return t('learn.act_irregularity', { fact: t(`learn.fact_${fact}` as Key) })
  if (place) return t(`learn.act_${key(place)}` as Key, { number: number ?? '' })
  return plain ? t(`learn.act_${key(plain)}` as Key) : line
}

const key = (words: string): string => words.replaceAll(' ', '_')

/** The sentence of a phrase; sums of money and wagers are written as everywhere. */
export function say({ code, values }: Phrase): string {
  if (code === 'act') return actOf(String(values.line))
  const places: Record<string, string | number> = {}
  for (const [name, value] of Object.entries(values)) {
    if (MONEY.has(name)) places[name] = words.sum(Number(value))
    else if (name === 'type') places[name] = typeName(String(value))
    else if (name === 'types') places[name] = String(value).split(' ').map(typeName).join(' + ')
    else if (name === 'wager') places[name] = callOf(String(value))
    else if (name === 'fact') places[name] = t(`learn.fact_${value}` as Key)
    else places[name] = value
  }
  return t(`learn.says_${code}` as Key, places)
}

function callOf(wager: string): string {
  const [word = '', ...places] = wager.split(':')
  return places.length ? `${multipleName(word)} ${places.join(' / ')}` : wagerName(wager)
}

/** Seconds with one decimal, such as `3.8`. */
export const seconds = (ms: number): string =>
  new Intl.NumberFormat(words.locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(ms / 1000)
