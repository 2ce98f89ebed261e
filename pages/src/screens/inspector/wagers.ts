/** What the search for a wager finds. */
import type { SettledWager } from '../../shared/protocol'

export interface WagersFound {
  table: string
  wagers: {
    round: number
    id: string
    player: string
    terminal: string | null
    wager: string
    steps: { sequence: number; at_ms: number; event: string; by: string | null }[]
    winning_number: string | null
    settled: SettledWager | null
  }[]
  refusals: {
    round: number
    sequence: number
    at_ms: number
    player: string
    act: string
    clause: string
    reason: string
  }[]
  has_more: boolean
}
