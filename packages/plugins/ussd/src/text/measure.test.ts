import { expect, it } from 'vitest'
import { fits, measure, narrowLimits, standardLimits } from './measure.ts'

it.each([
  ['', { encoding: 'gsm7', used: 0, limit: 182 }],
  ['Price: 5€', { encoding: 'gsm7', used: 10, limit: 182 }],
  ['Précédent à', { encoding: 'gsm7', used: 11, limit: 182 }],
  ['Français', { encoding: 'ucs2', used: 8, limit: 80 }],
  ['👍', { encoding: 'ucs2', used: 2, limit: 80 }],
  ['\u0000', { encoding: 'ucs2', used: 1, limit: 80 }],
])('%j takes %j', (text, measured) => {
  expect(measure(text)).toEqual(measured)
})

it.each([
  ['a'.repeat(182), standardLimits, true],
  ['a'.repeat(183), standardLimits, false],
  ['€'.repeat(91), standardLimits, true],
  ['€'.repeat(92), standardLimits, false],
  ['a'.repeat(161), narrowLimits, false],
  ['字'.repeat(80), standardLimits, true],
  ['字'.repeat(81), standardLimits, false],
  [`${'a'.repeat(79)}字`, standardLimits, true],
  [`${'a'.repeat(80)}字`, standardLimits, false],
  ['👍'.repeat(40), standardLimits, true],
  ['👍'.repeat(36), narrowLimits, false],
])('%j within %j: %s', (text, limits, verdict) => {
  expect(fits(text, limits)).toBe(verdict)
})
