/** How much room a console has: reactive where it is read in a component. */
import { MediaQuery } from 'svelte/reactivity'

/** What to watch stands beside the action; else it is in a drawer. */
export const wide = new MediaQuery('min-width: 1200px')
/** Language, look and logging off are in the drawer, not in the header. */
export const snug = new MediaQuery('max-width: 999px')
/** The layout stands upright, and No spin is in the header. */
export const narrow = new MediaQuery('max-width: 699px')
