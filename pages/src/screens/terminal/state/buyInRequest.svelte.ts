/** Notices that a request for an attendant has lapsed: a restarted house has forgotten it. */
import type { FromHouse, SeatView } from '../../../generated/schema'

export class BuyInRequest {
  /** The sum of the lapsed request; none if nothing has lapsed. */
  lapsedCents = $state<number | null>(null)
  #asked: { cents: number; creditCents: number } | null = null

  /** Look at the seat after every message of the house. */
  hear(message: FromHouse, seat: SeatView | null): void {
    const notice = seat?.notices.find((each) => each.kind === 'buy_in')
    if (notice) this.lapsedCents = null
    else if (message.type === 'snapshot' && seat && this.#asked && seat.credit_cents <= this.#asked.creditCents)
      this.lapsedCents = this.#asked.cents
    this.#asked = seat && notice ? { cents: notice.cents ?? 0, creditCents: seat.credit_cents } : null
  }
}
