import { createHmac } from 'node:crypto'
import { signingKeyFromSecret } from './node-signing-key.ts'
import type { SigningKey } from './signing-key.ts'

/**
 * Derives the key of a person on a channel who has no DID yet. The same inputs always give the same key; without the
 * secret of the oracle the DID reveals neither the person, nor that two DIDs on different channels or oracles belong to
 * one person.
 *
 * @param key the key of the oracle; another key gives other DIDs
 * @param channel name of the channel, such as `ussd` or `matrix`
 * @param subject the name of the person on it, in its normal form, such as `+4917012345678`
 */
export function derivePairwiseKey(key: SigningKey, channel: string, subject: string): SigningKey {
  const message = JSON.stringify(['sibyl pairwise key', channel, subject])
  return signingKeyFromSecret(createHmac('sha256', key.exportSecret()).update(message).digest())
}
