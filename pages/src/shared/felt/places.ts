/** The places of things in a cell or box: a chip never hides its number. */
import type { AreaShown } from '../../generated/schema'
import type { Box, Layout, Plane, Point } from './layout'

/** The scale of a numeral that moves aside. */
export const ASIDE = 0.72

export interface CellPlaces {
  numeral: Point
  size: number
  chip: Point
  dolly: Point
  dollyScale: number
  /** The tag with the net of the number. */
  tag: Box
}
export interface InCell {
  chip: boolean
  wins: boolean
  lit: boolean
  /** The cell shows its net. */
  net?: boolean
}

/** Whether a box has its contents side by side rather than one above another. */
export const isWide = ({ width, height }: Box): boolean => width > 1.25 * height

/** The place of a lit numeral between its lamp, its payment and the chip. */
function asideLit({ chip, wins }: InCell, width: number): number {
  if (chip) return wins ? -0.15 : -0.2
  return width < 130 ? 0.02 : -0.1
}

export function cellPlaces(number: string, box: Box, within: InCell): CellPlaces {
  const { x, y, width, height } = box
  const [cx, cy] = [x + width / 2, y + height / 2]
  const held = within.chip || within.wins || within.net === true
  const full = Math.min(25, 0.48 * height, 0.34 * width) * (number.length > 2 ? (within.lit ? 0.66 : 0.8) : 1)
  const size = held ? Math.max(full * ASIDE, 12) : full
  if (isWide(box)) {
    const [small, tall] = [width < 100, Math.min(20, 0.42 * height)]
    const lit = within.lit && !small
    const aside = lit ? asideLit(within, width) : held ? -0.26 : within.lit ? 0.06 : 0
    const right = Math.min(x + width - (small ? 19 : 27), cx + 62)
    const dolly = within.chip ? right - (small ? 21 : 31) : right - (small ? 2 : 8)
    return {
      numeral: [cx + Math.max(aside * width, -44), cy + (small && held && within.lit ? 6 : 0)],
      size: held ? full * (small ? 0.82 : 0.92) : full,
      chip: [right, cy],
      dolly: [dolly, cy - 2],
      dollyScale: small ? 0.62 : 0.78,
      tag: { x: cx, y: within.chip ? cy + 2 : cy - tall / 2, width: 0.44 * width, height: tall },
      ...(within.net && { numeral: [x + 0.24 * width, cy], chip: [x + 0.53 * width, y + 0.3 * height] }),
    }
  }
  const both = within.chip && within.wins
  const up = cy - Math.min(0.29 * height, 28)
  return {
    numeral: [both ? cx - 0.22 * width : cx, held ? up : cy],
    size,
    chip: [both ? cx - 0.14 * width : cx, cy + Math.min(0.12 * height, 14)],
    dolly: both ? [cx + 0.2 * width, cy - 0.14 * height] : [cx, cy + 8],
    dollyScale: both ? 0.78 : 1.02,
    tag: { x: x + 0.1 * width, y: y + 0.62 * height, width: 0.8 * width, height: Math.min(26, 0.26 * height) },
    ...(within.net && within.chip && { numeral: [cx - 0.2 * width, up], chip: [cx + 0.22 * width, up] }),
  }
}

const SIGNS = new Set(['bonus_win', 'super_bonus_win', 'scatter_bonus'])

/** Boxes that show their payment, and stand apart from the cells. */
export const isSign = (area: AreaShown): boolean => SIGNS.has(area.type)

/** The space of a box; signs keep a gap. */
export function homeOf(plane: Plane, area: AreaShown): Box {
  const box = plane.box(area.rect!)
  if (!isSign(area)) return box
  return { x: box.x + 2, y: box.y + 4, width: box.width - 4, height: box.height - 8 }
}

/** The place of an area's chips. */
export function chipPlace(layout: Layout, plane: Plane, area: AreaShown, inCell: InCell): Point {
  const [number] = area.numbers
  if (area.type === 'straight_up' && number !== undefined) {
    const cell = layout.numbers.get(number)
    if (cell) return cellPlaces(number, plane.box(cell.rect), inCell).chip
  }
  if (!area.rect) return plane.point(area.at)
  const box = homeOf(plane, area)
  const [cx, cy] = [box.x + box.width / 2, box.y + box.height / 2]
  if (isSign(area)) return [box.x + box.width - (box.width < 170 ? 22 : 34), cy]
  if (!plane.turned) {
    if (!isWide(box)) return [cx, cy + Math.min(0.2 * box.height, 18)]
    const aside = area.type === 'dozen' ? 1.1 : area.type === 'green' ? 0.45 : 0.7
    return [cx + Math.min(aside * plane.unit[0], box.width / 2 - 21), cy + (area.type === 'dozen' ? 4 : 0)]
  }
  if (area.type === 'column') return [cx + 0.3 * box.width, cy]
  if (area.type === 'green') return [cx, cy + 0.42 * plane.unit[0]]
  return [cx, cy + (area.type === 'dozen' ? 1.15 : 0.6) * plane.unit[0]]
}

/** The tag stands beside the chip if the box has words below, or else below the chip. */
export function tagPlace(area: AreaShown, turned: boolean): 'below' | 'left' | 'right' {
  if (isSign(area)) return 'left'
  return area.type === 'dozen' && !turned ? 'right' : 'below'
}

/** The odds of a lit number; none if it is not lit. */
export function litPays(layout: Layout, number: string, lit: boolean, isSuper: boolean): number | null {
  const pays = layout.areas.get(`straight_up:${number}`)?.pays
  if (!lit || pays === undefined || typeof pays === 'number') return null
  return pays[isSuper ? 'super_bonus' : 'bonus'] ?? null
}
