/** Code 39: a voucher's code as bars that a hand scanner reads. */

const BARS: Record<string, string> = {
  '0': 'bwbWBwBwb',
  '1': 'BwbWbwbwB',
  '2': 'bwBWbwbwB',
  '3': 'BwBWbwbwb',
  '4': 'bwbWBwbwB',
  '5': 'BwbWBwbwb',
  '6': 'bwBWBwbwb',
  '7': 'bwbWbwBwB',
  '8': 'BwbWbwBwb',
  '9': 'bwBWbwBwb',
  A: 'BwbwbWbwB',
  B: 'bwBwbWbwB',
  C: 'BwBwbWbwb',
  D: 'bwbwBWbwB',
  E: 'BwbwBWbwb',
  F: 'bwBwBWbwb',
  G: 'bwbwbWBwB',
  H: 'BwbwbWBwb',
  I: 'bwBwbWBwb',
  J: 'bwbwBWBwb',
  K: 'BwbwbwbWB',
  L: 'bwBwbwbWB',
  M: 'BwBwbwbWb',
  N: 'bwbwBwbWB',
  O: 'BwbwBwbWb',
  P: 'bwBwBwbWb',
  Q: 'bwbwbwBWB',
  R: 'BwbwbwBWb',
  S: 'bwBwbwBWb',
  T: 'bwbwBwBWb',
  U: 'BWbwbwbwB',
  V: 'bWBwbwbwB',
  W: 'BWBwbwbwb',
  X: 'bWbwBwbwB',
  Y: 'BWbwBwbwb',
  Z: 'bWBwBwbwb',
  '-': 'bWbwbwBwB',
  '*': 'bWbwBwBwb',
}
const WIDE = 2.5

export interface Bars {
  width: number
  /** One path of all bars, of height one. */
  path: string
}

/** The bars of a code between start and stop signs; none if a sign has no bars. */
export function code39(code: string): Bars | null {
  const signs = [...`*${code.toUpperCase()}*`].map((sign) => BARS[sign])
  let x = 0
  let path = ''
  for (const sign of signs) {
    if (!sign) return null
    for (const each of sign) {
      const width = each === 'B' || each === 'W' ? WIDE : 1
      if (each.toLowerCase() === 'b') path += `M${x} 0h${width}v1h${-width}z`
      x += width
    }
    x += 1
  }
  return { width: x - 1, path }
}
