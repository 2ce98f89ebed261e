/** Sounds of the table, its ball, its chips and its calls: made here, mutable, never the only signal. */
import { words } from './i18n.svelte'

const KEPT = 'croupier.sound'
type Tone = { hz: number; at: number; lasts: number; loud: number; wave: OscillatorType }

type Knock = { hz: number; q: number; loud: number; lasts: number; at?: number }
/** When the ball strikes on its way into a compartment, in seconds. */
const DROPS = [0, 0.11, 0.25, 0.34]

const OPEN: Tone[] = [
  { hz: 523.25, at: 0, lasts: 0.5, loud: 0.09, wave: 'sine' },
  { hz: 659.25, at: 0.16, lasts: 0.7, loud: 0.09, wave: 'sine' },
]
const OUTCOME: Tone[] = [
  { hz: 1318.5, at: 0, lasts: 1.6, loud: 0.1, wave: 'sine' },
  { hz: 3951, at: 0, lasts: 0.5, loud: 0.025, wave: 'sine' },
]

class Sound {
  on = $state(globalThis.localStorage?.getItem(KEPT) !== 'off')
  #context: AudioContext | null = null
  #stopRolling: (() => void) | null = null

  toggle(): void {
    this.on = !this.on
    localStorage.setItem(KEPT, this.on ? 'on' : 'off')
    if (this.on) return
    globalThis.speechSynthesis?.cancel()
    this.#stopRolling?.()
  }

  open(): void {
    this.#tones(OPEN)
  }

  outcome(): void {
    this.#tones(OUTCOME)
  }

  /** A wooden knock. */
  close(): void {
    this.#knock({ hz: 420, q: 6, loud: 1.4, lasts: 0.12 })
  }

  /** A chip that is laid on another: two short clicks of clay. */
  chip(): void {
    this.#knock({ hz: 3_400, q: 4, loud: 0.5, lasts: 0.03 })
    this.#knock({ hz: 2_600, q: 5, loud: 0.35, lasts: 0.04, at: 0.045 })
  }

  /** The ball rolls in its track; what comes back lets it drop. */
  roll(): () => void {
    const context = this.#ready()
    if (!context) return () => {}
    const source = new AudioBufferSourceNode(context, { buffer: noise(context, 2, () => 1), loop: true })
    const track = new BiquadFilterNode(context, { type: 'bandpass', frequency: 780, Q: 1.6 })
    const gain = new GainNode(context, { gain: 0 })
    ramp(gain, 0, 0.05, context.currentTime, 0.4)
    source.connect(track).connect(gain).connect(context.destination)
    source.start()
    const stop = (): void => {
      ramp(gain, gain.gain.value, 0, context.currentTime, 0.12)
      source.stop(context.currentTime + 0.15)
      this.#stopRolling = null
    }
    this.#stopRolling = stop
    return () => {
      if (this.#stopRolling !== stop) return
      stop()
      for (const [k, at] of DROPS.entries()) this.#knock({ hz: 1_900 - 220 * k, q: 8, loud: 0.7 / (k + 1), lasts: 0.05, at })
    }
  }

  /** A call of the Dealer, where this device has a voice of its own for the language. */
  call(text: string): void {
    const speech = globalThis.speechSynthesis
    if (!this.on || !speech || !navigator.userActivation?.hasBeenActive) return
    const short = words.language.split('-')[0] ?? ''
    const voice = speech.getVoices().find(({ localService, lang }) => localService && lang.startsWith(short))
    if (!voice) return
    const said = new SpeechSynthesisUtterance(text)
    said.voice = voice
    said.lang = voice.lang
    speech.speak(said)
  }

  /** A burst of noise through a narrow filter. */
  #knock({ hz, q, loud, lasts, at = 0 }: Knock): void {
    const context = this.#ready()
    if (!context) return
    const source = new AudioBufferSourceNode(context, { buffer: noise(context, lasts, (part) => (1 - part) ** 6) })
    const body = new BiquadFilterNode(context, { type: 'bandpass', frequency: hz, Q: q })
    source.connect(body).connect(new GainNode(context, { gain: loud })).connect(context.destination)
    source.start(context.currentTime + at)
  }

  #tones(tones: readonly Tone[]): void {
    const context = this.#ready()
    if (!context) return
    for (const { hz, at, lasts, loud, wave } of tones) {
      const start = context.currentTime + at
      const tone = new OscillatorNode(context, { type: wave, frequency: hz })
      const gain = new GainNode(context, { gain: 0 })
      ramp(gain, 0, loud, start, 0.015)
      gain.gain.exponentialRampToValueAtTime(0.0001, start + lasts)
      tone.connect(gain).connect(context.destination)
      tone.start(start)
      tone.stop(start + lasts)
    }
  }

  /** A browser lets nothing sound before somebody has touched the page. */
  #ready(): AudioContext | null {
    if (!this.on || !navigator.userActivation?.hasBeenActive) return null
    this.#context ??= new AudioContext()
    void this.#context.resume()
    return this.#context
  }
}

/** A ramp begins where the one before it was told to end, unless its own beginning is told: it would click. */
function ramp({ gain }: GainNode, from: number, to: number, start: number, lasts: number): void {
  gain.cancelScheduledValues(start)
  gain.setValueAtTime(from, start)
  gain.linearRampToValueAtTime(to, start + lasts)
}

/** So many seconds of noise, as loud at each part as told. */
function noise(context: AudioContext, seconds: number, loud: (part: number) => number): AudioBuffer {
  const length = Math.floor(context.sampleRate * seconds)
  const buffer = context.createBuffer(1, length, context.sampleRate)
  const samples = buffer.getChannelData(0)
  for (let k = 0; k < length; k++) samples[k] = (Math.random() * 2 - 1) * loud(k / length)
  return buffer
}

export const sound = new Sound()
