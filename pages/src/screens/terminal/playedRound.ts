/** One round of this seat as the house has it. */
import type { PlayedRound, SeatPlay } from '../../generated/schema'
import { ask, path } from '../../shared/api'

/** The round with what corrected it; none: it is not of this seat's session, or nobody answers. */
export async function playedRound(table: string, token: string, round: number): Promise<PlayedRound | null> {
  try {
    const to = path`/api/tables/${table}/seat/rounds` + `?count=1&before=${round + 1}`
    const { rounds } = await ask<SeatPlay>(to, { token })
    return rounds.find((each) => each.round === round) ?? null
  } catch {
    return null
  }
}
