/** The room of a console: reactive if a component reads it. */
import { MediaQuery } from 'svelte/reactivity'

/** The facts to watch stand beside the action, rather than in a drawer. */
export const wide = new MediaQuery('min-width: 1200px')
/** Language, look and logging off are in the drawer, not in the header. */
export const snug = new MediaQuery('max-width: 999px')
/** The layout stands upright, and No spin is in the header. */
export const narrow = new MediaQuery('max-width: 699px')
