/** What the journal calls an event, in the reader's words. */
import { t, type Key } from '../i18n.svelte'

export function eventName(event: string): string {
  const key = `inspector.event_${event}` as Key
  const named = t(key)
  return named === key ? inWords(event) : named
}

const inWords = (event: string): string =>
  event.replace(/(?<=.)[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

/** What the log knows of an event besides its name. */
export const detailOf = (text: string): string => text.split(': ').slice(1).join(': ')
