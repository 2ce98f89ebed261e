import type { Layout } from '../../shared/layout'

/** Whether wagers lie on lines and corners, which a small screen must enlarge. */
export const hasLines = (layout: Layout | null): boolean =>
  layout?.shown.areas.some(({ rect }) => rect === null) ?? false
