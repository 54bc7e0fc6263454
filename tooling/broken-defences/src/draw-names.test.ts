import { expect, test } from 'vitest'
import { drawNames } from './draw-names.ts'

const names = Array.from({ length: 60 }, (_, index) => `defence-${index}`)

test('draws the same names by the same seed, and others by another', () => {
  expect(drawNames(names.toReversed(), '7', 30)).toEqual(drawNames(names, '7', 30))
  expect(new Set(drawNames(names, '7', 30)).size).toBe(30)
  expect(drawNames(names, '8', 30)).not.toEqual(drawNames(names, '7', 30))
})

test('keeps the others when a name is added', () => {
  const before = drawNames(names, '7', 30)
  const after = drawNames([...names, 'another'], '7', 30)
  expect(before.filter(name => !after.includes(name)).length).toBeLessThanOrEqual(1)
})
