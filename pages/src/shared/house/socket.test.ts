import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { TableSocket, type Connection } from './socket'

class FakeSocket {
  static all: FakeSocket[] = []
  readyState = 0
  sent: Record<string, unknown>[] = []
  onopen = () => {}
  onmessage = (_: { data: string }) => {}
  onclose = () => {}

  constructor(readonly url = '') {
    FakeSocket.all.push(this)
  }
  send(text: string): void {
    this.sent.push(JSON.parse(text) as Record<string, unknown>)
  }
  close(): void {
    if (this.readyState === 3) return
    this.readyState = 3
    this.onclose()
  }
  opens(): void {
    this.readyState = 1
    this.onopen()
  }
  says(message: object): void {
    this.onmessage({ data: JSON.stringify(message) })
  }
  get commands(): Record<string, unknown>[] {
    return this.sent.filter(({ type }) => type !== 'hello' && type !== 'ping')
  }
}

function memory(): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> {
  const kept = new Map<string, string>()
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  }
}

const open = (url: string) => new FakeSocket(url) as unknown as WebSocket
const latest = () => FakeSocket.all.at(-1)!
let socket: TableSocket
let connections: Connection[]

function begin(storage = memory()): TableSocket {
  const begun = new TableSocket({ table: 'table 1', device: 'd', open, storage })
  begun.onconnection = (connection) => connections.push(connection)
  begun.start()
  latest().opens()
  return begun
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('location', { protocol: 'http:', host: 'house' })
  FakeSocket.all = []
  connections = []
  socket = begin()
})
afterEach(() => {
  socket.stop()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const NO_VOUCHER = { text: 'there is no such voucher', reason: { code: 'voucher_unknown', values: {} }, clause: null }
const answer = (id: unknown, more = {}) => ({ type: 'answer', id, sequence: 9, registered: true, wagers: [], ...more })

test('the first message is hello', () => {
  expect(latest().sent[0]).toEqual({ type: 'hello', device: 'd', session: null })
  expect(latest().url).toBe('ws://house/api/tables/table%201/play')
})

test('an answer keeps the promise of its command', async () => {
  const promised = socket.send({ type: 'collect' })
  latest().says(answer(latest().commands[0]?.id, { voucher: 'ABC' }))

  await expect(promised).resolves.toMatchObject({ registered: true, voucher: 'ABC' })
  expect(socket.waiting).toBe(0)
})

test('what is unanswered is sent again under the same id', () => {
  latest().says({ type: 'snapshot', sequence: 41 })
  void socket.send({ type: 'act', act: 'no more bets' })
  const before = latest().commands

  latest().close()
  vi.advanceTimersByTime(1_000)
  latest().opens()

  expect(FakeSocket.all).toHaveLength(2)
  expect(latest().sent[0]).toMatchObject({ type: 'hello' })
  expect(latest().commands).toEqual(before)
  expect(connections).toEqual(['connected', 'lost'])
})

test('an unanswered command outlives a reload, and its answer is told', () => {
  const storage = memory()
  socket.stop()
  socket = begin(storage)
  void socket.send({ type: 'collect' })
  const [sent] = latest().commands
  socket.stop()

  const recovered = vi.fn()
  socket = begin(storage)
  socket.onrecovered = recovered
  expect(latest().commands).toEqual([sent])
  latest().says(answer(sent?.id, { voucher: 'ABC' }))

  expect(recovered).toHaveBeenCalledWith(sent, expect.objectContaining({ voucher: 'ABC' }))
})

test('five seconds of silence are a lost connection', () => {
  latest().says({ type: 'pong', at_ms: 1, echo_ms: 1, sequence: 1 })
  vi.advanceTimersByTime(4_000)
  expect(connections).toEqual(['connected'])

  vi.advanceTimersByTime(2_100)

  expect(connections).toEqual(['connected', 'lost'])
})

test('a problem with a command is its refusal', async () => {
  const promised = socket.send({ type: 'redeem', code: 'X' })
  latest().says({ type: 'problem', reason: NO_VOUCHER, id: latest().commands[0]?.id })

  await expect(promised).resolves.toMatchObject({ registered: false, refusal: NO_VOUCHER })
})

test('an unknown answer is asked for again under the same id, and shown', async () => {
  const unknown = vi.fn()
  socket.onunknown = unknown
  const promised = socket.send({ type: 'redeem', code: 'X' })
  const [sent] = latest().commands
  latest().says({ type: 'problem', reason: NO_VOUCHER, id: sent?.id, again: true })
  expect(unknown).toHaveBeenCalledWith(sent)
  expect(socket.waiting).toBe(1)

  vi.advanceTimersByTime(1_000)
  expect(latest().commands).toEqual([sent, sent])
  latest().says(answer(sent?.id))
  vi.advanceTimersByTime(1_000)

  await expect(promised).resolves.toMatchObject({ registered: true })
  expect(latest().commands).toHaveLength(2)
})

test('an unknown answer is asked for once on a new connection', () => {
  void socket.send({ type: 'redeem', code: 'X' })
  const [sent] = latest().commands
  latest().says({ type: 'problem', reason: NO_VOUCHER, id: sent?.id, again: true })
  latest().close()
  vi.advanceTimersByTime(900)
  latest().opens()
  vi.advanceTimersByTime(1_000)

  expect(FakeSocket.all).toHaveLength(2)
  expect(latest().commands).toEqual([sent])
})

test('a goodbye for good ends it', () => {
  latest().says({ type: 'bye', reason: 'this device was revoked', come_back: false })
  vi.advanceTimersByTime(60_000)

  expect(connections).toEqual(['ended'])
  expect(FakeSocket.all).toHaveLength(1)
})

test('a goodbye to come back is a lost connection', () => {
  latest().says({ type: 'snapshot', sequence: 1 })
  latest().says({ type: 'bye', reason: 'you read too slowly', come_back: true })
  latest().close()
  vi.advanceTimersByTime(1_000)

  expect(FakeSocket.all).toHaveLength(2)
})

test('a socket that is stopped before it is open says nothing, and closes once it is', () => {
  const begun = new TableSocket({ table: 'table 1', open, storage: memory() })
  begun.start()
  const opening = latest()

  begun.stop()
  expect(opening.readyState).toBe(0)
  opening.opens()

  expect(opening.readyState).toBe(3)
  expect(opening.sent).toEqual([])
})

test('a socket that does not open is given up for another, and closes if it does', () => {
  const begun = new TableSocket({ table: 'table 1', open, storage: memory() })
  begun.start()
  const slow = latest()

  vi.advanceTimersByTime(7_000)
  expect(latest()).not.toBe(slow)
  expect(slow.readyState).toBe(0)
  slow.opens()
  latest().opens()
  begun.stop()

  expect(slow.readyState).toBe(3)
  expect(slow.sent).toEqual([])
  expect(latest().sent[0]).toMatchObject({ type: 'hello' })
})
