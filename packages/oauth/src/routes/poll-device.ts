import type { DeviceSignIn, DeviceStore } from '../tables/device-store.ts'
import { hashOf } from '../tables/hash-of.ts'

/** The outcome of a request: an error, or the parameters with which the tokens are requested. */
export type Polled =
  | { readonly error: string; readonly error_description: string }
  | { readonly clientId: string; readonly code: string; readonly code_verifier: string }

/** Returns the outcome of a request of a device for its tokens. */
export const pollDevice = async (store: DeviceStore, form: URLSearchParams, now: number): Promise<Polled> => {
  const [deviceCode, clientId] = [form.get('device_code') ?? '', form.get('client_id') ?? '']
  const challenge = hashOf(deviceCode)
  const found = await store.find(challenge)
  if (!found) return { error: 'expired_token', error_description: 'The code is wrong or expired. Begin again.' }
  if (found.clientId !== clientId) {
    return { error: 'invalid_grant', error_description: 'The code belongs to another client.' }
  }
  const { result } = found
  if (result && 'code' in result) return { clientId, code: result.code, code_verifier: deviceCode }
  if (result) return { error: 'access_denied', error_description: 'The user denied access, or the sign-in failed.' }
  return await waiting(store, challenge, found, now)
}

/** A second of tolerance, for a network that delays one request more than the next. */
const waiting = async (store: DeviceStore, challenge: string, found: DeviceSignIn, now: number): Promise<Polled> => {
  const isEarly = now - found.polledAt < (found.interval - 1) * 1000
  const interval = found.interval + (isEarly ? 5 : 0)
  await store.update(challenge, { ...found, interval, polledAt: now })
  return isEarly
    ? { error: 'slow_down', error_description: `Wait ${interval} s between requests.` }
    : { error: 'authorization_pending', error_description: 'The user has not signed in yet.' }
}
