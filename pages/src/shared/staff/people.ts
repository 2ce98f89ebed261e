/** Positions and duties in the reader's words; the people of the demonstration house. */
import type { DemonstrationStaffShown, MeShown } from '../../generated/schema'
import { ask, house, leavePage, logOnWithoutPassword, Problem } from '../api'
import { t, type Key } from '../i18n.svelte'

export const POSITIONS = [
  'Dealer',
  'Pit Supervisor',
  'Pit Manager',
  'Gaming Shift Manager',
  'Table Games Shift Manager',
] as const
export const DUTIES = ['cashier', 'attendant', 'inspector', 'administrator'] as const

export function positionName(position: string): string {
  return t(`logon.is_${position.toLowerCase().replaceAll(' ', '_')}` as Key)
}

/** The highest position, or else the first duty. */
export function rankOf({ positions, duties }: Pick<MeShown, 'positions' | 'duties'>): string {
  const highest = positions.at(-1)
  const duty = DUTIES.find((each) => duties.includes(each))
  if (!highest) return duty ? positionName(duty) : ''
  const name = positionName(highest.position)
  return highest.acting ? t('logon.acting', { position: name }) : name
}

export interface DemonstrationPerson {
  name: string
  position: string
  /** Of the pit, and not a duty elsewhere in the house. */
  isOfPit: boolean
  screen: 'console' | 'pit' | 'cashier' | 'inspector'
}

/** Every one of them may be anybody who comes by; nobody, where real money is played for. */
export async function demonstrationStaff(): Promise<DemonstrationPerson[]> {
  if ((await house()).money !== 'demonstration') return []
  const staff = await ask<DemonstrationStaffShown[]>('/api/demonstration/staff')
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

/** Log on as one of them and go there; where they are not known, the page asks who comes. */
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
