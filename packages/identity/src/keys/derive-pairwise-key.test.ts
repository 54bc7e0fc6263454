import { expect, it } from 'vitest'
import { derivePairwiseKey } from './derive-pairwise-key.ts'
import { createSigningKey, signingKeyFromSecret } from './node-signing-key.ts'
import { verifySignature } from './verify-signature.ts'

const oracle = signingKeyFromSecret(new Uint8Array(32).fill(1))

it('gives a person on a channel the same key for ever', async () => {
  const key = derivePairwiseKey(oracle, 'ussd', '+4917012345678')
  expect(key.did).toBe('did:key:z6MkpUT1VLsb3wyxvyaCEaGRbVg4eCGkwry5HXSKaPs9CT1X')
  const message = new TextEncoder().encode('hello')
  expect(verifySignature(key.did, message, await key.sign(message))).toBe(true)
})

it('gives another key for another person, channel or oracle', () => {
  const dids = [
    derivePairwiseKey(oracle, 'ussd', '+4917012345678'),
    derivePairwiseKey(oracle, 'ussd', '+4917012345679'),
    derivePairwiseKey(oracle, 'sms', '+4917012345678'),
    derivePairwiseKey(createSigningKey(), 'ussd', '+4917012345678'),
    derivePairwiseKey(oracle, 'ussd+', '4917012345678'),
    derivePairwiseKey(oracle, 'ussd","', '+4917012345678'),
    derivePairwiseKey(oracle, 'ussd', '","+4917012345678'),
    oracle,
  ].map(key => key.did)
  expect(new Set(dids).size).toBe(dids.length)
})
