/** Events of the journal in the reader's words: their names, their fields, refused acts. */
import type { StatedReason } from '../../generated/schema'
import { t, words, type Key } from '../i18n.svelte'
import { wagerName } from '../naming'
import { reasonOf } from '../reasons'
import { positionName, POSITIONS } from './people'

/** A text of the catalogue, or `otherwise` where it has none. */
function named(key: string, otherwise: string): string {
  const told = t(key as Key)
  return told === key ? otherwise : told
}

export const eventName = (event: string): string =>
  named(`inspector.event_${event}`, event.replace(/(?<=.)[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`))

/** A refused act: `PlaceWager red 500, PlaceWager black 500` in words. */
export const actName = (act: string): string => act.split(', ').map(oneAct).join(', ')

function oneAct(act: string): string {
  const [, name = '', wager, cents] = /^(PlaceWager)(?: (\S+))?(?: (\d+))?$/.exec(act) ?? [act, act]
  return [eventName(name), wager && wagerName(wager), cents && words.money(Number(cents))].filter(Boolean).join(' ')
}

/** What a terminal showed, in the words of the band. */
export function announcementName(announcement: string): string {
  if (announcement === 'place your bets') return t('band.betting')
  return announcement === 'no more bets' ? t('band.closed') : announcement
}

const VALUES: Readonly<Record<string, (value: string) => string>> = {
  act: actName,
  position: (value) => (POSITIONS.some((each) => each === value) ? positionName(value) : value),
}

const CENTS = /_?cents$/

/** A field in the reader's words: sums in units, yes and no. */
function valueOf(name: string, value: unknown): string {
  if (typeof value === 'boolean') return t(value ? 'common.yes' : 'common.no')
  if (CENTS.test(name)) return words.money(Number(value))
  return VALUES[name]?.(String(value)) ?? String(value)
}

/** What the log knows of an event besides its name: its fields, and its reason without a name. */
export function detailOf(fields: Readonly<Record<string, unknown>>): string {
  const said = Object.entries(fields).map(([name, value]) =>
    name === 'reason' ? reasonOf(value as StatedReason) : `${named(`inspector.field_${name}`, name)} ${valueOf(name, value)}`,
  )
  return said.join(', ')
}
