/** The house's record of changes of this seat's credit that the Player did not make. */
import type { CreditChange, CreditChanges } from '../../../generated/schema'
import { ask, path } from '../../../shared/house/api'

/** The changes after an event of the table, oldest first; none without an answer. */
export async function changesSince(
  table: string,
  token: string,
  sequence: number,
): Promise<readonly CreditChange[] | null> {
  try {
    const to = path`/api/tables/${table}/seat/changes` + `?after=${sequence}`
    return (await ask<CreditChanges>(to, { token })).changes
  } catch {
    return null
  }
}
