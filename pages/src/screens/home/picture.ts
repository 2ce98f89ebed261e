/**
 * The content of a small picture of a layout: Bonus Numbers if the game draws them, a complete
 * wager and the racetrack if it has them, the head of a layout with more than one zero, and
 * otherwise the whole layout.
 */
import type { AreaShown, Rect } from '../../generated/schema'
import type { Box, Colour, Layout, Point } from '../../shared/felt/layout'

export const SIZE = [236, 92] as const
const MARGIN = 6
/** The picture shows the complete wager on this number, the usual example. */
const CENTRE = '17'
const LIT_LINK = 6
const MOST_LIT = 10
const HEAD_ENDS = 4
/** The greatest ratio between a cell's sides. */
const MOST_UNLIKE = 1.35

export interface PictureNumber {
  number: string
  colour: Colour
  box: Box
  lit: boolean
}
export interface Picture {
  numbers: PictureNumber[]
  /** Boxes beside the numbers. */
  boxes: Box[]
  chips: Point[]
  /** The radius of a chip. */
  chip: number
  /** The size of numerals; 0: none. */
  numerals: number
  lamps: boolean
  /** The box of a link with all its numbers lit. */
  link: Box | null
  /** The box of the racetrack. */
  track: Box | null
}

export function pictureOf(layout: Layout, whole: boolean): Picture {
  const greens = layout.shown.numbers.filter(({ colour }) => colour === 'green').length
  if (!whole && layout.links.length) return bonusNumbers(layout)
  if (!whole && layout.shown.multiples.some(({ kind }) => kind === 'complete')) return completeWager(layout)
  if (!whole && greens > 1) return head(layout)
  return all(layout, whole ? [] : ['straight_up:17', 'split:25/28', 'dozen:3'])
}

/** Puts rectangles of the layout into the picture, turned if they are taller than wide. */
class Frame {
  readonly #bounds: Rect
  readonly #turned: boolean
  readonly #scale: [x: number, y: number]
  readonly #origin: Point

  constructor(rects: readonly Rect[], place: Box) {
    const of = (pick: (rect: Rect) => number, best: (...all: number[]) => number): number => best(...rects.map(pick))
    this.#bounds = {
      u0: of((r) => r.u0, Math.min),
      v0: of((r) => r.v0, Math.min),
      u1: of((r) => r.u1, Math.max),
      v1: of((r) => r.v1, Math.max),
    }
    const [long, wide] = [this.#bounds.u1 - this.#bounds.u0, this.#bounds.v1 - this.#bounds.v0]
    this.#turned = wide > long
    const [w, h] = this.#turned ? [wide, long] : [long, wide]
    const x = Math.min(place.width / w, (place.height / h) * MOST_UNLIKE)
    const y = Math.min(place.height / h, x * MOST_UNLIKE)
    this.#scale = [x, y]
    this.#origin = [place.x + (place.width - x * w) / 2, place.y + (place.height - y * h) / 2]
  }

  point([u, v]: readonly [number, number]): Point {
    const { u0, v1 } = this.#bounds
    const [along, across] = this.#turned ? [v1 - v, u - u0] : [u - u0, v1 - v]
    return [this.#origin[0] + along * this.#scale[0], this.#origin[1] + across * this.#scale[1]]
  }

  box({ u0, v0, u1, v1 }: Rect): Box {
    const [[ax, ay], [bx, by]] = [this.point([u0, v0]), this.point([u1, v1])]
    return { x: Math.min(ax, bx), y: Math.min(ay, by), width: Math.abs(ax - bx), height: Math.abs(ay - by) }
  }
}

const PLACE: Box = { x: MARGIN, y: MARGIN, width: SIZE[0] - 2 * MARGIN, height: SIZE[1] - 2 * MARGIN }
const NOTHING: Omit<Picture, 'numbers'> = {
  boxes: [],
  chips: [],
  chip: 0,
  numerals: 0,
  lamps: false,
  link: null,
  track: null,
}

function numbersIn(
  layout: Layout,
  frame: Frame,
  within: (rect: Rect) => boolean,
  lit: ReadonlySet<string> = new Set(),
): PictureNumber[] {
  return layout.shown.numbers
    .filter(({ rect }) => within(rect))
    .map(({ number, colour, rect }) => ({ number, colour, box: frame.box(rect), lit: lit.has(number) }))
}

function rectsOf(layout: Layout): { numbers: Rect[]; areas: (AreaShown & { rect: Rect })[] } {
  const areas = layout.shown.areas.filter(
    (area): area is AreaShown & { rect: Rect } => area.rect !== null && area.type !== 'straight_up',
  )
  return { numbers: layout.shown.numbers.map(({ rect }) => rect), areas }
}

function all(layout: Layout, wagered: readonly string[]): Picture {
  const { numbers, areas } = rectsOf(layout)
  const frame = new Frame([...numbers, ...areas.map(({ rect }) => rect)], PLACE)
  const chips = wagered.flatMap((name) => layout.areas.get(name) ?? []).map(({ at }) => frame.point(at))
  return {
    ...NOTHING,
    numbers: numbersIn(layout, frame, () => true),
    boxes: areas.map(({ rect }) => frame.box(rect)),
    chips,
    chip: 5.5,
  }
}

function head(layout: Layout): Picture {
  const within = ({ u0 }: Rect): boolean => u0 < HEAD_ENDS
  const frame = new Frame(layout.shown.numbers.map(({ rect }) => rect).filter(within), PLACE)
  const chips = layout.shown.areas.filter(
    ({ rect, numbers }) =>
      rect === null && numbers.length === 3 && numbers.every((each) => layout.colourOf(each) === 'green'),
  )
  return {
    ...NOTHING,
    numbers: numbersIn(layout, frame, within),
    chips: chips.map(({ at }) => frame.point(at)),
    chip: 6,
    numerals: 13,
  }
}

/** One link whole, and a number of each link beside it, as a draw might light them. */
function bonusNumbers(layout: Layout): Picture {
  const link = layout.links[LIT_LINK] ?? layout.links[0]!
  const others = layout.links.filter((each) => each !== link).map((each, k) => each[(k * 3 + 1) % each.length]!)
  const lit = new Set([...link, ...others.filter((_, k) => k % 3 !== 1)].slice(0, MOST_LIT))
  const { numbers, areas } = rectsOf(layout)
  const frame = new Frame([...numbers, ...areas.map(({ rect }) => rect)], PLACE)
  const boxes = link.map((number) => frame.box(layout.numbers.get(number)!.rect))
  return {
    ...NOTHING,
    numbers: numbersIn(layout, frame, () => true, lit),
    boxes: areas.map(({ rect }) => frame.box(rect)),
    lamps: true,
    link: around(boxes),
  }
}

/** Every area that touches one number, and the racetrack beside it. */
function completeWager(layout: Layout): Picture {
  const { u0, v0, u1, v1 } = layout.numbers.get(CENTRE)!.rect
  const touches = (rect: Rect): boolean => rect.u0 <= u1 && rect.u1 >= u0 && rect.v0 <= v1 && rect.v1 >= v0
  const near = layout.shown.numbers.map(({ rect }) => rect).filter(touches)
  const frame = new Frame(near, { ...PLACE, x: 10, y: 9, width: 74, height: 70 })
  const touching = layout.shown.areas.filter(
    ({ numbers, rect, type }) => numbers.includes(CENTRE) && (rect === null || type === 'straight_up'),
  )
  return {
    ...NOTHING,
    numbers: numbersIn(layout, frame, touches),
    chips: touching.map(({ at }) => frame.point(at)),
    chip: 4.2,
    track: layout.shown.racetrack && { x: 94, y: 25, width: 136, height: 43 },
  }
}

function around(boxes: readonly Box[]): Box {
  const [x, y] = [Math.min(...boxes.map((box) => box.x)), Math.min(...boxes.map((box) => box.y))]
  return {
    x,
    y,
    width: Math.max(...boxes.map((box) => box.x + box.width)) - x,
    height: Math.max(...boxes.map((box) => box.y + box.height)) - y,
  }
}
