/** The show of an outcome that came while the page was open: wheel at rest, payment, card. */
import { reducedMotion } from './motion'

export type ResultStage = 'rest' | 'paying' | 'card'
/** Times since the outcome may be shown. */
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

  /** End the show at once, at a new opening or when the page closes. */
  end(): void {
    this.#later.forEach(clearTimeout)
    this.isLive = false
    this.stage = 'card'
  }
}
