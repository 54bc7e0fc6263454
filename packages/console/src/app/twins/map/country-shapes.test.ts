import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { countryShapes } from './country-shapes.ts'

test('no ring of a country has an edge around the world, but over the pole', () => {
  const file = createRequire(import.meta.url).resolve('world-atlas/countries-110m.json')
  const { features } = countryShapes(JSON.parse(readFileSync(file, 'utf8')))
  const rings = features.flatMap(({ geometry }) => geometry.coordinates.flat())
  expect(rings.length).toBeGreaterThan(250)
  const farEnds = rings.flatMap(ring =>
    ring.filter(([longitude = 0], at) => Math.abs(longitude - (ring[at - 1]?.[0] ?? longitude)) > 180),
  )
  expect(new Set(farEnds.map(([, latitude]) => latitude))).toEqual(new Set([-90]))
  for (const ring of rings) expect(ring.at(-1)).toEqual(ring[0])
  expect(Math.max(...rings.flat().map(([longitude = 0]) => longitude))).toBeGreaterThan(180)
})
