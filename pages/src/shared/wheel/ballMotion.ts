/**
 * The motion of a virtual wheel's ball: a function of the round's facts and of the house's time,
 * so that every screen shows the same, and a late screen joins in.
 *
 * Angles are in radians, clockwise from the top; the ball runs against the wheel. Until the
 * outcome is known the ball rolls on the rim. Soon after that the path is worked out backwards
 * from the compartment: the seed gives the hops, and two unknowns are solved for (how long
 * the friction takes, how long the fall), so that nothing is bent near the end.
 */

export interface SpinFacts {
  /** The table and round: the path of this ball and of no other. */
  seed: string
  spunMs: number
  /** The time at which it begins to slow down, and its compartment; while unknown, the ball rolls. */
  rests: { fromMs: number; compartment: number } | null
  compartments: number
}
export interface Ball {
  /** Its angle from the top. */
  angle: number
  /** Its distance from the middle, in parts of the wheel's radius. */
  radius: number
  /** Its height over the wheel: 0 to 1. */
  height: number
}
/** The times of a ball's visible and audible moments, by the house's clock. */
export interface BallTimes {
  leavesRimMs: number
  deflectorMs: number
  /** It strikes a fret at the beginning of each hop. */
  fretsMs: readonly number[]
  caughtMs: number
  restMs: number
}
/** The four phases of a ball in play, in their order. */
export const PHASES = ['rim', 'leaving', 'compartments', 'rest'] as const
export type BallPhase = (typeof PHASES)[number]
interface Leg {
  lasts: number
  at: (x: number) => Ball
}

export const WHEEL_TURN_MS = 9_000
export const DEFLECTORS = 8
/** The radii at which the ball runs, strikes, hops and rests, in parts of the wheel's. */
export const RADII = { rim: 0.93, deflector: 0.872, frets: 0.67, rest: 0.577 } as const
const WHEEL = (2 * Math.PI * 1000) / WHEEL_TURN_MS
const [ROLL, LEAVES, SLOWED] = [9, 2.6, 0.62]
/** Its speed when it leaves the rim, in parts of its rolling speed. */
export const SLOWEST = LEAVES / ROLL
const [LAUNCH_S, SPIRAL_S, CAPTURE_S] = [0.35, 0.9, 0.7]
const [SHORTEST_TAU, LONGEST_TAU] = [2.2, 3.4]
const [SHORTEST_FALL_S, LONGEST_FALL_S] = [0.3, 0.76]
const HOPS_S = [0.28, 0.2, 0.14] as const
const HEIGHTS = [0.9, 0.45, 0.16] as const
/** The end of each hop; at the last the ball is caught. */
const HOP_RADII = [0.64, 0.61, 0.585] as const
/** The distance that it rocks in its compartment when caught, in parts of a compartment. */
const ROCKS = 0.3

/** The angle of the wheel's first compartment; the wheel turns by the house's clock. */
export const wheelAngle = (ms: number): number => WHEEL * ((ms % WHEEL_TURN_MS) / 1000)

export class BallMotion {
  readonly #facts: SpinFacts
  readonly #start: number
  readonly #legs: readonly Leg[]
  /** None until the facts of its rest are known. */
  readonly times: BallTimes | null

  constructor(facts: SpinFacts) {
    this.#facts = facts
    const random = generator(facts.seed)
    this.#start = 2 * Math.PI * random()
    this.#legs = facts.rests ? this.#legsTo(facts.rests, random) : []
    this.times = facts.rests && timesOf(facts.rests.fromMs, this.#legs)
  }

  /** The time at which it lies in its compartment; none while unknown. */
  get restMs(): number | null {
    return this.times?.restMs ?? null
  }

  phaseAt(ms: number): BallPhase {
    if (!this.times || ms < this.times.leavesRimMs) return 'rim'
    if (ms < this.times.fretsMs[0]!) return 'leaving'
    return ms < this.times.restMs ? 'compartments' : 'rest'
  }

  at(ms: number): Ball {
    const { rests, compartments } = this.#facts
    if (!rests || ms < rests.fromMs) return { angle: this.#rolled(ms), radius: RADII.rim, height: 0 }
    let x = ms < this.restMs! ? (ms - rests.fromMs) / 1000 : Infinity
    for (const leg of this.#legs) {
      if (x < leg.lasts) return leg.at(x)
      x -= leg.lasts
    }
    const angle = wheelAngle(ms) + (2 * Math.PI * rests.compartment) / compartments
    return { angle, radius: RADII.rest, height: 0 }
  }

  /** On the rim: thrown, then round and round. */
  #rolled(ms: number): number {
    const s = Math.max(0, (ms - this.#facts.spunMs) / 1000)
    const thrown = Math.min(s, LAUNCH_S) / LAUNCH_S
    const begun = ROLL * LAUNCH_S * (thrown ** 2 - thrown ** 3 / 3)
    return this.#start - begun - ROLL * Math.max(0, s - LAUNCH_S)
  }

  #legsTo({ fromMs, compartment }: NonNullable<SpinFacts['rests']>, random: () => number): Leg[] {
    const cell = (2 * Math.PI) / this.#facts.compartments
    const sign = random() < 0.5 ? -1 : 1
    const hops = [-(2 + 2 * random()) * cell, -(1 + random()) * cell, sign * cell]
    const home = cell * compartment
    const caught = home + ROCKS * cell
    const landing = caught - hops.reduce((sum, hop) => sum + hop, 0)
    const [from, wheel] = [this.#rolled(fromMs), wheelAngle(fromMs)]
    const { tau, fall } = pick(candidates(from, wheel, landing), random)

    const slow = tau * Math.log(ROLL / LEAVES)
    const left = from - tau * (ROLL - LEAVES)
    const struck = left - LEAVES * SPIRAL_S
    const legs: Leg[] = [
      {
        lasts: slow,
        at: (x) => ({ angle: from - ROLL * tau * (1 - Math.exp(-x / tau)), radius: RADII.rim, height: 0 }),
      },
      {
        lasts: SPIRAL_S,
        at: (x) => ({
          angle: left - LEAVES * x,
          radius: RADII.rim - (RADII.rim - RADII.deflector) * (x / SPIRAL_S) ** 2,
          height: 0,
        }),
      },
      { lasts: fall, at: (x) => fallen(struck, x, x / fall) },
    ]
    const inWheel = (after: number, x: number): number => wheel + WHEEL * (after + x)
    let [after, stands, radius] = [slow + SPIRAL_S + fall, landing, RADII.frets as number]
    HOPS_S.forEach((lasts, k) => {
      const [began, base, out, to] = [after, stands, radius, HOP_RADII[k]!]
      legs.push({
        lasts,
        at: (x) => {
          const u = x / lasts
          const height = HEIGHTS[k]! * 4 * u * (1 - u)
          return {
            angle: inWheel(began, x) + base + hops[k]! * u,
            radius: out + (to - out) * u + 0.03 * height,
            height,
          }
        },
      })
      ;[after, stands, radius] = [after + lasts, base + hops[k]!, to]
    })
    legs.push({
      lasts: CAPTURE_S,
      at: (x) => {
        const fades = Math.exp(-x / 0.13) * (1 - x / CAPTURE_S)
        const rocks = ROCKS * cell * fades * Math.cos((2 * Math.PI * x) / 0.24)
        return {
          angle: inWheel(after, x) + home + rocks,
          radius: RADII.rest + (radius - RADII.rest) * fades,
          height: 0,
        }
      },
    })
    return legs
  }
}

/** Each leg ends where the next begins: friction, spiral, fall, three hops, capture. */
function timesOf(fromMs: number, legs: readonly Leg[]): BallTimes {
  let ms = fromMs
  const [leavesRimMs, deflectorMs, ...fretsMs] = legs.map(({ lasts }) => (ms += 1000 * lasts)) as [
    number,
    number,
    ...number[],
  ]
  const restMs = fretsMs.pop()!
  const caughtMs = fretsMs.pop()!
  return { leavesRimMs, deflectorMs, fretsMs, caughtMs, restMs }
}

/** The fall off a deflector down to the frets, with a little lift. */
function fallen(from: number, x: number, u: number): Ball {
  const radius = RADII.deflector - (RADII.deflector - RADII.frets) * u ** 2 + 0.1 * u * (1 - u)
  return { angle: from - SLOWED * LEAVES * x, radius, height: 2.4 * u * (1 - u) }
}

/** Friction times that end on a deflector, each with a fall that ends at the landing, if there is one. */
function candidates(from: number, wheel: number, landing: number): { tau: number; fall: number }[] {
  const apart = (2 * Math.PI) / DEFLECTORS
  const struck = (tau: number): number => from - tau * (ROLL - LEAVES) - LEAVES * SPIRAL_S
  const first = Math.floor(struck(SHORTEST_TAU) / apart)
  const last = Math.ceil(struck(LONGEST_TAU) / apart)
  const found: { tau: number; fall: number }[] = []
  for (let k = first; k >= last; k--) {
    const tau = (from - LEAVES * SPIRAL_S - k * apart) / (ROLL - LEAVES)
    const slow = tau * Math.log(ROLL / LEAVES)
    const relative = k * apart - wheel - WHEEL * (slow + SPIRAL_S)
    const fall = turned(relative - landing) / (SLOWED * LEAVES + WHEEL)
    if (fall >= SHORTEST_FALL_S && fall <= LONGEST_FALL_S) found.push({ tau, fall })
  }
  return found
}

const turned = (angle: number): number => ((angle % (2 * Math.PI)) + 2 * Math.PI) % (2 * Math.PI)

function pick<T>(from: readonly T[], random: () => number): T {
  const picked = from[Math.floor(random() * from.length)]
  if (picked === undefined) throw new Error('no path leads to the compartment')
  return picked
}

/** Random numbers from 0 to 1 out of a text, the same in every browser. */
function generator(seed: string): () => number {
  let state = 0x811c9dc5
  for (const letter of seed) state = Math.imul(state ^ letter.codePointAt(0)!, 0x01000193)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export interface Frame {
  /** Milliseconds since the spin. */
  ms: number
  ball: Ball
}
const FRAME_MS = 1000 / 60
/** Longer than any round: the time that a ball rolls, or turns with the wheel, in one frame. */
const LONG_MS = 600_000

/** The path as frames for linear interpolation, with angles that never wrap. */
export function framesOf(facts: SpinFacts): Frame[] {
  const motion = new BallMotion(facts)
  const [fromMs, toMs] = facts.rests
    ? [facts.rests.fromMs - facts.spunMs, motion.restMs! - facts.spunMs]
    : [LONG_MS, LONG_MS]
  const times: number[] = []
  for (let ms = 0; ms < Math.min(1000 * LAUNCH_S, fromMs); ms += FRAME_MS) times.push(ms)
  if (fromMs > 1000 * LAUNCH_S) times.push(1000 * LAUNCH_S)
  for (let ms = fromMs; ms < toMs; ms += FRAME_MS) times.push(ms)
  times.push(toMs)
  let last: number | null = null
  const frames = times.map((ms): Frame => {
    const ball = motion.at(facts.spunMs + ms)
    const turns = last === null || ms <= fromMs ? 0 : Math.round((last - ball.angle) / (2 * Math.PI))
    last = ball.angle + turns * 2 * Math.PI
    return { ms, ball: { ...ball, angle: last } }
  })
  const lies = frames.at(-1)!
  if (facts.rests)
    frames.push({ ms: lies.ms + LONG_MS, ball: { ...lies.ball, angle: lies.ball.angle + (WHEEL * LONG_MS) / 1000 } })
  return frames
}
