import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ussdEnv } from './ussd-env.ts'

test('the README names every variable, in one row each', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
  const rows = Array.from(readme.matchAll(/^\| `([A-Z_]+)` +\|/gm), ([, name]) => name)
  expect(rows.toSorted()).toEqual(Object.keys(ussdEnv.shape).toSorted())
})
