/** The house over HTTP: typed answers, or one `Problem` with one sentence. */
import type {
  ApiProblem,
  ClauseShown,
  HistoryShown,
  HouseShown,
  LayoutShown,
  MeShown,
  PiecesShown,
  SeatShown,
  SessionShown,
  StatedReason,
  TableShown,
  WagerBody,
} from '../../generated/schema'
import { t } from '../words/i18n.svelte'

export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly stated: StatedReason,
  ) {
    super(stated.text)
  }
}

/** A sentence of this page, in the form of the house's reasons. */
export const ofPage = (text: string): StatedReason => ({ text, reason: { code: '', values: {} }, clause: null })

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
export interface AskOptions {
  method?: Method
  body?: unknown
  /** A device's or session's token; without one, the session's cookie is sent. */
  token?: string | null
  /** With a session's token, the token of the device that opened it. */
  device?: string | null
  /** Don't send or change the session's cookies: another person acts at this page. */
  apart?: boolean
  signal?: AbortSignal
}

let isLeft = false
globalThis.addEventListener?.('pageshow', () => (isLeft = false))

/** Send no more requests: another person's session is about to begin. */
export function leavePage(): void {
  isLeft = true
}

/** Ask the house; raises `Problem`. Paths are written with `path`. */
export async function ask<T>(to: string, options: AskOptions = {}): Promise<T> {
  if (isLeft) return new Promise(() => {})
  const { method = 'GET', body, token, device, apart, signal } = options
  const headers = new Headers({ Accept: 'application/json' })
  if (body !== undefined) headers.set('Content-Type', 'application/json')
  if (token) headers.set('Authorization', `Bearer ${token}`)
  if (device) headers.set('X-Device-Token', device)
  const csrf = csrfCookie()
  if (method !== 'GET' && csrf && !token && !apart) headers.set('X-CSRF-Token', csrf)
  let response: Response
  try {
    response = await fetch(to, {
      method,
      headers,
      credentials: apart ? 'omit' : 'same-origin',
      cache: 'no-store',
      body: body === undefined ? null : JSON.stringify(body),
      signal: signal ?? null,
    })
  } catch (error) {
    if (signal?.aborted) throw error
    throw new Problem(0, ofPage(t('app.no_answer')))
  }
  if (!response.ok) throw await problemOf(response)
  return (response.status === 204 ? undefined : await response.json()) as T
}

/** A path with its names written so that any name is safe: path`/api/tables/${name}`. */
export function path(texts: TemplateStringsArray, ...names: (string | number)[]): string {
  return texts.reduce((all, text, k) => all + encodeURIComponent(names[k - 1] ?? '') + text)
}

async function problemOf(response: Response): Promise<Problem> {
  try {
    const { error: text, reason, clause } = (await response.json()) as ApiProblem
    return new Problem(response.status, { text, reason, clause })
  } catch {
    return new Problem(response.status, ofPage(t('app.answered', { status: String(response.status) })))
  }
}

/** Over TLS our cookies have a name that no other host can set. */
const csrfCookie = (): string | null => cookie(`${location.protocol === 'https:' ? '__Host-' : ''}croupier_csrf`)

function cookie(name: string): string | null {
  const found = document.cookie.split('; ').find((each) => each.startsWith(`${name}=`))
  return found ? decodeURIComponent(found.slice(name.length + 1)) : null
}

/** Whether a session's cookies are here; only the house knows if they still count. */
export const mayBeLoggedOn = (): boolean => csrfCookie() !== null

export const house = (): Promise<HouseShown> => ask('/api/house')
export const tables = (): Promise<TableShown[]> => ask('/api/tables')
export const layoutOf = (game: string): Promise<LayoutShown> => ask(path`/api/games/${game}/layout`)
export const clausesOf = (game: string): Promise<ClauseShown[]> => ask(path`/api/games/${game}/clauses`)
export const historyOf = (table: string): Promise<HistoryShown> => ask(path`/api/tables/${table}/history`)
/** A wager taken to pieces by the house, before it is placed. */
export const piecesOf = (table: string, asked: WagerBody): Promise<PiecesShown> =>
  ask(path`/api/tables/${table}/pieces`, { method: 'POST', body: asked })
export const takeSeat = (table: string): Promise<SeatShown> =>
  ask(path`/api/tables/${table}/guests`, { method: 'POST' })
export const logOnWithoutPassword = (name: string): Promise<SessionShown> =>
  ask('/api/demonstration/staff', { method: 'POST', body: { name } })
export const logOn = (name: string, password: string, device: string | null): Promise<SessionShown> =>
  ask('/api/log-on', { method: 'POST', body: { name, password, device }, device })
export const logOff = (): Promise<void> => ask('/api/log-off', { method: 'POST' })
export const me = (): Promise<MeShown> => ask('/api/me')
