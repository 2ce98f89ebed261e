/** Sounds of the table's ball, chips and calls: synthesised, can be muted, never the only signal. */
import { BallMotion, SLOWEST, type BallTimes, type SpinFacts } from './ballMotion'
import { words } from '../words/i18n.svelte'

const KEPT = 'croupier.sound'
type Tone = { hz: number; at: number; lasts: number; loud: number; wave: OscillatorType }

type Knock = { hz: number; q: number; loud: number; lasts: number; at?: number }
type Strike = Knock & { atMs: number }
/** The ball's sound on the rim at full speed. */
const [ROLL_HZ, ROLL_LOUD, FADE_S] = [780, 0.05, 0.12]
/** The ball strikes each fret less hard than the one before. */
const FRETS = [0.7, 0.42, 0.21]
/** Caught, it taps twice. */
const TAPS = [0, 110]

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

  toggle(): void {
    this.on = !this.on
    localStorage.setItem(KEPT, this.on ? 'on' : 'off')
    if (!this.on) globalThis.speechSynthesis?.cancel()
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
  chip(at = 0): void {
    this.#knock({ hz: 3_400, q: 4, loud: 0.5, lasts: 0.03, at })
    this.#knock({ hz: 2_600, q: 5, loud: 0.35, lasts: 0.04, at: at + 0.045 })
  }

  /** Sound a stack for each payment, four at most, one after the other. */
  win(stacks: number): void {
    for (let k = 0; k < Math.min(stacks, 4); k++) this.chip(0.25 + 0.09 * k)
  }

  /**
   * Play a ball by the house's clock from its present place: its rolling sinks in pitch and level
   * with its speed, then it strikes. The returned function ends it and cancels later strikes.
   */
  ball(facts: SpinFacts, now: () => number): () => void {
    const context = this.#ready()
    if (!context) return () => {}
    const { times } = new BallMotion(facts)
    const [clock, ms] = [context.currentTime, now()]
    const after = (atMs: number): number => (atMs - ms) / 1000
    const stop = !times || ms < times.leavesRimMs ? roll(context, facts, (atMs) => clock + after(atMs)) : null
    const strikes = times ? strikesOf(times).filter(({ atMs }) => atMs >= ms) : []
    const coming = strikes.map(({ atMs, ...knock }) => this.#knock({ ...knock, at: after(atMs) }))
    return () => {
      stop?.()
      for (const each of coming) each?.stop()
    }
  }

  /** A call of the Dealer, if this device has a voice of its own for the language. */
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
  #knock({ hz, q, loud, lasts, at = 0 }: Knock): AudioScheduledSourceNode | null {
    const context = this.#ready()
    if (!context) return null
    const source = new AudioBufferSourceNode(context, { buffer: noise(context, lasts, (part) => (1 - part) ** 6) })
    const body = new BiquadFilterNode(context, { type: 'bandpass', frequency: hz, Q: q })
    source
      .connect(body)
      .connect(new GainNode(context, { gain: loud }))
      .connect(context.destination)
    source.start(context.currentTime + at)
    return source
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

  /** A browser plays no sound before the first touch on the page. */
  #ready(): AudioContext | null {
    if (!this.on || !navigator.userActivation?.hasBeenActive) return null
    this.#context ??= new AudioContext()
    void this.#context.resume()
    return this.#context
  }
}

/** The sounds of a ball that comes to rest, with their times: a deflector, the frets, the compartment. */
export function strikesOf({ deflectorMs, fretsMs, caughtMs }: BallTimes): Strike[] {
  return [
    { atMs: deflectorMs, hz: 3_600, q: 9, loud: 0.5, lasts: 0.04 },
    ...fretsMs.map((atMs, k) => ({ atMs, hz: 1_900 - 220 * k, q: 8, loud: FRETS[k] ?? 0, lasts: 0.05 })),
    ...TAPS.map((ms) => ({ atMs: caughtMs + ms, hz: 900, q: 6, loud: 0.22, lasts: 0.05 })),
  ]
}

/** The ball on its rim: friction lowers pitch and level with its speed; off the rim it fades. */
function roll(context: AudioContext, facts: SpinFacts, at: (ms: number) => number): () => void {
  const { times } = new BallMotion(facts)
  const source = new AudioBufferSourceNode(context, { buffer: noise(context, 2, () => 1), loop: true })
  const track = new BiquadFilterNode(context, { type: 'bandpass', frequency: ROLL_HZ, Q: 1.6 })
  const gain = new GainNode(context, { gain: 0 })
  const heard = context.currentTime + FADE_S
  if (times && facts.rests) {
    const [from, leaves] = [at(facts.rests.fromMs), at(times.leavesRimMs)]
    const slows = Math.max(from, heard)
    const speed = SLOWEST ** Math.min(1, (slows - from) / (leaves - from))
    ramp(gain, 0, ROLL_LOUD * speed, context.currentTime, FADE_S)
    slow(gain.gain, ROLL_LOUD, speed, slows, leaves)
    slow(track.frequency, ROLL_HZ, speed, slows, leaves)
    gain.gain.linearRampToValueAtTime(0, at(times.deflectorMs))
  } else ramp(gain, 0, ROLL_LOUD, context.currentTime, FADE_S)
  source.connect(track).connect(gain).connect(context.destination)
  source.start()
  if (times) source.stop(at(times.deflectorMs))
  return () => {
    ramp(gain, gain.gain.value, 0, context.currentTime, FADE_S)
    source.stop(context.currentTime + FADE_S)
  }
}

function slow(param: AudioParam, full: number, speed: number, from: number, to: number): void {
  param.setValueAtTime(full * speed, from)
  param.exponentialRampToValueAtTime(full * SLOWEST, Math.max(to, from))
}

/** Set a ramp's own start: otherwise it would begin at the last ramp's end, and click. */
function ramp({ gain }: GainNode, from: number, to: number, start: number, lasts: number): void {
  gain.cancelScheduledValues(start)
  gain.setValueAtTime(from, start)
  gain.linearRampToValueAtTime(to, start + lasts)
}

/** Noise of this many seconds, with the given loudness at each part. */
function noise(context: AudioContext, seconds: number, loud: (part: number) => number): AudioBuffer {
  const length = Math.floor(context.sampleRate * seconds)
  const buffer = context.createBuffer(1, length, context.sampleRate)
  const samples = buffer.getChannelData(0)
  for (let k = 0; k < length; k++) samples[k] = (Math.random() * 2 - 1) * loud(k / length)
  return buffer
}

export const sound = new Sound()
