/** Cells as large as their place allows: wide layouts grow in height, long ones in width. */
import { Plane, type Layout } from '../../../shared/felt/layout'

/** The racetrack's height with its margin, in units of the picture. */
export const TRACK_HEIGHT = 176
/** The space beside the rows of a layout with links. */
const LINKS_ROOM = 170
const MARGIN = 16
const LOWEST = 64
const HIGHEST = 116
const NARROWEST = 96
const WIDEST = 190

export interface Fit {
  cell: [u: number, v: number]
  width: number
  height: number
}

/** Return the cell size with which the layout fills its place, and the picture's size. */
export function cellFor(layout: Layout, width: number, height: number, track: boolean): Fit {
  const { u0, v0, u1, v1 } = layout.bounds
  const [u, v] = layout.shown.cell_size
  const [long, across] = [u1 - u0, v1 - v0]
  let cell: [number, number] = [u, v]
  if (width && height) {
    const share = width / height
    if (layout.isLong) {
      const room = (long * u + MARGIN) / share - MARGIN - (track ? TRACK_HEIGHT : 0)
      cell = [u, within(room / across, LOWEST, HIGHEST)]
    } else {
      const room = (across * v + MARGIN) * share - MARGIN - LINKS_ROOM
      cell = [within(room / long, NARROWEST, WIDEST), v]
    }
  }
  const plane = new Plane(layout, false, cell)
  return { cell, width: plane.width + MARGIN, height: plane.height + MARGIN }
}

const within = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value))
