/** Which screen a path shows; each is loaded when it is first asked for. */
import type { Component } from 'svelte'

export type ScreenName =
  | 'home'
  | 'terminal'
  | 'seats'
  | 'console'
  | 'board'
  | 'pit'
  | 'cashier'
  | 'inspector'
  | 'sheet'
/** What every screen is given. */
export interface ScreenProps {
  /** The table of the path; empty where the path names none. */
  table: string
}
type Screen = { default: Component<ScreenProps> | Component }

const SCREENS: Record<ScreenName, () => Promise<Screen>> = {
  home: () => import('./screens/home/Home.svelte'),
  terminal: () => import('./screens/terminal/Terminal.svelte'),
  seats: () => import('./screens/seats/Seats.svelte'),
  console: () => import('./screens/console/Console.svelte'),
  board: () => import('./screens/board/Board.svelte'),
  pit: () => import('./screens/pit/Pit.svelte'),
  cashier: () => import('./screens/cashier/Cashier.svelte'),
  inspector: () => import('./screens/inspector/Inspector.svelte'),
  sheet: () => import('./screens/sheet/PartsSheet.svelte'),
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
  [/^\/sheet$/, 'sheet'],
]

export interface Route {
  screen: ScreenName
  table: string
}

export function routeOf(pathname: string): Route | null {
  for (const [pattern, screen] of PATHS) {
    const found = pattern.exec(pathname)
    if (found) return { screen, table: decodeURIComponent(found[1] ?? '') }
  }
  return null
}

export async function loadScreen(name: ScreenName): Promise<Component<ScreenProps>> {
  return (await SCREENS[name]()).default as Component<ScreenProps>
}
