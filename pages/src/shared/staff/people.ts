/** Positions and duties in the reader's words; the people of the demonstration house. */
import type { MeShown, StaffPlan } from '../../generated/schema'
import { ask, house, leavePage, logOnWithoutPassword, Problem } from '../house/api'
import { t, type Key } from '../words/i18n.svelte'

export const POSITIONS = [
  'Dealer',
  'Pit Supervisor',
  'Pit Manager',
  'Gaming Shift Manager',
  'Table Games Shift Manager',
] as const
export const DUTIES = ['cashier', 'attendant', 'inspector', 'administrator'] as const

export function positionName(position: string): string {
  return t(`common.is_${position.toLowerCase().replaceAll(' ', '_')}` as Key)
}

/** The highest position, or else the first duty. */
export function rankOf({ positions, duties }: Pick<MeShown, 'positions' | 'duties'>): string {
  const highest = positions.at(-1)
  const duty = DUTIES.find((each) => duties.includes(each))
  if (!highest) return duty ? positionName(duty) : ''
  const name = positionName(highest.position)
  return highest.acting ? t('common.acting', { position: name }) : name
}

export interface DemonstrationPerson {
  name: string
  position: string
  /** Whether a person belongs to the pit rather than to a duty elsewhere in the house. */
  isOfPit: boolean
  screen: 'console' | 'pit' | 'cashier' | 'inspector'
}

/** Any visitor may sign in as one of them; empty in a house for real money. */
export async function demonstrationStaff(): Promise<DemonstrationPerson[]> {
  if ((await house()).money !== 'demonstration') return []
  const staff = await ask<StaffPlan[]>('/api/demonstration/staff')
  return staff.map(({ name, positions, duties }) => {
    const position = positions.at(-1) ?? duties[0] ?? ''
    return { name, position, isOfPit: positions.length > 0, screen: screenOf(position) }
  })
}

function screenOf(position: string): DemonstrationPerson['screen'] {
  if (position === 'Dealer') return 'console'
  if (position === 'cashier' || position === 'attendant') return 'cashier'
  return position === 'inspector' ? 'inspector' : 'pit'
}

/** Log on as one of them and go there; if they are not known, the page asks for a name. */
export async function goAs(name: string, to: string): Promise<void> {
  const logging = logOnWithoutPassword(name)
  leavePage()
  try {
    await logging
  } catch (error) {
    if (!(error instanceof Problem)) throw error
  }
  location.assign(to)
}
