/** This browser's record of visited pages, whose help is shown once, and of the tour. */
import type { ScreenName } from '../../routes'

/** The storage key of the tour. */
export const TOUR_KEPT = 'croupier.tour'
const VISITED = 'croupier.visited'
const HELPED: ReadonlySet<ScreenName> = new Set([
  'terminal',
  'seats',
  'console',
  'board',
  'pit',
  'cashier',
  'inspector',
])

/** Return whether this is the first visit to a page with help, and note the visit. */
export function isFirstVisit(screen: ScreenName, kept: Pick<Storage, 'getItem' | 'setItem'> = localStorage): boolean {
  const visited = JSON.parse(kept.getItem(VISITED) ?? '[]') as string[]
  if (!HELPED.has(screen) || visited.includes(screen)) return false
  kept.setItem(VISITED, JSON.stringify([...visited, screen]))
  return true
}
