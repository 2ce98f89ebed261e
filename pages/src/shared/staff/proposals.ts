/** Two-person acts over the API. */
import type { ConfirmedShown, Irregularity, ProposalBody, ProposalShown } from '../../generated/schema'
import { ask, path } from '../house/api'
import { t, words, type Key } from '../words/i18n.svelte'
import { actAs, staff, type Credentials, type Proof } from './staff.svelte'
import { seatName } from '../words/naming'

export type TwoPersonAct = ProposalBody['act']

type PlayAct = { kind: 'correct' | 'correct_ball' | 'correct_draw' | 'answer_report' | 'void' | 'adjust' }
export type Payment = Exclude<TwoPersonAct, PlayAct>

/** Kinds of payment that share a heading. */
const GROUPS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['buy_in', 'cash_out', 'voucher', 'fill', 'credit', 'pay_owed', 'pay_claim'].map((kind) => [kind, 'move_sum']),
  ),
  buy_colour_chips: 'move_colour_chips',
  buy_back_colour_chips: 'move_colour_chips',
}

export const approvalTitle = (kind: string): string => t(`staff.approve_${GROUPS[kind] ?? kind}` as Key)

/** The end of a voucher's code: other people may see no more of it. */
const endingOf = (code: string): string => `…${code.slice(-4)}`

/** The money that a two-person act would move, in words. */
export function paymentWords(act: Payment): string {
  if (act.kind === 'count_float') return t(`staff.count_float_${act.count}`, { sum: words.withCurrency(act.cents) })
  if (act.kind === 'pay_voucher') return t('staff.pay_voucher', { code: endingOf(act.code) })
  if ('chips' in act) {
    const { player, colour, chips } = act
    return t(act.kind === 'buy_colour_chips' ? 'staff.colour_chips_sold' : 'staff.colour_chips_back', {
      player,
      colour,
      chips,
    })
  }
  const whose = 'seat' in act ? act.seat : 'player' in act ? act.player : ''
  return t(`staff.sum_${act.kind}`, { sum: words.withCurrency(act.cents), whose: seatName(whose) })
}

export const proposals = (): Promise<ProposalShown[]> => ask('/api/proposals')

/** The stream that books the cage's own drawer: the house's instead of a table's. */
export const CAGE = 'house'

export const drawerName = (drawer: string): string => (drawer === CAGE ? t('staff.cage') : drawer)

export function propose(table: string, act: TwoPersonAct, { password, code }: Proof): Promise<ProposalShown> {
  const proof = { password, code: code || null }
  if (table === CAGE && act.kind === 'pay_voucher')
    return ask('/api/vouchers/proposals', { method: 'POST', body: { voucher: act.code, ...proof } })
  return ask(path`/api/tables/${table}/proposals`, { method: 'POST', body: { act, ...proof } })
}

export const decline = (number: number, reason: string): Promise<void> =>
  ask(`${path`/api/proposals/${number}`}?reason=${encodeURIComponent(reason)}`, { method: 'DELETE' })

/** Confirm as the person logged on, or as another one who signs this act only. */
export function confirm(
  { number, table }: ProposalShown,
  { name, password, code }: Credentials & Proof,
): Promise<ConfirmedShown> {
  const to =
    table === CAGE ? path`/api/proposals/${number}/confirm` : path`/api/tables/${table}/proposals/${number}/confirm`
  const options = { method: 'POST', body: { password, code: code || null } } as const
  if (name === staff.me?.name) return ask(to, options)
  return actAs({ name, password }, (token, device) => ask(to, { ...options, token, device, apart: true }))
}

/** The reasons for voiding rounds: the irregularities of the documents. */
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
] as const

export const voidReason = (reason: Irregularity): string => t(`staff.void_${reason}`)
