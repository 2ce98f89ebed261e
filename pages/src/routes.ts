/** The screen of each path; a screen is loaded on its first use. */
import type { Component } from 'svelte'
import { words, type Part } from './shared/words/i18n.svelte'

export type ScreenName =
  'home' | 'terminal' | 'seats' | 'console' | 'board' | 'pit' | 'cashier' | 'inspector' | 'learn' | 'sheet'
/** The props of every screen. */
export interface ScreenProps {
  /** The table of the path; empty if the path names none. */
  table: string
}
type Screen = { default: Component<ScreenProps> | Component }

/** Each screen's module, and its catalogues besides `words`. */
const SCREENS: Record<ScreenName, [load: () => Promise<Screen>, ...parts: Part[]]> = {
  home: [() => import('./screens/home/Home.svelte'), 'home'],
  terminal: [() => import('./screens/terminal/Terminal.svelte'), 'terminal'],
  seats: [() => import('./screens/seats/Seats.svelte'), 'terminal'],
  console: [() => import('./screens/console/Console.svelte'), 'console', 'names', 'staff'],
  board: [() => import('./screens/board/Board.svelte'), 'board'],
  pit: [() => import('./screens/pit/Pit.svelte'), 'learn', 'names', 'pit', 'staff'],
  cashier: [() => import('./screens/cashier/Cashier.svelte'), 'cashier', 'names', 'staff'],
  inspector: [() => import('./screens/inspector/Inspector.svelte'), 'inspector', 'names', 'rulebook', 'staff'],
  learn: [() => import('./screens/learn/Learn.svelte'), 'learn'],
  sheet: [() => import('./screens/sheet/PartsSheet.svelte'), 'terminal'],
}
const PATHS: [RegExp, ScreenName][] = [
  [/^\/$/, 'home'],
  [/^\/seat\/([^/]+)$/, 'terminal'],
  [/^\/seats$/, 'seats'],
  [/^\/console\/([^/]+)$/, 'console'],
  [/^\/board\/([^/]+)$/, 'board'],
  [/^\/pit$/, 'pit'],
  [/^\/cashier$/, 'cashier'],
  [/^\/inspector$/, 'inspector'],
  [/^\/learn$/, 'learn'],
  [/^\/sheet$/, 'sheet'],
]

export interface Route {
  screen: ScreenName
  table: string
}

/** A table's name in the address of a page: a space is a plus there. */
export const inPath = (table: string): string => encodeURIComponent(table).replaceAll('%20', '+')

export function routeOf(pathname: string): Route | null {
  for (const [pattern, screen] of PATHS) {
    const found = pattern.exec(pathname)
    if (found) return { screen, table: decodeURIComponent((found[1] ?? '').replaceAll('+', ' ')) }
  }
  return null
}

export async function loadScreen(name: ScreenName): Promise<Component<ScreenProps>> {
  const [load, ...parts] = SCREENS[name]
  const [screen] = await Promise.all([load(), words.need(...parts)])
  // Until these have come, the house's reasons are shown in its own English.
  words.need('reasons', 'names').catch(() => {})
  return screen.default as Component<ScreenProps>
}
