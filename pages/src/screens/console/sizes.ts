/** From this width on, what to watch stands beside the action; below, in a drawer. */
export const WIDE = 1200
/** Below it, the layout stands upright and No spin is in the header. */
export const NARROW = 700
