import { createHash } from 'node:crypto'
import type { TestTarget } from '@sibyl/testing'

export const redirectUri = 'http://127.0.0.1:7777/callback'

/** The verifier of all sign-ins. */
export const codeVerifier = 'verifier'.repeat(6)

const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url')

/** Registers a client; returns its id, or undefined if it was rejected. */
export const registerClient = async (target: Pick<TestTarget, 'request'>): Promise<string | undefined> => {
  const response = await target.request('/oauth/register', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'Pocket', redirect_uris: [redirectUri] }),
  })
  const { client_id: id } = (await response.json()) as { readonly client_id?: string }
  return id
}

/** Begins a sign-in; returns its page and the cookies of the browser, or undefined if it was rejected. */
export const beginSignIn = async (
  target: Pick<TestTarget, 'request'>,
  client: string,
): Promise<{ readonly path: string; readonly cookie: string } | undefined> => {
  const query = new URLSearchParams({
    client_id: client,
    redirect_uri: redirectUri,
    response_type: 'code',
    code_challenge: codeChallenge,
    code_challenge_method: 'S256',
    scope: 'chat/* session/*',
    state: 'state-1',
  })
  const response = await target.request(`/oauth/authorize?${query}`, { redirect: 'manual' })
  await response.text()
  const location = response.headers.get('location')
  if (response.status !== 303 || !location?.includes('/oauth/sign-in/')) return undefined
  const cookies = response.headers.getSetCookie().map(one => one.split(';')[0])
  return { path: new URL(location).pathname, cookie: cookies.join('; ') }
}
