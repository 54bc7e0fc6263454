import type { SigningKey } from '@sibyl/identity'
import type { TestApp } from '@sibyl/testing'
import { expect } from 'vitest'

/** Returns the resource of an oracle's invocations. */
export const resourceOf = ({ app }: TestApp): string => `oracle:${app.identity.did}`

/** Signs any payload, including invalid ones. */
export const forge = async (
  key: SigningKey,
  payload: object,
  header: object = { alg: 'EdDSA', typ: 'JWT', ucv: '0.8.1' },
): Promise<string> => {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const signed = `${encode(header)}.${encode(payload)}`
  return `${signed}.${Buffer.from(await key.sign(new TextEncoder().encode(signed))).toString('base64url')}`
}

/** Returns the payload of a valid invocation, with changes. */
export const payloadFor = (oracle: TestApp, key: SigningKey, changes: object = {}) => ({
  iss: key.did,
  aud: oracle.app.identity.did,
  exp: Math.floor(Date.now() / 1000) + 300,
  nnc: Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString('base64url'),
  att: [{ with: resourceOf(oracle), can: '*' }],
  prf: [],
  ...changes,
})

/** Reads sessions with a raw header. */
export const readSessions = ({ app }: TestApp, authorization?: string): Promise<Response> =>
  app.request('/sessions', authorization === undefined ? {} : { headers: { authorization } })

/** Sends a message to session `s1` with a raw token. */
export const sendWith = ({ app }: TestApp, token: string): Promise<Response> =>
  app.request('/chat', {
    method: 'POST',
    body: JSON.stringify({ id: 's1', message: 'hi' }),
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  })

/** Expects a rejection by RFC 9457 and RFC 6750. */
export const expectRefusal = async (answer: Response, status: number, code: string): Promise<void> => {
  const text = await answer.text()
  expect([answer.status, JSON.parse(text).code], text).toEqual([status, code])
  expect(answer.headers.get('content-type')).toBe('application/problem+json')
  const challenge = code === 'ucan_missing' ? 'Bearer realm="sibyl"' : 'Bearer realm="sibyl", error="invalid_token"'
  expect(answer.headers.get('www-authenticate')).toBe(status === 401 ? challenge : null)
}
