import { createHmac } from 'node:crypto'
import { signingKeyFromSecret } from './node-signing-key.ts'
import type { SigningKey } from './signing-key.ts'

/**
 * Derives the key under which an oracle lets a person on a channel act who has no DID of their own yet.
 * The same three inputs always give the same key; without the oracle's secret nobody can tell which person a DID
 * stands for, or that two DIDs on different channels or oracles are one person.
 *
 * @param key the oracle's key; another key gives other DIDs
 * @param channel name of the channel, such as `ussd` or `matrix`
 * @param subject the person's name on it, already in its one normal form, such as `+4917012345678`
 */
export function derivePairwiseKey(key: SigningKey, channel: string, subject: string): SigningKey {
  const message = JSON.stringify(['sibyl pairwise key', channel, subject])
  return signingKeyFromSecret(createHmac('sha256', key.exportSecret()).update(message).digest())
}
