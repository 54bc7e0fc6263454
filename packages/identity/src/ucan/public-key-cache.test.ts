import { expect, it } from 'vitest'
import { createSigningKey } from '../keys/node-signing-key.ts'
import { PublicKeyCache } from './public-key-cache.ts'

it('opens a key once while it is in use, and drops the one used longest ago', () => {
  const [first, second, third] = Array.from({ length: 3 }, () => createSigningKey().did) as [string, string, string]
  const cache = new PublicKeyCache(2)
  const opened = cache.get(first)
  const other = cache.get(second)
  expect(cache.get(first)).toBe(opened)
  cache.get(third)
  expect(cache.get(first)).toBe(opened)
  expect(cache.get(second)).not.toBe(other)
})

it('has no key for what is not a did:key', () => {
  expect(new PublicKeyCache(2).get('did:web:example.org')).toBeUndefined()
})
