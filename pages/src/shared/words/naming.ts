/** Names of areas, numbers and wagers in the reader's language. */
import type { AreaShown } from '../../generated/schema'
import { t, type Key } from './i18n.svelte'
import type { Pays, Colour } from '../felt/layout'

export function colourName(colour: Colour): string {
  return t(`colour.${colour}` as Key)
}

/** `17 black`. */
export function outcomeName(number: string, colour: Colour): string {
  return t('outcome.named', { number, colour: colourName(colour) })
}

/** A wager type's name; any other text stays as written. */
export function typeName(wagerType: string): string {
  const key = `area.${wagerType}`
  const name = t(key as Key)
  return name === key ? wagerType : name
}

/** An area in words: `Split 17/20`, `Dozen 2`, `Red`. */
export function areaName(area: string): string {
  const [type = '', which] = area.split(':')
  return which ? t('area.which', { type: typeName(type), which }) : typeName(type)
}

/** A wager in words, of one piece or many: `Neighbours 17`, `Tiers`. */
export function wagerName(wager: string): string {
  const [word = '', ...rest] = wager.split(/[: ]/)
  const known = MULTIPLES.has(word) ? t(`multiple.${word}` as Key) : null
  if (known === null) return areaName(wager)
  return rest.length ? t('area.which', { type: known, which: rest.join(' ') }) : known
}

const MULTIPLES = new Set([
  'voisins_du_zero',
  'tiers',
  'orphelins',
  'zero_spiel',
  'grand_series',
  'neighbours',
  'finales',
  'complete',
  'complete_maximum',
])

/** A racetrack section's or complete wager's name, by its word. */
export function multipleName(word: string): string {
  return wagerName(word)
}

/** `35 to 1`, or `35 · 40 · 80 to 1` if the outcome's status matters. */
export function paysText(pays: Pays): string {
  const several = typeof pays === 'number' ? [pays] : Object.values(pays)
  return t('pays.to_one', { pays: several.join(' · ') })
}

/** For a screen reader: name, numbers and pay of an area. */
export function areaInWords(area: AreaShown): string {
  const name = areaName(area.area)
  const pays = paysText(area.pays)
  return area.rect && area.numbers.length > 1
    ? t('area.in_words_many', { name, pays, count: area.numbers.length })
    : t('area.in_words', { name, pays })
}

/** The sentence of a refusal, reason first, clause in brackets. */
export function withClause(reason: string, clause: string | null): string {
  return clause ? t('reason.with_clause', { reason, clause }) : reason
}

/** A seat by its name; the seat of a visitor of the demonstration by its number. */
export function seatName(name: string): string {
  const [, number] = /^guest (\d+) /.exec(name) ?? []
  return number ? t('common.seat_number', { number }) : name
}

/** A Player by name, else the seat. */
export const whoAt = ({ player, name }: { player: string | null; name: string }): string => player ?? seatName(name)
