/** What a page shows of an outcome that it saw come: the wheel at rest, the payment, the card. */
import { reducedMotion } from './motion'

export type ResultStage = 'rest' | 'paying' | 'card'
/** Since the outcome may be told. */
const PAYING_MS = 1_100
const CARD_MS = 2_600

export class ResultShow {
  /** Without a show everything stands at its end. */
  stage = $state<ResultStage>('card')
  /** The outcome came while this page was open, so its consequences may move. */
  isLive = $state(false)
  #later: ReturnType<typeof setTimeout>[] = []

  begin(): void {
    this.end()
    if (reducedMotion()) return
    this.isLive = true
    this.stage = 'rest'
    this.#later = [
      setTimeout(() => (this.stage = 'paying'), PAYING_MS),
      setTimeout(() => (this.stage = 'card'), CARD_MS),
    ]
  }

  /** A new opening, or a page that goes, ends it at once. */
  end(): void {
    this.#later.forEach(clearTimeout)
    this.isLive = false
    this.stage = 'card'
  }
}
