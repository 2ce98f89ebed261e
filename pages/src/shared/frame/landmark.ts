/**
 * Several tables side by side have the same parts. There each table's pane is the landmark,
 * with the table's name, and its parts are groups within it.
 */
import { getContext, setContext } from 'svelte'

const PANE = Symbol('pane')

/** Set whether the calling component and its children are one pane of several. */
export function setPane(isPane: boolean): void {
  setContext(PANE, isPane)
}

/** Return the role of a part: a landmark of its own, or a group within a pane. */
export function partRole(): 'group' | undefined {
  return getContext(PANE) ? 'group' : undefined
}
