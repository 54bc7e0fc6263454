import { parseEnv } from 'node:util'
import { expect, test } from 'vitest'
import { quoteEnvValue } from './quote-env-value.ts'

/** Reads a line as Docker does: everything after the first `=`, verbatim. */
const byDocker = (text: string): string => text

const pieces = [
  'a',
  'Ü',
  '日',
  ' ',
  '\t',
  '#',
  "'",
  '"',
  '`',
  '\\',
  '\\n',
  '$',
  '{A}',
  '=',
  ',',
  '\u00a0',
  '🛖',
  'export ',
  '%',
]

const samples = (count: number): string[] => {
  let state = 7
  const next = (limit: number) => {
    state = (state * 48_271) % 2_147_483_647
    return state % limit
  }
  return Array.from({ length: count }, () =>
    Array.from({ length: next(9) }, () => pieces[next(pieces.length)]).join(''),
  )
}

const others = `# it's "so\nBEFORE='x'\n`
const after = '\n# it\'s `so\nAFTER="y"\n'

test('reads back what it wrote, whatever the surroundings', () => {
  let written = 0
  for (const value of samples(4_000)) {
    const text = quoteEnvValue(value)
    if (text === undefined) {
      expect(value.includes('\t') || (value.includes("'") && value.includes('`')), value).toBe(true)
      continue
    }
    written += 1
    expect(parseEnv(`${others}VALUE=${text}${after}`), value).toEqual({ BEFORE: 'x', VALUE: value, AFTER: 'y' })
  }
  expect(written).toBeGreaterThan(2_000)
})

test.each([
  'word word word',
  'did:key:z6Mk,did:key:z6Mq',
  'postgres://user:p%40ss@host:5432/sibyl?a=b',
  'Größe, Länge & Gewicht',
  "the oracle's",
  '',
])('uses no quotes without need, so that docker reads the same: %j', value => {
  expect(byDocker(quoteEnvValue(value) ?? '-')).toBe(value)
})

test.each(['two\nlines', 'two\r\nlines', 'nothing\0', 'esc\u001b[31m', '\'"`', ' \'"` '])(
  'no form can express %j',
  value => {
    expect(quoteEnvValue(value)).toBeUndefined()
  },
)
