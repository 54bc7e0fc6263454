import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import * as browser from './browser-signing-key.ts'
import { publicKeyFromDid } from './did-key.ts'
import * as node from './node-signing-key.ts'
import { verifySignature } from './verify-signature.ts'

// Test 3 of RFC 8032, section 7.1.
const secret = Buffer.from('c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7', 'hex')
const publicKey = 'fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025'
const message = Buffer.from('af82', 'hex')
const signature =
  '6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a'

describe.each([
  ['Node', node],
  ['the browser', browser],
])('a signing key in %s', (_, { createSigningKey, signingKeyFromSecret }) => {
  it('signs as RFC 8032 has it', async () => {
    const key = signingKeyFromSecret(secret)
    expect(Buffer.from(key.publicKey).toString('hex')).toBe(publicKey)
    expect(Buffer.from(await key.sign(message)).toString('hex')).toBe(signature)
    expect(publicKeyFromDid(key.did)).toEqual(key.publicKey)
  })

  it('is a new one each time it is created', () => {
    expect(new Set(Array.from({ length: 20 }, () => createSigningKey().did)).size).toBe(20)
  })

  it('comes back from its exported secret', async () => {
    const key = createSigningKey()
    const again = signingKeyFromSecret(key.exportSecret())
    expect(again.did).toBe(key.did)
    expect(verifySignature(key.did, message, await again.sign(message))).toBe(true)
  })

  it('does not change when the bytes given to or taken from it do', async () => {
    const given = Uint8Array.from(secret)
    const key = signingKeyFromSecret(given)
    for (const bytes of [given, key.exportSecret(), key.publicKey]) bytes.fill(7)
    expect(Buffer.from(key.exportSecret())).toEqual(secret)
    expect(Buffer.from(key.publicKey).toString('hex')).toBe(publicKey)
    expect(Buffer.from(await key.sign(message)).toString('hex')).toBe(signature)
  })

  it('shows its DID and no secret, however it is printed', () => {
    const key = signingKeyFromSecret(secret)
    const prints = [
      inspect(key, { showHidden: true, depth: null }),
      inspect({ key }, { customInspect: false, showHidden: true, depth: null }),
      JSON.stringify({ key }),
      JSON.stringify({ ...key }),
      JSON.stringify(structuredClone(key)),
      `${key}`,
    ]
    for (const print of prints) {
      expect(print).toContain(key.did)
      for (const leak of [
        secret.toString('hex'),
        secret.toString('base64'),
        [...secret.subarray(0, 4)].join(', '),
        'c5 aa',
      ]) {
        expect(print).not.toContain(leak)
      }
    }
    expect(JSON.parse(JSON.stringify(key))).toEqual({ did: key.did })
  })

  it.each([0, 31, 33, 64])('throws secret_invalid for %i bytes', length => {
    expect(() => signingKeyFromSecret(new Uint8Array(length))).toThrow(
      expect.objectContaining({ code: 'secret_invalid' }),
    )
  })
})
