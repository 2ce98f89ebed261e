/** The racetrack's shapes: an oval of numbers, sections inside; upright: turned, zeros on top. */
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

export function drawTrack(track: RacetrackShown, width: number, upright: boolean): TrackDrawn {
  const turn: (at: Point) => Point = upright ? ([x, y]) => [y, width - x] : (at) => at
  const shape = new Shape(width, turn)
  return {
    width: upright ? HEIGHT : width,
    height: upright ? width : HEIGHT,
    cells: [
      ...shape.end(track.right, width - RADIUS, -Math.PI / 2),
      ...shape.straight([...track.bottom].reverse(), HEIGHT - DEPTH).reverse(),
      ...shape.end(track.left, RADIUS, Math.PI / 2),
      ...shape.straight(track.top, 0),
    ],
    bands: track.sections.map((section) => shape.band(section, upright)),
  }
}

class Shape {
  readonly #length: number

  constructor(
    width: number,
    readonly turn: (at: Point) => Point,
  ) {
    this.#length = width - 2 * RADIUS
  }

  #p(x: number, y: number): string {
    return this.turn([x, y]).map(f).join(' ')
  }

  #around([x, y]: Point, w: number, h: number): Box {
    const [cx, cy] = this.turn([x, y])
    const turned = this.turn([1, 0])[0] === this.turn([0, 0])[0]
    const [width, height] = turned ? [h, w] : [w, h]
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

  band(section: SectionShown, upright: boolean): TrackBand {
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
    const label = this.turn([(left + right) / 2, RADIUS])
    return { section, path, label, room: upright ? 2 * INNER - 4 : right - left }
  }
}
