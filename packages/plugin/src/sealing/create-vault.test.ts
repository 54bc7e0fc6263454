import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createVault } from './create-vault.ts'
import { SealBrokenError } from './seal-broken-error.ts'

const key = randomBytes(32)
const place = 'ussd_customers.pin:123456782'

test.each(['2580', '', 'Ñandú 🦤', 'x'.repeat(100_000), 'a\u0000b'])('%j opens in its own place', plain => {
  const vault = createVault({ current: key })
  expect(vault.open(vault.seal(plain, place), place)).toBe(plain)
})

test('a vault of the same key opens it after a restart', () => {
  expect(createVault({ current: key }).open(createVault({ current: key }).seal('2580', place), place)).toBe('2580')
})

test('2,000 equal PINs are 2,000 different texts that differ in nonce and ciphertext', () => {
  const vault = createVault({ current: key })
  const bytes = Array.from({ length: 2000 }, () =>
    Buffer.from(vault.seal('2580', place).split('.')[2] ?? '', 'base64url'),
  )
  expect(new Set(bytes.map(each => each.subarray(0, 12).toString('hex'))).size).toBe(2000)
  expect(new Set(bytes.map(each => each.toString('hex'))).size).toBe(2000)
})

test('the text names the key by its id, and is never the plain text', () => {
  const vault = createVault({ current: key })
  const sealed = vault.seal('a secret to be looked for', place)
  expect(sealed).toMatch(new RegExp(`^v1\\.${vault.keyIds[0]}\\.[\\w-]+$`))
  expect(Buffer.from(sealed.split('.')[2] ?? '', 'base64url').toString('latin1')).not.toContain('secret')
})

test('what was sealed for one place opens in no other', () => {
  const vault = createVault({ current: key })
  const sealed = vault.seal('2580', place)
  for (let row = 0; row < 5000; row++) {
    expect(() => vault.open(sealed, `ussd_customers.pin:${row}`)).toThrow(SealBrokenError)
  }
})

test('no changed byte opens', () => {
  const vault = createVault({ current: key })
  const [version, id, text] = vault.seal('2580', place).split('.')
  const bytes = Buffer.from(text ?? '', 'base64url')
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] ?? 0) ^ 1
    expect(() => vault.open(`${version}.${id}.${changed.toString('base64url')}`, place)).toThrow(SealBrokenError)
  }
  expect(() => vault.open(`${version}.${id}.${bytes.subarray(0, -1).toString('base64url')}`, place)).toThrow(
    SealBrokenError,
  )
})

test.each(['', 'plain', 'v1', 'v1..', 'v2.0.AAAA', 'v1.00.AAAA', 'v1.x.y.z'])('%j does not open', text => {
  expect(() => createVault({ current: key }).open(text, place)).toThrow(SealBrokenError)
})

test('a broken seal says column and key id, and neither row nor content', () => {
  const [one, other] = [createVault({ current: key }), createVault({ current: randomBytes(32) })]
  const sealed = one.seal('a plain text', place)
  try {
    other.open(sealed, place)
    expect.unreachable()
  } catch (error) {
    expect(error).toMatchObject({ code: 'seal_broken', facts: { fault: 'unknown-key', column: 'ussd_customers.pin' } })
    expect(String(error)).toContain(one.keyIds[0])
    expect(String(error)).toContain('PIN_ENCRYPTION_OLD_KEYS')
    expect(JSON.stringify(error) + String(error)).not.toMatch(/123456782|a plain text/)
  }
})

test('keys of before open and find, and what is new is sealed with the key of now', () => {
  const newKey = randomBytes(32)
  const before = createVault({ current: key })
  const after = createVault({ current: newKey, old: [key] })
  const sealed = before.seal('2580', place)
  expect(after.open(sealed, place)).toBe('2580')
  expect(after.isCurrent(sealed)).toBe(false)
  expect(after.isCurrent(after.seal('2580', place))).toBe(true)
  expect(createVault({ current: newKey }).open(after.seal('2580', place), place)).toBe('2580')

  const [hash] = before.lookupHashes('+260971234567', 'phone')
  expect(after.lookupHashes('+260971234567', 'phone')).toEqual([expect.any(String), hash])
  expect(after.isCurrent(hash)).toBe(false)
  expect(after.isCurrent(after.lookupHashes('+260971234567', 'phone')[0])).toBe(true)
  expect(after.keyIds).toEqual([expect.any(String), before.keyIds[0]])
})

test('the key of now among those of before counts once', () => {
  const vault = createVault({ current: key, old: [key, key] })
  expect(vault.keyIds).toHaveLength(1)
  expect(vault.lookupHashes('a', 'phone')).toHaveLength(1)
})

test('lookup hashes depend on value, purpose and key, and on nothing else', () => {
  const vault = createVault({ current: key })
  const hash = vault.lookupHashes('+260971234567', 'phone')[0]
  expect(vault.lookupHashes('+260971234567', 'phone')[0]).toBe(hash)
  expect(vault.lookupHashes('+260971234568', 'phone')[0]).not.toBe(hash)
  expect(vault.lookupHashes('+260971234567', 'account')[0]).not.toBe(hash)
  expect(createVault({ current: randomBytes(32) }).lookupHashes('+260971234567', 'phone')[0]).not.toBe(hash)
  expect(hash).not.toContain('971234567')
})
