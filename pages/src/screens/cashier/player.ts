/** A named Player, as `/api/players` shows them. */
export interface Player {
  name: string
  stake_limit_cents: number | null
  loss_limit_cents: number | null
  excluded_until_ms: number | null
  sits_at: string | null
  terminal: string | null
}
