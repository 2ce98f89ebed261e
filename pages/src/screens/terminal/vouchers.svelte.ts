/** The voucher that a seat's credit became: shown until the Player has taken it. */
import type { Answered, FromHouse } from '../../generated/schema'
import type { Sent } from '../../shared/socket'
import type { TableStore } from '../../shared/table.svelte'

export interface VoucherShown {
  code: string
  cents: number | null
  /** The last gaming day on which it can be redeemed. */
  expires: string | null
}

export class Vouchers {
  /** SavedWager over a reload, so that no voucher is lost from sight. */
  shown = $state.raw<VoucherShown | null>(null)
  /** The house has been asked and has not answered. */
  collecting = $state(false)
  readonly #memory: string

  constructor(
    readonly store: TableStore,
    table: string,
  ) {
    this.#memory = `croupier.voucher.${table}`
    this.shown = JSON.parse(sessionStorage.getItem(this.#memory) ?? 'null') as VoucherShown | null
  }

  /** Asked once: after a lost connection the same command is sent again. */
  async collect(cents: number): Promise<Answered> {
    this.collecting = true
    const answer = await this.store.send({ type: 'collect', cents })
    this.collecting = false
    this.#issued(answer, cents)
    return answer
  }

  /** The answer to a collect of before a reload. */
  recovered(command: Sent, answer: Answered): void {
    if (command.type === 'collect') this.#issued(answer, command.cents ?? null)
  }

  hear(message: FromHouse): void {
    if (message.type !== 'seat') return
    const issued = message.happened.find(({ event }) => event === 'VoucherIssued')
    if (!issued) return
    const { code, cents, expires } = issued.fields as unknown as VoucherShown
    this.#show({ code, cents, expires })
  }

  taken(): void {
    this.shown = null
    sessionStorage.removeItem(this.#memory)
  }

  #issued({ voucher }: Answered, cents: number | null): void {
    if (voucher && this.shown?.code !== voucher) this.#show({ code: voucher, cents, expires: null })
  }

  #show(voucher: VoucherShown): void {
    this.shown = voucher
    sessionStorage.setItem(this.#memory, JSON.stringify(voucher))
  }
}
