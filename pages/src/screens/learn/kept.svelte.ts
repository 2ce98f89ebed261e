/** The training room's record, kept in this browser only. */
import type { AssessedResult, Drill, GivenAnswer } from '../../generated/schema'

export interface Tried {
  level: number
  seed: number
  right: boolean
  ms: number
  at: number
}
export interface KeptRound {
  at: number
  given: GivenAnswer[]
  result: AssessedResult
}
interface Kept {
  name: string
  drills: Record<string, Tried[]>
  rounds: KeptRound[]
}

const KEY = 'croupier.learn'
const MOST_TRIED = 200
const NEEDED = 9
const OF_LAST = 10
export const LEVELS = 5
const nothing = (): Kept => ({ name: '', drills: {}, rounds: [] })

class LearnRecord {
  #kept = $state.raw<Kept>(read(localStorage.getItem(KEY)) ?? nothing())

  get name(): string {
    return this.#kept.name
  }

  set name(name: string) {
    this.#keep({ ...this.#kept, name })
  }

  get rounds(): readonly KeptRound[] {
    return this.#kept.rounds
  }

  get isEmpty(): boolean {
    return !this.#kept.name && !this.#kept.rounds.length && !Object.keys(this.#kept.drills).length
  }

  tried(game: string, drill: Drill): readonly Tried[] {
    return this.#kept.drills[`${game} ${drill}`] ?? []
  }

  /** The open level: one above the highest with nine of the last ten answers right. */
  level(game: string, drill: Drill): number {
    const tried = this.tried(game, drill)
    for (let level = LEVELS; level > 0; level--) {
      const last = tried.filter((each) => each.level === level).slice(-OF_LAST)
      if (last.filter((each) => each.right).length >= NEEDED) return Math.min(LEVELS, level + 1)
    }
    return 1
  }

  /** How many of the last ten answers at this level were right. */
  rightOfLast(game: string, drill: Drill, level: number): number {
    return this.tried(game, drill)
      .filter((each) => each.level === level)
      .slice(-OF_LAST)
      .filter((each) => each.right).length
  }

  keepTried(game: string, drill: Drill, tried: Tried): void {
    const all = [...this.tried(game, drill), tried].slice(-MOST_TRIED)
    this.#keep({ ...this.#kept, drills: { ...this.#kept.drills, [`${game} ${drill}`]: all } })
  }

  keepRound(round: KeptRound): void {
    this.#keep({ ...this.#kept, rounds: [...this.#kept.rounds, round] })
  }

  /** Save the record as a file, for a training book or another device. */
  asFile(): Blob {
    return new Blob([JSON.stringify(this.#kept)], { type: 'application/json' })
  }

  /** Read such a file; return whether it was one. */
  readFile(text: string): boolean {
    const found = read(text)
    if (found) this.#keep(found)
    return found !== null
  }

  erase(): void {
    this.#keep(nothing())
  }

  #keep(kept: Kept): void {
    this.#kept = kept
    localStorage.setItem(KEY, JSON.stringify(kept))
  }
}

export function read(text: string | null): Kept | null {
  try {
    const found = JSON.parse(text ?? '') as Kept
    return typeof found.name === 'string' && Array.isArray(found.rounds) && typeof found.drills === 'object'
      ? found
      : null
  } catch {
    return null
  }
}

export const record = new LearnRecord()
