import { createSigningKey } from '@sibyl/identity'
import { expect, test } from 'vitest'
import { BrowserStore } from './browser-store.ts'
import { openKey, type SealedKey, sealKey, usualCost } from './sealed-key.ts'

const passphrase = 'grün wie der Fluß'
const key = createSigningKey()
const sealed = sealKey(key, passphrase, { N: 16, r: 8, p: 2 })

test('a key opens with its passphrase only', () => {
  expect(openKey(sealed, passphrase)?.did).toBe(key.did)
  expect(openKey(sealed, passphrase.normalize('NFD'))?.did).toBe(key.did)
  expect(openKey(sealed, `${passphrase} `)).toBeUndefined()
  expect(JSON.stringify(sealed)).not.toContain(Buffer.from(key.exportSecret()).toString('hex'))
})

test('a change of the stored key is detected', () => {
  const last = sealed.ciphertext.endsWith('0') ? '1' : '0'
  const changes: Partial<SealedKey>[] = [
    { did: createSigningKey().did },
    { ciphertext: sealed.ciphertext.slice(0, -1) + last },
    { kdf: { ...sealed.kdf, N: 2 ** 40 } },
    { kdf: { ...sealed.kdf, N: 3 } },
  ]
  for (const change of changes) expect(openKey({ ...sealed, ...change }, passphrase)).toBeUndefined()
})

test('trying a passphrase costs as much as in the keystore of the command', () => {
  const { N, r, p } = usualCost
  expect(N * r * p).toBe(2 ** 17 * 8)
})

test('the browser stores one key, and a name for itself', () => {
  const items = new Map<string, string>()
  const store = new BrowserStore(
    () =>
      ({
        getItem: (name: string) => items.get(name) ?? null,
        setItem: (name: string, value: string) => items.set(name, value),
      }) as unknown as Storage,
  )
  expect(store.key()).toBeUndefined()
  expect(store.keepKey(sealed)).toBe(true)
  expect(store.key()).toEqual(sealed)
  expect(store.device()).toMatch(/^[0-9a-f]{32}$/)
  expect(store.device()).toBe(store.device())
  for (const damage of ['', '[]', 'null', '{"version":1}', JSON.stringify({ ...sealed, nonce: 'x' })]) {
    items.set('sibyl-signing-key', damage)
    expect(store.key()).toBeUndefined()
  }
})

test('a browser without storage can still sign', () => {
  const store = new BrowserStore(() => {
    throw new DOMException('denied', 'SecurityError')
  })
  expect(store.key()).toBeUndefined()
  expect(store.keepKey(sealed)).toBe(false)
  expect(store.device()).toMatch(/^[0-9a-f]{32}$/)
})
