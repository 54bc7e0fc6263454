import { createHash, timingSafeEqual } from 'node:crypto'
import type { Access } from '@sibyl/plugin'
import { type Authentication, authenticate, bearerToken, type Unauthenticated } from '../auth/authenticate.ts'
import type { ReplayGuard } from '../auth/replay-guard.ts'
import type { ApiKeyList } from '../config/api-keys.ts'
import { type ProblemFacts, problemResponse } from './problem-response.ts'
import type { RequestCheck } from './request-check.ts'

/** Dependencies of the access checks of routes. */
export interface AccessParts {
  /** Called for each request: the public DID is known once the oracle listens. */
  readonly authentication: () => Authentication
  readonly replayGuard: ReplayGuard
  /** When the database was last restored, in milliseconds since 1970. */
  readonly restoredAt: () => number | undefined
  readonly operatorToken: string | undefined
  /** The DID of the oracle, for requests without a caller. */
  readonly oracleDid: string
  /** Returns the keys of a variable such as `ENTITIES_API_KEYS`. */
  readonly apiKeys: (variable: string) => ApiKeyList
  /** Returns parameters of the challenge at a path, such as `resource_metadata="…"`, if any. */
  readonly challenge: (path: string) => string | undefined
}

/**
 * Creates the access check of one route. It answers rejected requests; accepted ones have `actor` in their context.
 *
 * @param spendsNonce The route spends the invocation itself, together with its writes.
 */
export const lock = (access: Access, parts: AccessParts, spendsNonce = false): RequestCheck | undefined => {
  if (access === 'public' || access === 'own') return undefined
  if (access === 'operator') return operatorLock(parts)
  if ('ucan' in access) {
    const byUcan = ucanLock(access.ucan, parts, spendsNonce)
    return access.orOperator ? operatorOr(byUcan, parts) : byUcan
  }
  return apiKeyLock(access, parts)
}

const ucanLock =
  (ability: string, parts: AccessParts, spendsNonce: boolean): RequestCheck =>
  async c => {
    const reject = (verdict: Unauthenticated) => problemResponse(c, refusal(verdict, parts.challenge(c.req.path)))
    const verdict = await authenticate(c.req.header('authorization'), ability, parts.authentication(), c.req.path)
    if ('status' in verdict) return reject(verdict)
    c.set('actor', verdict.actor)
    const { invocation } = verdict
    if (!invocation) return undefined
    const isSpent = spendsNonce || (c.req.method !== 'GET' && c.req.method !== 'HEAD')
    const restoredAt = parts.restoredAt()
    if (isSpent && restoredAt !== undefined && invocation.acceptableFrom < restoredAt) {
      return reject(beforeRestore)
    }
    if (spendsNonce) c.set('invocation', invocation)
    else if (isSpent && !(await parts.replayGuard.spend(invocation.nonce))) {
      return reject(replayed)
    }
    return undefined
  }

/** An invocation that was used before. */
export const replayed: Unauthenticated = {
  status: 401,
  code: 'ucan_replayed',
  title: 'The invocation was rejected',
  detail: 'This invocation was used before. Mint a new one for each request.',
}

/** An invocation that may have been spent before a restored backup, which has no record of it. */
const beforeRestore: Unauthenticated = {
  status: 401,
  code: 'ucan_before_restore',
  title: 'The invocation was rejected',
  detail:
    "The oracle's database was restored from a backup, and this invocation may have been used before. Mint a new one with nbf. For up to two minutes after the restore, clients that backdate nbf are rejected too: retry later.",
}

/**
 * Returns the response of a rejected caller, with the challenge of a 401 (RFC 6750).
 *
 * @param parameters Further parameters of the challenge; with them, a missing scope is a challenge too.
 */
export const refusal = (verdict: Unauthenticated, parameters?: string): ProblemFacts => ({
  ...verdict,
  headers: challengeOf(verdict, parameters),
})

const challengeOf = (
  { status, code, scope }: Pick<Unauthenticated, 'status' | 'code' | 'scope'>,
  parameters?: string,
): Record<string, string> => {
  const error =
    status === 401
      ? code === 'ucan_missing'
        ? []
        : ['error="invalid_token"']
      : scope !== undefined && parameters !== undefined
        ? ['error="insufficient_scope"', `scope="${scope}"`]
        : undefined
  if (!error) return {}
  const all = ['realm="sibyl"', ...error, ...(parameters === undefined ? [] : [parameters])]
  return { 'www-authenticate': `Bearer ${all.join(', ')}` }
}

const operatorLock =
  ({ operatorToken, oracleDid }: AccessParts): RequestCheck =>
  c => {
    if (!isOperator(c.req.header('authorization'), operatorToken)) {
      return problemResponse(c, {
        status: 401,
        code: 'operator_token_needed',
        title: 'Restricted to the operator',
        detail: operatorToken
          ? 'Send the operator token: Authorization: Bearer <ORACLE_OPERATOR_TOKEN>.'
          : 'No operator token is set, so this route is closed. Set ORACLE_OPERATOR_TOKEN.',
        headers: { 'www-authenticate': 'Bearer realm="sibyl operator"' },
      })
    }
    c.set('actor', { did: oracleDid, via: 'operator', scopes: ['*'] })
    return undefined
  }

const operatorOr =
  (otherwise: RequestCheck, { operatorToken, oracleDid }: AccessParts): RequestCheck =>
  c => {
    if (!isOperator(c.req.header('authorization'), operatorToken)) return otherwise(c)
    c.set('actor', { did: oracleDid, via: 'operator', scopes: ['*'] })
    return undefined
  }

const isOperator = (header: string | undefined, operatorToken: string | undefined): boolean => {
  const presented = bearerToken(header)
  return operatorToken !== undefined && presented !== undefined && sameText(presented, operatorToken)
}

const sameText = (one: string, other: string): boolean =>
  timingSafeEqual(createHash('sha256').update(one).digest(), createHash('sha256').update(other).digest())

const apiKeyLock = (
  access: { readonly apiKey: string; readonly orUcan?: string },
  parts: AccessParts,
): RequestCheck => {
  const keys = parts.apiKeys(access.apiKey)
  const orUcan = access.orUcan === undefined ? undefined : ucanLock(access.orUcan, parts, false)
  return c => {
    const presented = bearerToken(c.req.header('authorization'))
    const key = presented === undefined ? undefined : keys.find(presented)
    if (key) {
      const grant = { apiKey: { variable: access.apiKey, name: key.name } }
      c.set('actor', { did: key.did ?? parts.oracleDid, via: 'api-key', scopes: key.scopes, grant })
      return undefined
    }
    if (orUcan && presented !== undefined) return orUcan(c)
    return problemResponse(c, {
      status: 401,
      code: 'api_key_needed',
      title: 'An API key is required',
      detail: `Send a key of ${access.apiKey}: Authorization: Bearer <key>.${orUcan ? ` A UCAN invocation with the ability ${access.orUcan} is also accepted.` : ''}`,
      headers: challengeOf({ status: 401, code: 'ucan_missing' }, orUcan && parts.challenge(c.req.path)),
    })
  }
}
