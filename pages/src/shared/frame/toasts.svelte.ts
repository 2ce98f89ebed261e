/** Short messages over the band: a refusal is shown for 8 seconds, others for 5, some until dismissed. */
import { newId } from '../house/ids'

export interface ToastShown {
  id: string
  tone: 'bad' | 'info' | 'ok'
  title: string
  detail: string
  /** A refused chip to show beside it, in cents. */
  cents?: number
  /** It stays until dismissed, because its text is shown nowhere else. */
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
