import { describe, expect, test } from 'vitest'
import { BallMotion, framesOf, RADII, wheelAngle, type SpinFacts } from './ballMotion'

const SPUN_MS = 1_800_000_000_000
const factsOf = (round: number, compartments: number): SpinFacts => ({
  seed: `table 1 ${round}`,
  spunMs: SPUN_MS + 7 * round,
  rests: { fromMs: SPUN_MS + 7 * round + 3_000 + 137 * (round % 60), compartment: round % compartments },
  compartments,
})
const around = (angle: number): number => Math.abs(Math.atan2(Math.sin(angle), Math.cos(angle)))

describe.each([37, 38, 39, 40])('a wheel of %s compartments', (compartments) => {
  test('the ball comes to rest in the very compartment, and stays in it', () => {
    for (let round = 0; round < 1_000; round++) {
      const facts = factsOf(round, compartments)
      const motion = new BallMotion(facts)
      const home = (2 * Math.PI * facts.rests!.compartment) / compartments

      for (const later of [0, 5_000, 60_000]) {
        const ms = motion.restMs! + later
        const { angle, radius } = motion.at(ms)
        expect(around(angle - wheelAngle(ms) - home)).toBeLessThan(1e-6)
        expect(radius).toBe(RADII.rest)
      }
    }
  })

  test('it takes five to eight seconds', () => {
    const lasting = Array.from({ length: 1_000 }, (_, round) => {
      const facts = factsOf(round, compartments)
      return new BallMotion(facts).restMs! - facts.rests!.fromMs
    })

    expect(Math.min(...lasting)).toBeGreaterThan(5_000)
    expect(Math.max(...lasting)).toBeLessThan(8_000)
  })

  test('it never jumps: no step is longer than on the rim', () => {
    let [longest, inwards] = [0, 0]
    for (let round = 0; round < 40; round++) {
      const facts = factsOf(round, compartments)
      const motion = new BallMotion(facts)
      let before = motion.at(facts.spunMs)
      for (let ms = facts.spunMs + 4; ms < motion.restMs! + 200; ms += 4) {
        const ball = motion.at(ms)
        longest = Math.max(longest, around(ball.angle - before.angle))
        inwards = Math.max(inwards, Math.abs(ball.radius - before.radius))
        before = ball
      }
    }

    expect(longest).toBeLessThan(9.01 * 0.004)
    expect(inwards).toBeLessThan(0.012)
  })
})

test('until the outcome is known, the same ball rolls on', () => {
  const facts = factsOf(12, 37)
  const unknown = new BallMotion({ ...facts, rests: null })

  const known = new BallMotion(facts)
  for (const ms of [facts.spunMs, facts.spunMs + 200, facts.rests!.fromMs - 1])
    expect(unknown.at(ms)).toEqual(known.at(ms))
  expect(unknown.restMs).toBeNull()
})

test('another round has another path', () => {
  const [one, other] = [factsOf(1, 37), factsOf(2, 37)]

  const moved = new BallMotion({ ...one, seed: other.seed })

  expect(moved.at(one.spunMs)).not.toEqual(new BallMotion(one).at(one.spunMs))
})

test('frames follow the path, and from one to the next nothing goes round', () => {
  for (let round = 0; round < 50; round++) {
    const facts = factsOf(round, 37)
    const motion = new BallMotion(facts)
    const frames = framesOf(facts)
    const falls = frames.filter(({ ms }) => facts.spunMs + ms >= facts.rests!.fromMs)
    const steps = falls.slice(1, -1).map(({ ball }, k) => Math.abs(ball.angle - falls[k]!.ball.angle))

    expect(frames.length).toBeGreaterThan(300)
    expect(Math.max(...steps)).toBeLessThan(0.16)
    expect(frames.map(({ ms }) => ms)).toEqual([...frames.map(({ ms }) => ms)].sort((one, other) => one - other))
    for (const { ms, ball } of frames)
      expect(around(ball.angle - motion.at(facts.spunMs + ms).angle)).toBeLessThan(1e-4)
  }
})
