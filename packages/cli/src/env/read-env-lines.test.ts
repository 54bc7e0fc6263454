import { parseEnv } from 'node:util'
import { expect, test } from 'vitest'
import { readEnvLines } from '../commands/env/env-findings.ts'

const text = `# a comment with A=b
PORT=3000

export HOST=127.0.0.1
  NAME = Field Oracle # here
PROMPT="one
two=2
three"
just words
PORT='4000'
LAST=\`a b\``

test('reports which line sets what, and which sets nothing', () => {
  expect(readEnvLines(text)).toEqual({
    set: [
      { name: 'PORT', line: 2 },
      { name: 'HOST', line: 4 },
      { name: 'NAME', line: 5 },
      { name: 'PROMPT', line: 6 },
      { name: 'PORT', line: 10 },
      { name: 'LAST', line: 11 },
    ],
    unread: [9],
  })
})

test('finds the names that Node reads', () => {
  const names = new Set(readEnvLines(text).set.map(({ name }) => name))
  expect([...names].toSorted()).toEqual(Object.keys(parseEnv(text)).toSorted())
})

test.each(['', '\n\n', '# only words', '\uFEFF# marked'])('finds nothing in %j', nothing => {
  expect(readEnvLines(nothing)).toEqual({ set: [], unread: [] })
})

test('accepts line breaks of Windows, and a byte order mark', () => {
  expect(readEnvLines('\uFEFFA=1\r\nB=2\r\nno\r\n')).toEqual({
    set: [
      { name: 'A', line: 1 },
      { name: 'B', line: 2 },
    ],
    unread: [3],
  })
})

test('an unterminated quote ends with its line', () => {
  expect(readEnvLines('A="b\nC=d').set.map(({ name }) => name)).toEqual(['A', 'C'])
})
