/** This browser's token for a seat: its device's, or a guest's of the demonstration. */
import { house, takeSeat } from '../../../shared/house/api'
import { deviceAt, dropDevice, keepDevice } from '../../../shared/house/deviceTokens'

/** The token for the hello; none if this device is not paired yet. */
export async function seatToken(table: string): Promise<string | null> {
  const kept = deviceAt(table)
  if (kept !== null) return kept
  const { money } = await house()
  if (money !== 'demonstration') return null
  const { token } = await takeSeat(table)
  keepDevice(token, table)
  return token
}

/** Forget a lost seat: the next visitor takes another. */
export function dropSeat(table: string): void {
  dropDevice(table)
}
