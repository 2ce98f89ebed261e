/**
 * Several tables side by side have the same parts. There each table's pane is the landmark,
 * with the table's name, and its parts are groups within it.
 */
import { getContext, setContext } from 'svelte'

const PANE = Symbol('pane')

/** Say of the component that calls it, and of all within, whether it is one pane of several. */
export function setPane(isPane: boolean): void {
  setContext(PANE, isPane)
}

/** Return the role of a part that is a landmark of its own wherever it is not in a pane. */
export function partRole(): 'group' | undefined {
  return getContext(PANE) ? 'group' : undefined
}
