/**
 * The device tokens that this browser holds. A session's tokens are only in its cookies.
 * A demonstration seat is a device of one table.
 */

const DEVICE = 'croupier.device'

/** The token of the device that stands at this table. */
export function deviceAt(table: string): string | null {
  return localStorage.getItem(`${DEVICE}.${table}`) ?? localStorage.getItem(DEVICE)
}

/** Without a table: this browser is an enrolled device of the house. */
export function keepDevice(token: string, table: string | null): void {
  localStorage.setItem(table === null ? DEVICE : `${DEVICE}.${table}`, token)
}

export function dropDevice(table: string): void {
  localStorage.removeItem(`${DEVICE}.${table}`)
}
