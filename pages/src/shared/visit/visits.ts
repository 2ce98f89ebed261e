/** What this browser has seen: pages, whose help is shown once, and how much of the tour. */
import type { ScreenName } from '../../routes'

/** Where the tour is kept while there is one. */
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

/** Whether a page with help is seen for the first time; from now on it has been seen. */
export function isFirstVisit(screen: ScreenName, kept: Pick<Storage, 'getItem' | 'setItem'> = localStorage): boolean {
  const visited = JSON.parse(kept.getItem(VISITED) ?? '[]') as string[]
  if (!HELPED.has(screen) || visited.includes(screen)) return false
  kept.setItem(VISITED, JSON.stringify([...visited, screen]))
  return true
}
