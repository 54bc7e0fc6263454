import { createHash, createHmac } from 'node:crypto'

/**
 * Derives the secret of a webhook from the oracle's key, so that it is not stored. Ed25519 signatures are
 * deterministic, and only the oracle can create this one.
 *
 * @returns 32 bytes
 * @throws `signing_key_missing`
 */
export const webhookSecret = async (
  identity: { sign(bytes: Uint8Array): Promise<Uint8Array> },
  webhookId: string,
): Promise<Uint8Array> => {
  const signature = await identity.sign(new TextEncoder().encode(`sibyl: the secret of webhook ${webhookId}`))
  return createHash('sha256').update(signature).digest()
}

/** Returns a secret in the form for its receiver (Standard Webhooks): `whsec_` and base64. */
export const secretText = (secret: Uint8Array): string => `whsec_${Buffer.from(secret).toString('base64')}`

/** A message to sign and send. */
export interface SignedMessage {
  /** Id that is the same for each attempt. */
  readonly id: string
  /** Milliseconds since 1970, of this attempt. */
  readonly at: number
  readonly body: string
}

/** Returns the headers of a signed message (Standard Webhooks 1.0, symmetric signatures). */
export const webhookHeaders = (secret: Uint8Array, { id, at, body }: SignedMessage) => {
  const timestamp = String(Math.floor(at / 1000))
  const signature = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
}
