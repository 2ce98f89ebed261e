/** The racetrack's shapes: an oval of numbers, sections inside. */
import type { RacetrackShown, SectionShown } from '../../generated/schema'
import type { Box, Point } from './layout'

export interface TrackCell {
  number: string
  path: string
  plate: Box
}
export interface TrackBand {
  section: SectionShown
  path: string
  label: Point
  /** The room that a line of text has there. */
  room: number
}
export interface TrackDrawn {
  width: number
  height: number
  /** Clockwise from the upper right, as the arrow keys go. */
  cells: TrackCell[]
  bands: TrackBand[]
}

const DEPTH = 46
export const HEIGHT = 164
const RADIUS = HEIGHT / 2
const INNER = RADIUS - DEPTH
const f = (x: number): number => Math.round(x * 100) / 100

export function drawTrack(track: RacetrackShown, width: number): TrackDrawn {
  const shape = new Shape(width)
  return {
    width,
    height: HEIGHT,
    cells: [
      ...shape.end(track.right, width - RADIUS, -Math.PI / 2),
      ...shape.straight([...track.bottom].reverse(), HEIGHT - DEPTH).reverse(),
      ...shape.end(track.left, RADIUS, Math.PI / 2),
      ...shape.straight(track.top, 0),
    ],
    bands: track.sections.map((section) => shape.band(section)),
  }
}

class Shape {
  readonly #length: number

  constructor(width: number) {
    this.#length = width - 2 * RADIUS
  }

  #p(x: number, y: number): string {
    return `${f(x)} ${f(y)}`
  }

  #around([cx, cy]: Point, width: number, height: number): Box {
    return { x: cx - width / 2, y: cy - height / 2, width, height }
  }

  straight(numbers: readonly string[], y: number): TrackCell[] {
    const wide = this.#length / numbers.length
    return numbers.map((number, k) => {
      const [x1, x2] = [RADIUS + k * wide, RADIUS + (k + 1) * wide]
      const path = `M${this.#p(x1, y)}L${this.#p(x2, y)}L${this.#p(x2, y + DEPTH)}L${this.#p(x1, y + DEPTH)}Z`
      const middle: Point = [(x1 + x2) / 2, y + DEPTH / 2]
      return { number, path, plate: this.#around(middle, Math.min(wide - 7, DEPTH + 2), DEPTH - 9) }
    })
  }

  end(numbers: readonly string[], cx: number, start: number): TrackCell[] {
    const step = Math.PI / numbers.length
    const at = (r: number, angle: number): Point => [cx + r * Math.cos(angle), RADIUS + r * Math.sin(angle)]
    return numbers.map((number, k) => {
      const [a, b] = [start + k * step, start + (k + 1) * step]
      const path =
        `M${this.#p(...at(RADIUS, a))}A${RADIUS} ${RADIUS} 0 0 1 ${this.#p(...at(RADIUS, b))}` +
        `L${this.#p(...at(INNER, b))}A${INNER} ${INNER} 0 0 0 ${this.#p(...at(INNER, a))}Z`
      return { number, path, plate: this.#around(at(RADIUS - DEPTH / 2, (a + b) / 2), 34, 32) }
    })
  }

  band(section: SectionShown): TrackBand {
    const [top1, low1] = section.left.map((part) => RADIUS + part * this.#length) as Point
    const [top2, low2] = section.right.map((part) => RADIUS + part * this.#length) as Point
    const first = section.left[0] === 0 && section.left[1] === 0
    const last = section.right[0] === 1 && section.right[1] === 1
    const [upper, lower] = [DEPTH, HEIGHT - DEPTH]
    const bend = `A${INNER} ${INNER} 0 0 1 `
    const path =
      `M${this.#p(top1, upper)}L${this.#p(top2, upper)}` +
      (last ? bend + this.#p(top2, lower) : '') +
      `L${this.#p(low2, lower)}L${this.#p(low1, lower)}` +
      `${first ? bend + this.#p(low1, upper) : ''}Z`
    const left = (top1 + low1) / 2 - (first ? 0.6 * INNER : 0)
    const right = (top2 + low2) / 2 + (last ? 0.7 * INNER : 0)
    return { section, path, label: [(left + right) / 2, RADIUS], room: right - left }
  }
}
