/** Two-person acts over the API, and what they say in the words of the reader. */
import type { ConfirmedShown, ProposalShown } from '../../generated/schema'
import { ask, path } from '../api'
import { t, type Key } from '../i18n.svelte'
import { actAs, staff, type Credentials } from './staff.svelte'

export type Asked =
  | { kind: 'correct'; round: number; number: string }
  | { kind: 'void'; rounds: string[]; reason: string }
  | { kind: 'adjust'; seat: string; sum: string; reason: string }

export const proposals = (): Promise<ProposalShown[]> => ask('/api/proposals')

export const propose = (table: string, act: string, password: string): Promise<ProposalShown> =>
  ask('/api/proposals', { method: 'POST', body: { table, act, password } })

export const decline = (number: number, reason: string): Promise<void> =>
  ask(`${path`/api/proposals/${number}`}?reason=${encodeURIComponent(reason)}`, { method: 'DELETE' })

/** By who is logged on, or by somebody who comes to this page for it alone. */
export function confirm(number: number, { name, password }: Credentials): Promise<ConfirmedShown> {
  const to = path`/api/proposals/${number}/confirm`
  const options = { method: 'POST', body: { password } } as const
  if (name === staff.me?.name) return ask(to, options)
  return actAs({ name, password }, (token) => ask(to, { ...options, token, apart: true }))
}

export function readAct(act: string): Asked | null {
  const corrected = /^correct round (\d+) to (\S+)$/.exec(act)
  if (corrected) return { kind: 'correct', round: Number(corrected[1]), number: corrected[2]! }
  const voided = /^void rounds ((?:\d+ )+)(\S+)$/.exec(act)
  if (voided) return { kind: 'void', rounds: voided[1]!.trim().split(' '), reason: voided[2]! }
  const adjusted = /^adjust "?(.+?)"? (-?[0-9.]+) (.+)$/.exec(act)
  if (adjusted) return { kind: 'adjust', seat: adjusted[1]!, sum: adjusted[2]!, reason: adjusted[3]! }
  return null
}

export interface EffectLine {
  account: string
  cents: number
}
const HELD_BY_THE_TABLE = new Set(['cash', 'float', 'claim'])

/** `seat:T1 +5.00` in words. What the table itself holds is booked with the other sign. */
export function readEffect(line: string): EffectLine {
  const found = /^(.*) ([+-]?)([0-9.]+)$/.exec(line)
  const [account = line, sign, sum = '0'] = found?.slice(1) ?? []
  const cents = Math.round(Number(sum) * 100) * (sign === '-' ? -1 : 1)
  const kind = account.split(':')[0]!
  return { account: accountName(account), cents: HELD_BY_THE_TABLE.has(kind) ? -cents : cents }
}

export function accountName(account: string): string {
  const [kind, ...rest] = account.split(':')
  return t(`logon.account_${kind}` as Key, { name: rest.join(':') })
}

/** Why rounds are voided: the irregularities of the documents, and a limit breached. */
export const VOID_REASONS = [
  'ball_same_direction',
  'ball_dropped_without_spin',
  'fewer_than_four_revolutions',
  'foreign_object',
  'ball_not_in_compartment',
  'ball_out_of_wheel',
  'ball_broke',
  'wheel_stopped',
  'wheel_not_rotating',
  'person_interfered',
  'unlisted',
  'limit_breach',
] as const

export const voidReason = (reason: string): string => t(`logon.void_${reason}` as Key)
