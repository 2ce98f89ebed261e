import { beforeEach, expect, test, vi } from 'vitest'
import { BallMotion, SLOWEST, type SpinFacts } from './ballMotion'

/** Each created node, with its calls and their times. */
let made: Node[]
class Param {
  value = 0.03
  told: [how: string, value: number, at: number][] = []
  cancelScheduledValues(): void {}
  setValueAtTime = (value: number, at: number) => void this.told.push(['set', value, at])
  linearRampToValueAtTime = (value: number, at: number) => void this.told.push(['linear', value, at])
  exponentialRampToValueAtTime = (value: number, at: number) => void this.told.push(['exponential', value, at])
}
class Node {
  gain = new Param()
  frequency = new Param()
  starts: number[] = []
  stops: number[] = []
  constructor(
    _: unknown,
    readonly options: { loop?: boolean } = {},
  ) {
    made.push(this)
  }
  connect(to: unknown): unknown {
    return to
  }
  start(at = CLOCK): void {
    this.starts.push(at)
  }
  stop(at = CLOCK): void {
    this.stops.push(at)
  }
}
class AudioBufferSourceNode extends Node {}
class BiquadFilterNode extends Node {}
class GainNode extends Node {}
const CLOCK = 50
class AudioContext {
  sampleRate = 100
  currentTime = CLOCK
  destination = {}
  resume(): void {}
  createBuffer = () => ({ getChannelData: () => new Float32Array(200) })
}

async function sounds(kept: string | null) {
  vi.resetModules()
  vi.stubGlobal('localStorage', { getItem: () => kept, setItem: vi.fn() })
  return (await import('./sound.svelte')).sound
}

beforeEach(() => {
  made = []
  vi.stubGlobal('navigator', { userActivation: { hasBeenActive: true } })
  vi.stubGlobal('AudioContext', AudioContext)
  vi.stubGlobal('AudioBufferSourceNode', AudioBufferSourceNode)
  vi.stubGlobal('BiquadFilterNode', BiquadFilterNode)
  vi.stubGlobal('GainNode', GainNode)
})

const bursts = (): Node[] => made.filter((each) => each instanceof AudioBufferSourceNode && !each.options.loop)
const rolls = (): Node[] => made.filter((each) => each.options.loop)

const SPUN_MS = 1_000_000
const ROLLS: SpinFacts = { seed: 'virtual 3', spunMs: SPUN_MS, rests: null, compartments: 37 }
const RESTS: SpinFacts = { ...ROLLS, rests: { fromMs: SPUN_MS + 6_000, compartment: 5 } }
const TIMES = new BallMotion(RESTS).times!
/** The sound's time for an event at one house time, if heard from another. */
const heard = (atMs: number, nowMs: number): number => CLOCK + (atMs - nowMs) / 1000

test('a chip clicks twice, a win once more for each stack, four at most', async () => {
  const sound = await sounds(null)
  sound.chip()
  expect(bursts().map(({ starts }) => starts)).toEqual([[CLOCK], [CLOCK + 0.045]])
  sound.win(7)
  expect(bursts().length).toBe(2 + 2 * 4)
})

test('a ball is heard when it strikes a deflector, three frets and its compartment', async () => {
  const sound = await sounds(null)
  const nowMs = SPUN_MS + 6_100

  sound.ball(RESTS, () => nowMs)

  const { deflectorMs, fretsMs, caughtMs, restMs } = TIMES
  const struck = [deflectorMs, ...fretsMs, caughtMs, caughtMs + 110]
  expect(fretsMs.length).toBe(3)
  expect([...struck].sort((one, other) => one - other)).toEqual(struck)
  expect(caughtMs + 110).toBeLessThan(restMs)
  bursts().forEach(({ starts }, k) => expect(starts[0]).toBeCloseTo(heard(struck[k]!, nowMs), 6))
  expect(bursts().length).toBe(struck.length)
})

test('it rolls as high and as loud as it is fast, and is still when it meets a deflector', async () => {
  const sound = await sounds(null)
  const nowMs = SPUN_MS + 2_000

  sound.ball(RESTS, () => nowMs)

  const [filter] = made.filter((each) => each instanceof BiquadFilterNode)
  const [[, full, from], [how, least, leaves]] = filter!.frequency.told as [
    [string, number, number],
    [string, number, number],
  ]
  expect([from, leaves]).toEqual([heard(RESTS.rests!.fromMs, nowMs), heard(TIMES.leavesRimMs, nowMs)])
  expect(how).toBe('exponential')
  expect(least / full).toBeCloseTo(SLOWEST)
  const [gain] = made.filter((each) => each instanceof GainNode)
  expect(gain!.gain.told.at(-1)).toEqual(['linear', 0, heard(TIMES.deflectorMs, nowMs)])
  expect(rolls()[0]!.stops).toEqual([heard(TIMES.deflectorMs, nowMs)])
})

test('a ball with no outcome rolls on, and who ends it hears no strike', async () => {
  const sound = await sounds(null)
  sound.ball(ROLLS, () => SPUN_MS)
  expect(rolls()[0]!.stops).toEqual([])
  expect(bursts()).toEqual([])

  const end = sound.ball(RESTS, () => SPUN_MS + 5_000)
  end()

  expect(rolls()[1]!.stops.length).toBe(2)
  for (const { starts, stops } of bursts()) {
    expect(starts[0]).toBeGreaterThan(CLOCK)
    expect(stops).toEqual([CLOCK])
  }
})

test('a page that comes late hears only what is still to come', async () => {
  const sound = await sounds(null)

  sound.ball(RESTS, () => TIMES.caughtMs - 1)

  expect(rolls()).toEqual([])
  expect(bursts().length).toBe(2)
})

test('switched off, nothing sounds, and that is kept', async () => {
  const sound = await sounds(null)
  sound.toggle()
  sound.chip()
  sound.close()
  sound.ball(RESTS, () => SPUN_MS)()

  expect(made).toEqual([])
  expect(localStorage.setItem).toHaveBeenCalledWith('croupier.sound', 'off')
})

test('what was switched off stays off', async () => {
  const sound = await sounds('off')
  sound.chip()
  sound.ball(ROLLS, () => SPUN_MS)()

  expect(made).toEqual([])
})
