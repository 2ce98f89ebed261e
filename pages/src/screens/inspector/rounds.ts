/** Past rounds, as the API gives them. */
import { ask, path } from '../../shared/api'
import type { SettledWager } from '../../shared/protocol'

export interface RoundInBrief {
  round: number
  status: 'settled' | 'void' | 'referred' | 'open'
  winning_number: string | null
  bonus_numbers: string[]
  clause: string | null
  is_corrected: boolean
  began_ms: number
  settled_ms: number | null
  wagers: number
  stake_cents: number
  paid_cents: number
  collected_cents: number
}
export type Fields = Record<string, unknown>
export interface Act {
  sequence: number
  at_ms: number
  command_id: string
  event: string
  by: string | null
  clause: string | null
  fields: Fields
  entries: { account: string; cents: number }[]
}
export interface Recalled {
  table: string
  document: string
  round: number
  phase: string
  winning_number: string | null
  bonus_numbers: string[]
  standing: string | null
  limits: string[]
  settings: string[]
  events: Act[]
  settled: SettledWager[]
  credit_before: Record<string, number>
  credit_after: Record<string, number>
  announcements: { terminal: string; announcement: string; shown_at_ms: number; reported_at_ms: number }[]
}

export const PAGE = 30

export const roundsBefore = (table: string, before: number | null): Promise<RoundInBrief[]> =>
  ask(`${path`/api/tables/${table}/rounds`}?count=${PAGE}${before === null ? '' : `&before=${before}`}`)

export const recall = (table: string, round: number): Promise<Recalled> =>
  ask(path`/api/tables/${table}/rounds/${round}`)
