/** Events of the journal in the reader's words: their names, their fields, refused acts. */
import type { RefusedAct, StatedReason } from '../../generated/schema'
import { t, words, type Key } from '../words/i18n.svelte'
import { seatName, wagerName } from '../words/naming'
import { reasonOf } from '../words/reasons'
import { positionName, POSITIONS } from './people'

/** A text of the catalogue, or `otherwise` if it has none. */
function named(key: string, otherwise: string): string {
  const told = t(key as Key)
  return told === key ? otherwise : told
}

export const eventName = (event: string): string =>
  named(
    `names.event_${event}`,
    event.replace(/(?<=.)[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`),
  )

/** A refused act; for wagers with area and sum. */
export const actNames = (acts: readonly RefusedAct[]): string =>
  acts
    .map(({ kind, wager, cents }) =>
      [eventName(kind), wager && wagerName(wager), cents && words.money(cents)].filter(Boolean).join(' '),
    )
    .join(', ')

/** The protocol's names of announcements that terminals report as shown. */
const ANNOUNCEMENTS: Readonly<Record<string, Key>> = {
  'place your bets': 'band.betting',
  'no more bets': 'band.closed',
}

/** An announcement that a terminal showed, in the band's words. */
export function announcementName(announcement: string): string {
  const key = ANNOUNCEMENTS[announcement]
  return key ? t(key) : announcement
}

/** The name of an API operation or message: the table act's name if it is one. */
function actName(act: string): string {
  const event = act.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
  return named(`names.act_${act}`, named(`names.event_${event}`, act))
}

const VALUES: Readonly<Record<string, (value: string) => string>> = {
  act: actName,
  asked_by: (value) => t(`names.asked_by_${value}` as Key),
  position: (value) => (POSITIONS.some((each) => each === value) ? positionName(value) : value),
}

const CENTS = /_?cents$/

/** A field in the reader's words: sums in units, yes and no. */
function valueOf(name: string, value: unknown): string {
  if (name === 'acts') return actNames(value as RefusedAct[])
  if (typeof value === 'boolean') return t(value ? 'common.yes' : 'common.no')
  if (CENTS.test(name)) return words.money(Number(value))
  if (name === 'until_ms') return `${words.day(Number(value))} ${words.time(Number(value))}`
  return VALUES[name]?.(String(value)) ?? seatName(String(value))
}

/** The log's details of an event: its named fields, and its reason without a name. */
export function detailOf(fields: Readonly<Record<string, unknown>>): string {
  const said = Object.entries(fields).map(([name, value]) =>
    name === 'reason'
      ? reasonOf(value as StatedReason)
      : `${named(`names.field_${name === 'acts' ? 'act' : name}`, name)} ${valueOf(name, value)}`,
  )
  return said.join(', ')
}
