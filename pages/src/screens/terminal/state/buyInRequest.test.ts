import { beforeEach, expect, test } from 'vitest'
import type { FromHouse, SeatView } from '../../../generated/schema'
import { BuyInRequest } from './buyInRequest.svelte'

const seat = (credit_cents: number, cents?: number): SeatView =>
  ({ credit_cents, notices: cents === undefined ? [] : [{ kind: 'buy_in', cents }] }) as unknown as SeatView
const [update, snapshot] = [{ type: 'update' }, { type: 'snapshot' }] as unknown as [FromHouse, FromHouse]
let request: BuyInRequest

beforeEach(() => {
  request = new BuyInRequest()
  request.hear(update, seat(100, 5_000))
})

test('a request that a house started again knows nothing of is told, until there is another', () => {
  request.hear(snapshot, seat(100))
  expect(request.lapsedCents).toBe(5_000)

  request.hear(update, seat(100))
  expect(request.lapsedCents).toBe(5_000)
  request.hear(update, seat(100, 2_000))
  expect(request.lapsedCents).toBeNull()
})

test('one that was answered has not lapsed: in sight, or with its credit while the line was down', () => {
  request.hear(update, seat(100))
  request.hear(snapshot, seat(100))
  expect(request.lapsedCents).toBeNull()

  request.hear(update, seat(100, 5_000))
  request.hear(snapshot, seat(5_100))
  expect(request.lapsedCents).toBeNull()
})

test('one that still waits after a lost line has not lapsed', () => {
  request.hear(snapshot, seat(100, 5_000))
  expect(request.lapsedCents).toBeNull()
})
