/** The gaming day's report, as `/api/gaming-day` gives it. */
export interface TypeOfDay {
  wager_type: string
  staked_cents: number
  won_cents: number
  hold_cents: number
}
export interface TableOfDay {
  table: string
  rounds: number
  voids: number
  staked_cents: number
  won_cents: number
  hold_cents: number
  by_type: TypeOfDay[]
  bought_in_cents: number
  cashed_out_cents: number
  vouchers_issued_cents: number
  vouchers_redeemed_cents: number
  colour_sold_cents: number
  colour_bought_back_cents: number
  filled_cents: number
  credits_cents: number
  claims_made_cents: number
  claims_paid_cents: number
  adjusted_cents: number
  counts: { count: string; cents: number; booked_cents: number; by: string; at_ms: number }[]
  adjustments: { seat: string; cents: number; reason: string; initiator: string; authoriser: string; at_ms: number }[]
  accounts: Record<string, number>
}
export interface DayReport {
  day: string
  from_ms: number
  until_ms: number
  closed_by: string | null
  closed_at_ms: number | null
  head: string | null
  vouchers_expired_cents: number
  tables: TableOfDay[]
}
export const SUMS = [
  'bought_in',
  'cashed_out',
  'vouchers_issued',
  'vouchers_redeemed',
  'colour_sold',
  'colour_bought_back',
  'filled',
  'credits',
  'claims_made',
  'claims_paid',
  'adjusted',
] as const
