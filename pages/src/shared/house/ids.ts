/** Names for commands and wagers: letters and digits, in any browser context. */

const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789'

/** Twelve characters: unlike `crypto.randomUUID`, it also works without TLS. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12))
  return Array.from(bytes, (byte) => LETTERS[byte % LETTERS.length]).join('')
}
