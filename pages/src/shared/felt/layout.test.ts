import type { LayoutShown } from '../../generated/schema'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { HitAreas, Layout, Plane, stepTo, type Direction } from './layout'

const FIXTURES = join(import.meta.dirname, '../../../fixtures')
const layouts = readdirSync(FIXTURES).map((name) => {
  const shown = JSON.parse(readFileSync(join(FIXTURES, name), 'utf8')) as LayoutShown
  return [shown.game, new Layout(shown)] as const
})
/** The distance by which a finger may miss the smallest line, in units of the picture. */
const NEAR = [
  [0, 0],
  [4, 0],
  [-4, 0],
  [0, 4],
  [0, -4],
] as const
const DIRECTIONS: Direction[] = ['left', 'right', 'up', 'down']

describe.each(layouts)('%s', (_, layout) => {
  describe.each([false, true])('upright: %s', (upright) => {
    const plane = new Plane(layout, upright)

    test('every area has a point of its own inside the picture', () => {
      const points = layout.shown.areas.map((area) => plane.point(area.at))

      expect(new Set(points.map(String)).size).toBe(points.length)
      for (const [x, y] of points) {
        expect(x).toBeGreaterThanOrEqual(0)
        expect(x).toBeLessThanOrEqual(plane.width)
        expect(y).toBeGreaterThanOrEqual(0)
        expect(y).toBeLessThanOrEqual(plane.height)
      }
    })

    test.each([0.3, 0.5, 1, 3])('a finger on the point of an area means it, at %s pixels a unit', (scale) => {
      const hits = new HitAreas(layout, plane)

      for (const area of layout.shown.areas) {
        const [x, y] = plane.point(area.at)
        for (const [dx, dy] of NEAR) expect(hits.at([x + dx, y + dy], scale)?.area).toBe(area.area)
      }
    })

    test.each([0.3, 0.5, 1, 3])('the middle of a cell is its own, at %s pixels a unit', (scale) => {
      const hits = new HitAreas(layout, plane)

      for (const { number, rect } of layout.shown.numbers) {
        const { x, y, width, height } = plane.box(rect)
        for (const [across, down] of [
          [0.5, 0.5],
          [0.3, 0.3],
          [0.7, 0.3],
          [0.3, 0.7],
          [0.7, 0.7],
        ] as const)
          expect(hits.at([x + width * across, y + height * down], scale)?.area).toBe(`straight_up:${number}`)
      }
    })

    test('place is the inverse of point', () => {
      for (const area of layout.shown.areas) {
        const [u, v] = plane.place(plane.point(area.at))
        expect(u).toBeCloseTo(area.at[0])
        expect(v).toBeCloseTo(area.at[1])
      }
    })

    test('arrow keys reach every area', () => {
      const [first] = layout.shown.areas
      const reached = new Set([first!.area])
      const waiting = [first!]
      for (let area = waiting.pop(); area; area = waiting.pop())
        for (const direction of DIRECTIONS) {
          const next = stepTo(layout, plane, area, direction)
          if (!reached.has(next.area)) {
            reached.add(next.area)
            waiting.push(next)
          }
        }

      const left = layout.shown.areas.filter((area) => !reached.has(area.area))
      expect(left.map((area) => area.area)).toEqual([])
    })
  })
})

test('arrow keys travel along the lines, from corner to corner', () => {
  for (const [, layout] of layouts)
    for (const upright of [false, true]) {
      const plane = new Plane(layout, upright)
      const onLines = layout.shown.areas.filter(({ rect }) => !rect)
      for (const from of onLines)
        for (const direction of DIRECTIONS) {
          const [du, dv] = plane.heading(direction)
          const ahead = onLines
            .map((area) => ({ area, u: area.at[0] - from.at[0], v: area.at[1] - from.at[1] }))
            .map(({ area, u, v }) => ({ area, far: u * du + v * dv, aside: Math.abs(u * dv) + Math.abs(v * du) }))
            .filter(({ far, aside }) => far > 0.01 && far < 0.6 && aside < 0.01)
            .sort((one, other) => one.far - other.far)
          const next = stepTo(layout, plane, from, direction)
          if (ahead[0]) expect([from.area, direction, next.area]).toEqual([from.area, direction, ahead[0].area.area])
        }
    }
})

test('beside a line of a large table lies the split, in the middle the straight up', () => {
  const [, layout] = layouts.find(([game]) => game === 'mbs-complete-bet-v2')!
  const plane = new Plane(layout, false)
  const hits = new HitAreas(layout, plane)
  const at = (u: number, v: number) => hits.at(plane.point([u, v]), 1)?.area

  expect(at(6.1, 1.5)).toBe('split:17/20')
  expect(at(6.3, 1.5)).toBe('straight_up:20')
  expect(at(6.05, 1.06)).toBe('corner:16/17/19/20')
  expect(at(6.5, -0.05)).toBe('street:19/20/21')
  expect(at(6.02, 0.05)).toBe('six_line:16/17/18/19/20/21')
  expect(at(6.5, -0.3)).toBe('dozen:2')
})

test('the neighbours on the wheel are known, over its end too', () => {
  const v3 = layouts.find(([game]) => game === 'mbs-roulette-v3')![1]

  expect(v3.beside('0', 1)).toEqual(['26', '0', '32'])
  expect(v3.beside('S', 1)).toEqual([])
})

test('a link is whole where all its numbers are lit, and touched where one is', () => {
  const fast = layouts.find(([game]) => game === 'mbs-fast-action-v2')![1]
  const [link] = fast.links

  expect(fast.wholeLinks([...link!]).map((each) => each.link)).toEqual([link])
  expect(fast.wholeLinks(link!.slice(1))).toEqual([])
  expect(fast.linksTouched(link!.slice(1))).toBe(1)
})
