import { expect, test } from 'vitest'
import { bboxOf, boxOfMap, extentOf } from './places.ts'

test('the box of a map is within the world, also over the antimeridian', () => {
  const latitudes = { south: -95, north: 91 }
  expect(boxOfMap({ west: -300, east: 100, ...latitudes })).toEqual({ west: -180, south: -90, east: 180, north: 90 })
  expect(boxOfMap({ west: 170, east: 190, south: 0, north: 1 })).toEqual({ west: 170, south: 0, east: -170, north: 1 })
  expect(boxOfMap({ west: 33.9, east: 41.9, south: -4.7, north: 5.5 })).toEqual({
    west: expect.closeTo(33.9),
    south: -4.7,
    east: expect.closeTo(41.9),
    north: 5.5,
  })
  expect(boxOfMap({ west: 0, east: 180, south: 0, north: 1 })).toMatchObject({ west: 0, east: 180 })
  expect(bboxOf({ west: -1e-9, south: 0, east: 41.9123456, north: 5 })).toBe('-0.00000,0.00000,41.91235,5.00000')
})

test('the extent has all places and cells', () => {
  expect(extentOf({ places: [], cells: [] })).toBeUndefined()
  const places = [{ did: 'a', type: 'b', latitude: 1, longitude: 2 }]
  expect(extentOf({ places, cells: [{ west: -3, south: 4, east: 1, north: 5, count: 1 }] })).toEqual({
    west: -3,
    south: 1,
    east: 2,
    north: 5,
  })
})
