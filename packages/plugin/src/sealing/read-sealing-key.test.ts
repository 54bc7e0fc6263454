import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { readSealingKey, readSealingKeys } from './read-sealing-key.ts'

const bytes = randomBytes(32)

test.each([
  ['hex', bytes.toString('hex')],
  ['hex in capitals', bytes.toString('hex').toUpperCase()],
  ['base64', bytes.toString('base64')],
  ['URL-safe base64', bytes.toString('base64url')],
  ['hex with a line break behind', `${bytes.toString('hex')}\n`],
])('32 bytes as %s are a key', (_form, text) => {
  const key = readSealingKey(text)
  expect(key?.isPhrase).toBe(false)
  expect(Buffer.from(key?.bytes ?? []).equals(bytes)).toBe(true)
})

test.each(['a sentence that nobody would ever guess', 'x'.repeat(32), bytes.toString('hex').slice(1), 'ä'.repeat(32)])(
  '%j is a phrase',
  text => expect(readSealingKey(text)?.isPhrase).toBe(true),
)

test.each(['', 'secret', 'x'.repeat(31), ` ${'x'.repeat(31)} `, '🔑'.repeat(31)])('%j is not a key', text =>
  expect(readSealingKey(text)).toBeUndefined(),
)

test('a list has commas between keys, or is JSON', () => {
  const [hex, phrase] = [bytes.toString('hex'), 'one, two, three: the keys of before']
  expect(readSealingKeys(` ${hex} , ${bytes.toString('base64')},`)).toHaveLength(2)
  expect(readSealingKeys(JSON.stringify([hex, phrase]))?.map(key => key.isPhrase)).toEqual([false, true])
  expect(readSealingKeys('')).toEqual([])
})

test.each([`${bytes.toString('hex')},short`, '[1]', '["short"]', '[broken', '{}'])('%j is not a list of keys', text =>
  expect(readSealingKeys(text)).toBeUndefined(),
)
