/** The sheet's samples: layouts from the API, invented chips and states. */
import type { LayoutShown } from '../../generated/schema'
import type { FeltChip } from '../../shared/felt/chips'

const FILES = import.meta.glob<LayoutShown>('../../../fixtures/*.json', { import: 'default' })

export const GAMES = Object.keys(FILES).map((path) => path.slice(path.lastIndexOf('/') + 1, -5))

export async function sampleLayout(game: string): Promise<LayoutShown> {
  return FILES[`../../../fixtures/${game}.json`]!()
}

const lying = (...chips: [area: string, whole: number][]): FeltChip[] =>
  chips.map(([area, whole]) => ({ area, cents: whole * 100, state: 'registered' }))

const TABLE = lying(
  ['straight_up:17', 25],
  ['split:17/20', 10],
  ['corner:8/9/11/12', 25],
  ['six_line:28/29/30/31/32/33', 50],
  ['street:22/23/24', 15],
  ['straight_up:0', 5],
  ['dozen:2', 50],
  ['red', 100],
  ['column:2', 25],
)
const CHIPS: Record<string, FeltChip[]> = {
  'mbs-fast-action-v2': lying(
    ['straight_up:27', 25],
    ['straight_up:S', 10],
    ['straight_up:14', 5],
    ['straight_up:20', 25],
    ['bonus_win', 50],
    ['super_bonus_win', 5],
    ['scatter_bonus', 5],
    ['straight_up:7', 10],
  ),
  'rws-triple-zero': lying(
    ['split:0/00', 10],
    ['split:0/000', 10],
    ['street:0/00/2', 25],
    ['straight_up:000', 5],
    ['top_line', 50],
    ['green', 25],
    ['split:11/12', 10],
    ['corner:16/17/19/20', 25],
    ['straight_up:29', 25],
    ['split:32/35', 25],
    ['black', 100],
    ['dozen:3', 50],
  ),
}
const PAID: Record<string, number> = {
  'straight_up:17': 87_500,
  'split:17/20': 17_000,
  'dozen:2': 10_000,
  'column:2': 5_000,
  'straight_up:27': 200_000,
  bonus_win: 10_000,
  super_bonus_win: 175_000,
  'street:0/00/2': 27_500,
  top_line: 25_000,
  black: 10_000,
}
export const WINNING: Record<string, string> = {
  'mbs-fast-action-v2': '27',
  'rws-triple-zero': '2',
}
export const LIT = '17 3 28 34 25 11 8 27 20 26'.split(' ')
export const SUPER = ['25', '26', '27', '28']

export function sampleChips(game: string, settled: boolean): FeltChip[] {
  const chips = CHIPS[game] ?? TABLE
  if (!settled) return chips
  return chips.map((chip) => {
    const paidCents = PAID[chip.area]
    return paidCents ? { ...chip, state: 'won', paidCents } : { ...chip, state: 'lost' }
  })
}

export const PREVIEW: FeltChip[] = [
  ['street:0/2/3', 10],
  ['split:4/7', 5],
  ['split:12/15', 5],
  ['split:18/21', 5],
  ['split:19/22', 5],
  ['corner:25/26/28/29', 10],
  ['split:32/35', 5],
].map(([area, whole]) => ({ area: String(area), cents: Number(whole) * 100, state: 'placing' }))
