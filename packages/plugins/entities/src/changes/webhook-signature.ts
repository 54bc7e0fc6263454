import { createHash, createHmac } from 'node:crypto'
import type { HostIdentity } from '@sibyl/plugin'

/**
 * Derives the secret of a webhook from the oracle's key, so that it is kept nowhere: Ed25519 signs the same text the same
 * way each time, and only the oracle can.
 *
 * @returns 32 bytes
 * @throws `signing_key_missing`
 */
export const webhookSecret = async (identity: Pick<HostIdentity, 'sign'>, webhookId: string): Promise<Uint8Array> => {
  const signature = await identity.sign(new TextEncoder().encode(`sibyl: the secret of webhook ${webhookId}`))
  return createHash('sha256').update(signature).digest()
}

/** A secret as its receiver keeps it (Standard Webhooks): `whsec_` and base64. */
export const secretText = (secret: Uint8Array): string => `whsec_${Buffer.from(secret).toString('base64')}`

/** A message that is signed and sent. */
export interface SignedMessage {
  /** The same at each try. */
  readonly id: string
  /** Milliseconds since 1970, of this try. */
  readonly at: number
  readonly body: string
}

/** The headers by which a receiver knows a message (Standard Webhooks 1.0, symmetric signatures). */
export const webhookHeaders = (secret: Uint8Array, { id, at, body }: SignedMessage) => {
  const timestamp = String(Math.floor(at / 1000))
  const signature = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
}
