/** Chips: their marks and their texts. */

import type { WagerView } from '../../generated/schema'

export type PieceCents = WagerView['pieces'][number]
export type ChipState = 'placing' | 'registered' | 'refused' | 'won' | 'lost'
export interface FeltChip {
  area: string
  cents: number
  state: ChipState
  /** Beside a winning chip: its payment in cents. */
  paidCents?: number
  /** The colour of a Player's colour chips, and that Player. */
  colour?: string
  owner?: string
}
export interface Marks {
  cents: number
  colour: string
  count: number
  /** Marks and gaps in turn, as parts of one mark's share of the edge. */
  dashes: readonly number[]
  dots: boolean
}

const DENOMINATIONS: readonly Marks[] = [
  { cents: 100_000, colour: '#a8690f', count: 16, dashes: [0.36, 0.64], dots: false },
  { cents: 50_000, colour: '#5f46a8', count: 3, dashes: [0.62, 0.38], dots: false },
  { cents: 10_000, colour: '#22262c', count: 4, dashes: [0.11, 0.17, 0.11, 0.61], dots: false },
  { cents: 2_500, colour: '#1f7a50', count: 6, dashes: [0.3, 0.7], dots: false },
  { cents: 500, colour: '#b83a35', count: 4, dashes: [0.38, 0.62], dots: false },
  { cents: 100, colour: '#8d8a80', count: 4, dashes: [0, 1], dots: true },
]
const COLOURS: Record<string, string> = {
  red: '#b83a35',
  orange: '#c2571a',
  amber: '#a8690f',
  yellow: '#c79a16',
  lime: '#6f9a1f',
  green: '#1f7a50',
  teal: '#157a80',
  cyan: '#1583a5',
  blue: '#2a5fb0',
  navy: '#24386f',
  violet: '#5f46a8',
  purple: '#7a3fa0',
  lavender: '#8f7cc0',
  pink: '#c2508a',
  brown: '#74492a',
  black: '#22262c',
  white: '#b9b3a2',
}

/** The largest chip within the amount, or else the smallest chip. */
export function marksFor(cents: number): Marks {
  return DENOMINATIONS.find((each) => cents >= each.cents) ?? DENOMINATIONS.at(-1)!
}

/** The paint of a colour chip; grey if the colour is unknown. */
export function paintOf(colour: string): string {
  return COLOURS[colour.trim().toLowerCase()] ?? '#75726a'
}

/** The text on a chip's face: `25`, `2.5`, `1.2k`. */
export function faceOf(cents: number): string {
  const whole = cents / 100
  if (whole >= 10_000) return `${Math.round(whole / 1_000)}k`
  if (whole >= 1_000) return `${Number((whole / 1_000).toFixed(1))}k`
  return String(Number(whole.toFixed(2)))
}

/** One heap for each area: its sum, in the state that matters most. */
export function heapsOf(chips: readonly FeltChip[]): FeltChip[] {
  const heaps = new Map<string, FeltChip>()
  for (const chip of chips) {
    const key = chip.state === 'placing' || chip.state === 'refused' ? chip.state : ''
    const before = heaps.get(`${chip.area} ${key}`)
    heaps.set(`${chip.area} ${key}`, before ? together(before, chip) : { ...chip })
  }
  return [...heaps.values()]
}

function together(one: FeltChip, other: FeltChip): FeltChip {
  const paidCents = (one.paidCents ?? 0) + (other.paidCents ?? 0)
  return {
    area: one.area,
    cents: one.cents + other.cents,
    state: one.state === 'won' || other.state === 'won' ? 'won' : one.state,
    ...(paidCents ? { paidCents } : {}),
    ...(one.colour === other.colour && one.colour ? { colour: one.colour } : {}),
    ...(one.owner === other.owner && one.owner ? { owner: one.owner } : {}),
  }
}
