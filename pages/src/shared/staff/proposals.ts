/** Two-person acts over the API. */
import type { ConfirmedShown, Irregularity, ProposalBody, ProposalShown } from '../../generated/schema'
import { ask, path } from '../api'
import { t, words } from '../i18n.svelte'
import { actAs, staff, type Credentials, type Proof } from './staff.svelte'

export type TwoPersonAct = ProposalBody['act']

export type Payment = Extract<TwoPersonAct, { kind: 'move_sum' | 'move_colour_chips' | 'pay_voucher' | 'count_float' }>

/** How a voucher's code ends, which is all that others may see of it. */
const endingOf = (code: string): string => `…${code.slice(-4)}`

/** What money would move by an act, where it takes two people. */
export function paymentWords(act: Payment): string {
  if (act.kind === 'move_sum') return t(`logon.sum_${act.how}`, { sum: words.withCurrency(act.cents), whose: act.whose ?? '' })
  if (act.kind === 'count_float') return t(`logon.count_float_${act.count}`, { sum: words.withCurrency(act.cents) })
  if (act.kind === 'pay_voucher') return t('logon.pay_voucher', { code: endingOf(act.code) })
  const { player, colour, chips } = act
  return t(act.are_bought_back ? 'logon.colour_chips_back' : 'logon.colour_chips_sold', { player, colour, chips })
}

export const proposals = (): Promise<ProposalShown[]> => ask('/api/proposals')

export const propose = (table: string, act: TwoPersonAct, { password, code }: Proof): Promise<ProposalShown> =>
  ask('/api/proposals', { method: 'POST', body: { table, act, password, code: code || null } })

export const decline = (number: number, reason: string): Promise<void> =>
  ask(`${path`/api/proposals/${number}`}?reason=${encodeURIComponent(reason)}`, { method: 'DELETE' })

/** By who is logged on, or by somebody who comes to this page for it alone. */
export function confirm(number: number, { name, password, code }: Credentials & Proof): Promise<ConfirmedShown> {
  const to = path`/api/proposals/${number}/confirm`
  const options = { method: 'POST', body: { password, code: code || null } } as const
  if (name === staff.me?.name) return ask(to, options)
  return actAs({ name, password }, (token, device) => ask(to, { ...options, token, device, apart: true }))
}

/** Why rounds are voided: the irregularities of the documents; null: a limit was breached. */
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
  null,
] as const

export const voidReason = (reason: Irregularity | null): string => t(`logon.void_${reason ?? 'limit_breach'}`)
