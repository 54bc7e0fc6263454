import { expect, test } from 'vitest'
import { isEntityId } from './entity-did.ts'
import { makeEntityIds } from './entity-id.ts'

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

const uuidOf = (id: string): string => {
  const value = [...id].reduce((sum, character) => sum * 32n + BigInt(alphabet.indexOf(character)), 0n)
  return value.toString(16).padStart(32, '0')
}

test('an id is a UUIDv7 in Crockford base32', () => {
  const time = 1_795_282_000_123
  const id = makeEntityIds(() => time)()
  expect(isEntityId(id)).toBe(true)
  expect(uuidOf(id)).toMatch(/^[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/)
  expect(Number.parseInt(uuidOf(id).slice(0, 12), 16)).toBe(time)
})

test('ids ascend, within a millisecond and when the clock goes back, and none comes twice', () => {
  let time = 1_795_282_000_123
  const next = makeEntityIds(() => (time += [0, 0, 1, -5][time % 4] ?? 0))
  const ids = Array.from({ length: 20_000 }, next)
  expect(ids).toEqual(ids.toSorted())
  expect(new Set(ids).size).toBe(ids.length)
})
