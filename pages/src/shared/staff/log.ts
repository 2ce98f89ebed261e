/** The log of significant events, as `/api/log` gives it. */
export interface Significant {
  at_ms: number
  table: string | null
  round: number | null
  sequence: number
  kind: string
  event: string
  text: string
  by: string | null
  is_alarm: boolean
  acknowledged_by: string | null
  acknowledged_at_ms: number | null
}
export interface LogPage {
  events: Significant[]
  after: string
  has_more: boolean
}
export const KINDS = [
  'log_on',
  'authority',
  'clock',
  'server',
  'device',
  'staff',
  'dealer',
  'player',
  'proposal',
  'house',
  'table',
  'void',
  'hold',
  'correction',
  'interruption',
  'lights',
  'notice',
  'money',
] as const
