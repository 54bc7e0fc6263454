import { z } from 'zod'
import type { Caller } from '../turns/caller.ts'

const idempotencyKey = z.string().min(1).max(128)

/** Returns the key by which a repeated call is found, if the client sent one. */
export const idempotencyKeyOf = ({ request }: Caller): string | undefined =>
  idempotencyKey.safeParse(request._meta?.['sibyl/idempotencyKey']).data

/** Returns the signal that stops a call: with a key, a lost connection does not stop it, since a repeat reads its result. */
export const stopSignal = (caller: Caller): AbortSignal => {
  const { signal } = caller.request
  if (idempotencyKeyOf(caller) === undefined) return signal
  const stop = new AbortController()
  // The reason of a cancellation is a text of the client; a connection that closes has none.
  signal.addEventListener('abort', () => typeof signal.reason === 'string' && stop.abort(), { once: true })
  return stop.signal
}
