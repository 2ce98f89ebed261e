/** How this browser comes to a seat: its device's token, or a guest's of the demonstration. */
import { house, takeSeat } from '../../../shared/house/api'
import { deviceAt, dropDevice, keepDevice } from '../../../shared/house/deviceTokens'

/** The token to say hello with; none: this device has still to be paired. */
export async function seatToken(table: string): Promise<string | null> {
  const kept = deviceAt(table)
  if (kept !== null) return kept
  const { money } = await house()
  if (money !== 'demonstration') return null
  const { token } = await takeSeat(table)
  keepDevice(token, table)
  return token
}

/** The seat is no longer ours: the next visitor takes another. */
export function dropSeat(table: string): void {
  dropDevice(table)
}
