/** The voucher for a seat's credit: shown until the Player has taken it. */
import type { Answered, FromHouse } from '../../../generated/schema'
import type { Sent } from '../../../shared/house/socket'
import type { TableStore } from '../../../shared/house/table.svelte'

export interface VoucherShown {
  code: string
  cents: number | null
  /** The last gaming day on which it can be redeemed. */
  expires: string | null
  /** The device and time of its issue, and its place in the table's journal. */
  issued: { device: string; at_ms: number; sequence: number } | null
}

export class Vouchers {
  /** Kept over a reload, so that no voucher is lost from sight. */
  #kept = $state.raw<VoucherShown | null>(null)
  /** The credit is on its way to the seat's next name; after a failure the voucher is shown. */
  #carrying = $state(false)
  /** The house has been asked and has not answered. */
  collecting = $state(false)
  readonly #memory: string

  constructor(
    readonly store: TableStore,
    table: string,
  ) {
    this.#memory = `croupier.voucher.${table}`
    this.#kept = JSON.parse(sessionStorage.getItem(this.#memory) ?? 'null') as VoucherShown | null
  }

  get shown(): VoucherShown | null {
    return this.#carrying ? null : this.#kept
  }

  /**
   * Carry the credit over to the seat's next name after `act`: as a voucher that is redeemed
   * at once. If anything fails, it goes back to the seat, or the voucher stays on the screen.
   */
  async carry(cents: number, act: () => Promise<boolean>): Promise<boolean> {
    this.#carrying = true
    try {
      const { registered } = await this.collect(cents)
      if (!registered) return false
      const done = await act()
      const code = this.#kept?.code
      if (code && (await this.store.send({ type: 'redeem', code })).registered) this.taken()
      return done
    } finally {
      this.#carrying = false
    }
  }

  /** Asked once: after a lost connection the same command is sent again. */
  async collect(cents: number): Promise<Answered> {
    this.collecting = true
    const answer = await this.store.send({ type: 'collect', cents })
    this.collecting = false
    this.#issued(answer, cents)
    return answer
  }

  /** Handle the answer to a collect from before a reload. */
  recovered(command: Sent, answer: Answered): void {
    if (command.type === 'collect') this.#issued(answer, command.cents ?? null)
  }

  hear(message: FromHouse): void {
    if (message.type !== 'seat') return
    const issued = message.happened.find(({ event }) => event === 'VoucherIssued')
    if (!issued) return
    const { code, cents, expires } = issued.fields as unknown as VoucherShown
    const { at_ms, sequence } = issued
    this.#show({ code, cents, expires, issued: { device: this.store.seat?.name ?? '', at_ms, sequence } })
  }

  taken(): void {
    this.#kept = null
    sessionStorage.removeItem(this.#memory)
  }

  #issued({ voucher }: Answered, cents: number | null): void {
    if (voucher && this.#kept?.code !== voucher) this.#show({ code: voucher, cents, expires: null, issued: null })
  }

  #show(voucher: VoucherShown): void {
    this.#kept = voucher
    sessionStorage.setItem(this.#memory, JSON.stringify(voucher))
  }
}
