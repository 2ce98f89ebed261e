/** Sounds for open, close and outcome: made here, mutable, never the only signal. */

const KEPT = 'croupier.sound'
type Tone = { hz: number; at: number; lasts: number; loud: number; wave: OscillatorType }

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
  }

  open(): void {
    this.#tones(OPEN)
  }

  outcome(): void {
    this.#tones(OUTCOME)
  }

  /** A wooden knock: a burst of noise through a narrow filter. */
  close(): void {
    const context = this.#ready()
    if (!context) return
    const length = Math.floor(context.sampleRate * 0.12)
    const buffer = context.createBuffer(1, length, context.sampleRate)
    const samples = buffer.getChannelData(0)
    for (let k = 0; k < length; k++) samples[k] = (Math.random() * 2 - 1) * (1 - k / length) ** 6
    const source = new AudioBufferSourceNode(context, { buffer })
    const wood = new BiquadFilterNode(context, { type: 'bandpass', frequency: 420, Q: 6 })
    source.connect(wood).connect(new GainNode(context, { gain: 1.4 })).connect(context.destination)
    source.start()
  }

  #tones(tones: readonly Tone[]): void {
    const context = this.#ready()
    if (!context) return
    for (const { hz, at, lasts, loud, wave } of tones) {
      const start = context.currentTime + at
      const tone = new OscillatorNode(context, { type: wave, frequency: hz })
      const gain = new GainNode(context, { gain: 0 })
      gain.gain.linearRampToValueAtTime(loud, start + 0.015)
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

export const sound = new Sound()
