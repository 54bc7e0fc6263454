import type { TestActor, TestTarget } from '@sibyl/testing'
import { beginSignIn, codeVerifier, redirectUri } from '../flood/sign-in-client.ts'

type Target = Pick<TestTarget, 'request'>

/** A sign-in, with the tokens that its client has. */
export interface RefreshedSignIn {
  readonly client: string
  accessToken: string
  refreshToken: string
  /** Whether the oracle rejected its refresh token. */
  hasEnded: boolean
  /** The number of requests whose answer did not arrive. */
  lost: number
}

interface Tokens {
  readonly access_token: string
  readonly refresh_token: string
}

const exchange = (target: Target, parameters: Readonly<Record<string, string>>): Promise<Response> =>
  target.request('/oauth/token', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(parameters).toString(),
  })

/** Signs in as an actor, and exchanges the code. */
export const signIn = async (target: Target, client: string, actor: TestActor): Promise<RefreshedSignIn> => {
  const { path, cookie } = (await beginSignIn(target, client))!
  const allowed = await target.request(path, {
    method: 'POST',
    headers: {
      cookie,
      'content-type': 'application/json',
      authorization: `Bearer ${await actor.token(['auth/token', 'chat/*'])}`,
    },
    body: JSON.stringify({ scopes: ['chat/*'] }),
  })
  const { location } = (await allowed.json()) as { readonly location: string }
  const back = await target.request(new URL(location).pathname, { headers: { cookie }, redirect: 'manual' })
  const code = new URL(back.headers.get('location') ?? '').searchParams.get('code') ?? ''
  const given = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: codeVerifier }
  const answer = await exchange(target, { client_id: client, ...given })
  if (answer.status !== 200) throw new Error(`The code was answered with ${answer.status}: ${await answer.text()}`)
  const { access_token: accessToken, refresh_token: refreshToken } = (await answer.json()) as Tokens
  return { client, accessToken, refreshToken, hasEnded: false, lost: 0 }
}

/** Refreshes the tokens of a sign-in repeatedly, and repeats a request whose answer was lost. */
export const refreshWhile = async (
  target: Target,
  signedIn: RefreshedSignIn,
  more: () => boolean,
  refreshed: () => void,
): Promise<void> => {
  let isLost = false
  while (more() || isLost) {
    try {
      const { client: client_id, refreshToken: refresh_token } = signedIn
      const answer = await exchange(target, { client_id, grant_type: 'refresh_token', refresh_token })
      const tokens = (await answer.json()) as Tokens
      if (answer.status === 200) {
        isLost = false
        signedIn.accessToken = tokens.access_token
        signedIn.refreshToken = tokens.refresh_token
        refreshed()
        continue
      }
      if (answer.status >= 500) throw new Error(String(answer.status))
      signedIn.hasEnded = true
      return
    } catch {
      if (!isLost) signedIn.lost += 1
      isLost = true
      await new Promise(resolve => setTimeout(resolve, 20))
    }
  }
}
