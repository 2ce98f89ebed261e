/** The member of staff at this page, their rights, and the house's time. */
import type { HouseShown, MeShown, SecondFactorShown, SessionShown, StatedReason } from '../../generated/schema'
import { ask, house, logOff, mayBeLoggedOn, me, Problem } from '../house/api'
import { t, words } from '../words/i18n.svelte'
import { deviceAt } from '../house/deviceTokens'
import { because } from '../words/reasons'
import { toasts } from '../frame/toasts.svelte'

export interface Credentials {
  name: string
  password: string
}

/** The credentials that a sensitive act asks for again. */
export interface Proof {
  password: string
  /** The code of the second factor; empty if the house asks for none. */
  code: string
}

class Staff {
  /** The table of this page; empty if the page belongs to the whole house. */
  table = ''
  me = $state.raw<MeShown | null>(null)
  /** Whether they have a second factor, and at which acts the house asks for one. */
  factor = $state.raw<SecondFactorShown | null>(null)
  house = $state.raw<HouseShown | null>(null)
  /** Whether the house has answered who is logged on. */
  asked = $state(false)
  /** Why the session ended. */
  reason = $state.raw<StatedReason | null>(null)
  /** The house's time, ticking every second. */
  nowMs = $state(Date.now())
  #aheadMs = 0

  async look(): Promise<void> {
    try {
      this.house = await house()
      this.#aheadMs = this.house.at_ms - Date.now()
      words.currency = this.house.currency
      words.zone = this.house.time_zone
      this.me = mayBeLoggedOn() ? await me() : null
      this.factor = this.me ? await ask<SecondFactorShown>('/api/me/second-factor') : null
      if (this.me) this.reason = null
    } catch (error) {
      this.me = null
      if (!(error instanceof Problem)) throw error
      if (error.status !== 401) this.reason = error.stated
    }
    this.asked = true
  }

  tick(): void {
    this.nowMs = Date.now() + this.#aheadMs
  }

  may(act: string): boolean {
    return this.me?.may.includes(act) ?? false
  }

  out(reason: StatedReason | null = null): void {
    this.me = null
    this.reason = reason
  }

  async off(): Promise<void> {
    await attempt(() => logOff())
    this.out()
  }
}

export const staff = new Staff()

/** Log on as another person, act, log off; the session of this page stays. Raises `Problem`. */
export async function actAs<T>(
  who: Credentials,
  act: (token: string, device: string | null) => Promise<T>,
): Promise<T> {
  const device = deviceAt(staff.table)
  const body = { ...who, device }
  const { token } = await ask<SessionShown>('/api/log-on', { method: 'POST', body, device, apart: true })
  try {
    return await act(token, device)
  } finally {
    await ask('/api/log-off', { method: 'POST', token, device, apart: true })
  }
}

/** Do it and report it; a refusal is shown in the house's words. */
export async function attempt(act: () => Promise<unknown>, said?: string): Promise<boolean> {
  try {
    await act()
    if (said) toasts.say({ tone: 'ok', title: said, detail: '' })
    return true
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    if (error.status === 401 && staff.me) staff.out(error.stated)
    else toasts.say({ tone: 'bad', title: t('staff.refused'), detail: because(error.stated) })
    return false
  }
}
