import { beforeEach, expect, test, vi } from 'vitest'

let made: string[]
class Node {
  gain = { value: 0.03, cancelScheduledValues: () => {}, setValueAtTime: () => {}, linearRampToValueAtTime: () => {}, exponentialRampToValueAtTime: () => {} }
  constructor() {
    made.push(this.constructor.name)
  }
  connect(to: unknown): unknown {
    return to
  }
  start(): void {}
  stop(): void {
    made.push('stop')
  }
}
class AudioBufferSourceNode extends Node {}
class BiquadFilterNode extends Node {}
class GainNode extends Node {}
class AudioContext {
  sampleRate = 100
  currentTime = 0
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

const bursts = (): number => made.filter((each) => each === 'AudioBufferSourceNode').length

test('a chip clicks twice; a ball rolls, stops and strikes on its way down', async () => {
  const sound = await sounds(null)
  sound.chip()
  expect(bursts()).toBe(2)

  const drop = sound.roll()
  expect(bursts()).toBe(3)
  drop()
  expect(made).toContain('stop')
  expect(bursts()).toBe(7)
})

test('switched off, nothing sounds, and what rolls is still at once', async () => {
  const sound = await sounds(null)
  const drop = sound.roll()
  sound.toggle()
  expect(made).toContain('stop')
  const before = made.length
  drop()
  sound.chip()
  sound.close()

  expect(made.length).toBe(before)
  expect(localStorage.setItem).toHaveBeenCalledWith('croupier.sound', 'off')
})

test('what was switched off stays off', async () => {
  const sound = await sounds('off')
  sound.chip()
  sound.roll()()

  expect(made).toEqual([])
})
