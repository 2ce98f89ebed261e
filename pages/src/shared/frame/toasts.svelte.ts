/** Short messages over the band: a refusal stands 8 seconds, anything else 5, if it does not stay. */
import { newId } from '../house/ids'

export interface ToastShown {
  id: string
  tone: 'bad' | 'info' | 'ok'
  title: string
  detail: string
  /** A refused chip to show beside it, in cents. */
  cents?: number
  /** Stays until it is dismissed: its text is shown nowhere else. */
  stays?: boolean
}

class Toasts {
  shown = $state.raw<ToastShown[]>([])

  say(toast: Omit<ToastShown, 'id'>): void {
    const id = newId()
    this.shown = [...this.shown.slice(-2), { ...toast, id }]
    if (toast.stays) return
    setTimeout(() => this.dismiss(id), toast.tone === 'bad' ? 8_000 : 5_000)
  }

  dismiss(id: string): void {
    this.shown = this.shown.filter((each) => each.id !== id)
  }
}

export const toasts = new Toasts()
