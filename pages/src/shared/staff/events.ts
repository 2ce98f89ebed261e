/** What the journal calls an event, in the reader's words. */
import { t, words, type Key } from '../i18n.svelte'
import { wagerName } from '../naming'
import { reasonOf } from '../reasons'
import { positionName, POSITIONS } from './people'

export function eventName(event: string): string {
  const key = `inspector.event_${event}` as Key
  const named = t(key)
  return named === key ? inWords(event) : named
}

const inWords = (event: string): string =>
  event.replace(/(?<=.)[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

/** A refused act: `PlaceWager red 500, PlaceWager black 500` in words. */
export const actName = (act: string): string => act.split(', ').map(oneAct).join(', ')

function oneAct(act: string): string {
  const [, name = '', wager, cents] = /^(PlaceWager)(?: (\S+))?(?: (\d+))?$/.exec(act) ?? [act, act]
  return [eventName(name), wager && wagerName(wager), cents && words.money(Number(cents))].filter(Boolean).join(' ')
}

/** What the log knows of an event besides its name: fields, and a reason as the last. */
export function detailOf(text: string): string {
  const known = text.split(': ').slice(1).join(': ')
  const [fields = '', reason] = known.split(/(?:^|, )reason (.*)$/s)
  const said = fields ? fields.split(', ').map(fieldIn) : []
  return (reason === undefined ? said : [...said, reasonOf(reason)]).join(', ')
}

const LONGEST_NAME = 3
const VALUES: Readonly<Record<string, (value: string) => string>> = {
  act: actName,
  position: (value) => (POSITIONS.some((each) => each === value) ? positionName(value) : value),
}

/** `wager id w1` with the field's name in the reader's words, where it has one. */
function fieldIn(part: string): string {
  const all = part.split(' ')
  for (let count = LONGEST_NAME; count > 0; count--) {
    const name = all.slice(0, count).join('_')
    const key = `inspector.field_${name}` as Key
    const told = t(key)
    const value = all.slice(count).join(' ')
    if (told !== key) return `${told} ${VALUES[name]?.(value) ?? value}`
  }
  return part
}
