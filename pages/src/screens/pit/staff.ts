/** Somebody of the staff, as `/api/staff` shows them. */
export interface StaffMember {
  name: string
  positions: string[]
  duties: string[]
  acting: { position: string; from_ms: number; until_ms: number; is_in_force: boolean }[]
  has_password: boolean
  is_locked: boolean
  deals_at: string | null
}
