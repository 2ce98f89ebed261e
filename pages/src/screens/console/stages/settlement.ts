/** The settlement that the house previews, and the payments that the Dealer has made by hand. */
import type { SettledWagerView, SettlementPreview } from '../../../generated/schema'

export type Hand = 'collect' | 'pay' | 'return'
/** One movement of chips. */
export interface ToDo {
  id: string
  hand: Hand
  player: string
  cents: number
  wagers: SettledWagerView[]
  chips: [cents: number, count: number][]
  rest_cents: number
}

/** Losing chips first, then payments and returned chips Player by Player. */
export function toDo({ by_hand, winning_number }: SettlementPreview): ToDo[] {
  const none = { chips: [], rest_cents: 0 }
  const collect = by_hand
    .filter((each) => each.collected_cents)
    .map(({ player, collected_cents: cents, wagers }): ToDo => {
      const lost = wagers.filter((each) => each.collected_cents)
      return { id: `collect ${player}`, hand: 'collect', player, cents, wagers: lost, ...none }
    })
  const pay = by_hand
    .filter((each) => each.paid_cents)
    .map(({ player, paid_cents: cents, paid_in, rest_cents, wagers }): ToDo => {
      const won = wagers.filter((each) => each.paid_cents)
      const chips = paid_in
      return { id: `pay ${player}`, hand: 'pay', player, cents, wagers: won, chips, rest_cents }
    })
  const back = by_hand
    .filter((each) => each.returned_cents && (winning_number === null || !each.paid_cents))
    .map(({ player, returned_cents: cents, wagers }): ToDo => {
      const kept = wagers.filter((each) => each.returned_cents)
      return { id: `return ${player}`, hand: 'return', player, cents, wagers: kept, ...none }
    })
  return [...collect, ...pay, ...back]
}
