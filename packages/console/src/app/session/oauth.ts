import { readBody } from '../api/api-client.ts'
import type { ConsoleBase } from '../api/console-base.ts'
import { Problem, readProblem, unreachable } from '../api/problem.ts'
import { withMembers } from '../api/with-members.ts'
import { currentLanguage } from '../i18n/languages.ts'
import type { StoredTokens } from './stored-tokens.ts'

/** The client ID of the console, which every oracle knows. */
const clientId = 'sibyl-console'

/** The ability to create API keys, which `*` does not cover: the user allows it by name when they sign in. */
export const createKeysAbility = 'api-key/create'

/** Abilities that the console requests: everything of a user, and those of an operator. */
export const requestedScopes = {
  user: ['*', createKeysAbility],
  operator: ['*', createKeysAbility, 'operator/read', 'operator/write'],
} as const

/** Days for which a sign-in with a one-time code lasts. */
const signInDays = 30

const pendingKey = 'sibyl-console-sign-in'
const asOperatorKey = 'sibyl-console-as-operator'

interface PendingSignIn {
  readonly verifier: string
  readonly state: string
  /** Path below `/console` to open afterwards. */
  readonly returnTo: string
}

const decisionSchema = withMembers<{ readonly location: string }>({ location: 'string' })
const tokenSchema = withMembers<{
  readonly access_token: string
  readonly refresh_token: string
  readonly expires_in: number
}>({ access_token: 'string', refresh_token: 'string', expires_in: 'number' })

/** Sends the browser to the sign-in page of the oracle. */
export const beginSignIn = async (
  base: ConsoleBase,
  { scopes, returnTo }: { readonly scopes: readonly string[]; readonly returnTo: string },
): Promise<void> => {
  const pending: PendingSignIn = { verifier: randomText(), state: randomText(), returnTo }
  sessionStorage.setItem(pendingKey, JSON.stringify(pending))
  if (scopes.includes('operator/read')) sessionStorage.setItem(asOperatorKey, 'yes')
  else forgetOperatorSignIn()
  location.assign(await authorizeUrl(base, pending, scopes))
}

/** Returns whether the user of this tab chose to sign in as operator. */
export const isOperatorSignIn = (): boolean => sessionStorage.getItem(asOperatorKey) !== null

/** Forgets that the user of this tab chose to sign in as operator. */
export const forgetOperatorSignIn = (): void => sessionStorage.removeItem(asOperatorKey)

/** Returns whether the address is the return from a sign-in. */
export const isReturn = (query: URLSearchParams): boolean =>
  query.has('state') && (query.has('code') || query.has('error'))

/** Returns whether the address is the return from a sign-in that this tab began. */
export const isAwaitedReturn = (query: URLSearchParams): boolean =>
  isReturn(query) && sessionStorage.getItem(pendingKey) !== null

/**
 * Exchanges the code that the sign-in page returned. Throws a `Problem` if it denied access. Without the `state` of this tab, a stranger
 * may have written the address: its texts are not shown.
 */
export const completeSignIn = async (
  base: ConsoleBase,
  query: URLSearchParams,
): Promise<{ readonly tokens: StoredTokens; readonly returnTo: string }> => {
  const pending = JSON.parse(sessionStorage.getItem(pendingKey) ?? 'null') as PendingSignIn | null
  sessionStorage.removeItem(pendingKey)
  const code = query.get('code')
  if (pending === null || query.get('state') !== pending.state) throw new Problem(400, 'sign_in_expired', notBegun)
  if (code === null) {
    throw new Problem(400, query.get('error') ?? 'sign_in_expired', query.get('error_description') ?? notBegun)
  }
  return { tokens: await exchange(base, code, pending.verifier), returnTo: pending.returnTo }
}

const notBegun = 'The sign-in did not start in this tab. Sign in again.'

/** Characters of a whole one-time code, without separators. */
const codeLength = 12

/** Returns whether a one-time code is whole. `sibyl console` writes its start into the address, and the rest in the terminal. */
export const isWholeCode = (code: string): boolean => code.replace(/[\s-]+/g, '').length >= codeLength

/** Returns the one-time code in the fragment of the address, or the start of one. */
export const oneTimeCode = (): string | undefined => /^#code=([\w-]{1,40})$/.exec(location.hash)?.[1]

/** Removes the one-time code from the address and the history. */
export const dropOneTimeCode = (): void => history.replaceState(null, '', location.pathname + location.search)

/** Signs in with a one-time code of the operator, without a page. */
export const signInWithCode = async (base: ConsoleBase, oneTimeCode: string): Promise<StoredTokens> => {
  const pending: PendingSignIn = { verifier: randomText(), state: randomText(), returnTo: '' }
  const scopes = requestedScopes.operator
  const page = await call(await authorizeUrl(base, pending, scopes))
  const { pathname } = new URL(page.url)
  if (!pathname.includes('/oauth/sign-in/')) throw new Problem(400, 'sign_in_expired', 'The sign-in is unavailable.')
  const decision = await call(`${pathname}/code`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code: oneTimeCode, scopes, days: signInDays }),
  })
  const { location: next } = readBody(decision, await decision.json(), decisionSchema)
  const { searchParams } = new URL((await call(next)).url)
  return exchange(base, searchParams.get('code') ?? '', pending.verifier)
}

/** Returns new tokens for a refresh token. */
export const refreshTokens = (base: ConsoleBase, refresh: string): Promise<StoredTokens> =>
  requestTokens(base, { grant_type: 'refresh_token', refresh_token: refresh })

/** Ends a sign-in at the oracle. */
export const revokeTokens = async (base: ConsoleBase, refresh: string): Promise<void> => {
  await postForm(base, 'oauth/revoke', { token: refresh, client_id: clientId })
}

const exchange = (base: ConsoleBase, code: string, verifier: string): Promise<StoredTokens> =>
  requestTokens(base, {
    grant_type: 'authorization_code',
    code,
    code_verifier: verifier,
    redirect_uri: base.console,
  })

const requestTokens = async (base: ConsoleBase, fields: Record<string, string>): Promise<StoredTokens> => {
  const response = await postForm(base, 'oauth/token', { ...fields, client_id: clientId })
  const answer = readBody(response, await response.json(), tokenSchema)
  return {
    access: answer.access_token,
    refresh: answer.refresh_token,
    expiresAt: Date.now() + answer.expires_in * 1000,
  }
}

const postForm = (base: ConsoleBase, path: string, fields: Record<string, string>): Promise<Response> =>
  call(new URL(path, base.oracle).href, { method: 'POST', body: new URLSearchParams(fields) })

const call = async (url: string, init?: RequestInit): Promise<Response> => {
  const response = await fetch(url, init).catch((error: unknown) => {
    throw unreachable(error)
  })
  if (!response.ok) throw await readProblem(response)
  return response
}

const authorizeUrl = async (
  base: ConsoleBase,
  { verifier, state }: PendingSignIn,
  scopes: readonly string[],
): Promise<string> => {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  const url = new URL('oauth/authorize', base.oracle)
  url.search = new URLSearchParams({
    client_id: clientId,
    redirect_uri: base.console,
    response_type: 'code',
    scope: scopes.join(' '),
    state,
    code_challenge: base64url(new Uint8Array(digest)),
    code_challenge_method: 'S256',
    ui_locales: currentLanguage(),
  }).toString()
  return url.href
}

const randomText = (): string => base64url(crypto.getRandomValues(new Uint8Array(32)))

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/=+$/, '')
