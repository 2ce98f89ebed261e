/**
 * One WebSocket to one table.
 *
 * - A command keeps its id until it is answered; after a lost connection it is sent again.
 * - If the house can't say yet whether a command was done, it is sent again after a pause.
 * - Unanswered commands outlive a reload of the page, so that no act is done twice.
 * - After five seconds without a message from the house, the connection counts as lost.
 */
import { path, Problem } from './api'
import { newId } from './ids'
import type { Answered, FromHouse, Hello, Ping, StatedReason, ToHouse } from '../../generated/schema'

/** Messages with an id: the house answers each once, however often it is sent. */
export type Sent = Exclude<ToHouse, Hello | Ping>
type WithoutId<T> = T extends Sent ? Omit<T, 'id'> : never
export type Command = WithoutId<Sent>
export type Connection = 'connecting' | 'connected' | 'lost' | 'ended'

export interface SocketOptions {
  table: string
  device?: string | null
  session?: string | null
  /** The storage of unanswered commands, if any. */
  storage?: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> | null
  open?: (url: string) => WebSocket
}

const PING_MS = 2_000
const SILENCE_MS = 5_000
const UNKNOWN_MS = 1_000
const BACKOFF_MS = [250, 500, 1_000, 2_000, 4_000]

export class TableSocket {
  onmessage: (message: FromHouse) => void = () => {}
  onconnection: (connection: Connection, reason: StatedReason | null) => void = () => {}
  /** Called with the answer to a command from before a reload. */
  onrecovered: (command: Sent, answer: Answered) => void = () => {}

  /** Called if the house can't say yet whether a command was done; it is sent again. */
  onunknown: (command: Sent) => void = () => {}

  #socket: WebSocket | null = null
  #heardAt = 0
  #tries = 0
  #stopped = false
  #watch: ReturnType<typeof setInterval> | undefined
  #again: ReturnType<typeof setTimeout> | undefined
  #unanswered = new Map<string, Sent>()
  #promised = new Map<string, (answer: Answered) => void>()
  readonly #options: SocketOptions
  readonly #kept: string

  constructor(options: SocketOptions) {
    this.#options = options
    this.#kept = `croupier.unanswered.${options.table}.${options.device ?? ''}`
    for (const sent of this.#read()) this.#unanswered.set(sent.id, sent)
  }

  start(): void {
    this.#connect()
    this.#watch = setInterval(() => this.#beat(), PING_MS)
  }

  stop(): void {
    this.#stopped = true
    clearInterval(this.#watch)
    clearTimeout(this.#again)
    if (this.#socket) hangUp(this.#socket)
  }

  /** Send a command; the promise resolves when the house answers, however late. */
  send(command: Command): Promise<Answered> {
    const sent = { ...command, id: newId() } as Sent
    this.#unanswered.set(sent.id, sent)
    this.#keep()
    this.#put(sent)
    return new Promise((resolve) => this.#promised.set(sent.id, resolve))
  }

  get waiting(): number {
    return this.#unanswered.size
  }

  #connect(): void {
    const url =
      `${location.protocol}//${location.host}`.replace(/^http/, 'ws') + path`/api/tables/${this.#options.table}/play`
    const socket = (this.#options.open ?? ((to) => new WebSocket(to)))(url)
    this.#socket = socket
    this.#heardAt = Date.now()
    socket.onopen = () => this.#greet()
    socket.onmessage = (frame) => this.#hear(String(frame.data))
    socket.onclose = () => this.#lost(socket)
  }

  #greet(): void {
    const { device = null, session = null } = this.#options
    this.#put({ type: 'hello', device, session } satisfies Hello)
    for (const sent of this.#unanswered.values()) this.#put(sent)
  }

  #put(message: object): void {
    if (this.#socket?.readyState === 1) this.#socket.send(JSON.stringify(message))
  }

  #hear(text: string): void {
    this.#heardAt = Date.now()
    const message = JSON.parse(text) as FromHouse
    if (message.type === 'answer') this.#answered(message)
    else if (message.type === 'problem') {
      if (message.again) this.#unknown(message.id)
      else this.#problem(message.reason, message.id)
    } else if (message.type === 'bye') this.#bye(message.reason, message.come_back)
    else {
      if (this.#tries >= 0) {
        this.#tries = -1
        this.onconnection('connected', null)
      }
      this.onmessage(message)
    }
  }

  #answered(answer: Answered): void {
    const sent = this.#unanswered.get(answer.id)
    this.#unanswered.delete(answer.id)
    this.#keep()
    this.onmessage(answer)
    const promised = this.#promised.get(answer.id)
    this.#promised.delete(answer.id)
    if (promised) promised(answer)
    else if (sent) this.onrecovered(sent, answer)
  }

  /** Neither done nor refused: send it again later, unless a new connection did so before. */
  #unknown(id: string | null): void {
    const [sent, socket] = [this.#unanswered.get(id ?? ''), this.#socket]
    if (!sent) return
    this.onunknown(sent)
    setTimeout(() => {
      if (socket === this.#socket && this.#unanswered.has(sent.id)) this.#put(sent)
    }, UNKNOWN_MS)
  }

  /** A problem with a command's id is its answer; one without an id is about the connection. */
  #problem(refusal: StatedReason, id: string | null): void {
    const nothing = { sequence: 0, read_back: null, voucher: null, seat: null, wagers: [], gone: [] }
    if (id !== null) this.#answered({ type: 'answer', id, registered: false, refusal, ...nothing })
    else if (this.#tries !== -1) this.#bye(refusal, false)
  }

  #bye(reason: StatedReason, comeBack: boolean): void {
    if (comeBack) return
    this.stop()
    this.onconnection('ended', reason)
  }

  #beat(): void {
    if (Date.now() - this.#heardAt > SILENCE_MS && this.#socket?.readyState !== 3) {
      const silent = this.#socket
      if (silent) {
        hangUp(silent)
        this.#lost(silent)
      }
      return
    }
    this.#put({ type: 'ping', at_ms: Date.now() })
  }

  #lost(socket: WebSocket): void {
    if (this.#stopped || socket !== this.#socket) return
    this.#socket = null
    this.#tries = Math.max(this.#tries, 0) + 1
    this.onconnection('lost', null)
    const wait = BACKOFF_MS[Math.min(this.#tries, BACKOFF_MS.length) - 1] ?? 0
    this.#again = setTimeout(() => this.#connect(), wait * (0.75 + Math.random() / 2))
  }

  #keep(): void {
    const kept = JSON.stringify([...this.#unanswered.values()])
    if (this.#unanswered.size) this.#options.storage?.setItem(this.#kept, kept)
    else this.#options.storage?.removeItem(this.#kept)
  }

  #read(): Sent[] {
    const kept = this.#options.storage?.getItem(this.#kept)
    return kept ? (JSON.parse(kept) as Sent[]) : []
  }
}

/** Close a connection; wait until it is open, or the browser would log a failure. */
function hangUp(socket: WebSocket): void {
  if (socket.readyState === 0) socket.onopen = () => socket.close()
  else socket.close()
}

/** Send one command over its own connection. Raises `Problem` if the house hangs up. */
export async function sendOnce(options: SocketOptions, command: Command): Promise<Answered> {
  const socket = new TableSocket(options)
  const ended = new Promise<never>((_, reject) => {
    socket.onconnection = (connection, reason) => {
      if (connection === 'ended' && reason) reject(new Problem(0, reason))
    }
  })
  socket.start()
  try {
    return await Promise.race([socket.send(command), ended])
  } finally {
    socket.stop()
  }
}
