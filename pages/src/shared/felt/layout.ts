/**
 * A game's layout as the API gives it, and the places of its areas on a screen.
 *
 * `u` runs along the table, `v` across it. A wide table has u to the right and v upwards;
 * an upright one (a phone's) has u downwards and v to the right. A layout that is taller
 * than wide stands as it is.
 */
import type { AreaShown, LayoutShown, NumberShown, Rect } from '../../generated/schema'

export type Colour = NumberShown['colour']
export type Pays = AreaShown['pays']
export interface Box {
  x: number
  y: number
  width: number
  height: number
}
export type Point = [x: number, y: number]
export type Direction = 'left' | 'right' | 'up' | 'down'

export const ARROWS: Readonly<Record<string, Direction>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
}

/** A layout with its areas and numbers by name. */
export class Layout {
  readonly areas: ReadonlyMap<string, AreaShown>
  readonly numbers: ReadonlyMap<string, NumberShown>

  constructor(readonly shown: LayoutShown) {
    this.areas = new Map(shown.areas.map((each) => [each.area, each]))
    this.numbers = new Map(shown.numbers.map((each) => [each.number, each]))
  }

  get links(): readonly (readonly string[])[] {
    return this.shown.links
  }

  /** The links whose numbers are all lit, each with its letter. */
  wholeLinks(lit: readonly string[]): { letter: string; link: readonly string[] }[] {
    const all = this.links.map((link, k) => ({ letter: 'abcdefghijklmnopqrstuvwxyz'[k] ?? '', link }))
    return all.filter(({ link }) => link.every((number) => lit.includes(number)))
  }

  /** The number of links with a lit number. */
  linksTouched(lit: readonly string[]): number {
    return this.links.filter((link) => link.some((number) => lit.includes(number))).length
  }

  /** The compartments on either side of a number and its own, in the order of the wheel. */
  beside(number: string, each: number): string[] {
    const at = this.ring.indexOf(number)
    if (at < 0) return []
    return Array.from({ length: 2 * each + 1 }, (_, k) => this.ring.at((at + k - each) % this.ring.length)!)
  }

  get ring(): readonly string[] {
    return this.shown.ring
  }

  colourOf(number: string): Colour {
    return this.numbers.get(number)?.colour ?? 'green'
  }

  numbersOf(area: string | null): ReadonlySet<string> {
    return new Set(area === null ? [] : this.areas.get(area)?.numbers)
  }

  /** Whether wagers lie on lines and corners, which a small screen must enlarge. */
  get hasLines(): boolean {
    return this.shown.areas.some(({ rect }) => rect === null)
  }

  /** The smallest rectangle that holds every cell and box. */
  get bounds(): Rect {
    const rects = [...this.shown.numbers, ...this.shown.areas].flatMap(({ rect }) => rect ?? [])
    return {
      u0: Math.min(...rects.map((each) => each.u0)),
      v0: Math.min(...rects.map((each) => each.v0)),
      u1: Math.max(...rects.map((each) => each.u1)),
      v1: Math.max(...rects.map((each) => each.v1)),
    }
  }

  /** Whether it is longer than wide, so that a phone turns it. */
  get isLong(): boolean {
    const { u0, v0, u1, v1 } = this.bounds
    return u1 - u0 > v1 - v0
  }
}

/** Turns u and v into places on the picture, in its units. */
export class Plane {
  readonly width: number
  readonly height: number
  readonly turned: boolean
  readonly #bounds: Rect
  readonly #unit: [u: number, v: number]
  readonly #outside: number

  /** `cell`: the units of u and v of an unturned layout; by default the layout's own. */
  constructor(layout: Layout, upright: boolean, cell?: readonly [u: number, v: number]) {
    const compact = upright && !layout.isLong
    this.turned = upright && layout.isLong
    this.#bounds = layout.bounds
    const rows = this.#bounds.u1 - this.#bounds.u0
    if (this.turned) this.#unit = [rows > 14 ? 41 : 44, 82]
    else if (compact) this.#unit = [75, 46]
    else this.#unit = [...(cell ?? layout.shown.cell_size)]
    this.#outside = this.turned ? 1.156 : 1
    const long = rows * this.#unit[0]
    const wide = this.#across(this.#bounds.v1) - this.#across(this.#bounds.v0)
    this.width = this.turned ? wide : long
    this.height = this.turned ? long : wide
  }

  #across(v: number): number {
    return v * this.#unit[1] * (v < 0 ? this.#outside : 1)
  }

  /** One unit of u and of v. */
  get unit(): readonly [u: number, v: number] {
    return this.#unit
  }

  point([u, v]: readonly [number, number]): Point {
    const { u0, v0, v1 } = this.#bounds
    const along = (u - u0) * this.#unit[0]
    return this.turned ? [this.#across(v) - this.#across(v0), along] : [along, this.#across(v1) - this.#across(v)]
  }

  /** The u and v of a point of the picture. */
  place([x, y]: Point): [u: number, v: number] {
    const { u0, v0, v1 } = this.#bounds
    const along = this.turned ? y : x
    const across = this.turned ? x + this.#across(v0) : this.#across(v1) - y
    const unit = this.#unit[1] * (across < 0 ? this.#outside : 1)
    return [u0 + along / this.#unit[0], across / unit]
  }

  box({ u0, v0, u1, v1 }: Rect): Box {
    const [ax, ay] = this.point([u0, v0])
    const [bx, by] = this.point([u1, v1])
    return {
      x: Math.min(ax, bx),
      y: Math.min(ay, by),
      width: Math.abs(ax - bx),
      height: Math.abs(ay - by),
    }
  }

  /** The direction of an arrow key along u and v. */
  heading(direction: Direction): readonly [u: number, v: number] {
    return (this.turned ? TURNED : WIDE)[direction]
  }
}

const WIDE = { left: [-1, 0], right: [1, 0], up: [0, 1], down: [0, -1] } as const
const TURNED = { left: [0, -1], right: [0, 1], up: [-1, 0], down: [1, 0] } as const

/** On a line between cells, on a point where cells meet, or a cell or box itself. */
type Hit =
  | { kind: 'home'; area: AreaShown; rect: Rect }
  | { kind: 'point'; area: AreaShown; room: number }
  | { kind: 'edge'; area: AreaShown; rect: Rect }

/** A line or corner reaches this far on a large table, in units of u, */
const REACH = 0.15
/** this far on a small one, for a finger, in pixels, */
const REACH_PX = 11
/** and at most this part of a cell, so that the middle stays the cell's own. */
const MOST_OF_CELL = 0.28

/** Finds the area that a finger or pointer means: corners and lines come before cells, at any size. */
export class HitAreas {
  readonly #hits: Hit[]
  readonly #plane: Plane
  readonly #smallest: number

  constructor(layout: Layout, plane: Plane) {
    this.#plane = plane
    this.#hits = layout.shown.areas.map((area) => hitOf(layout, plane, area))
    this.#smallest = Math.min(
      ...layout.shown.numbers.map(({ rect }) => plane.box(rect)).map(({ width, height }) => Math.min(width, height)),
    )
  }

  /** The area at a point of the picture; `scale` is the screen's pixels for one unit. */
  at(point: Point, scale: number): AreaShown | null {
    const wanted = Math.max(REACH * this.#plane.unit[0], REACH_PX / scale)
    const reach = Math.min(wanted, MOST_OF_CELL * this.#smallest)
    return this.#point(point, reach) ?? this.#edge(point, reach) ?? this.#home(point)
  }

  #home(point: Point): AreaShown | null {
    const [u, v] = this.#plane.place(point)
    const home = this.#hits.find(({ kind, ...hit }) => {
      if (kind !== 'home' || !('rect' in hit)) return false
      const { u0, v0, u1, v1 } = hit.rect
      return u0 <= u && u < u1 && v0 < v && v <= v1
    })
    return home?.area ?? null
  }

  #point([x, y]: Point, reach: number): AreaShown | null {
    return this.#nearest('point', [x, y], (hit) => {
      const [px, py] = this.#plane.point(hit.area.at)
      const far = Math.max(Math.abs(px - x), Math.abs(py - y))
      return hit.kind === 'point' && far <= Math.min(reach, hit.room)
    })
  }

  #edge([x, y]: Point, reach: number): AreaShown | null {
    return this.#nearest('edge', [x, y], (hit) => {
      if (hit.kind !== 'edge') return false
      const box = this.#plane.box(hit.rect)
      const flat = box.height < box.width
      return (
        x >= box.x - (flat ? 0 : reach) &&
        x <= box.x + box.width + (flat ? 0 : reach) &&
        y >= box.y - (flat ? reach : 0) &&
        y <= box.y + box.height + (flat ? reach : 0)
      )
    })
  }

  #nearest(kind: Hit['kind'], [x, y]: Point, within: (hit: Hit) => boolean): AreaShown | null {
    let nearest: AreaShown | null = null
    let least = Infinity
    for (const hit of this.#hits) {
      if (hit.kind !== kind || !within(hit)) continue
      const [px, py] = this.#plane.point(hit.area.at)
      const distance = Math.hypot(px - x, py - y)
      if (distance < least) [nearest, least] = [hit.area, distance]
    }
    return nearest
  }
}

function hitOf(layout: Layout, plane: Plane, area: AreaShown): Hit {
  if (area.rect) return { kind: 'home', area, rect: area.rect }
  const [u, v] = area.at
  const cells = area.numbers.flatMap((number) => layout.numbers.get(number)?.rect ?? [])
  const meets = cells.some((cell) => (u === cell.u0 || u === cell.u1) && (v === cell.v0 || v === cell.v1))
  const [one, other] = cells
  if (cells.length === 2 && one && other) return { kind: 'edge', area, rect: shared(one, other) }
  if (meets || !one) return { kind: 'point', area, room: roomOf(layout, plane, area) }
  return { kind: 'edge', area, rect: { u0: one.u0, u1: one.u1, v0: v, v1: v } }
}

/** The reach of a point: half the way to the middle of the next line. */
function roomOf(layout: Layout, plane: Plane, area: AreaShown): number {
  const [x, y] = plane.point(area.at)
  const ways = layout.shown.areas.flatMap((other) => {
    if (other === area || other.rect) return []
    const [ox, oy] = plane.point(other.at)
    return Math.max(Math.abs(ox - x), Math.abs(oy - y))
  })
  return Math.min(...ways) / 2
}

function shared(one: Rect, other: Rect): Rect {
  return {
    u0: Math.max(one.u0, other.u0),
    v0: Math.max(one.v0, other.v0),
    u1: Math.min(one.u1, other.u1),
    v1: Math.min(one.v1, other.v1),
  }
}

/** A step aside costs four times a step ahead, so that arrows reach lines and corners. */
const ASIDE = 4
/** Along a line, the next line or corner comes before the cells and boxes on either side. */
const BESIDE = 0.3

/** The next area in a direction; the same one at the layout's edge. */
export function stepTo(layout: Layout, plane: Plane, from: AreaShown, direction: Direction): AreaShown {
  const [du, dv] = plane.heading(direction)
  let next = from
  let least = Infinity
  for (const area of layout.shown.areas) {
    const [u, v] = [area.at[0] - from.at[0], area.at[1] - from.at[1]]
    const ahead = u * du + v * dv
    if (ahead <= 0.01) continue
    const cost = ahead + ASIDE * asideOf(from, area, du === 0)
    if (cost < least) [next, least] = [area, cost]
  }
  return next
}

/** The distance from the way ahead to an area; a way along the area's border costs `BESIDE`. */
function asideOf({ at }: AreaShown, to: AreaShown, alongV: boolean): number {
  const own = alongV ? at[0] : at[1]
  const centre = alongV ? to.at[0] : to.at[1]
  if (!to.rect) return Math.abs(centre - own)
  const [low, high] = alongV ? [to.rect.u0, to.rect.u1] : [to.rect.v0, to.rect.v1]
  return own === low || own === high ? BESIDE / ASIDE : Math.max(low - own, own - high, 0)
}
