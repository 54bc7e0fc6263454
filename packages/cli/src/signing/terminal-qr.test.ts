import jsqr from 'jsqr'
import { expect, test } from 'vitest'
import { terminalQr } from './signing-screen.ts'

const link = 'http://192.168.100.100:54180/Z_uIiGSIE1E#kVJX1ODLCaCI8NCJrdvqOg'

/** Returns the image that a camera sees: light blocks on a dark ground, each module 4 by 4 points. */
const photograph = (lines: readonly string[]) => {
  const halves: Readonly<Record<string, readonly [number, number]>> = {
    '█': [1, 1],
    '▀': [1, 0],
    '▄': [0, 1],
    ' ': [0, 0],
  }
  const rows = lines.flatMap(line => [0, 1].map(half => [...line].map(block => halves[block]![half]!)))
  const margin = 4
  const scale = 4
  const width = (rows[0]!.length + 2 * margin) * scale
  const height = (rows.length + 2 * margin) * scale
  const points = new Uint8ClampedArray(width * height * 4)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const light = rows[Math.floor(y / scale) - margin]?.[Math.floor(x / scale) - margin] ?? 0
      points.set([light * 255, light * 255, light * 255, 255], (y * width + x) * 4)
    }
  }
  return { points, width, height }
}

test('a camera can read the code on the terminal, at 40 columns', () => {
  const lines = terminalQr(link, 40)!
  expect(Math.max(...lines.map(line => line.length))).toBe(35)
  const { points, width, height } = photograph(lines)
  // The package is CommonJS: its default export is the function.
  const read = jsqr as unknown as (points: Uint8ClampedArray, width: number, height: number) => { data: string } | null
  expect(read(points, width, height)?.data).toBe(link)
})

test('prints no code if the terminal is too narrow', () => {
  expect(terminalQr(link, 34)).toBeUndefined()
})

test('draws each line light on dark', () => {
  const plain = terminalQr(link, 80)!
  expect(terminalQr(link, 80, line => `<${line}>`)).toEqual(plain.map(line => `<${line}>`))
  expect(new Set(plain.map(line => line.length)).size).toBe(1)
})
