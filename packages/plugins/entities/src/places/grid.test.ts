import { expect, test } from 'vitest'
import { seededNumbers } from '../records/seeded-numbers.test.helper.ts'
import { type Box, boxOf, cellNumber, cellRange, cellsOver, isInside } from './grid.ts'
import { positionOf } from './position.ts'

test('any position in any box has its number in exactly one of the cells over the box', () => {
  const random = seededNumbers(11)
  const degrees = (max: number) => random(max * 2_000_000 + 1) / 1_000_000 - max
  for (let run = 0; run < 2_000; run += 1) {
    const [one, other] = [degrees(90), degrees(90)]
    const [west, size] = [degrees(180), 10 ** -random(6)]
    const box: Box = {
      west,
      south: Math.min(one, other),
      east: run % 2 === 0 ? degrees(180) : Math.min(west + size, 180),
      north: run % 2 === 0 ? Math.max(one, other) : Math.min(Math.min(one, other) + size, 90),
    }
    const cells = cellsOver(box)
    expect(cells.length).toBeGreaterThan(0)
    expect(cells.length).toBeLessThanOrEqual(256)
    const within = { latitude: box.south, longitude: box.east }
    for (const position of [within, { latitude: degrees(90), longitude: degrees(180) }]) {
      const number = cellNumber(position)
      const holding = cells.filter(cell => cellRange(cell)[0] <= number && number < cellRange(cell)[1])
      expect(holding.length).toBeLessThanOrEqual(1)
      if (isInside(position, box)) expect(holding).toHaveLength(1)
      for (const cell of holding) expect(isInside(position, boxOf(cell))).toBe(true)
    }
  }
})

test('a small box has small cells, and the world and boxes over the antimeridian are covered', () => {
  const street = cellsOver({ west: 36.82, south: -1.29, east: 36.821, north: -1.289 })
  expect(boxOf(street[0]!).east - boxOf(street[0]!).west).toBeLessThan(0.001)
  expect(cellsOver({ west: -180, south: -90, east: 180, north: 90 })).toHaveLength(256)
  const fiji = { west: 177, south: -19, east: -179, north: -16 }
  expect(cellsOver(fiji).map(cell => boxOf(cell).west)).toEqual(expect.arrayContaining([-180]))
  expect(isInside({ latitude: -17, longitude: -179.5 }, fiji)).toBe(true)
  expect(isInside({ latitude: -17, longitude: 0 }, fiji)).toBe(false)
})

test.each([
  [{ location: { type: 'Point', coordinates: [36.8, -1.3] } }, { latitude: -1.3, longitude: 36.8 }],
  [{ location: { latitude: -1.3, longitude: 36.8, county: 'Nairobi' } }, { latitude: -1.3, longitude: 36.8 }],
  [
    { latitude: -1.3, longitude: 36.8 },
    { latitude: -1.3, longitude: 36.8 },
  ],
  [
    { location: 'Nairobi', latitude: 0, longitude: 0 },
    { latitude: 0, longitude: 0 },
  ],
  [{ location: { type: 'Point', coordinates: ['36.8', '-1.3'] } }, undefined],
  [{ location: { type: 'Point', coordinates: [200, 0] } }, undefined],
  [{ location: { type: 'Polygon', coordinates: [36.8, -1.3] } }, undefined],
  [{ location: [36.8, -1.3] }, undefined],
  [{ latitude: 91, longitude: 0 }, undefined],
  [{ latitude: -1.3 }, undefined],
  [{}, undefined],
])('the position of %j', (properties, position) => {
  expect(positionOf(properties)).toEqual(position)
})
