/** What changed the credit of this seat and was no act of the Player's, as the house has it. */
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
