/** The cashier's desk: one table at a time, its seats, and the entries of this desk. */
import { ask, path, Problem, tables } from '../../shared/house/api'
import { newId } from '../../shared/house/ids'
import type {
  Count,
  FloatCountedShown,
  Notice,
  ProposalShown,
  ReceiptShown,
  SeatPaidShown,
  StatedReason,
  TableMoneyShown,
  TableShown,
  VoucherPaidShown,
  VoucherShown,
} from '../../generated/schema'
import { t } from '../../shared/words/i18n.svelte'
import { because } from '../../shared/words/reasons'
import { CAGE, proposals, type Payment } from '../../shared/staff/proposals'
import { attempt, staff } from '../../shared/staff/staff.svelte'
import { TableStore } from '../../shared/house/table.svelte'

export interface Receipt {
  id: string
  at_ms: number
  act: string
  table: string
  whose: string
  cents: number
  voucher: string | null
}
/** Cash that a Player wants to bring to a terminal. */
export interface BuyInAsked {
  table: string
  notice: Notice
}
export type SeatAct = 'buy-in' | 'cash-out' | 'voucher' | 'redeem'

const MOST_RECEIPTS = 100
const SUMS = {
  'buy-in': 'buy_in',
  'cash-out': 'cash_out',
  voucher: 'voucher',
  owed: 'pay_owed',
  claim: 'pay_claim',
  fill: 'fill',
  credit: 'credit',
} as const

const needsSecond = (refusal: StatedReason | null): boolean =>
  ['second_person_needed', 'person_sum_reached'].includes(refusal?.reason.code ?? '')

function sumMoved(act: string, cents: number, whose: string): Payment | null {
  if (!(act in SUMS)) return null
  const kind = SUMS[act as keyof typeof SUMS]
  if (kind === 'fill' || kind === 'credit') return { kind, cents }
  return kind === 'pay_owed' || kind === 'pay_claim' ? { kind, player: whose, cents } : { kind, seat: whose, cents }
}

export const voucherOf = (code: string): Promise<VoucherShown> =>
  ask('/api/vouchers/find', { method: 'POST', body: { code } })

export class CashierState {
  tables = $state.raw<TableShown[]>([])
  table = $state('')
  money = $state.raw<TableMoneyShown | null>(null)
  receipts = $state.raw<Receipt[]>([])
  proposals = $state.raw<ProposalShown[]>([])
  /** The slip to print; with the receipt of the seat's last round if it was just issued. */
  slip = $state.raw<(VoucherShown & { receipt?: ReceiptShown | undefined }) | null>(null)
  /** The payment that the house refused to a single person. */
  refused = $state.raw<Payment | null>(null)
  /** The drawer that it would be paid from. */
  refusedAt = $state('')
  #stores = $state.raw<TableStore[]>([])

  async start(): Promise<void> {
    await attempt(async () => {
      this.tables = await tables()
      this.table ||= this.tables[0]?.name ?? ''
    })
    this.#follow()
    await this.look()
  }

  #follow(): void {
    const options = { session: 'cookie', storage: null }
    this.#stores = this.tables.map(({ name }) => new TableStore({ table: name, ...options }))
    for (const store of this.#stores) store.start()
  }

  stop(): void {
    for (const store of this.#stores) store.stop()
  }

  /** The requests for cash from terminals of all tables. */
  get asked(): BuyInAsked[] {
    return this.#stores.flatMap(({ view, staff: seen }) =>
      (seen?.notices ?? []).filter(({ kind }) => kind === 'buy_in').map((notice) => ({ table: view!.table, notice })),
    )
  }

  /** Answer a request for cash; return the refusal, if any. */
  async answer({ table, notice }: BuyInAsked, accept: boolean): Promise<string | null> {
    const store = this.#stores.find(({ view }) => view?.table === table)
    const answer = await store?.send({ type: 'answer_notice', notice: notice.id, accept })
    if (!answer?.registered) {
      const refusal = answer?.refusal ?? null
      if (accept && needsSecond(refusal)) {
        await this.choose(table)
        this.refused = sumMoved('buy-in', notice.cents ?? 0, notice.seat ?? '')
        this.refusedAt = table
      }
      return because(refusal)
    }
    if (accept) this.#note('buy-in', notice.seat ?? '', notice.cents ?? 0, null, table)
    await this.look()
    return null
  }

  async choose(table: string): Promise<void> {
    this.table = table
    this.money = null
    await this.look()
  }

  async look(): Promise<void> {
    const { table } = this
    if (!table) return
    await attempt(async () => {
      const money = await ask<TableMoneyShown>(path`/api/tables/${table}/seats`)
      // The person may have chosen another table meanwhile.
      if (table === this.table) this.money = money
      if (staff.may('propose')) this.proposals = await proposals()
    })
  }

  /** Do an act at a seat; show an issued voucher for printing. */
  async atSeat(act: SeatAct, seat: string, what: { cents: number } | { code: string }, said: string): Promise<boolean> {
    const to = path`/api/tables/${this.table}/seats/${seat}/${act}`
    const payment = 'cents' in what ? sumMoved(act, what.cents, seat) : null
    const done = await attempt(async () => {
      const paid = await this.#pay<SeatPaidShown>(to, what, payment)
      const cents = 'code' in what ? (await voucherOf(what.code)).cents : paid.cents
      this.#note(act, seat, cents, paid.voucher)
      if (paid.set_off_cents) this.#note('set-off', seat, paid.set_off_cents, null)
      if (paid.voucher) {
        const receipt = ask<ReceiptShown>(path`/api/tables/${this.table}/seats/${seat}/receipt`).catch(() => undefined)
        this.slip = { ...(await voucherOf(paid.voucher)), receipt: await receipt }
      }
    }, said)
    await this.look()
    return done
  }

  /** Pay in cash to the bearer; return the payment, or null if it was refused. */
  async payVoucher(code: string, drawer: string): Promise<VoucherPaidShown | null> {
    const to = drawer === CAGE ? '/api/vouchers/pay' : path`/api/tables/${drawer}/vouchers/pay`
    let paid: VoucherPaidShown | null = null
    await attempt(async () => {
      paid = await this.#pay<VoucherPaidShown>(to, { code }, { kind: 'pay_voucher', code }, drawer)
      this.#note('pay-voucher', paid.voucher, paid.cents, null, drawer)
    })
    await this.look()
    return paid
  }

  /** Count the float; return the book's sum before it, or null if the house refused. */
  async countFloat(count: Count, cents: number): Promise<number | null> {
    const to = path`/api/tables/${this.table}/float/count`
    let booked: number | null = null
    await attempt(async () => {
      const counted = await this.#pay<FloatCountedShown>(to, { count, cents }, { kind: 'count_float', count, cents })
      booked = counted.booked_cents
      this.#note('count', this.table, cents, null)
    }, t('cashier.done_count'))
    await this.look()
    return booked
  }

  /** Do an act at the table: float, colour chips, claims. */
  async atTable(
    act: string,
    to: string,
    body: object,
    whose: string,
    cents: number,
    said: string,
    payment = sumMoved(act, cents, whose),
  ): Promise<boolean> {
    const done = await attempt(async () => {
      await this.#pay(to, body, payment)
      this.#note(act, whose, cents, null)
    }, said)
    await this.look()
    return done
  }

  /** Ask the house; if it wants a second person, offer a proposal. */
  async #pay<T>(to: string, body: object, payment: Payment | null, drawer = this.table): Promise<T> {
    try {
      return await ask<T>(to, { method: 'POST', body: { id: newId(), ...body } })
    } catch (error) {
      if (error instanceof Problem && needsSecond(error.stated)) {
        this.refused = payment
        this.refusedAt = drawer
      }
      throw error
    }
  }

  /** Forget an ended proposal; show a voucher that it issued for printing. */
  async ended(voucher?: string): Promise<void> {
    if (voucher) await attempt(async () => (this.slip = await voucherOf(voucher)))
    await this.look()
  }

  #note(act: string, whose: string, cents: number, voucher: string | null, table = this.table): void {
    const receipt = { id: newId(), at_ms: staff.nowMs, act, table, whose, cents, voucher }
    this.receipts = [receipt, ...this.receipts].slice(0, MOST_RECEIPTS)
  }
}
