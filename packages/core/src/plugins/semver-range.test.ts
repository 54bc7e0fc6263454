import { expect, test } from 'vitest'
import { inRange, isVersion } from './semver-range.ts'

test.each([
  ['0.1.0', '^0.1.0', true],
  ['0.1.9', '^0.1.0', true],
  ['0.2.0', '^0.1.0', false],
  ['0.0.4', '^0.0.3', false],
  ['1.9.9', '^1.2.3', true],
  ['2.0.0', '^1.2.3', false],
  ['0.9.0', '^0', true],
  ['1.2.9', '~1.2.3', true],
  ['1.3.0', '~1.2.3', false],
  ['1.9.0', '~1', true],
  ['1.2.3', '1.2.3', true],
  ['1.2.3', '=1.2.3', true],
  ['1.2.4', '1.2.3', false],
  ['1.2.4', '>=1.2.3', true],
  ['1.2.4', '>= 1.2.3 <2', true],
  ['2.0.0', '>=1.2.3 <2', false],
  ['1.2.3', '>1.2', false],
  ['1.3.0', '>1.2', true],
  ['1.2.9', '<=1.2', true],
  ['1.2.9', '1.2.x', true],
  ['1.3.0', '1.x', true],
  ['2.0.0', '1.x', false],
  ['7.7.7', '*', true],
  ['7.7.7', '', true],
  ['3.0.0', '^1.0.0 || ^3.0.0', true],
  ['2.0.0', '^1.0.0 || ^3.0.0', false],
  ['1.0.0-rc.1', '^1.0.0', false],
  ['1.0.0-rc.1', '*', false],
  ['1.0.0-rc.2', '^1.0.0-rc.1', true],
  ['1.0.0-rc.2', '>=1.0.0-rc.10', false],
  ['1.1.0-rc.2', '^1.0.0-rc.1', false],
  ['1.0.0', '^1.0.0-rc.1', true],
  ['1.0.0+build.5', '1.0.0', true],
])('%s in %j: %s', (version, range, expected) => {
  expect(inRange(version, range)).toBe(expected)
})

test.each(['latest', '^', '1.2.3.4', '>=', 'a.b.c', '^1.0.0 ||| 2', 'workspace:*', '1.0.0 - 2.0.0', '*'.repeat(300)])(
  'an invalid range returns undefined: %j',
  range => {
    expect(inRange('1.0.0', range)).toBeUndefined()
  },
)

test('versions must be complete', () => {
  expect(['0.1.0', '1.2.3-rc.1', '1.0.0+x'].every(isVersion)).toBe(true)
  expect(['', '1', '1.2', '1.2.x', '^1.2.3', '01x', 'one', '1.2.3 '].some(isVersion)).toBe(false)
})
