import { expect, it } from 'vitest'
import { malleable } from '../ucan/forge-token.test.helper.ts'
import { createSigningKey } from './node-signing-key.ts'
import { verifySignature } from './verify-signature.ts'

const key = createSigningKey()
const message = new TextEncoder().encode('the message')

it('accepts a signature of the DID over the bytes, and only that', async () => {
  const signature = await key.sign(message)
  expect(verifySignature(key.did, message, signature)).toBe(true)
  expect(verifySignature(createSigningKey().did, message, signature)).toBe(false)
  expect(verifySignature(key.did, message.subarray(1), signature)).toBe(false)
  expect(verifySignature(key.did, message, signature.subarray(1))).toBe(false)
  expect(verifySignature(key.did, message, new Uint8Array())).toBe(false)
  expect(verifySignature('did:web:example.org', message, signature)).toBe(false)
})

it('refuses the malleable form of a signature, S + L', async () => {
  const signature = await key.sign(message)
  expect(verifySignature(key.did, message, malleable(signature))).toBe(false)
})
