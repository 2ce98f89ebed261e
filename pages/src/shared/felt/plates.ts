/** The outlines of plates: round is red, square is black, six-sided is green. */
import type { Box, Colour } from './layout'

const f = (x: number): number => Math.round(x * 100) / 100

/** The path of a plate that fills a box. */
export function platePath(colour: Colour, { x, y, width, height }: Box): string {
  const short = Math.min(width, height)
  if (colour === 'red') return rounded(x, y, width, height, short / 2)
  if (colour === 'black') return rounded(x, y, width, height, Math.min(4, short / 8))
  return height > width * 1.15 ? tall(x, y, width, height) : wide(x, y, width, height)
}

function rounded(x: number, y: number, w: number, h: number, r: number): string {
  const [a, b] = [f(w - 2 * r), f(h - 2 * r)]
  const bend = (dx: number, dy: number) => `a${f(r)} ${f(r)} 0 0 1 ${f(dx)} ${f(dy)}`
  return `M${f(x + r)} ${f(y)}h${a}${bend(r, r)}v${b}${bend(-r, r)}h${-a}${bend(-r, -r)}v${-b}${bend(r, -r)}z`
}

function wide(x: number, y: number, w: number, h: number): string {
  const cut = Math.min(Math.min(w, h) * 0.28, 16)
  return `M${f(x + cut)} ${f(y)}H${f(x + w - cut)}L${f(x + w)} ${f(y + h / 2)}L${f(x + w - cut)} ${f(y + h)}H${f(x + cut)}L${f(x)} ${f(y + h / 2)}Z`
}

function tall(x: number, y: number, w: number, h: number): string {
  const cut = Math.min(w * 0.26, 18)
  return `M${f(x + w / 2)} ${f(y)}L${f(x + w)} ${f(y + cut)}V${f(y + h - cut)}L${f(x + w / 2)} ${f(y + h)}L${f(x)} ${f(y + h - cut)}V${f(y + cut)}Z`
}

export function inset(box: Box, by: number): Box {
  return { x: box.x + by, y: box.y + by, width: box.width - 2 * by, height: box.height - 2 * by }
}
