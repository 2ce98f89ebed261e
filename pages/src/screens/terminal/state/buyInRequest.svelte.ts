/** A request for an attendant that no longer waits: a house that was started again knows of none. */
import type { FromHouse, SeatView } from '../../../generated/schema'

export class BuyInRequest {
  /** What was asked for and waits no longer; none: nothing has lapsed. */
  lapsedCents = $state<number | null>(null)
  #asked: { cents: number; creditCents: number } | null = null

  /** After every message of the house, with the seat as it is then. */
  hear(message: FromHouse, seat: SeatView | null): void {
    const notice = seat?.notices.find((each) => each.kind === 'buy_in')
    if (notice) this.lapsedCents = null
    else if (message.type === 'snapshot' && seat && this.#asked && seat.credit_cents <= this.#asked.creditCents)
      this.lapsedCents = this.#asked.cents
    this.#asked = seat && notice ? { cents: notice.cents ?? 0, creditCents: seat.credit_cents } : null
  }
}
